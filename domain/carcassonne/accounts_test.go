package carcassonne

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/carcassonne/state"
)

// A game's story counts each cloister to the player who drew it. Where every tile is placed, these are the six of the
// base game; the tile that the first player begins with is nobody's luck.
func TestTheStoryCountsTheCloistersThatWereDrawn(t *testing.T) {
	shrines := []string{"A", "B"} // the tiles with a cloister, by the collectors' letters
	whole := 0
	for seed := range uint64(6) {
		p := newPlayout(t, nil, 2, seed+1)
		drawn, counted, aside, first := [2]int{}, [2]int{}, 0, 0
		if slices.Contains(shrines, p.state().Current.String()) {
			first = 1
		}
		for !p.over() {
			before := p.state().Clone()
			move := p.legal()[0]
			e, _, err := p.line.Decide(p.line.Awaited()[0].Seat, move)
			require.NoError(t, err)
			b := e.Body.(*state.Played)
			if !b.Over() && slices.Contains(shrines, b.Next.String()) {
				drawn[b.NextBy]++
			}
			for _, c := range Rulebook.Extras().Chances(before, &e) {
				if c.Name == "cloisters" {
					counted[c.Entry] += int(c.Got)
				}
			}
			aside += len(b.SetOff)
			p.line.Apply(&e)
		}
		require.Equal(t, drawn, counted)
		if aside == 0 {
			whole++
			require.Equal(t, 6, first+counted[0]+counted[1])
		}
	}
	require.Positive(t, whole, "in some game every tile is placed")
}
