package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// What is asked in a turn is what stands next: what is to be paid or gained comes before the rest of the turn.
func TestWhatIsGainedOrPaidIsAskedForAndNotTheDice(t *testing.T) {
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	choices, err := domain.Complete(Rulebook, nil)
	require.NoError(t, err)
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(`{"phase":"act","seats":[{"hand":["merchant_caravan"]},{}]}`)})
	require.NoError(t, err)
	line.Apply(&e)
	asked := func() string { return Rulebook.Extras().Asked.Asked(line.State, line.Awaited()[0].Decision) }
	require.Equal(t, "await.turn.act", asked())
	m, err := Rulebook.ParseMove("play caravan", nil)
	require.NoError(t, err)
	e, _, err = line.Decide(0, m)
	require.NoError(t, err)
	line.Apply(&e)
	require.Equal(t, "await.pay", asked())
}
