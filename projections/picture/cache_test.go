package picture

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestReduceKeepsFlatColoursExactAndSmallOnesThere(t *testing.T) {
	// given a ground of two colours with a gradient, and a seat's figure of twenty pixels
	img := image.NewRGBA(image.Rect(0, 0, 200, 200))
	ground, sea := color.RGBA{0xA9, 0xBE, 0x72, 0xFF}, color.RGBA{0x6F, 0xA8, 0xC7, 0xFF}
	draw.Draw(img, img.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 100, 200, 160), image.NewUniform(sea), image.Point{}, draw.Src)
	for x := range 200 {
		for y := 160; y < 200; y++ {
			img.SetRGBA(x, y, color.RGBA{uint8(x), uint8(255 - x), uint8(6 * (y - 160)), 0xFF})
		}
	}
	seat := color.RGBA{0xD5, 0x5E, 0x00, 0xFF}
	draw.Draw(img, image.Rect(50, 50, 55, 54), image.NewUniform(seat), image.Point{}, draw.Src)
	// when it is reduced, however far
	for _, colors := range []int{64, 32, 16} {
		out := reduce(img, colors)
		// then the flat colours are what they were, and the figure can be told from the ground
		require.LessOrEqual(t, len(out.Palette), colors)
		require.Equal(t, ground, out.At(10, 10))
		require.Equal(t, sea, out.At(10, 120))
		got := out.At(52, 52).(color.RGBA)
		require.Less(t, rgb{float64(seat.R), float64(seat.G), float64(seat.B)}.to(&bin{mean: rgb{float64(got.R), float64(got.G), float64(got.B)}}), 6000.0, "%d colours: %v", colors, got)
	}
	require.Equal(t, reduce(img, 64), reduce(img, 64))
}

func TestStrokeOfAClosedLineHasNoGapAtItsStart(t *testing.T) {
	// given the outline of a square and of a curve, painted on white
	for _, p := range []domain.Path{domain.Rect(20, 20, 60, 60), domain.Ellipse(50, 50, 30, 20)} {
		c := &canvas{img: image.NewRGBA(image.Rect(0, 0, 100, 100))}
		s := domain.Shape{Path: p, Stroke: domain.RGB(0xFF0000), Width: 6}
		require.NoError(t, c.shapes([]domain.Shape{s}, newFrame(1, 0, 0, 0), 0))
		// then every point along it is covered
		for _, l := range flatten(p, newFrame(1, 0, 0, 0)) {
			for i, a := range l.pts {
				b := l.pts[(i+1)%len(l.pts)]
				for k := range 10 {
					q := mix(a, b, float64(k)/10)
					require.Equal(t, uint8(0xFF), c.img.RGBAAt(int(q.X), int(q.Y)).R, "at %v", q)
				}
			}
		}
		// and its middle is not
		require.Zero(t, c.img.RGBAAt(50, 50).A)
	}
}

func TestSharpCornersOfAStrokeAreRoundAndFilled(t *testing.T) {
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, 100, 100))}
	p := domain.Path{}.M(20, 80).L(50, 20).L(56, 80)
	require.NoError(t, c.shapes([]domain.Shape{{Path: p, Stroke: domain.RGB(0x0000FF), Width: 12}}, newFrame(1, 0, 0, 0), 0))
	for _, q := range [...][2]int{{50, 20}, {50, 16}, {49, 26}, {20, 80}, {56, 84}} {
		require.Equal(t, uint8(0xFF), c.img.RGBAAt(q[0], q[1]).A, "%v", q)
	}
	require.Zero(t, c.img.RGBAAt(50, 10).A, "no spike beyond the round end")
}

func TestFillsKeepTheirHoles(t *testing.T) {
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, 100, 100))}
	// a ring: the inner outline runs the other way round
	ring := append(domain.Rect(10, 10, 80, 80), domain.Path{}.M(30, 30).L(30, 70).L(70, 70).L(70, 30).Z()...)
	require.NoError(t, c.shapes([]domain.Shape{{Path: ring, Fill: domain.RGB(0x00FF00)}}, newFrame(1, 0, 0, 0), 0))
	require.Equal(t, uint8(0xFF), c.img.RGBAAt(20, 50).A)
	require.Zero(t, c.img.RGBAAt(50, 50).A)
}
