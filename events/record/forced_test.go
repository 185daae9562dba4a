package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// rollsAlone is a table of Catan where Bo's dice rolled on their own.
func (h *house) rollsAlone() events.Name {
	h.T.Helper()
	table := h.catanAt(strings.Replace(building, `, "cards": {"knight": 1}`, "", 1), desk.NewTable{})
	h.builds(table, "road")
	require.Equal(h.T, state.PhaseMain, h.Sees(table).Line.State.(*state.State).Phase)
	h.Plays(table, 0, "end")
	return table
}

// rolledAlone is the record of such a game.
func rolledAlone(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	table := h.rollsAlone()
	h.Ends(table)
	h.Follows(table)
	return h.export(table, domain.Referee)
}

// rolledWithTokens is the record of a game for two in which Ana rolled, and could have used a trade token instead: for
// a forced trade, wherever the desert is.
func rolledWithTokens(t testing.TB) []byte {
	t.Helper()
	h := newHouseOf(t)
	table := h.catanOf(`{"active": "A", "phase": "roll", "robber": 0, "players": [{"settlements": [19], "tokens": 5},
		{"settlements": [30], "hand": {"ore": 2}}]}`, desk.NewTable{}, desktest.Ana, desktest.Bo)
	h.Plays(table, 0, "roll")
	h.Ends(table)
	h.Follows(table)
	return h.export(table, domain.Referee)
}

// Given nobody holds a development card, when Ana ends her turn, then Bo's dice roll on their own, as the house's
// move; if the table agrees to go back to before they did, Bo is asked.
func TestDiceSeenToBeTheOnlyMoveRollByThemselves(t *testing.T) {
	h := newHouse(t, 1)
	table := h.rollsAlone()
	look := h.Sees(table)
	entries, err := h.History(h.Ctx, look, look.LineName, domain.Spectator, 0, 0)
	require.NoError(t, err)
	last := entries[len(entries)-1]
	require.Equal(t, domain.DoorForced, last.Meta.Door)
	require.Empty(t, last.Meta.By)
	require.Equal(t, "roll", last.Event.Move)
	require.Equal(t, domain.Seat(1), last.Event.Seat)
	refusedAs(t, "undo-last", h.undo(desktest.Ana, table))

	h.Rewinds(table, look.Line.Version-1)
	back := h.Sees(table)
	require.Equal(t, state.PhaseRoll, back.Line.State.(*state.State).Phase,
		"where the table has gone back to it is asked")
	asks, err := h.Asks(h.Ctx, back)
	require.NoError(t, err)
	require.Len(t, asks, 1)
	require.Equal(t, desktest.Bo, asks[0].Person)
	h.Plays(table, 1, "roll")

	h.Ends(table)
	h.Follows(table)
	honest := h.export(table, domain.Referee)
	r, err := judged(honest)
	require.NoError(t, err)
	require.True(t, r.Judged, "%v", r.Skipped)
	for what, wrong := range map[string]func(g *forgery){
		"the house moved for people, who had another move": func(g *forgery) {
			meant(g.moveBy(t, `"by":"`+string(desktest.Ana)), func(m map[string]any) {
				delete(m, "by")
				m["door"] = "forced"
			})
		},
		"the house moves for stand-ins alone": func(g *forgery) {
			meant(g.moveBy(t, `"door":"forced"`), set("door", "runner"))
		},
		"no person comes by the door": func(g *forgery) {
			meant(g.moveBy(t, `"by":"`+string(desktest.Ana)), set("door", "forced"))
		},
		"by the door runner": func(g *forgery) { meant(g.find(t, "table.started.v1", 0), set("door", "forced")) },
	} {
		g := forgers(t, honest, h.Keys())
		wrong(g)
		_, err := judged(g.written(t))
		require.ErrorContains(t, err, what)
	}
}
