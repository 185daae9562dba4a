package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// standsIn makes the move of an awaited stand-in, as the runner would.
func (h *timed) standsIn(table events.Name) desk.Answer {
	h.T.Helper()
	turns := h.Follows(table)
	require.NotEmpty(h.T, turns)
	m := turns[0]
	look := h.Sees(table)
	for mv := range look.Rulebook.Legal(look.Line.State, m.Seat) {
		m.Move = mv
		break
	}
	ans, err := h.Play(h.Ctx, m.Actor(), m)
	require.NoError(h.T, err)
	return ans
}

// silent lets a seat's time pass, and the clock do what follows.
func (h *timed) silent(table events.Name, seat domain.Seat) {
	h.T.Helper()
	d := h.deadline(table, seat)
	h.now = d.At.Add(time.Minute)
	require.Equal(h.T, "", h.clocks(table, desk.TimeOut{Due: d}))
}

func (h *timed) asked(table events.Name) (out []domain.PersonID) {
	h.T.Helper()
	for _, a := range h.Sees(table).Asks() {
		out = append(out, a.Person)
	}
	return out
}

func TestWhereATableOnlyRemindsItGoesOnWaiting(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
	d := h.deadline(table, 0)
	h.silent(table, 0)
	require.Contains(t, h.asked(table), ana)
	require.Equal(t, "", h.due(table, 0), "nothing more follows from it")
	require.Equal(t, "again", h.clocks(table, desk.TimeOut{Due: d}))
	require.Empty(t, h.Follows(table))
	require.Equal(t, d.At, h.Sees(table).Asks()[0].Due, "it still stands on every page")
	h.Plays(table, 0, "keep")
}

func TestAStandInTakesOneTurn(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "keep")
	look := h.Sees(table)
	roller := look.Line.Awaited()[0]
	h.silent(table, roller.Seat)
	require.Empty(t, h.asked(table), "nobody is asked for what a stand-in is about to do")
	awaits, err := h.AwaitsHouse(h.Ctx, h.Sees(table))
	require.NoError(t, err)
	require.True(t, awaits)

	ans := h.standsIn(table)
	meta, err := events.ReadMeta(&ans.Record)
	require.NoError(t, err)
	require.Equal(t, events.Clock.Door, meta.Door)
	require.Empty(t, meta.By)
	for len(h.Follows(table)) > 0 {
		h.standsIn(table) // brought up by its own move
	}
	require.NotEmpty(t, h.asked(table), "the next turn is a person's again")
	again := desktest.Over(t, copied(h.House), func() time.Time { return h.now })
	require.Equal(t, h.Sees(table).Asks(), again.Sees(table).Asks(), "folded from the log it is the same")
	require.True(t, h.Sees(table).Table.Places[roller.Seat].Humans())
}

func TestWhoeverIsBackInTimeTakesTheirTurnThemselves(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo))
	h.silent(table, 0)
	turns := h.Follows(table)
	require.Len(t, turns, 1)
	h.Plays(table, 0, "keep")
	look := h.Sees(table)
	for mv := range look.Rulebook.Legal(look.Line.State, 1) {
		turns[0].Move = mv
		break
	}
	_, err := h.Play(h.Ctx, turns[0].Actor(), turns[0])
	r, ok := domain.AsRefusal(err)
	require.True(t, ok)
	require.Contains(t, []string{"overtaken", "not-your-seat"}, r.Code)
}

func TestWhoIsBackInTimeKeepsTheRestOfTheirTurn(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "keep")
	roller := h.Sees(table).Line.Awaited()[0].Seat
	h.silent(table, roller)
	require.NotEmpty(t, h.Follows(table))
	h.Plays(table, roller, "roll")
	require.Empty(t, h.Follows(table), "what their own move brings up is theirs, and has time of its own")
	require.Contains(t, h.asked(table), []domain.PersonID{ana, bo}[roller])
}

func TestAStandInKeepsASeatUntilItsPersonIsBack(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutSeat, desktest.Player(ana), desktest.Player(bo),
		desktest.Player(desktest.Cid))
	h.silent(table, 0)
	require.NotContains(t, h.asked(table), ana)
	require.Len(t, h.Follows(table), 1)
	require.Equal(t, "not-your-seat", h.says(bo, table, desk.Return{Seat: 0}))
	require.Equal(t, "", h.says(ana, table, desk.Return{Seat: 0}))
	require.Contains(t, h.asked(table), ana)
	require.Equal(t, h.now.Add(24*time.Hour).Truncate(time.Hour).Add(time.Hour).Format(time.RFC3339), h.due(table, 0),
		"with all the time there is")
	require.Empty(t, h.Follows(table))

	require.Equal(t, "", h.says(ana, table, desk.Lend{Seat: 0}), "a seat may be lent without waiting")
	h.now = h.deadline(table, 1).At
	h.silent(table, 1)
	for _, c := range []desk.Command{desk.Lend{Seat: 0}, desk.Resign{Seat: 0}, desk.ProposeEnd{}} {
		require.Equal(t, "seat-kept", h.says(ana, table, c), "it is theirs, and kept: %T", c)
	}
	require.Equal(t, "lend-last", h.says(desktest.Cid, table, desk.Lend{Seat: 2}), "somebody must be there")
	h.silent(table, 2)
	require.Contains(t, h.asked(table), desktest.Cid, "so the last is only reminded")
	require.Equal(t, "nobody-here", h.says(desktest.Cid, table, desk.ProposeEnd{}),
		"nobody agrees for those who may come back")
}

func TestALostSeatIsPlayedOnAndRankedLast(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo),
		desktest.Player(desktest.Cid))
	h.silent(table, 0)
	require.True(t, h.Sees(table).Table.Places[0].Resigned)
	require.Equal(t, "not-your-seat", h.says(ana, table, desk.Return{Seat: 0}))
	h.silent(table, 1)
	h.Follows(table)
	look := h.Sees(table)
	require.Equal(t, domain.EndResigned, look.Table.End, "too few are left")
	require.Equal(t, []int{2, 2, 1}, look.Table.Ranks)
}

func TestConsentHasADeadlineByEverybodysCalendars(t *testing.T) {
	h := newTimed(t)
	h.calendars[desktest.Cid] = calendar.Calendar{Off: [7]bool{time.Tuesday: true, time.Wednesday: true}}
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo),
		desktest.Player(desktest.Cid))
	h.Plays(table, 0, "keep")
	h.Proposes(ana, table, 1)
	d := h.deadline(table, domain.Nobody)
	require.Equal(t, "2026-11-26T12:00:00Z", d.At.Format(time.RFC3339), "Cid has Tuesday and Wednesday off")
	require.Equal(t, "not-due", h.clocks(table, desk.CloseProposal{Due: d}))
	h.Agrees(bo, table)
	h.now = d.At
	require.Equal(t, "", h.clocks(table, desk.CloseProposal{Due: d}))
	look := h.Sees(table)
	require.Nil(t, look.Table.Proposal)
	require.Len(t, look.Table.Lines, 2, "two of three agreed, and the third was silent")
	h.Follows(table)
	require.Len(t, h.asked(table), 3, "all is awaited anew, with new deadlines")
	require.Equal(t, "2026-11-27T12:00:00Z", h.due(table, 0))
}

func TestOfTwoSilenceIsNo(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutRemind, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	h.Proposes(ana, table, 1)
	d := h.deadline(table, domain.Nobody)
	h.now = d.At
	require.Equal(t, "", h.clocks(table, desk.CloseProposal{Due: d}))
	look := h.Sees(table)
	require.Nil(t, look.Table.Proposal)
	require.Len(t, look.Table.Lines, 1)
	require.Equal(t, "again", h.clocks(table, desk.CloseProposal{Due: d}), "once")
}

func TestATablePausesByAgreement(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo))
	h.now = h.now.Add(6 * time.Hour)
	day := func(n int) calendar.Day { return calendar.DayOf(h.now, nil) + calendar.Day(n) }
	require.Equal(t, "pause-days", h.says(ana, table, desk.ProposePause{Until: day(40)}))
	require.Equal(t, "pause-days", h.says(ana, table, desk.ProposePause{Until: day(-2)}))
	require.Equal(t, "", h.says(ana, table, desk.ProposePause{Until: day(6)}))
	h.Plays(table, 0, "keep") // no pause expires through it
	h.Agrees(bo, table)
	require.Equal(t, "2026-11-30T18:00:00Z", h.due(table, 1),
		"what was left, eighteen hours, is left when Sunday is over")
	h.Plays(table, 1, "keep")
	roller := h.Sees(table).Line.Awaited()[0].Seat
	require.Equal(t, "2026-12-01T00:00:00Z", h.due(table, roller), "what comes up meanwhile counts from then")
}

func TestWhoeverAnnouncesAHolidayHasLonger(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo))
	today := calendar.DayOf(h.now, nil)
	away := calendar.Span{From: today, Until: today + 6}
	h.calendars[ana] = calendar.Calendar{Away: []calendar.Span{away}}
	require.Equal(t, "", h.says(ana, table, desk.GoAway{Days: away}))
	require.Equal(t, "2026-12-01T00:00:00Z", h.due(table, 0))
	require.Equal(t, "2026-11-24T12:00:00Z", h.due(table, 1), "Bo is not away")
	require.Equal(t, "away-known", h.says(ana, table, desk.GoAway{Days: away}), "once is enough")
	require.Equal(t, "not-a-player", h.says(desktest.Cid, table, desk.GoAway{Days: away}))
	h.Plays(table, 0, "keep")
	h.Plays(table, 1, "keep")
	roller := h.Sees(table).Line.Awaited()[0].Seat
	require.Equal(t, map[domain.Seat]string{0: "2026-12-01T00:00:00Z", 1: "2026-11-24T12:00:00Z"}[roller],
		h.due(table, roller))
}

func TestATableIsToldOfAHolidayThatNoCalendarHas(t *testing.T) {
	h := newTimed(t)
	today := calendar.DayOf(h.now, nil)
	week := calendar.Span{From: today, Until: today + 6}
	slow := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo)) // without a clock
	require.Equal(t, "", h.says(ana, slow, desk.GoAway{Days: week}))
	require.Equal(t, (today + 7).Begins(nil), h.Sees(slow).Table.AwayUntil(ana))

	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	require.Equal(t, "", h.says(ana, table, desk.GoAway{Days: week}), "nothing is asked of Ana now")
	h.Plays(table, 1, "keep")
	for range 6 { // until it is
		look := h.Sees(table)
		o := look.Line.Awaited()[0]
		if o.Seat == 0 {
			break
		}
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			h.Plays(table, o.Seat, look.Rulebook.FormatMove(m, nil))
			break
		}
	}
	require.Equal(t, "2026-12-01T00:00:00Z", h.due(table, 0), "a day after Ana is back")
}

func TestForWhoeverIsBackTimeCountsFromNow(t *testing.T) {
	h := newTimed(t)
	today := calendar.DayOf(h.now, nil)
	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "not-away", h.says(ana, table, desk.ComeBack{}))
	require.Equal(t, "", h.says(ana, table, desk.GoAway{Days: calendar.Span{From: today, Until: today + 6}}))
	moved := h.due(table, 0)
	require.Equal(t, "not-a-player", h.says(desktest.Cid, table, desk.ComeBack{}))
	require.Equal(t, "not-away", h.says(bo, table, desk.ComeBack{}))
	require.Equal(t, "", h.says(ana, table, desk.ComeBack{}))
	require.Zero(t, h.Sees(table).Table.AwayUntil(ana))
	require.Equal(t, moved, h.due(table, 0), "a deadline never moves earlier")
	require.Equal(t, "not-away", h.says(ana, table, desk.ComeBack{}))
	h.Plays(table, 1, "keep")
	h.Plays(table, 0, "keep")
	for range 6 { // until Ana is asked anew
		look := h.Sees(table)
		o := look.Line.Awaited()[0]
		if o.Seat == 0 {
			break
		}
		for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
			h.Plays(table, o.Seat, look.Rulebook.FormatMove(m, nil))
			break
		}
	}
	require.Equal(t, "2026-11-24T12:00:00Z", h.due(table, 0), "a day from now")
	require.Equal(t, "", h.says(ana, table, desk.GoAway{Days: calendar.Span{From: today, Until: today + 3}}),
		"for fewer days than before")
}

func TestANudgeComesOnceADayAndCanBeAnswered(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo),
		desktest.Player(desktest.Cid))
	sunday := calendar.DayOf(h.now, nil) + 6
	require.Equal(t, "not-nudged", h.says(ana, table, desk.NeedTime{Seat: 0, Until: sunday}))
	require.Equal(t, "nudge-self", h.says(ana, table, desk.Nudge{Seat: 0}))
	require.Equal(t, "not-a-player", h.says("Somebody", table, desk.Nudge{Seat: 0}))
	require.Equal(t, "", h.says(desktest.Cid, table, desk.Lend{Seat: 2}))
	require.Equal(t, "nudge-stand-in", h.says(ana, table, desk.Nudge{Seat: 2}),
		"whatever is awaited of it, it plays soon")
	require.Equal(t, "", h.says(desktest.Cid, table, desk.Return{Seat: 2}))
	require.Equal(t, "", h.says(bo, table, desk.Nudge{Seat: 0}))
	require.Equal(t, "nudged", h.says(desktest.Cid, table, desk.Nudge{Seat: 0}), "whoever asks for it")
	require.Equal(t, "", h.says(desktest.Cid, table, desk.Nudge{Seat: 1}))
	require.Equal(t, "not-your-seat", h.says(bo, table, desk.NeedTime{Seat: 0, Until: sunday}))
	require.Equal(t, "need-days", h.says(ana, table, desk.NeedTime{Seat: 0, Until: sunday + 30}))
	require.Equal(t, "", h.says(ana, table, desk.NeedTime{Seat: 0, Until: sunday}))
	require.Equal(t, "2026-11-30T00:00:00Z", h.due(table, 0))
	require.Equal(t, "not-nudged", h.says(ana, table, desk.NeedTime{Seat: 0, Until: sunday + 3}), "once a nudge")
	h.now = h.now.Add(25 * time.Hour)
	require.Equal(t, "", h.says(desktest.Cid, table, desk.Nudge{Seat: 0}))
	h.Plays(table, 0, "keep")
	require.Equal(t, "not-awaited", h.says(bo, table, desk.Nudge{Seat: 0}))
}

func TestABranchHasDeadlinesOfItsOwn(t *testing.T) {
	h := newTimed(t)
	table := h.starts("daily", domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo))
	h.now = h.now.Add(24 * time.Hour)
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: "weekly", Clock: domain.ClockOf("weekly", domain.TimeOutTurn),
			Places: []domain.TablePlace{desktest.Player(desktest.Cid), desktest.Player(bo)},
			Branch: h.BranchOf(table, 1, "game")})
	require.NoError(t, err)
	h.Joins(desktest.Cid, ans.Table, 0)
	h.Joins(bo, ans.Table, 1)
	h.Follows(ans.Table)
	require.Equal(t, h.now.Add(56*time.Hour).Format(time.RFC3339), h.due(ans.Table, 0))
	again := desktest.Over(t, copied(h.House), func() time.Time { return h.now })
	require.Equal(t, h.Sees(ans.Table).Deadlines(), again.Sees(ans.Table).Deadlines())
}
