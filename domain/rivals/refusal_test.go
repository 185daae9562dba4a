package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// The reason for a refusal is true.
func TestRefusalsAreTrue(t *testing.T) {
	for _, c := range []struct{ name, play, given, setup, move, code, arg, value string }{
		{"a gain that was not offered", "gold",
			`{"seats":[{"hand":[]},{"hand":[]}],"tasks":[{"kind":"gain","seat":"A","n":2,"goods":["wool"]}],"phase":"act"}`,
			"", "Ana: gain ore ore", "not-gained", "resource", "res.ore"},
		{"a place that is none", "intro", `{"phase":"roll","seats":[{"hand":[]},{"hand":[]}]}`, "chance dice 5 harvest",
			"Ana: into 4a", "no-place-there", "place", "at.above-right"},
		{"a place that is full", "intro", `{"phase":"roll","seats":[{"hand":[],"stores":{"0a":3}},{"hand":[]}]}`,
			"chance dice 5 harvest", "Ana: into 0a", "place-full", "place", "at.above-left"},
		{"an alternative", "progress",
			`{"phase":"act","seats":[{"hand":[],"towns":["0 city","1 settlement"]},{"hand":[]}]}`, "",
			"Ana: build university 0 above", "needs", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			moves := []string{c.move}
			if c.setup != "" {
				moves = []string{"Ana: roll", c.move}
			}
			all := playedFrom(t, c.play, c.given, c.setup, moves...)
			refusal, ok := domain.AsRefusal(all[len(all)-1].Err)
			require.True(t, ok, "%v", all[len(all)-1].Err)
			require.Equal(t, c.code, refusal.Code)
			requireWords(t, refusal.Say())
			switch arg := refusal.Args[c.arg].(type) {
			case string:
				require.Equal(t, c.value, arg)
			case domain.Say:
				require.Equal(t, c.value, arg.Key)
			}
			if c.name == "an alternative" {
				what := refusal.Args["what"].([]domain.Say)
				require.Len(t, what, 1)
				require.Equal(t, "need.or", what[0].Key)
			}
		})
	}
}
