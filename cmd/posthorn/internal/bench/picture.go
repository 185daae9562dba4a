package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

// PictureCmd paints a late position of each game.
type PictureCmd struct{ benchSettings }

// Help returns the long help of the sub-command.
func (PictureCmd) Help() string {
	return `Paints the first picture that a mail about a late position of each game shows, as a PNG of
the size that it has there: once by a painter who has painted nothing before, and once by one
who knows its pieces from the position before. Beside them stands what Go's own encoder takes
for the finished pixels: the same size, the same colours, nothing painted.`
}

// lateMoves is how many moves come before a late position.
var lateMoves = map[string]uint64{"carcassonne": 60, "catan": 150, "rivals": 150}

// Run measures and prints.
func (c *PictureCmd) Run(ctx context.Context, con console.Console) error {
	return c.measured(ctx, con, "pictures of late positions as in mails", house.Settings{}, c.parts)
}

func (c *PictureCmd) parts(ctx context.Context, h *house.House) (parts []benchPart, err error) {
	for i, game := range benchGames {
		scene, opt, err := latePicture(ctx, h, game, rand.New(rand.NewPCG(7, uint64(i))))
		if err != nil {
			return nil, err
		}
		of, err := pictureParts(game, scene, opt)
		if err != nil {
			return nil, err
		}
		parts = append(parts, of...)
	}
	return parts, nil
}

// latePicture returns the scene of the first picture in a mail, and its size there: finer if it is the only large one.
func latePicture(ctx context.Context, h *house.House, game string, rnd *rand.Rand) (scene domain.Scene,
	opt picture.PNGOptions, err error) {
	table, err := benchOpens(ctx, h.Desk, game, rnd, "ana", "bo")
	if err != nil {
		return scene, opt, err
	}
	look, err := benchPlay(ctx, h.Desk, table, lateMoves[game], drawnMove, rnd)
	if err != nil {
		return scene, opt, err
	}
	mod, err := h.Sender.Composer.Maker.Turn(ctx, table,
		turn.Asker{Person: look.Table.Places[0].Holders[0], Lang: "en"})
	if err != nil {
		return scene, opt, err
	}
	panels := mod.Narrow(mod.Choose(nil))
	mains := 0
	for _, p := range panels {
		if p.Weight == domain.PanelMain {
			mains++
		}
	}
	switch mains {
	case 0:
		return scene, opt, fmt.Errorf("%s has no picture", game)
	case 1:
		opt = picture.PNGOptions{Width: 500, Scale: 2}
	default:
		opt = picture.PNGOptions{Width: 320, Scale: 2}
	}
	return panels[0].Scene, opt, nil
}

func pictureParts(game string, scene domain.Scene, opt picture.PNGOptions) ([]benchPart, error) {
	file, err := picture.NewPainter().PNG(scene, opt)
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("a picture: %w", err)
	}
	flat, ok := img.(*image.Paletted)
	if !ok {
		return nil, errors.New("a picture has no palette")
	}
	var baseline bytes.Buffer
	if err := png.Encode(&baseline, flat); err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	knows, shifted := picture.NewPainter(), scene
	shifted.Shapes = slices.Clone(scene.Shapes)
	size := func(name string, file []byte) string {
		return fmt.Sprintf("%s %d×%d, %s (%d kB)", game, flat.Rect.Dx(), flat.Rect.Dy(), name, len(file)/1000)
	}
	return []benchPart{
		{name: size("encoding/png", baseline.Bytes()), once: func(context.Context) (int, error) {
			baseline.Reset()
			return 1, png.Encode(&baseline, flat)
		}},
		{name: size("pieces known", file), once: func(context.Context) (int, error) {
			shifted.Shapes[0].At.X += 1e-9 // another picture, but nobody sees the difference
			_, err := knows.PNG(shifted, opt)
			return 1, err
		}},
		{name: size("nothing known", file), once: func(context.Context) (int, error) {
			_, err := picture.NewPainter().PNG(scene, opt)
			return 1, err
		}},
	}, nil
}
