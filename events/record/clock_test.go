package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/programtest"
	"posthorn/events/record"
)

// withClock is a game of tiny for three with a clock, which a test moves on.
type withClock struct {
	*desktest.House
	table events.Name
	now   time.Time
}

func clocked(t testing.TB, c domain.Clock) *withClock {
	t.Helper()
	h := &withClock{now: time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)}
	h.House = desktest.Over(t, memory.New(), func() time.Time { return h.now })
	people := []domain.PersonID{desktest.Ana, desktest.Bo, desktest.Cid}
	n := desk.NewTable{Rulebook: "tiny", Pace: "daily", Clock: &c}
	for _, who := range people {
		n.Places = append(n.Places, desktest.Player(who))
	}
	ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(), n)
	require.NoError(t, err)
	h.table = ans.Table
	for i, who := range people {
		h.Joins(who, h.table, domain.Seat(i))
	}
	h.Follows(h.table)
	return h
}

// due returns a seat's deadline.
func (h *withClock) due(seat domain.Seat) domain.Deadline {
	h.T.Helper()
	all := h.Sees(h.table).Deadlines()
	i := slices.IndexFunc(all, func(d domain.Deadline) bool { return d.Seat == seat })
	require.GreaterOrEqual(h.T, i, 0, "seat %d has no deadline", seat)
	return all[i]
}

// clock gives a command of the clock's.
func (h *withClock) clock(c desk.Command) {
	h.T.Helper()
	_, err := h.DoCaused(h.Ctx, events.Clock, h.table, events.Because("clock", []byte(c.Row().Wish)), c)
	require.NoError(h.T, err)
	h.Follows(h.table)
}

// standsIn has a stand-in make the move of the turn that ran out.
func (h *withClock) standsIn() {
	h.T.Helper()
	turns := h.Follows(h.table)
	require.Len(h.T, turns, 1)
	look := h.Sees(h.table)
	for m := range look.Rulebook.Legal(look.Line.State, turns[0].Seat) {
		turns[0].Move = m
		break
	}
	_, err := h.Play(h.Ctx, turns[0].Actor(), turns[0])
	require.NoError(h.T, err)
}

// tookOneTurn returns the record of a game in which a stand-in took Ana's turn, and she the next.
func tookOneTurn(t testing.TB) []byte {
	t.Helper()
	h := clocked(t, domain.Clock{Hours: 24, TimeOut: domain.TimeOutTurn})
	h.Plays(h.table, 1, "keep")
	h.Plays(h.table, 2, "keep")
	h.now = h.due(0).At
	h.clock(desk.TimeOut{Due: h.due(0)})
	h.standsIn()
	h.Plays(h.table, h.Sees(h.table).Line.Awaited()[0].Seat, "roll")
	h.Plays(h.table, 0, "keep")
	h.Ends(h.table)
	h.Follows(h.table)
	return exportOf(t, h.House, h.table)
}

// slow returns the record of a game in which the clock had much to do: spare days, a turn taken by a stand-in, a
// nudge and its answer, a holiday, a pause, a proposal that two of three carried and one that nobody answered, an
// outage, a seat lent and taken back.
func slow(t testing.TB) []byte {
	t.Helper()
	h := clocked(t, domain.Clock{Hours: 24, Spare: 1, TimeOut: domain.TimeOutTurn})
	table, due := h.table, h.due
	today := func(more int) calendar.Day { return calendar.DayOf(h.now, nil) + calendar.Day(more) }

	h.Plays(table, 1, "keep")
	h.Plays(table, 2, "keep")
	h.now = due(0).At
	h.clock(desk.TakeSpare{Due: due(0)})
	h.now = due(0).At
	h.clock(desk.TimeOut{Due: due(0)})
	h.standsIn()

	h.Proposes(desktest.Bo, table, 2) // Ana agrees to it, and Cid does not answer
	h.Agrees(desktest.Ana, table)
	h.now = due(domain.Nobody).At
	h.clock(desk.CloseProposal{Due: due(domain.Nobody)})
	h.Does(desktest.Cid, table, desk.ProposeEnd{})
	h.now = due(domain.Nobody).At
	h.clock(desk.CloseProposal{Due: due(domain.Nobody)})
	require.Nil(t, h.Sees(table).Table.Proposal)

	h.Does(desktest.Ana, table, desk.ProposePause{Until: today(2)})
	h.Agrees(desktest.Bo, table)
	h.Agrees(desktest.Cid, table)
	awaited := h.Sees(table).Line.Awaited()[0].Seat
	who := h.Sees(table).Table.Places[awaited].Holders[0]
	other := h.Sees(table).Table.Places[(awaited+1)%3].Holders[0]
	h.Does(other, table, desk.Nudge{Seat: awaited})
	h.Does(who, table, desk.NeedTime{Seat: awaited, Until: today(6)})
	h.Does(who, table, desk.GoAway{Days: calendar.Span{From: today(3), Until: today(5)}})
	h.clock(desk.Postpone{Why: domain.DeferHouse, Due: due(awaited), From: due(awaited).At, Allowed: 5 * time.Hour})
	h.Does(who, table, desk.ComeBack{})
	h.Does(other, table, desk.Lend{Seat: (awaited + 1) % 3})
	h.Does(other, table, desk.Return{Seat: (awaited + 1) % 3})
	h.Does(other, table, desk.OfferSeat{Seat: (awaited + 1) % 3, Person: "Dawa"})
	h.Does("Dawa", table, desk.WithdrawOffer{Seat: (awaited + 1) % 3})
	h.Does(other, table, desk.OfferSeat{Seat: (awaited + 1) % 3, Person: "Dawa"})
	h.Does("Dawa", table, desk.Say{Written: desk.Written{Text: []byte("what is it about?")}})
	h.Does("Dawa", table, desk.TakeOver{Seat: (awaited + 1) % 3})
	h.Does(other, table, desk.Return{Seat: (awaited + 1) % 3})
	h.Ends(table)
	h.Follows(table)
	return exportOf(t, h.House, table)
}

// steppedBack returns the record of a game with a clock in which Ana took a step back after an hour.
func steppedBack(t testing.TB) []byte {
	t.Helper()
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	h := desktest.Over(t, memory.New(), func() time.Time { return now })
	people := []domain.PersonID{desktest.Ana, desktest.Bo, desktest.Cid}
	n := desk.NewTable{Rulebook: "catan", Given: []byte(building), Pace: "daily",
		Clock: &domain.Clock{Hours: 24, TimeOut: domain.TimeOutTurn}}
	for _, who := range people {
		n.Places = append(n.Places, desktest.Player(who))
	}
	ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(), n)
	require.NoError(t, err)
	for i, who := range people {
		h.Joins(who, ans.Table, domain.Seat(i))
	}
	h.Follows(ans.Table)
	now = now.Add(time.Hour)
	h.Plays(ans.Table, 0, "road 29")
	h.Does(desktest.Ana, ans.Table, desk.Undo{To: h.Sees(ans.Table).LineHead.Version - 1})
	h.Follows(ans.Table)
	h.Ends(ans.Table)
	h.Follows(ans.Table)
	return exportOf(t, h, ans.Table)
}

func TestARecordShowsThatTheClockWasKept(t *testing.T) {
	for _, text := range [][]byte{slow(t), steppedBack(t)} {
		f, err := record.Read(bytes.NewReader(text))
		require.NoError(t, err)
		r, err := record.Verify(f, desktest.Named)
		require.NoError(t, err)
		require.Empty(t, r.Skipped)
		require.True(t, r.Judged)
	}
}

// moveBy returns the first move, on any line, whose meta data contain a text.
func (g *forgery) moveBy(t testing.TB, says string) *record.Event {
	t.Helper()
	for i := range g.Events {
		if e := &g.Events[i]; bytes.Contains(e.Data, []byte(`"move"`)) && bytes.Contains(e.Meta, []byte(says)) {
			return e
		}
	}
	t.Fatalf("no move says %s", says)
	return nil
}

// firstDue is the first deadline that an event names, and tooEarly one earlier than all of them.
func firstDue(m map[string]any) map[string]any { return m["due"].([]any)[0].(map[string]any) }

const tooEarly = "2026-01-05T13:00:00Z"

// clockChanges are forgeries, like changes, of what the clock did.
var clockChanges = []change{
	{"a deadline that leaves less time than the pace", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "tiny.dealt.v2", 0), func(m map[string]any) { firstDue(m)["at"] = tooEarly })
	}},
	{"a deadline that leaves less time after a step back than before it", steppedBack,
		func(t testing.TB, g *forgery) *record.Event {
			var last *record.Event
			for i := range g.Events {
				if bytes.Contains(g.Events[i].Meta, []byte(`"due"`)) {
					last = &g.Events[i]
				}
			}
			return meant(last, func(m map[string]any) { firstDue(m)["at"] = tooEarly })
		}},
	{"a deadline of a seat that there is not", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "tiny.dealt.v2", 0), func(m map[string]any) { firstDue(m)["seat"] = 7 })
	}},
	{"a deadline at a table without a clock", slow, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.opened.v2", 0), func(m map[string]any) { delete(m, "clock") })
		return g.find(t, "table.proposed.v1", 0)
	}},
	{"a deadline that was another", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.timed-out.v1", 0), sub("due", set("at", tooEarly)))
	}},
	{"a time-out before its time", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.timed-out.v1", 0)
		e.At -= 60_000
		return e
	}},
	{"a time-out by a person", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.timed-out.v1", 0), func(m map[string]any) { m["by"], m["door"] = "Bo", "page" })
	}},
	{"a time-out by another door", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.timed-out.v1", 0), set("door", "runner"))
	}},
	{"a time-out that does something else", slow, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.timed-out.v1", 0), set("does", "lost"))
		return nil // the stand-in's move is found first
	}},
	{"a time-out of another seat", slow, func(t testing.TB, g *forgery) *record.Event {
		edit(g.find(t, "table.timed-out.v1", 0), sub("due", set("seat", 1)))
		return nil
	}},
	{"a person's move by the clock", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.moveBy(t, `"by":"Bo"`), func(m map[string]any) { delete(m, "by"); m["door"] = "clock" })
	}},
	{"the clock's move by the runner", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.moveBy(t, `"door":"clock"`), set("door", "runner"))
	}},
	{"a spare day before its time", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.deferred.v1", 0)
		e.At -= 60_000
		return e
	}},
	{"a spare day that moves a deadline to an earlier time", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.deferred.v1", 0), func(m map[string]any) { firstDue(m)["at"] = tooEarly })
	}},
	{"a reason that there is not", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.deferred.v1", 0), set("why", "luck"))
	}},
	{"longer for somebody who was not nudged", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.deferred.v1", 0), set("why", "asked"))
	}},
	{"a holiday of somebody else", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.deferred.v1", 2)
		return meant(e, set("by", "Eva"))
	}},
	{"an outage that a person says there was", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.deferred.v1", 3), func(m map[string]any) { m["by"], m["door"] = "Bo", "page" })
	}},
	{"a proposal carried before its time", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.carried.v1", 0)
		e.At -= 60_000
		return e
	}},
	{"a proposal carried that somebody else was silent about", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.carried.v1", 0), set("silent", []string{"Bo"}))
	}},
	{"a proposal that nobody answered, carried", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.unanswered.v1", 0)
		e.Type = "table.carried.v1"
		return edit(e, set("end", "agreed"))
	}},
	{"a nudge at another hour", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.nudged.v1", 0), set("at", tooEarly))
	}},
	{"a nudge by a stranger", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.nudged.v1", 0)
		meant(e, set("by", "Eva"))
		return edit(e, set("by", "Eva"))
	}},
	{"a pause that moves a deadline to an earlier time", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.agreed.v1", 2),
			sub("paused", func(m map[string]any) { firstDue(m)["at"] = tooEarly }))
	}},
	{"a pause of years", slow, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.proposed.v1", 2), sub("proposal", set("until", "2029-01-01T00:00:00Z")))
	}},
	{"a seat lent by another", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.lent.v1", 0), set("by", "Eva"))
	}},
	{"a seat taken over by another", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.substituted.v1", 0), set("by", "Eva"))
	}},
	{"a seat offered by a stranger", slow, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.offered.v1", 0)
		meant(e, set("by", "Eva"))
		return edit(e, set("by", "Eva"))
	}},
	{"a seat taken back with the time of another", slow, func(t testing.TB, g *forgery) *record.Event {
		var theirs any
		edit(g.find(t, "table.deferred.v1", 1), func(m map[string]any) { theirs = m["due"] })
		return edit(g.find(t, "table.returned.v1", 0), set("due", theirs))
	}},
	{"a seat taken back by another", slow, func(t testing.TB, g *forgery) *record.Event {
		return meant(g.find(t, "table.returned.v1", 0), set("by", "Eva"))
	}},
}

func TestWhatTheClockDidNotDoIsFound(t *testing.T) {
	for _, c := range clockChanges {
		t.Run(c.name, c.isFound)
	}
}

// A yes counts as long as its person has a seat: a proposal whose only yes was of somebody who resigned since is left
// unanswered, for both verifiers.
func TestTheYesOfWhoeverLeftDoesNotCount(t *testing.T) {
	h := clocked(t, domain.Clock{Hours: 24, TimeOut: domain.TimeOutRemind})
	h.Does(desktest.Bo, h.table, desk.ProposeEnd{})
	h.Agrees(desktest.Cid, h.table)
	h.Does(desktest.Cid, h.table, desk.Resign{Seat: 2})
	h.now = h.due(domain.Nobody).At
	h.clock(desk.CloseProposal{Due: h.due(domain.Nobody)})
	h.Ends(h.table)
	h.Follows(h.table)
	file := exportOf(t, h.House, h.table)
	require.Contains(t, string(file), "table.unanswered.v1")
	_, err := verify(file)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "left.jsonl")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	require.Nil(t, independent(t, programtest.Python(t), path).Fault)
}
