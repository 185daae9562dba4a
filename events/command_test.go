package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// A wish is kept as a digest forever, and a repeated command is compared with it: so the words of a released command
// must never change.
func TestTheWishesOfReleasedCommandsStayAsTheyAre(t *testing.T) {
	for wish, c := range map[string]events.Command{
		"join 1 a chance of mine": events.Join{Seat: 1, Chance: []byte("a chance of mine")},
		"decline 2 Bo":            events.Decline{Seat: 2, Person: "Bo"},
		"invite 0 Bo":             events.Invite{Person: "Bo"},
		"fill 3 steady":           events.Fill{Seat: 3, StandIn: "steady"},
		"fill 3 ":                 events.Fill{Seat: 3},
		"abandon":                 events.Abandon{},
		"rewind 12 true": events.ProposeRewind{To: 12, Fresh: true,
			Written: events.Written{Text: []byte("not in it")}},
		"rewind 12 false": events.ProposeRewind{To: 12},
		"end":             events.ProposeEnd{Written: events.Written{Text: []byte("not in it")}},
		"agree 7":         events.Agree{Since: 7},
		"refuse 7":        events.Refuse{Since: 7},
		"resign 1":        events.Resign{Seat: 1},
		"say":             events.Say{Written: events.Written{Text: []byte("not in it")}},
		"say ab": events.Say{
			Written: events.Written{Text: []byte("not in it"), Mark: []byte{0xab}}},
		"claim B":                           events.Claim{Seat: 1, Was: "not in it"},
		"handover posthorn-key-of-a-server": events.HandOver{To: "posthorn-key-of-a-server"},
		"ended elsewhere 0900000000000000000000000000000000000000000000000000000000000000": events.Conclude{
			Hash: events.Hash{9}},
		"leave": events.Leave{Command: events.Resign{Seat: 1}},
	} {
		require.Equal(t, wish, c.Wish())
	}
}
