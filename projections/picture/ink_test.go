package picture

import (
	"bytes"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// A picture is painted in few colours from the start. It looks like one painted in all colours.
func TestAPictureInFewColoursShowsWhatOneInAllDoes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 12 {
		s, opt := shaped(rnd), PNGOptions{Width: 320, Scale: 1}
		// given a scene painted shape by shape in all colours
		w, h, unit, err := fit(s, opt)
		require.NoError(t, err)
		all := blank(w, h)
		all.symbols, _ = digested(&s, opt)
		for i := range all.pix {
			all.pix[i] = premultiplied(s.Ground)
		}
		require.NoError(t, all.shapes(s.Shapes, newFrame(unit, 0, 0, 0), 0))
		// when it is painted in few colours
		file, err := NewPainter().PNG(s, opt)
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(file))
		require.NoError(t, err)
		// then few pixels look different, though hardly two shapes have the same colour
		off := 0
		for y := range h {
			for x := range w {
				r, g, b, _ := img.At(x, y).RGBA()
				c := all.pix[y*w+x]
				if (rgb{float32(r >> 8), float32(g >> 8), float32(b >> 8)}).
					to(rgb{float32(c >> 16 & 0xFF), float32(c >> 8 & 0xFF), float32(c & 0xFF)}) > 7.5*24*24 {
					off++
				}
			}
		}
		require.Less(t, off, w*h/50)
	}
}

func TestAnUprightRectangleIsPaintedLikeAnyOutline(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		at := func() float64 { return math.Round(rnd.Float64()*64*20) / 64 }
		x0, y0 := at(), at()
		o := (&pen{}).lay(domain.Rect(x0, y0, at(), at()), newFrame(1, float64(rnd.IntN(4)*90), 0, 0))
		low, high, ok := o.upright()
		require.True(t, ok)
		got, want := blank(64, 64), blank(64, 64)
		rectangle(low, high).paint(&got.pixels, 20, 20, domain.RGB(0xFFFFFF))
		if m := (&pen{}).mask(o.lines(), want.bounds(), true); m != nil {
			m.paint(&want.pixels, 20, 20, domain.RGB(0xFFFFFF))
		}
		for i := range want.pix {
			require.InDelta(t, int(want.pix[i]>>24), int(got.pix[i]>>24), 2)
		}
	}
	for _, p := range []domain.Path{domain.Path{}.M(0, 0).L(4, 1).L(4, 5).L(0, 4).Z(),
		domain.Path{}.M(0, 0).L(4, 0).L(4, 5).Z(), domain.Ellipse(0, 0, 2, 2)} {
		_, _, ok := (&pen{}).lay(p, newFrame(1, 0, 0, 0)).upright()
		require.False(t, ok)
	}
}

// A translucent shape mixes both colours, however large or small it is.
func TestAShadeIsWhatItMixesTo(t *testing.T) {
	s := domain.Scene{W: 250, H: 200, Ground: domain.RGB(0x204060)}
	for i := range 60 { // many colours to choose from
		s.Shapes = append(s.Shapes, domain.Shape{Path: domain.Rect(float64(i%20)*12, float64(i/20)*12, 11, 11),
			Fill: domain.RGB(uint32(i) * 0x040B13)})
	}
	s.Shapes = append(s.Shapes, domain.Shape{Path: domain.Ellipse(150, 150, 30, 30),
		Fill: domain.RGB(0xFFFF00).Alpha(0x60)})
	file, err := NewPainter().PNG(s, PNGOptions{Width: 320, Scale: 1})
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	_, _, unit, err := fit(s, PNGOptions{Width: 320, Scale: 1})
	require.NoError(t, err)
	r, g, b, _ := img.At(int(150*unit), int(150*unit)).RGBA()
	want := over(premultiplied(domain.RGB(0xFFFF00).Alpha(0x60)), 0xFF204060)
	require.InDelta(t, int(want>>16&0xFF), int(r>>8), 8)
	require.InDelta(t, int(want>>8&0xFF), int(g>>8), 8)
	require.InDelta(t, int(want&0xFF), int(b>>8), 8)
}
