package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestColoursAreMixedToTheNearestShade(t *testing.T) {
	for c := range uint32(256) {
		for part := range uint32(256) {
			want := uint32(math.Round(float64(c) * float64(part) / 255))
			if got := scaled(c*0x01010101, part); got != want*0x01010101 {
				t.Fatalf("%d of %d is %x", part, c, got)
			}
		}
	}
	for a := range 256 {
		c := over(premultiplied(domain.RGB(0xFF8000).Alpha(uint8(a))), 0xFF0080FF)
		require.Equal(t, uint32(0xFF), c>>24, "what is painted on an opaque ground is opaque")
		require.InDelta(t, a, int(c>>16&0xFF), 1)
		require.InDelta(t, 0x80, int(c>>8&0xFF), 1)
		require.InDelta(t, 255-a, int(c&0xFF), 1)
	}
}

// shaped returns a scene of a few things in random places, some beyond its edges, and some repeated slightly shifted.
func shaped(rnd *rand.Rand) domain.Scene {
	at := func() float64 { return math.Round(rnd.Float64()*1400)/4 - 50 }
	s := domain.Scene{W: 250, H: 200, Ground: domain.RGB(0xFAF6EC),
		Symbols: []domain.Symbol{{ID: "dot", X: -9, Y: -9, W: 18, H: 18, Shapes: []domain.Shape{
			{Path: domain.Ellipse(0, 0, 8, 8), Fill: domain.RGB(0xD55E00).Alpha(0xC0), Stroke: domain.RGB(0x2B2A28)}}}}}
	for range 12 {
		c := domain.Color(rnd.Uint32())
		sh := domain.Shape{Stroke: c, Fill: c<<3 | 0xFF, Width: float64(rnd.IntN(6)), Dash: float64(rnd.IntN(3) * 4)}
		switch x, y := at(), at(); rnd.IntN(4) {
		case 0:
			sh.Path = domain.Path{}.M(x, y).L(x+30, y+at()/4).Q(x+90, y, x+20, y+60).Z()
		case 1:
			sh.Path = append(domain.Rect(x, y, 60, 40), domain.Rect(x+80, y, 20, 300)...)
		case 2:
			sh.Text, sh.Size, sh.At, sh.Turn = fmt.Sprint(rnd.IntN(99)), 30, domain.Point{X: x, Y: y},
				float64(rnd.IntN(4)*45)
		case 3:
			sh = domain.Shape{Group: []domain.Shape{{Use: "dot"}, {Use: "dot", At: domain.Point{X: 20}}},
				At: domain.Point{X: x, Y: y}, Scale: 1.5, Turn: 30}
		}
		again := sh
		again.At.X += 40
		s.Shapes = append(s.Shapes, sh, again)
	}
	return s
}

func TestWhatIsKeptIsPaintedAsWhatIsPaintedAfresh(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	used := NewPainter()
	for i := range 16 {
		s, opt := shaped(rnd), PNGOptions{Width: 320, Scale: 1 + i%2}
		want, err := NewPainter().PNG(s, opt)
		require.NoError(t, err)
		// another picture that has much in common with it
		beside := s
		beside.Shapes = s.Shapes[:len(s.Shapes)-1]
		_, err = used.PNG(beside, opt)
		require.NoError(t, err)
		kept := used.masks.Len()
		got, err := used.PNG(s, opt)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.LessOrEqual(t, used.masks.Len(), kept+2, "little is found out anew")
	}
}

// An outline is the same at any whole pixel, whatever lies beyond the picture's edge.
func TestAnOutlineIsKeptOnceForAllItsPlaces(t *testing.T) {
	p := NewPainter()
	for _, x := range []float64{-35, 0, 10, 200, 310} {
		s := domain.Scene{W: 320, H: 200,
			Shapes: []domain.Shape{{Path: domain.Ellipse(x, 50, 30.5, 20), Fill: domain.RGB(uint32(x))}}}
		got, err := p.PNG(s, PNGOptions{Width: 320, Scale: 1})
		require.NoError(t, err)
		want, err := NewPainter().PNG(s, PNGOptions{Width: 320, Scale: 1})
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, 1, p.masks.Len())
	}
}

// What is larger than any picture is painted as far as it shows, and not kept.
func TestWhatIsFarLargerThanThePictureIsNotKept(t *testing.T) {
	p := NewPainter()
	s := domain.Scene{W: 320, H: 200,
		Shapes: []domain.Shape{{Path: domain.Rect(-1e5, -1e5, 2e5, 2e5), Fill: domain.RGB(0x336699)}}}
	file, err := p.PNG(s, PNGOptions{Width: 320, Scale: 1})
	require.NoError(t, err)
	require.Zero(t, p.masks.Len())
	img, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, color.RGBA{0x33, 0x66, 0x99, 0xFF}, img.At(7, 100))
}

// Given a painter that has painted much, when it rests, then it keeps little, and paints earlier pictures the same as
// before.
func TestAPainterAtRestKeepsLittleAndPaintsTheSame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	painter := NewPainter()
	var scenes []domain.Scene
	var before [][]byte
	for range 40 {
		s := shaped(rnd)
		b, err := painter.PNG(s, PNGOptions{})
		require.NoError(t, err)
		scenes, before = append(scenes, s), append(before, b)
	}
	require.Greater(t, painter.masks.Used(), restMasks, "there is something to forget")
	painter.Rest()
	require.Zero(t, painter.pictures.Len())
	require.LessOrEqual(t, painter.masks.Used(), restMasks)
	require.LessOrEqual(t, painter.rasters.Used(), restRasters)
	for range cap(painter.desks) {
		d := <-painter.desks
		require.Nil(t, d)
		painter.desks <- d
	}
	for i, s := range scenes {
		again, err := painter.PNG(s, PNGOptions{})
		require.NoError(t, err)
		require.True(t, bytes.Equal(before[i], again))
	}
}
