package desk_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// The last player to found rolls first, and is asked: their last step could still be taken back. From the next turn
// on the dice roll on their own.
func TestNothingIsForcedWhileAStepCouldBeTakenBack(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("catan", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Cid))
	o := &ordering{h, table}
	for range 6 {
		look := h.Sees(table)
		seat := look.Line.Awaited()[0].Seat
		for m := range look.Rulebook.Legal(look.Line.State, seat) {
			h.Plays(table, seat, look.Rulebook.FormatMove(m, nil))
			break
		}
	}
	look := h.Sees(table)
	first := look.Line.Awaited()[0].Seat
	require.Equal(t, state.PhaseRoll, look.Line.State.(*state.State).Phase)
	require.Len(t, o.moves(), 6)

	h.Plays(table, first, "roll")
	for rolled := 1; rolled < 3; { // answer whatever a seven asks for
		look = h.Sees(table)
		s, open := look.Line.State.(*state.State), look.Line.Awaited()[0]
		if s.Phase == state.PhaseMain {
			h.Plays(table, domain.Seat(s.Active), "end")
			rolled++
			all := o.moves()
			require.Truef(t, strings.HasSuffix(all[len(all)-1], "roll by forced"), "%v", all)
			continue
		}
		for m := range look.Rulebook.Legal(look.Line.State, open.Seat) {
			h.Plays(table, open.Seat, look.Rulebook.FormatMove(m, nil))
			break
		}
	}
}

// Between a turn's end and the dice that roll on their own nobody is asked to roll them: no mail tells anybody to.
func TestNobodyIsAskedForAMoveThatTheHouseMakes(t *testing.T) {
	h := desktest.New(t)
	position := `{"active":"A","phase":"main","players":[{"settlements":[13,31],"roads":[20,36]},{"settlements":[10,40],"roads":[13,53]},{"settlements":[22,42],"roads":[28,57]}]}`
	people := []domain.PersonID{desktest.Ana, desktest.Bo, desktest.Cid}
	n := desk.NewTable{Rulebook: "catan", Given: []byte(position), Pace: "weekly",
		Places: []domain.TablePlace{desktest.Player(people[0]), desktest.Player(people[1]), desktest.Player(people[2])}}
	ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(), n)
	require.NoError(t, err)
	for seat, who := range people {
		h.Joins(who, ans.Table, domain.Seat(seat))
	}
	h.Follows(ans.Table)
	look := h.Sees(ans.Table)
	end, err := look.Rulebook.ParseMove("end", nil)
	require.NoError(t, err)
	_, err = h.Play(h.Ctx, desktest.By(desktest.Ana),
		desk.Move{ID: events.NewCommandID(), Table: ans.Table, Line: look.LineName, Decision: look.Line.Awaited()[0],
			Move: end})
	require.NoError(t, err)

	look = h.Sees(ans.Table)
	require.Equal(t, domain.Seat(1), look.Line.Awaited()[0].Seat, "Bo's dice are next")
	asks, err := h.Asks(h.Ctx, look)
	require.NoError(t, err)
	require.Empty(t, asks)
	waits, err := h.AwaitsHouse(h.Ctx, look)
	require.NoError(t, err)
	require.True(t, waits)

	h.Does(desktest.Cid, ans.Table, desk.ProposeEnd{})
	look = h.Sees(ans.Table)
	asks, err = h.Asks(h.Ctx, look)
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(asks, func(a desk.Ask) bool {
		return a.Kind == desk.AskTurn && a.Person == desktest.Bo
	}), "the house makes no move while something is proposed")
	h.Does(desktest.Cid, ans.Table, desk.Refuse{Since: look.Table.Proposal.Since})

	h.Follows(ans.Table)
	asks, err = h.Asks(h.Ctx, h.Sees(ans.Table))
	require.NoError(t, err)
	require.Len(t, asks, 1, "what the dice bring is asked")
}
