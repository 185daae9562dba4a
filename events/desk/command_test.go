package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
)

// A wish is kept as a digest forever, and a repeated command is compared with it: so the words of a released command
// must never change.
func TestTheWishesOfReleasedCommandsStayAsTheyAre(t *testing.T) {
	until, at := calendar.Day(20_000), time.Date(2026, 3, 1, 12, 0, 0, 5, time.FixedZone("", 3600))
	due := domain.Deadline{Line: "0c77", Seat: 2, Since: 9, At: at}
	for wish, c := range map[string]desk.Command{
		"join 1 a chance of mine": desk.Join{Seat: 1, Chance: []byte("a chance of mine")},
		"decline 2 Bo":            desk.Decline{Seat: 2, Person: "Bo"},
		"invite 0 Bo":             desk.Invite{Person: "Bo"},
		"fill 3 steady":           desk.Fill{Seat: 3, StandIn: "steady"},
		"fill 3 ":                 desk.Fill{Seat: 3},
		"abandon":                 desk.Abandon{},
		"rewind 12 true": desk.ProposeRewind{To: 12, Fresh: true,
			Written: desk.Written{Text: []byte("not in it")}},
		"rewind 12 false": desk.ProposeRewind{To: 12},
		"end":             desk.ProposeEnd{Written: desk.Written{Text: []byte("not in it")}},
		"agree 7":         desk.Agree{Since: 7},
		"refuse 7":        desk.Refuse{Since: 7},
		"resign 1":        desk.Resign{Seat: 1},
		"say":             desk.Say{Written: desk.Written{Text: []byte("not in it")}},
		"say ab": desk.Say{
			Written: desk.Written{Text: []byte("not in it"), Mark: []byte{0xab}}},
		"claim B":                           desk.Claim{Seat: 1, Was: "not in it"},
		"handover posthorn-key-of-a-server": desk.HandOver{To: "posthorn-key-of-a-server"},
		"ended elsewhere 0900000000000000000000000000000000000000000000000000000000000000": desk.Conclude{
			Hash: events.Hash{9}},
		"leave":                      desk.Leave{Command: desk.Resign{Seat: 1}},
		"pause 2024-10-04":           desk.ProposePause{Until: until},
		"pause 2024-10-04 ab":        desk.ProposePause{Until: until, Written: desk.Written{Mark: []byte{0xab}}},
		"away 2024-10-04 2024-10-06": desk.GoAway{Days: calendar.Span{From: until, Until: until + 2}},
		"back":                       desk.ComeBack{},
		"nudge 1":                    desk.Nudge{Seat: 1},
		"need 1 2024-10-04":          desk.NeedTime{Seat: 1, Until: until},
		"lend 1":                     desk.Lend{Seat: 1},
		"return 1":                   desk.Return{Seat: 1},
		"offer 1 Bo":                 desk.OfferSeat{Seat: 1, Person: "Bo"},
		"withdraw 1":                 desk.WithdrawOffer{Seat: 1},
		"take over 1":                desk.TakeOver{Seat: 1},
		"undo 4":                     desk.Undo{To: 4},
		"end cd": desk.ProposeEnd{
			Written: desk.Written{Text: []byte("not in it"), Mark: []byte{0xcd}}},
		"rewind 12 true ab": desk.ProposeRewind{To: 12, Fresh: true,
			Written: desk.Written{Mark: []byte{0xab}}},
		"expire 1 Bo 2026-03-01T11:00:00Z":       desk.Expire{Seat: 1, Person: "Bo", Until: at},
		"time-out 0c77 2 9 2026-03-01T11:00:00Z": desk.TimeOut{Due: due},
		"spare 0c77 2 9 2026-03-01T11:00:00Z":    desk.TakeSpare{Due: due},
		"close 0c77 2 9 2026-03-01T11:00:00Z":    desk.CloseProposal{Due: due},
		"postpone late 0c77 2 9 2026-03-01T11:00:00Z 2026-03-01T11:00:00Z 24h0m0s": desk.Postpone{Why: "late",
			Due: due, From: at, Allowed: 24 * time.Hour},
	} {
		require.Equal(t, wish, c.Row().Wish)
	}
}
