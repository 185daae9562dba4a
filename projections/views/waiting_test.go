package views_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// waiting lists the tables that wait for the house.
func (h *house) waiting() []events.Name {
	h.T.Helper()
	h.caughtUp()
	names, at, err := h.views.Waiting(h.Ctx)
	require.NoError(h.T, err)
	last, err := h.Log().Last(h.Ctx)
	require.NoError(h.T, err)
	require.Equal(h.T, last, at)
	return names
}

func TestTheViewsKnowWhichTablesWaitForTheHouse(t *testing.T) {
	for what, c := range map[string]struct {
		brings func(h *house) events.Name // a table that waits
		ends   func(h *house, table events.Name)
	}{
		"a full table that has not started": {
			func(h *house) events.Name {
				table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
				h.Joins(ana, table, 0)
				require.Empty(h.T, h.waiting(), "a seat is free")
				h.Joins(bo, table, 1)
				return table
			}, nil},
		"a line that is not open": {
			func(h *house) events.Name {
				table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
				h.Joins(ana, table, 0)
				h.Joins(bo, table, 1)
				h.Does(ana, table, desktest.Start{})
				return table
			}, nil},
		"an end that is not noted": {
			func(h *house) events.Name {
				table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
				require.Empty(h.T, h.waiting(), "people are awaited")
				h.Resigns(bo, table, 1)
				return table
			}, nil},
		"a stand-in": {
			func(h *house) events.Name { return h.Starts("tiny", nil, desktest.Player(ana), desktest.StandIn()) },
			func(h *house, table events.Name) { h.Plays(table, 1, "keep") }},
		"a stand-in, once a proposal is off the table": {
			func(h *house) events.Name {
				table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.StandIn())
				h.Plays(table, 0, "keep")
				h.Proposes(ana, table, 1)
				require.Empty(h.T, h.waiting(), "stand-ins wait for the answer")
				h.Does(ana, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
				return table
			},
			func(h *house, table events.Name) { h.Plays(table, 2, "keep") }},
		"a proposal that was overtaken": {
			func(h *house) events.Name {
				table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
				h.Plays(table, 0, "keep")
				h.Proposes(ana, table, 1)
				h.Agrees(bo, table)
				h.Resigns(cid, table, 2)
				return table
			},
			func(h *house, table events.Name) { h.Plays(table, 2, "keep") }},
		"a standing order to obey": {
			func(h *house) events.Name {
				table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
				require.Empty(h.T, h.waiting())
				_, err := h.SetOrders(h.Ctx, desktest.By(ana), table, 0, events.NewCommandID(), 0, []string{"keep"},
					nil)
				require.NoError(h.T, err)
				return table
			}, nil},
		"a study that ended before its game did": {
			func(h *house) events.Name {
				table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
				study := h.Starts("tiny", h.BranchOf(table, 1, "study"), desktest.Player(cid), desktest.Player(cid))
				require.True(h.T, h.Random(study, rand.New(rand.NewPCG(1, 1)), 40))
				require.Empty(h.T, h.waiting(), "the game goes on")
				require.True(h.T, h.Random(table, rand.New(rand.NewPCG(1, 1)), 40))
				return study
			}, nil},
	} {
		t.Run(what, func(t *testing.T) {
			h := newHouse(t)
			h.follows()
			table := c.brings(h)
			require.Equal(t, []events.Name{table}, h.waiting())
			h.Follows(table)
			if c.ends != nil {
				require.Equal(t, []events.Name{table}, h.waiting(), "what follows by itself is not all")
				c.ends(h, table)
			}
			require.Empty(t, h.waiting())
		})
	}
}
