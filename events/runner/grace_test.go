package runner_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// ending is a game of Catan in which Ana, who has rolled, can end her turn.
const ending = `{"active": "A", "phase": "main",
	"players": [
		{"settlements": [13, 31], "roads": [20, 36]},
		{"settlements": [10, 40], "roads": [13, 53]},
		{"settlements": [22, 42], "roads": [28, 57]}
	]}`

// armed is that game with a knight for Bo: his dice do not roll on their own.
const armed = `{"active": "A", "phase": "main",
	"players": [
		{"settlements": [13, 31], "roads": [20, 36]},
		{"settlements": [10, 40], "roads": [13, 53], "cards": {"knight": 1}},
		{"settlements": [22, 42], "roads": [28, 57]}
	]}`

// graced returns that game at a table with a grace, in minutes, whose first line is open: Ana has the first seat.
func (h *house) graced(grace int, others ...domain.TablePlace) events.Name {
	h.T.Helper()
	return h.gracedIn(ending, grace, others...)
}

func (h *house) gracedIn(given string, grace int, others ...domain.TablePlace) events.Name {
	h.T.Helper()
	n := desk.NewTable{Rulebook: "catan", Given: []byte(given),
		Places: append([]domain.TablePlace{desktest.Player(ana)}, others...), Pace: "weekly", Grace: grace}
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), n)
	require.NoError(h.T, err)
	h.Joins(ana, ans.Table, 0)
	for i, p := range others {
		if p.Kind == domain.SeatPlayer {
			h.Joins(p.Invited[0], ans.Table, domain.Seat(i+1))
		}
	}
	h.Follows(ans.Table)
	return ans.Table
}

const grace = 10 * time.Minute

func TestTheHouseMovesOnceTheGraceIsOver(t *testing.T) {
	for name, others := range map[string][]domain.TablePlace{
		"a stand-in":  {desktest.StandIn(), desktest.Player(bo)},
		"forced dice": {desktest.Player(bo), desktest.Player("Cid")},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *house) {
				table := h.graced(10, others...)
				stop := h.runs(h.Desk, table)
				h.Plays(table, 0, "end")
				at := h.played(table)
				time.Sleep(grace)
				synctest.Wait()
				require.Equal(t, at, h.played(table))
				stop() // a restart
				defer h.runs(h.Desk, table)()
				synctest.Wait()
				require.Equal(t, at, h.played(table))
				time.Sleep(desk.GraceSlack + pause)
				synctest.Wait()
				require.Greater(t, h.played(table), at)
				require.Empty(t, h.told())
			})
		})
	}
}

// Bo has ordered that his dice be rolled: that waits as everything does.
func TestAnOrderIsObeyedOnceTheGraceIsOver(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		table := h.orders()
		stop := h.runs(h.Desk, table)
		h.Plays(table, 0, "end")
		at := h.played(table)
		time.Sleep(grace)
		synctest.Wait()
		require.Equal(t, at, h.played(table))
		stop() // a restart
		defer h.runs(h.Desk, table)()
		synctest.Wait()
		require.Equal(t, at, h.played(table))
		time.Sleep(desk.GraceSlack + pause)
		synctest.Wait()
		rec, err := events.LoadOne(h.Ctx, h.Log(), h.Sees(table).LineName, at+1)
		require.NoError(t, err)
		meta, err := events.ReadMeta(&rec)
		require.NoError(t, err)
		require.Equal(t, domain.DoorOrder, meta.Door)
		require.Equal(t, bo, meta.By)
		require.Empty(t, h.told())
	})
}

func TestNoOrderAnswersWhatWasTakenBackInItsGrace(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		table := h.orders()
		defer h.runs(h.Desk, table)()
		h.Plays(table, 0, "end")
		time.Sleep(grace / 2)
		to := h.played(table) - 1
		h.Does(ana, table, desk.Undo{To: to})
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, to+1, h.Sees(table).Line.Version, "the fork, and nothing after it")
		require.Equal(t, domain.Seat(0), h.Sees(table).Line.Awaited()[0].Seat)
	})
}

// orders returns a table with a grace at which Bo has given the order to roll.
func (h *house) orders() events.Name {
	h.T.Helper()
	table := h.gracedIn(armed, 10, desktest.Player(bo), desktest.Player(cid))
	_, err := h.SetOrders(h.Ctx, desktest.By(bo), table, 1, events.NewCommandID(), 0, []string{"order roll"}, nil)
	require.NoError(h.T, err)
	return table
}

func TestAHouseWaitingForAGraceIsNotAskedOverAndOver(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		table := h.graced(10, desktest.StandIn(), desktest.Player(bo))
		defer h.runs(h.Desk, table)()
		h.Plays(table, 0, "end")
		for range 4 {
			h.Does(bo, table, desk.Say{Written: desk.Written{Text: []byte("sealed")}})
			synctest.Wait()
		}
		to := h.played(table) - 1
		h.Does(ana, table, desk.Undo{To: to})
		time.Sleep(time.Hour)
		synctest.Wait()
		look := h.Sees(table)
		require.Equal(t, to+1, look.Line.Version, "the fork, and nothing after it: Ana is asked")
		require.Equal(t, domain.Seat(0), look.Line.Awaited()[0].Seat)
	})
}

func TestWithoutAGraceTheHouseMovesAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		table := h.graced(0, desktest.StandIn(), desktest.Player(bo))
		defer h.runs(h.Desk, table)()
		h.Plays(table, 0, "end")
		at := h.played(table)
		time.Sleep(pause)
		synctest.Wait()
		require.Greater(t, h.played(table), at)
	})
}
