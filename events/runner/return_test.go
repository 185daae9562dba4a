package runner_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/runner"
)

func TestWhoReturnsWhileAStandInThinksPlaysThemselves(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		h.starts(&runner.Runner{Desk: h.Desk, Pause: 4 * time.Second, Live: nobody, Alarm: h.alarm},
			events.FollowLog(h.Log()))
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(desktest.Bo))
		h.sits(table, ana, desktest.Bo)
		synctest.Wait()
		open := h.Sees(table).Line.Awaited()[0]
		who := h.Sees(table).Table.Places[open.Seat].Holders[0]
		at := h.played(table)
		h.Does(who, table, desk.Lend{Seat: open.Seat})
		time.Sleep(2 * time.Second)
		h.Does(who, table, desk.Return{Seat: open.Seat})
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, at, h.played(table))
		require.Empty(t, h.told(), "nothing was wrong")
	})
}
