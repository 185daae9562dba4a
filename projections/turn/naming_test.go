package turn_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// One numbering: at random moments of random games, in every language, no two choices open at once and no two moves
// have the same name; a place's label uses the same name as the picture and the notation (which the rulebooks' suite
// checks); and no name is a notation.
func TestNoNameCanBeReadInTwoWays(t *testing.T) {
	for _, game := range []string{"tiny", "carcassonne", "catan", "rivals"} {
		t.Run(game, func(t *testing.T) {
			for n := range 6 {
				rnd := rand.New(rand.NewPCG(uint64(n), 31))
				h := newHouse(t)
				table := h.Starts(game, nil, desktest.Player(ana), desktest.Player(bo))
				for range 8 {
					if h.Random(table, rnd, 1+rnd.IntN(12)) {
						break
					}
					look := h.Sees(table)
					who := asks(look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0])
					who.Lang = words.Languages[n%len(words.Languages)]
					m := h.turn(table, who)
					require.NotNil(t, m.Decision)
					requireNamed(t, m, look.Rulebook)
				}
			}
		})
	}
}

func requireNamed(t *testing.T, m *turn.Model, rb domain.Rulebook) {
	t.Helper()
	moves, levels, short := map[string]bool{}, map[string]map[string]string{}, map[string]string{}
	for _, g := range m.Groups() {
		require.NotEmpty(t, g.Name)
		for _, n := range g.Moves {
			require.False(t, moves[n.Name], "%s is two moves", n.Name)
			moves[n.Name] = true
			if n.Short != "" {
				require.Empty(t, short[n.Short], "%s is two moves", n.Short)
				short[n.Short] = n.Name
			}
			if got, err := rb.ParseMove(n.Name, nil); err == nil {
				require.Equal(t, n.Move, got, "%s is read as another move", n.Name)
			}
			path := ""
			for _, o := range n.Path {
				if levels[path] == nil {
					levels[path] = map[string]string{}
				}
				name := strings.ToLower(o.Name)
				if key, ok := levels[path][name]; ok {
					require.Equal(t, key, o.Key, "after %q %s is two choices", path, o.Name)
				}
				levels[path][name] = o.Key
				if o.Place {
					plain := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(o.String())
					for _, w := range strings.Fields(o.Name) {
						require.Contains(t, plain, w, "%s is called %s", o.Label, o.Name)
					}
				} else {
					require.Regexp(t, `^[a-z]*$`, o.Name)
				}
				path += "/" + o.Key
			}
		}
	}
	require.Len(t, moves, m.Legal())
	for s, name := range short {
		require.True(t, s == name || !moves[s], "%s is short for %s, and another move", s, name)
	}
}
