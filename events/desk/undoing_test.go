package desk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
)

// Against a stand-in the last move of a table is usually the stand-in's.
func TestOnesOwnLastMoveIsNotThatOfAStandIn(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.StandIn())
	own, others := uint64(0), 0
	for range 12 {
		look := h.Sees(table)
		if len(look.Line.Awaited()) == 0 {
			break
		}
		o := look.Line.Awaited()[0]
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			h.Plays(table, o.Seat, look.Rulebook.FormatMove(m, nil))
			break
		}
		now := h.Sees(table)
		if o.Seat == 0 {
			own = now.LineHead.Version - 1
		} else {
			others++
		}
		to, err := h.OwnLast(h.Ctx, now, desktest.Ana)
		require.NoError(t, err)
		require.Equal(t, own, to)
	}
	require.Positive(t, others)
	to, err := h.OwnLast(h.Ctx, h.Sees(table), desktest.Bo)
	require.NoError(t, err)
	require.Zero(t, to, "he has made none")
}

func TestWhatARewindUndoesIsToldMoveByMove(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	for range 6 {
		look := h.Sees(table)
		o := look.Line.Awaited()[0]
		var last domain.Move
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			last = m
		}
		h.Plays(table, o.Seat, look.Rulebook.FormatMove(last, nil))
	}
	look := h.Sees(table)
	u, err := h.Undoes(h.Ctx, look, 1)
	require.NoError(t, err)
	seen, err := h.Seen(h.Ctx, look, 1)
	require.NoError(t, err)
	require.Equal(t, seen, u.Seen)
	draws, cards := 0, 0
	for version, lit := range u.Moves {
		require.Greater(t, version, uint64(1))
		require.LessOrEqual(t, version, look.LineHead.Version)
		draws, cards = draws+lit.Draws, cards+lit.Cards
	}
	require.Positive(t, draws+cards)
	for _, s := range seen {
		draws, cards = draws-s.Draws, cards-s.Cards
	}
	require.Zero(t, draws, "the moves' sums are the seats'")
	require.Zero(t, cards)
}
