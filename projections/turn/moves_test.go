package turn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

func TestTheListOfMovesIsThatOfTheWholeModel(t *testing.T) {
	for _, game := range []string{"tiny", "carcassonne", "catan", "rivals"} {
		h, rnd := newHouse(t), rand.New(rand.NewPCG(3, 4))
		table := h.Opens(game, nil, desktest.Player(ana), desktest.Player(bo))
		before, err := h.maker.Moves(h.Ctx, table, asks(ana))
		require.NoError(t, err, "while people gather")
		require.Nil(t, before.Decision)
		h.Joins(ana, table, 0)
		h.Joins(bo, table, 1)
		for range 8 {
			h.Follows(table)
			for _, id := range []domain.PersonID{ana, bo, cid, ""} {
				whole := h.turn(table, asks(id))
				got, err := h.maker.Moves(h.Ctx, table, asks(id))
				require.NoError(t, err)
				require.Equal(t, whole.Line, got.Line)
				require.Equal(t, whole.Version, got.Version)
				require.Equal(t, whole.Decision, got.Decision)
				require.Equal(t, whole.Seat, got.Seat)
				require.Equal(t, whole.Forms, got.Forms)
				var want []turn.Named
				for _, g := range whole.Groups() {
					want = append(want, g.Moves...)
				}
				bare := got.List(false)
				require.Len(t, bare, len(want))
				for i := range bare {
					require.Equal(t, want[i].Notation, bare[i].Notation)
					require.Equal(t, want[i].Name, bare[i].Name)
					require.Equal(t, want[i].Keys(), bare[i].Keys())
				}
				require.ElementsMatch(t, want, got.List(true))
			}
			h.Random(table, rnd, 7)
		}
	}
}

// What is chosen with an option because it leaves no choice is said with it: no press plays what was not shown.
func TestAnOptionSaysAllThatItPlays(t *testing.T) {
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		t.Run(game, func(t *testing.T) {
			checked := 0
			for n := range uint64(6) {
				h, rnd := newHouse(t), rand.New(rand.NewPCG(n, 5))
				table := h.Starts(game, nil, desktest.Player(ana), desktest.Player(bo))
				for range 12 {
					if h.Random(table, rnd, 1+rnd.IntN(12)) {
						break
					}
					look := h.Sees(table)
					m := h.turn(table, asks(look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0]))
					checked += requireSaid(t, m, nil)
				}
			}
			require.Greater(t, checked, 200)
		})
	}
}

func requireSaid(t *testing.T, m *turn.Model, keys []string) (checked int) {
	t.Helper()
	c := m.Choose(keys)
	for i, o := range c.Options {
		if i == 6 && len(keys) > 0 { // as many others are as deep
			break
		}
		next := m.Choose(append(c.Keys[:len(c.Keys):len(c.Keys)], o.Key))
		for _, taken := range next.Chosen[len(c.Chosen):] {
			if !taken.None {
				require.Contains(t, o.Whole(), taken.Label)
				require.Contains(t, o.Title(), taken.Label)
			}
		}
		if o.Plays != "" {
			require.Equal(t, next.Notation, o.Plays)
		} else {
			checked += requireSaid(t, m, next.Keys)
		}
		checked++
	}
	return checked
}
