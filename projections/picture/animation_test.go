package picture_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/picture"
)

// squares returns a scene with a square at each of some places.
func squares(x float64, places ...float64) domain.Scene {
	s := domain.Scene{X: x, Y: 0, W: 200, H: 100}
	s.Shapes = append(s.Shapes, domain.Shape{Path: domain.Path{}.M(-500, -500).L(500, -500).L(500, 500).L(-500, 500),
		Fill: domain.RGB(0xFFFFFF)})
	for _, at := range places {
		s.Shapes = append(s.Shapes, domain.Shape{Path: domain.Path{}.M(at, 10).L(at+20, 10).L(at+20, 30).L(at, 30),
			Fill: domain.RGB(0xCC0000)})
	}
	return s
}

func TestAnAnimationShowsEachSceneWhereItLiesAmongAll(t *testing.T) {
	scenes := []domain.Scene{squares(0, 10), squares(0, 10), squares(-100, 10, 60), squares(0, 60, 100)}
	data, err := picture.Animation(context.Background(), scenes,
		picture.AnimationOptions{Width: 320, Delay: 40, Last: 400})
	require.NoError(t, err)
	g, err := gif.DecodeAll(bytes.NewReader(data))
	require.NoError(t, err)
	require.Len(t, g.Image, 3, "what did not change is shown longer")
	require.Equal(t, []int{80, 40, 400}, g.Delay)
	require.Zero(t, g.LoopCount, "it begins again")
	require.Less(t, g.Image[1].Rect.Dx(), g.Config.Width/2, "of each frame what has changed")

	canvas := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	unit := float64(g.Config.Width) / 300 // from -100 to 200
	red := func(at float64) bool {
		c := canvas.RGBAAt(int((at+10+100)*unit), int(20*unit))
		return c.R > 150 && c.G < 60
	}
	for i, want := range [][]bool{{true, false, false}, {true, true, false}, {false, true, true}} {
		draw.Draw(canvas, g.Image[i].Rect, g.Image[i], g.Image[i].Rect.Min, draw.Over)
		require.Equal(t, want, []bool{red(10), red(60), red(100)}, "frame %d", i)
		require.Equal(t, color.RGBA{255, 255, 255, 255}, canvas.RGBAAt(1, 1))
	}
}

func TestAnAnimationIsBounded(t *testing.T) {
	opt := picture.AnimationOptions{Width: 320, Delay: 40, Last: 400}
	_, err := picture.Animation(context.Background(), nil, opt)
	require.Error(t, err)
	_, err = picture.Animation(context.Background(), make([]domain.Scene, picture.MostFrames+1), opt)
	require.Error(t, err)
	gone, stop := context.WithCancel(context.Background())
	stop()
	_, err = picture.Animation(gone, []domain.Scene{squares(0, 10)}, opt)
	require.ErrorIs(t, err, context.Canceled, "nobody waits for it any more")
	opt.Width = 7
	_, err = picture.Animation(context.Background(), []domain.Scene{squares(0, 10)}, opt)
	require.Error(t, err)
}
