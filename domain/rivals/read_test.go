package rivals

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// requireReadAtOnce checks that reading a body's text directly gives what encoding/json reads.
func requireReadAtOnce(t *testing.T, body any, fresh func() any) {
	t.Helper()
	text, err := codec.Marshal(body)
	require.NoError(t, err)
	fast, slow := fresh(), fresh()
	require.True(t, codec.Read(text, fast), "%s", text)
	require.NoError(t, json.Unmarshal(text, slow), "%s", text)
	require.Equal(t, slow, fast, "%s", text)
}

// A log is read without encoding/json but with the same result: the time to fold a game depends on that more than on
// anything else.
func TestEventsOfWholeGamesAreReadAtOnceAsByReflection(t *testing.T) {
	for n, play := range table.PlayNames {
		options, err := domain.Complete(Rulebook, domain.Choices{"play": play})
		require.NoError(t, err)
		line, rng := domain.NewLine(Rulebook, domain.NewThrowaway(uint64(n))), rand.New(rand.NewPCG(3, uint64(n)))
		e, _, err := line.Setup(domain.Game{Choices: options, Seats: 2})
		require.NoError(t, err)
		for moves := 0; ; moves++ {
			typ := Rulebook.Codec().Types[table.BoolInt(e.Type == state.PlayedType)]
			requireReadAtOnce(t, e.Body, typ.Body)
			for _, part := range e.Secrets {
				requireReadAtOnce(t, part.Body, typ.Secret)
			}
			line.Apply(&e)
			if len(line.Awaited()) == 0 || moves == 600 {
				break
			}
			var all []domain.Move
			for m := range Rulebook.Legal(line.State, line.Awaited()[0].Seat) {
				all = append(all, m)
			}
			e, _, err = line.Decide(line.Awaited()[0].Seat, all[rng.IntN(len(all))])
			require.NoError(t, err)
		}
	}
}

// FuzzRead: reading directly gives what encoding/json reads.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"ops":[["gain",0,"2a",1,"wool"],["ask",1,"pay",3,9],["token",-1,1,2,0],["raze",0,"Abbey",14,100]],"tasks":[{"kind":"pay","seat":"A","n":2,"goods":["wool","ore"],"need":[0,1,0,0,2,0],"card":"Abbey","site":14,"arg":1,"mask":48,"id":7}],"count":[3,4]}`))
	f.Add([]byte(`{"move":"draw 1","ops":[],"told":[["drew",0,"Abbey"],["saw",1,"Abbey",-1]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, fresh := range []func() any{func() any { return &state.Played{} }, func() any { return &state.Hidden{} },
			func() any { return &state.Dealt{} }} {
			fast, slow := fresh(), fresh()
			if codec.Read(text, fast) {
				require.NoError(t, json.Unmarshal(text, slow), "%s", text)
				require.Equal(t, slow, fast, "%s", text)
			}
		}
	})
}
