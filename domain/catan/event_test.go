package catan

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/codec"
)

// slowly reads a body as encoding/json does, bypassing the quick way.
func slowly(b []byte) (*state.Played, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, err
	}
	spaced, err := json.MarshalIndent(fields, "", " ") // no longer in the form that is read directly
	if err != nil {
		return nil, err
	}
	p := state.Nothing()
	return p, json.Unmarshal(spaced, p)
}

func TestBodiesAreReadTheSameQuicklyAndSlowly(t *testing.T) {
	quick := 0
	for seats := 2; seats <= 4; seats++ {
		b := &bazaar{game: &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(9))},
			rng: rand.New(rand.NewPCG(9, uint64(seats)))}
		e, _, err := b.line.Setup(domain.Game{Choices: choices(t), Seats: seats})
		require.NoError(t, err)
		b.line.Apply(&e)
		for n := 0; len(b.line.Awaited()) > 0 && n < 1500; n++ {
			b.step()
			was := b.last.Body.(*state.Played)
			text, err := codec.Marshal(was)
			require.NoError(t, err)
			fast := state.Nothing()
			quick += oneIf(codec.Read(text, fast))
			slow, err := slowly(text)
			require.NoError(t, err)
			require.Equal(t, was, fast, string(text))
			require.Equal(t, was, slow, string(text))
		}
	}
	require.Greater(t, quick, 2000, "there were that many")
}

func TestBodiesThatCannotBeAreErrors(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `{"did":"fly","phase":"main"}`, `{"did":"roll","phase":"tea"}`,
		`{"did":"roll","phase":"main","hands":[[9,1,0,0,0,0]]}`,
		`{"did":"roll","phase":"main","owes":[[-1,2]]}`,
		`{"did":"road","phase":"main","pieces":[[0,1,2],[0,1,3],[0,1,4]]}`,
		`{"did":"road","phase":"main","pieces":[[7,1,2]]}`,
		`{"did":"knight","phase":"main","card":"joker"}`, `{"did":"monopoly","phase":"main","named":"gold"}`,
		`{"did":"roll","phase":"main","dice":[300,1]}`,
	} {
		_, err := Rulebook.Codec().Decode(state.TypePlayed, []byte(`{"seat":1,"body":`+text+`}`), nil)
		require.Error(t, err, text)
	}
}

func FuzzPlayed(f *testing.F) {
	f.Add([]byte(`{"did":"roll","phase":"main","dice":[3,4],"hands":[[0,1,0,0,0,0]]}`))
	f.Add([]byte(`{"did":"neutral","phase":"roll","two":true,"pieces":[[2,1,30],[3,2,41]],"robber":9,"from":1,"taken":1,"lengths":[1,2,3,4],"cards":[-1,2],"due":[1,0],"closed":3,"partner":1,"won":[0,10],"shown":[2,0,0,1]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		fast := state.Nothing()
		if !codec.Read(b, fast) {
			return
		}
		slow, err := slowly(b)
		require.NoError(t, err)
		require.Equal(t, slow, fast)
	})
}
