package desk_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

// timed is a house whose clock is set by hand.
type timed struct {
	*desktest.House
	now       time.Time
	calendars map[domain.PersonID]calendar.Calendar
}

// monday is when these games begin: a Monday at noon.
var monday = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func newTimed(t *testing.T) *timed {
	t.Helper()
	h := &timed{now: monday, calendars: map[domain.PersonID]calendar.Calendar{}}
	h.House = desktest.Over(t, memory.New(), func() time.Time { return h.now })
	h.KeepTime(func(context.Context, []domain.PersonID) (map[domain.PersonID]calendar.Calendar, error) {
		return h.calendars, nil
	})
	return h
}

// starts begins a game with a pace.
func (h *timed) starts(pace string, out domain.TimeOut, places ...domain.TablePlace) events.Name {
	h.T.Helper()
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: places, Pace: pace, Clock: domain.ClockOf(pace, out)})
	require.NoError(h.T, err)
	for i, p := range places {
		for _, id := range p.Invited {
			h.Joins(id, ans.Table, domain.Seat(i))
		}
	}
	h.Follows(ans.Table)
	return ans.Table
}

// due returns the deadline of a seat's decision or, with Nobody, of the proposal.
func (h *timed) due(table events.Name, seat domain.Seat) string {
	h.T.Helper()
	for _, d := range h.Sees(table).Deadlines() {
		if d.Seat == seat {
			return d.At.Format(time.RFC3339)
		}
	}
	return ""
}

// deadline returns that deadline as a value.
func (h *timed) deadline(table events.Name, seat domain.Seat) domain.Deadline {
	h.T.Helper()
	for _, d := range h.Sees(table).Deadlines() {
		if d.Seat == seat {
			return d
		}
	}
	h.T.Fatalf("seat %s has no deadline", seat.Letter())
	return domain.Deadline{}
}

// clocks gives a command through the clock. It returns the refusal's code, "again" for a repeated command, or "".
func (h *timed) clocks(table events.Name, c desk.Command) string {
	h.T.Helper()
	ans, err := h.DoCaused(h.Ctx, events.Clock, table, events.Because("clock", []byte(c.Row().Wish)), c)
	if ans.Again {
		return "again"
	}
	if r, ok := domain.AsRefusal(err); ok {
		return r.Code
	}
	require.NoError(h.T, err)
	return ""
}

// says gives a person's command. It returns the refusal's code, "" for none.
func (h *timed) says(who domain.PersonID, table events.Name, c desk.Command) string {
	h.T.Helper()
	_, err := h.Do(h.Ctx, desktest.By(who), table, events.NewCommandID(), c)
	if r, ok := domain.AsRefusal(err); ok {
		return r.Code
	}
	require.NoError(h.T, err)
	return ""
}

func TestTheEventThatOpensADecisionSaysUntilWhen(t *testing.T) {
	h := newTimed(t)
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	require.NoError(t, err)
	h.calendars[bo] = calendar.Calendar{Zone: lisbon, Off: [7]bool{time.Tuesday: true},
		Night: calendar.Night{From: 22, To: 8}}
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))

	require.Equal(t, "2026-11-24T12:00:00Z", h.due(table, 0))
	require.Equal(t, "2026-11-25T12:00:00Z", h.due(table, 1), "Bo's Tuesday does not count")
	look := h.Sees(table)
	first, err := events.LoadOne(h.Ctx, h.Log(), look.LineName, 1)
	require.NoError(t, err)
	meta, err := events.ReadMeta(&first)
	require.NoError(t, err)
	require.Equal(t, []events.Due{{Seat: 0, At: monday.Add(24 * time.Hour)}, {Seat: 1, At: monday.Add(48 * time.Hour)}},
		meta.Due)
	require.NotContains(t, string(first.Meta), "Lisbon", "the log holds the instant alone")

	h.now = h.now.Add(3 * time.Hour)
	h.Plays(table, 0, "keep")
	require.Equal(t, "", h.due(table, 0), "Ana has answered")
	require.Equal(t, "2026-11-25T12:00:00Z", h.due(table, 1), "what was open before keeps its deadline")
	h.Plays(table, 1, "keep")
	roller := h.Sees(table).Line.Awaited()[0].Seat
	h.now = h.now.Add(72 * time.Hour)
	require.Equal(t, map[domain.Seat]string{0: "2026-11-24T15:00:00Z", 1: "2026-11-25T15:00:00Z"}[roller],
		h.due(table, roller))

	again := desktest.Over(t, copied(h.House), func() time.Time { return h.now })
	require.Equal(t, h.Sees(table).Deadlines(), again.Sees(table).Deadlines(), "folded from the log they are the same")
	require.Equal(t, h.Sees(table).Asks()[0].Due, h.Sees(table).Deadlines()[0].At)
}

// Whoever takes a step back has no more time for it than they had: what is asked again keeps its deadline.
func TestAStepTakenBackGivesNoNewTime(t *testing.T) {
	h := newTimed(t)
	position := []byte(`{"active":"A","phase":"main","players":[{"settlements":[13,31],"roads":[20,36],"hand":{"brick":1,"lumber":1}},{"settlements":[10,40],"roads":[13,53]},{"settlements":[22,42],"roads":[28,57]}]}`)
	n := desk.NewTable{Rulebook: "catan", Given: position, Pace: "daily",
		Clock:  domain.ClockOf("daily", domain.TimeOutRemind),
		Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo), desktest.Player(desktest.Cid)}}
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), n)
	require.NoError(t, err)
	for seat, who := range []domain.PersonID{ana, bo, desktest.Cid} {
		h.Joins(who, ans.Table, domain.Seat(seat))
	}
	h.Follows(ans.Table)
	before := h.due(ans.Table, 0)
	require.Equal(t, "2026-11-24T12:00:00Z", before)

	h.now = h.now.Add(3 * time.Hour)
	h.Plays(ans.Table, 0, "road 29")
	to, ok, err := h.MayUndo(h.Ctx, h.Sees(ans.Table), ana)
	require.NoError(t, err)
	require.True(t, ok)
	h.Does(ana, ans.Table, desk.Undo{To: to})
	h.Follows(ans.Table)
	require.Equal(t, before, h.due(ans.Table, 0))
}

// Two steps taken back one after the other ask again by the deadline that stood before both.
func TestTwoStepsTakenBackGiveNoNewTime(t *testing.T) {
	h := newTimed(t)
	n := desk.NewTable{Rulebook: "catan", Pace: "daily", Clock: domain.ClockOf("daily", domain.TimeOutRemind),
		Grace:  5,
		Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo), desktest.Player(desktest.Cid)}}
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), n)
	require.NoError(t, err)
	for seat, who := range []domain.PersonID{ana, bo, desktest.Cid} {
		h.Joins(who, ans.Table, domain.Seat(seat))
	}
	h.Follows(ans.Table)
	plays := func() (seat domain.Seat, who domain.PersonID) {
		h.now = h.now.Add(3 * time.Hour)
		look := h.Sees(ans.Table)
		seat = look.Line.Awaited()[0].Seat
		for m := range look.Rulebook.Legal(look.Line.State, seat) {
			h.Plays(ans.Table, seat, look.Rulebook.FormatMove(m, nil))
			break
		}
		return seat, look.Table.Places[seat].Holders[0]
	}
	plays()
	plays()
	before := h.due(ans.Table, h.Sees(ans.Table).Line.Awaited()[0].Seat)
	seat, who := plays() // the last of the first round founds twice
	again, _ := plays()
	require.Equal(t, seat, again)
	for range 2 {
		to, ok, err := h.MayUndo(h.Ctx, h.Sees(ans.Table), who)
		require.NoError(t, err)
		require.True(t, ok)
		h.Does(who, ans.Table, desk.Undo{To: to})
		h.Follows(ans.Table)
	}
	require.Equal(t, before, h.due(ans.Table, seat))
}

// A seat that is asked two things at once, its turn and with whom to trade, has one deadline for both: as everywhere
// else, the later one. Two would be no event that anybody could read.
func TestAStepBackToTwoQuestionsHasOneDeadline(t *testing.T) {
	h := newTimed(t)
	position := []byte(`{"active":"A","phase":"main","players":[` +
		`{"settlements":[13,31],"roads":[20,36],"hand":{"brick":1}},` +
		`{"settlements":[10,40],"roads":[13,53],"hand":{"wool":1}},` +
		`{"settlements":[22,42],"roads":[28,57],"hand":{"wool":1}}]}`)
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{Rulebook: "catan",
		Given: position, Pace: "daily", Clock: domain.ClockOf("daily", domain.TimeOutRemind), Grace: 5,
		Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo), desktest.Player(desktest.Cid)}})
	require.NoError(t, err)
	for seat, who := range []domain.PersonID{ana, bo, desktest.Cid} {
		h.Joins(who, ans.Table, domain.Seat(seat))
	}
	h.Follows(ans.Table)
	for _, m := range []struct {
		seat domain.Seat
		text string
	}{{0, "offer 1 brick for 1 wool ask"}, {1, "accept"}, {2, "decline"}, {0, "withdraw"}} {
		h.now = h.now.Add(3 * time.Hour)
		h.Plays(ans.Table, m.seat, m.text)
		h.Follows(ans.Table)
	}
	to, ok, err := h.MayUndo(h.Ctx, h.Sees(ans.Table), ana)
	require.NoError(t, err)
	require.True(t, ok)
	h.Does(ana, ans.Table, desk.Undo{To: to})
	h.Follows(ans.Table)
	look := h.Sees(ans.Table)
	require.Greater(t, len(look.Line.Awaited()), 1)
	first, err := events.LoadOne(h.Ctx, h.Log(), look.LineName, look.Line.Version)
	require.NoError(t, err)
	meta, err := events.ReadMeta(&first)
	require.NoError(t, err)
	seats := map[domain.Seat]int{}
	for _, d := range meta.Due {
		seats[d.Seat]++
	}
	require.Equal(t, map[domain.Seat]int{0: 1}, seats)
	require.Equal(t, "2026-11-24T19:00:00Z", h.due(ans.Table, 0), "of the second question, brought up at six")
}

func TestATableWithoutAClockHasNoDeadlinesOrNewBytes(t *testing.T) {
	h := newTimed(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	h.Proposes(ana, table, 1)
	require.Empty(t, h.Sees(table).Deadlines())
	recs, err := h.Log().Read(h.Ctx, 0, 100)
	require.NoError(t, err)
	for _, r := range recs {
		require.NotContains(t, string(r.Meta), "due")
		require.NotContains(t, string(r.Data), "clock")
	}
	wish, err := json.Marshal(desk.NewTable{Rulebook: "tiny"})
	require.NoError(t, err)
	require.Equal(t, `{"Rulebook":"tiny","Choices":null,"Places":null,"Pace":"","Given":null,"Branch":null}`,
		string(wish), "a wish is compared for ever")
	require.Equal(t, "overtaken", h.clocks(table,
		desk.TimeOut{Due: domain.Deadline{Line: h.Sees(table).LineName.String(), Seat: 0, Since: 1}}))
}

func TestATableMayNotChooseAnyClock(t *testing.T) {
	h := newTimed(t)
	require.Nil(t, domain.ClockOf("relaxed", domain.TimeOutLost), "whenever is for ever")
	for _, c := range []domain.Clock{{Hours: 24, TimeOut: "never"}, {Hours: 0, TimeOut: "lost"},
		{Hours: 24, Spare: -1, TimeOut: "lost"}, {Hours: 24 * 365, TimeOut: "lost"}} {
		_, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
			desk.NewTable{Rulebook: "tiny", Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)},
				Pace: "daily", Clock: &c})
		_, refused := domain.AsRefusal(err)
		require.True(t, refused, "%+v: %v", c, err)
	}
}

func TestADeadlineStillToComeOrOvertakenIsLeftAlone(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
	d := h.deadline(table, 0)
	h.now = d.At.Add(-time.Second)
	require.Equal(t, "not-due", h.clocks(table, desk.TimeOut{Due: d}))
	h.now = d.At
	other := d
	other.At = d.At.Add(-time.Hour)
	require.Equal(t, "overtaken", h.clocks(table, desk.TimeOut{Due: other}))
	h.Plays(table, 0, "keep")
	require.Equal(t, "overtaken", h.clocks(table, desk.TimeOut{Due: d}))
	require.Equal(t, "overtaken", h.clocks(table, desk.TakeSpare{Due: d}))
}

func TestSpareDaysAreTakenFirst(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
	for left := 2; left >= 0; left-- {
		d := h.deadline(table, 0)
		h.now = d.At
		require.Equal(t, "", h.clocks(table, desk.TakeSpare{Due: d}))
		require.Equal(t, left, h.Sees(table).Table.SpareLeft(0))
		require.Equal(t, d.At.Add(24*time.Hour), h.deadline(table, 0).At)
	}
	h.now = h.deadline(table, 0).At
	require.Equal(t, "no-deadline", h.clocks(table, desk.TakeSpare{Due: h.deadline(table, 0)}))
	require.Equal(t, 3, h.Sees(table).Table.SpareLeft(1), "each seat has its own")
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "keep")
	require.Equal(t, 0, h.Sees(table).Table.SpareLeft(0), "for the whole game")
}

// copied returns a log with the same events.
func copied(h *desktest.House) events.Log {
	h.T.Helper()
	log := memory.New()
	recs, err := h.Log().Read(h.Ctx, 0, 10_000)
	require.NoError(h.T, err)
	var streams []events.Stream
	seen := map[events.Name]bool{}
	for _, r := range recs {
		if !seen[r.Stream] {
			s, err := h.Log().Stream(h.Ctx, r.Stream)
			require.NoError(h.T, err)
			streams, seen[r.Stream] = append(streams, s), true
		}
	}
	require.NoError(h.T, log.Adopt(h.Ctx, streams, recs))
	return log
}
