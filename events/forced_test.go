package events_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/events/desktest"
)

// The last player to found rolls first, and is asked: their last step could still be taken back. From the next turn
// on the dice roll on their own.
func TestNothingIsForcedWhileTheSeatsOwnStepCouldBeTakenBack(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("catan", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo), desktest.Player(desktest.Cid))
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
