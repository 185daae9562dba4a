package picture

import (
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// blank returns an empty canvas.
func blank(w, h int) *canvas {
	return &canvas{pixels: newPixels(image.Rect(0, 0, w, h)), pen: &pen{}}
}

func (p *pixels) rect(x0, y0, x1, y1 int, c uint32) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			p.pix[y*p.w+x] = c
		}
	}
}

func (c *canvas) opacity(x, y int) uint32 { return c.pix[y*c.w+x] >> 24 }

// whole200 returns a picture that pixels cover, as far as they go.
func whole200(img *pixels) *composed {
	return &composed{w: 200, h: 200, ground: 0xFF123456, pieces: []piece{{raster: rasterOf(img, &palette{})}}}
}

func TestReduceKeepsFlatColoursExactAndSmallOnesThere(t *testing.T) {
	// given a ground of two colours with a gradient, and a seat's figure of twenty pixels
	img := newPixels(image.Rect(0, 0, 200, 200))
	const ground, sea, seat = 0xFFA9BE72, 0xFF6FA8C7, 0xFFD55E00
	img.rect(0, 0, 200, 200, ground)
	img.rect(0, 100, 200, 160, sea)
	for x := range 200 {
		for y := 160; y < 200; y++ {
			img.rect(x, y, x+1, y+1, 0xFF<<24|uint32(x)<<16|uint32(255-x)<<8|uint32(6*(y-160)))
		}
	}
	img.rect(50, 50, 55, 54, seat)
	// when its colours are reduced, however far
	for _, colors := range []int{64, 32, 16} {
		p, k := &palette{}, &indexed{}
		on := whole200(&img)
		p.look(on)
		pal := slices.Clone(p.reduce(colors))
		rows := slices.Clone(k.paint(on, p))
		at := func(x, y int) uint32 { return 0xFF<<24 | pal[rows[y*201+1+x]] }
		// then the flat colours are unchanged, and the figure stands out from the ground
		require.LessOrEqual(t, len(pal), colors)
		require.Equal(t, uint32(ground), at(10, 10))
		require.Equal(t, uint32(sea), at(10, 120))
		of := func(c uint32) rgb { return rgb{float32(c >> 16 & 0xFF), float32(c >> 8 & 0xFF), float32(c & 0xFF)} }
		require.Less(t, of(seat).to(of(at(52, 52))), float32(6000), "%d colours: %x", colors, at(52, 52))
		// and the result is the same again, whatever was examined in between
		other := newPixels(image.Rect(0, 0, 90, 3))
		other.rect(0, 0, 90, 3, 0xFF123456)
		p.look(whole200(&other))
		require.Contains(t, p.reduce(colors), uint32(0x123456))
		p.look(on)
		require.Equal(t, pal, p.reduce(colors))
		require.Equal(t, rows, k.paint(on, p))
	}
}

func TestStrokeOfAClosedLineHasNoGapAtItsStart(t *testing.T) {
	// given the outline of a square and of a curve, painted on white
	for _, p := range []domain.Path{domain.Rect(20, 20, 60, 60), domain.Ellipse(50, 50, 30, 20)} {
		c := blank(100, 100)
		s := domain.Shape{Path: p, Stroke: domain.RGB(0xFF0000), Width: 6}
		require.NoError(t, c.shapes([]domain.Shape{s}, newFrame(1, 0, 0, 0), 0))
		// then every point along it is covered
		for _, l := range flatten(p, newFrame(1, 0, 0, 0)) {
			for i, a := range l.pts {
				b := l.pts[(i+1)%len(l.pts)]
				for k := range 10 {
					q := mix(a, b, float64(k)/10)
					require.Equal(t, uint32(0xFFFF0000), c.pix[int(q.Y)*c.w+int(q.X)], "at %v", q)
				}
			}
		}
		// and its middle is not
		require.Zero(t, c.opacity(50, 50))
	}
}

func TestSharpCornersOfAStrokeAreRoundAndFilled(t *testing.T) {
	c := blank(100, 100)
	p := domain.Path{}.M(20, 80).L(50, 20).L(56, 80)
	require.NoError(t, c.shapes([]domain.Shape{{Path: p, Stroke: domain.RGB(0x0000FF), Width: 12}},
		newFrame(1, 0, 0, 0), 0))
	for _, q := range [...][2]int{{50, 20}, {50, 16}, {49, 26}, {20, 80}, {56, 84}} {
		require.Equal(t, uint32(0xFF), c.opacity(q[0], q[1]), "%v", q)
	}
	require.Zero(t, c.opacity(50, 10), "no spike beyond the round end")
}

func TestFillsKeepTheirHoles(t *testing.T) {
	c := blank(100, 100)
	// a ring: the inner outline runs the other way round
	ring := append(domain.Rect(10, 10, 80, 80), domain.Path{}.M(30, 30).L(30, 70).L(70, 70).L(70, 30).Z()...)
	require.NoError(t, c.shapes([]domain.Shape{{Path: ring, Fill: domain.RGB(0x00FF00)}}, newFrame(1, 0, 0, 0), 0))
	require.Equal(t, uint32(0xFF), c.opacity(20, 50))
	require.Zero(t, c.opacity(50, 50))
}
