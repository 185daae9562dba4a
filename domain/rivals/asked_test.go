package rivals

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// A turn asks for what comes next: paying or gaining something comes before the rest of the turn.
func TestWhatIsGainedOrPaidIsAskedForAndNotTheDice(t *testing.T) {
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	choices, err := domain.Complete(Rulebook, nil)
	require.NoError(t, err)
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2,
		Given: []byte(`{"phase":"act","seats":[{"hand":["merchant_caravan"]},{}]}`)})
	require.NoError(t, err)
	line.Apply(&e)
	asked := func() string { return Rulebook.Extras().Asked(line.State, line.Awaited()[0].Decision) }
	require.Equal(t, "await.turn.act", asked())
	m, err := Rulebook.ParseMove("play caravan", nil)
	require.NoError(t, err)
	e, _, err = line.Decide(0, m)
	require.NoError(t, err)
	line.Apply(&e)
	require.Equal(t, "await.pay", asked())
}

// Given dice that require a choice first, the game asks for that choice, whatever it is, and not for the dice.
func TestEveryChoiceOfATurnIsAskedForByItsOwnName(t *testing.T) {
	var words map[string]any
	require.NoError(t, json.Unmarshal(Rulebook.Catalogue()["en"], &words))
	for kind := state.TaskPay; kind < state.TaskStack; kind++ {
		s := state.State{Phase: state.Rolling, TasksN: 1}
		s.Tasks[0] = state.Task{Kind: kind, Seat: 1}
		asked := Rulebook.Extras().Asked(&s, domain.Decision{Seat: 1, Kind: "turn"})
		require.Contains(t, words, asked)
		require.NotContains(t, asked, "await.turn", state.TaskNames[kind])
	}
}
