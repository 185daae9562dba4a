package pages

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/standin"
)

// samplesMade says how the samples are made: POSTHORN_GOLDEN=write plays them again.
var samplesMade = map[string]struct {
	sample
	most uint64
}{
	"carcassonne": {sample{Seats: 3, Seed: 11}, 46},
	"catan":       {sample{Seats: 4, Seed: 5}, 150},
	"rivals":      {sample{Seats: 2, Seed: 3, Choices: domain.Choices{"play": "duel"}}, 90},
}

func TestEveryGameHasASampleThatCanBePlayedToItsEnd(t *testing.T) {
	for _, rb := range rulebooks.All() {
		made, ok := samplesMade[rb.Name()]
		if !ok {
			made.most = 1 // a game without a sample is shown as it begins
		}
		if ok && os.Getenv("POSTHORN_GOLDEN") == "write" {
			writeSample(t, rb, made.sample, made.most)
			continue // the next run reads it
		}
		s, err := sampleOf(rb)
		require.NoError(t, err)
		line, err := s.play(rb)
		require.NoError(t, err, "the rules have changed: POSTHORN_GOLDEN=write go test ./http/pages "+
			"-run Sample plays it anew")
		require.NotEmpty(t, line.Awaited())
		require.Len(t, s.Moves, int(made.most)-1)
	}
}

func writeSample(t *testing.T, rb domain.Rulebook, s sample, most uint64) {
	t.Helper()
	line, err := s.play(rb)
	require.NoError(t, err)
	for line.Version < most {
		o := line.Awaited()[0]
		m, ok := standin.Steady{}.Choose(standin.Look(rb, line.State, o.Seat, line.Version))
		require.True(t, ok)
		e, _, err := line.Decide(o.Seat, m)
		require.NoError(t, err)
		line.Apply(&e)
		s.Moves = append(s.Moves, rb.FormatMove(m, nil))
	}
	data, err := json.MarshalIndent(s, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("samples/"+rb.Name()+".json", append(data, '\n'), 0o644))
}
