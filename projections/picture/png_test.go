package picture_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/picture"
)

func chunks(t *testing.T, file []byte) (names []string) {
	t.Helper()
	require.Equal(t, "\x89PNG\r\n\x1a\n", string(file[:8]))
	for at := 8; at < len(file); {
		n := int(binary.BigEndian.Uint32(file[at:]))
		names = append(names, string(file[at+4:at+8]))
		at += 12 + n
	}
	return names
}

func decode(t *testing.T, file []byte) *image.Paletted {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	pal, ok := img.(*image.Paletted)
	require.True(t, ok, "a picture has a palette")
	return pal
}

func TestPNGIsASmallOpaquePaletteWithoutMetadata(t *testing.T) {
	for _, opt := range []picture.PNGOptions{{}, {Width: 320, Scale: 1}, {Width: 600, Scale: 2},
		{Width: 500, Scale: 2}} {
		for name, s := range map[string]domain.Scene{"a few tiles": board(), "a whole game": large()} {
			// when a scene is painted
			file, err := picture.PNG(s, opt)
			require.NoError(t, err, name)

			// then it contains only header, palette and pixels
			names := chunks(t, file)
			require.Equal(t, []string{"IHDR", "PLTE"}, names[:2])
			require.Equal(t, "IEND", names[len(names)-1])
			for _, n := range names[2 : len(names)-1] {
				require.Equal(t, "IDAT", n)
			}
			// and at most 64 opaque colours
			img := decode(t, file)
			require.LessOrEqual(t, len(img.Palette), 64)
			for _, c := range img.Palette {
				_, _, _, a := c.RGBA()
				require.Equal(t, uint32(0xFFFF), a)
			}
			// and the announced size, within the given room
			w, h, err := picture.Size(s, opt)
			require.NoError(t, err)
			require.Equal(t, image.Pt(w, h), img.Rect.Size())
			require.LessOrEqual(t, w, 1200)
			require.Less(t, len(file), 100_000)
		}
	}
}

func TestPNGIsTheSameBytesForTheSameScene(t *testing.T) {
	want, err := picture.NewPainter().PNG(large(), picture.PNGOptions{})
	require.NoError(t, err)
	p := picture.NewPainter()
	var wg sync.WaitGroup
	got := make([][]byte, 16)
	errs := make([]error, 16)
	for i := range got {
		wg.Go(func() { got[i], errs[i] = p.PNG(large(), picture.PNGOptions{}) })
	}
	wg.Wait()
	for i := range got {
		require.NoError(t, errs[i])
		require.True(t, bytes.Equal(want, got[i]))
	}
}

func TestPNGPaintsManyScenesAtOnceAsItPaintsEachAlone(t *testing.T) {
	p := picture.NewPainter()
	var wg sync.WaitGroup
	got, errs := make([][]byte, 24), make([]error, 24)
	turned := func(i int) domain.Scene {
		s := board()
		s.Shapes[0].Turn = float64(i)
		return s
	}
	for i := range got {
		wg.Go(func() { got[i], errs[i] = p.PNG(turned(i), picture.PNGOptions{Width: 320, Scale: 1}) })
	}
	wg.Wait()
	for i := range got {
		require.NoError(t, errs[i])
		want, err := picture.NewPainter().PNG(turned(i), picture.PNGOptions{Width: 320, Scale: 1})
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got[i]), i)
	}
}

func TestPNGTellsScenesApartThatDifferInOneThing(t *testing.T) {
	p := picture.NewPainter()
	base, err := p.PNG(board(), picture.PNGOptions{})
	require.NoError(t, err)
	for name, change := range map[string]func(*domain.Scene){
		"a colour":         func(s *domain.Scene) { s.Shapes[8].Stroke = domain.RGB(0xFF0000) },
		"a turn":           func(s *domain.Scene) { s.Shapes[0].Turn = 180 },
		"a symbol's shape": func(s *domain.Scene) { s.Symbols[0].Shapes[0].Fill = domain.RGB(0x00FF00) },
		"a text":           func(s *domain.Scene) { s.Shapes[9].Text = "13" },
		"the ground":       func(s *domain.Scene) { s.Ground = domain.RGB(0x102030) },
	} {
		s := board()
		change(&s)
		other, err := p.PNG(s, picture.PNGOptions{})
		require.NoError(t, err)
		require.False(t, bytes.Equal(base, other), name)
	}
}

func TestPNGPaintsWhatLiesEdgeToEdgeWithoutSeams(t *testing.T) {
	// given tiles of one colour that fill the scene, on a ground of another
	red := domain.RGB(0xC00000)
	s := domain.Scene{X: 0, Y: 0, W: 700, H: 500, Ground: domain.RGB(0x0000C0), Symbols: []domain.Symbol{
		{ID: "t", X: -50, Y: -50, W: 100, H: 100,
			Shapes: []domain.Shape{{Path: domain.Rect(-50, -50, 100, 100), Fill: red}}},
	}}
	for i := range 35 {
		s.Shapes = append(s.Shapes, domain.Shape{
			Use: "t", At: domain.Point{X: float64(i%7)*100 + 50, Y: float64(i/7)*100 + 50}, Turn: float64(i%4) * 90})
	}
	for _, w := range picture.Widths {
		for _, scale := range []int{1, 2} {
			// when it is painted, at any size
			file, err := picture.PNG(s, picture.PNGOptions{Width: w, Scale: scale})
			require.NoError(t, err)
			// then the ground shows nowhere
			img := decode(t, file)
			for _, i := range img.Pix {
				require.Equal(t, color.RGBA{0xC0, 0, 0, 0xFF}, img.Palette[i])
			}
		}
	}
}

func TestPNGPaintsStrokesDashesAndTextWhereTheyBelong(t *testing.T) {
	s := domain.Scene{W: 200, H: 100, Ground: domain.RGB(0xFFFFFF), Shapes: []domain.Shape{
		{Path: domain.Path{}.M(20, 20).L(180, 20), Stroke: domain.RGB(0xFF0000), Width: 10},
		{Path: domain.Path{}.M(20, 50).L(180, 50), Stroke: domain.RGB(0x0000FF), Width: 2, Dash: 10},
		{Text: "I", At: domain.Point{X: 100, Y: 80}, Size: 30, Bold: true, Fill: domain.RGB(0x008000)},
		{Path: domain.Rect(0, 0, 200, 100), Fill: domain.RGB(0), Hidden: true},
	}}
	file, err := picture.PNG(s, picture.PNGOptions{Width: 320, Scale: 1})
	require.NoError(t, err)
	img := decode(t, file)
	_, _, unit := 0, 0, float64(img.Rect.Dx())/200
	at := func(x, y float64) color.RGBA {
		return img.At(int(x*unit), int(y*unit)).(color.RGBA)
	}
	red, white := color.RGBA{0xFF, 0, 0, 0xFF}, color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
	require.Equal(t, red, at(100, 20), "on the line")
	require.Equal(t, red, at(17, 20), "in its round end")
	require.Equal(t, white, at(13, 20), "past it")
	require.Equal(t, white, at(100, 27), "beside it")
	require.Greater(t, at(25, 50.2).B, at(25, 50.2).R, "in a dash")
	require.Equal(t, white, at(35, 50.2), "in a gap")
	require.Less(t, at(100, 80).R, uint8(0x40), "in the letter, which stands in the middle")
	require.Equal(t, white, at(90, 80), "beside the letter")
}

func TestPNGRefusesSizesThatAreNotMade(t *testing.T) {
	for _, opt := range []picture.PNGOptions{{Width: 601}, {Width: 9000}, {Scale: 3}, {Width: -1}, {Scale: -2}} {
		_, err := picture.PNG(board(), opt)
		require.Error(t, err)
	}
	_, err := picture.PNG(domain.Scene{}, picture.PNGOptions{})
	require.Error(t, err)
}

func TestPNGRefusesASymbolItLacks(t *testing.T) {
	_, err := picture.PNG(domain.Scene{W: 10, H: 10, Shapes: []domain.Shape{{Use: "nowhere"}}}, picture.PNGOptions{})
	require.ErrorContains(t, err, "nowhere")
}

// A painter with empty caches, and one that knows the pieces but not the picture.
func BenchmarkPNG(b *testing.B) {
	s := large()
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			if _, err := picture.NewPainter().PNG(s, picture.PNGOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pieces kept", func(b *testing.B) {
		p := picture.NewPainter()
		for b.Loop() {
			s.Shapes[0].At.X += 1e-9
			if _, err := p.PNG(s, picture.PNGOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kept", func(b *testing.B) {
		p := picture.NewPainter()
		for b.Loop() {
			if _, err := p.PNG(s, picture.PNGOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
