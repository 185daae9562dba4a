package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Who may read a part of a move follows from the rules: a forger cannot give it to somebody else.
func TestAMovesPartIsForWhoItIs(t *testing.T) {
	kinds := faultKinds(t)
	files, keys := provenGames(t, 40)
	tried := 0
	for i, e := range forgers(t, files[2], keys).Events {
		if e.Type != "rivals.played.v2" || len(e.Parts) == 0 {
			continue
		}
		for to := range domain.Audience(4) {
			if g := forgers(t, files[2], keys); to != e.Parts[0].To {
				g.Events[i].Parts[0].To = to
				require.Equal(t, "luck", kindSaid(t, kinds, g.written(t)), "version %d, for %s", e.Version, to)
				tried++
			}
		}
	}
	require.Positive(t, tried)
}
