package mail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	deadlines "posthorn/events/clock"
)

func TestWhatBecameOfAMailIsKnownToTheClock(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	told := func(a events.Ask) deadlines.Told {
		out, err := h.outbox.Told(h.Ctx, a)
		require.NoError(t, err)
		return out
	}
	asks := h.Sees(table).Asks()
	require.Len(t, asks, 2)
	require.Equal(t, deadlines.Told{}, told(asks[0]), "nothing is known of it")
	h.notify()
	require.Equal(t, deadlines.Told{Waits: true}, told(asks[0]))
	require.NoError(t, h.people.SetMails(h.Ctx, bo, "turn", false))
	require.NoError(t, h.send(&post{}))
	require.Equal(t, deadlines.Told{At: noon}, told(asks[0]))
	require.Equal(t, deadlines.Told{}, told(asks[1]), "who wants no mail is not waited for")
}
