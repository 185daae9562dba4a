package events_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
)

// A wish is kept as a digest forever, and a repeated command is compared with it: so the words of a released command
// must never change.
func TestTheWishesOfReleasedCommandsStayAsTheyAre(t *testing.T) {
	until, at := calendar.Day(20_000), time.Date(2026, 3, 1, 12, 0, 0, 5, time.FixedZone("", 3600))
	due := domain.Deadline{Line: "0c77", Seat: 2, Since: 9, At: at}
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
		"leave":                      events.Leave{Command: events.Resign{Seat: 1}},
		"pause 2024-10-04":           events.ProposePause{Until: until},
		"pause 2024-10-04 ab":        events.ProposePause{Until: until, Written: events.Written{Mark: []byte{0xab}}},
		"away 2024-10-04 2024-10-06": events.GoAway{Days: calendar.Span{From: until, Until: until + 2}},
		"back":                       events.ComeBack{},
		"nudge 1":                    events.Nudge{Seat: 1},
		"need 1 2024-10-04":          events.NeedTime{Seat: 1, Until: until},
		"lend 1":                     events.Lend{Seat: 1},
		"return 1":                   events.Return{Seat: 1},
		"offer 1 Bo":                 events.OfferSeat{Seat: 1, Person: "Bo"},
		"withdraw 1":                 events.WithdrawOffer{Seat: 1},
		"take over 1":                events.TakeOver{Seat: 1},
		"undo 4":                     events.Undo{To: 4},
		"end cd": events.ProposeEnd{
			Written: events.Written{Text: []byte("not in it"), Mark: []byte{0xcd}}},
		"rewind 12 true ab": events.ProposeRewind{To: 12, Fresh: true,
			Written: events.Written{Mark: []byte{0xab}}},
		"expire 1 Bo 2026-03-01T11:00:00Z":       events.Expire{Seat: 1, Person: "Bo", Until: at},
		"time-out 0c77 2 9 2026-03-01T11:00:00Z": events.TimeOut{Due: due},
		"spare 0c77 2 9 2026-03-01T11:00:00Z":    events.TakeSpare{Due: due},
		"close 0c77 2 9 2026-03-01T11:00:00Z":    events.CloseProposal{Due: due},
		"postpone late 0c77 2 9 2026-03-01T11:00:00Z 2026-03-01T11:00:00Z 24h0m0s": events.Postpone{Why: "late",
			Due: due, From: at, Allowed: 24 * time.Hour},
	} {
		require.Equal(t, wish, c.Row().Wish)
	}
}
