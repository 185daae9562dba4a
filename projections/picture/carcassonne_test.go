package picture_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/projections/picture"
)

// played returns a game of Carcassonne played randomly to its end, on a compact board.
func played(t testing.TB, o domain.Choices, seats int, seed uint64) (domain.View, []*domain.Event) {
	t.Helper()
	rb := carcassonne.Rulebook
	full, err := domain.Complete(rb, o)
	require.NoError(t, err)
	l := domain.NewLine(rb, domain.NewThrowaway(seed))
	e, _, err := l.Setup(domain.Game{Choices: full, Seats: seats})
	require.NoError(t, err)
	l.Apply(&e)
	var last *domain.Event
	for x := seed*2654435761 + 1; len(l.Awaited()) > 0; {
		seat := l.Awaited()[0].Seat
		var list []state.Move
		for m := range rb.Legal(l.State, seat) {
			list = append(list, m.(state.Move))
		}
		best, near := list[0], 1<<30
		for range 10 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			m := list[x%uint64(len(list))]
			if d := int(m.X)*int(m.X) + int(m.Y)*int(m.Y); d < near {
				best, near = m, d
			}
		}
		e, _, err := l.Decide(seat, best)
		require.NoError(t, err)
		l.Apply(&e)
		last = &e
	}
	return rb.View(l.State, domain.Spectator), []*domain.Event{last}
}

func TestPNGOfAWholeGameFitsAMail(t *testing.T) {
	for seed, o := range []domain.Choices{nil, {"river": "on", "abbot": "on"}} {
		// given a finished game, its last scores marked, and many open places
		v, last := played(t, o, 5, uint64(seed)+1)
		sketch := domain.Sketch{Last: last}
		for i := range 12 {
			key := fmt.Sprintf("%d,%d", i-6, 7)
			sketch.Open = append(sketch.Open, domain.Spot{Key: key, Spot: key, Name: fmt.Sprint(i + 1)})
		}
		scene := carcassonne.Rulebook.Draw(v, sketch)[0].Scene
		for _, w := range []int{500, 600} {
			// when it is painted for a fine screen
			file, err := picture.PNG(scene, picture.PNGOptions{Width: w, Scale: 2})
			require.NoError(t, err)
			// then it fits
			require.LessOrEqual(t, len(file), 100_000)
			require.LessOrEqual(t, len(decode(t, file).Palette), 64)
		}
		// and it is well-formed SVG with all of its links
		all := parse(t, svg(t, scene, picture.SVGOptions{Link: func(s string) (string, string) { return "/p?" + s, s },
			Words: func(s domain.Say) string { return s.Key }}))
		require.Len(t, named(all, "a"), 12)
	}
}

func TestPNGOfEveryTileShowsItInItsOwnColours(t *testing.T) {
	for _, tile := range table.Tiles {
		for turn := 0; turn < 360; turn += 90 {
			file, err := picture.PNG(show.TileScene(tile.Letter, turn), picture.PNGOptions{Width: 320, Scale: 1})
			require.NoError(t, err)
			img := decode(t, file)
			// the middle of each edge is road, water, city or grass, matching the tile
			w, h := img.Rect.Dx(), img.Rect.Dy()
			in := w * 8 / 110
			at := [4][2]int{{w / 2, in}, {w - in, h / 2}, {w / 2, h - in}, {in, h / 2}}
			for e, p := range at {
				r, g, b, _ := img.At(p[0], p[1]).RGBA()
				kind := table.Field
				switch r, g, b := int(r>>8), int(g>>8), int(b>>8); {
				case r > 225 && g > 215:
					kind = table.Road
				case b > r+40:
					kind = table.River
				case r > g+15:
					kind = table.City
				}
				want := tile.Edges[(e-turn/90+4)%4]
				require.Equal(t, want, kind, "%s turned %d, edge %d: %x %x %x", tile.Letter, turn, e, r>>8, g>>8, b>>8)
			}
		}
	}
}

func BenchmarkCarcassonne(b *testing.B) {
	v, last := played(b, domain.Choices{"river": "on", "abbot": "on"}, 4, 3)
	b.Run("draw", func(b *testing.B) {
		for b.Loop() {
			_ = carcassonne.Rulebook.Draw(v, domain.Sketch{Last: last})[0].Scene
		}
	})
	scene := carcassonne.Rulebook.Draw(v, domain.Sketch{Last: last})[0].Scene
	b.Run("svg", func(b *testing.B) {
		for b.Loop() {
			var w bytes.Buffer
			if err := picture.SVG(&w, scene, picture.SVGOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("png cold", func(b *testing.B) {
		for b.Loop() {
			if _, err := picture.NewPainter().PNG(scene, picture.PNGOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("png, pieces kept", func(b *testing.B) {
		p := picture.NewPainter()
		for b.Loop() {
			scene.Shapes[0].Width += 1e-6
			if _, err := p.PNG(scene, picture.PNGOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
