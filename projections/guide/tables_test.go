package guide_test

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/people"
)

// What the rules of all tables say about the house, sentence by sentence: each test is named after its paragraph.

const (
	ana = desktest.Ana
	bo  = desktest.Bo
	cid = desktest.Cid
)

// says runs a command and returns the code of its refusal; "" if it was done.
func says(t *testing.T, h *desktest.House, who domain.PersonID, table events.Name, c desk.Command) string {
	t.Helper()
	_, err := h.Do(h.Ctx, desktest.By(who), table, events.NewCommandID(), c)
	if r, ok := domain.AsRefusal(err); ok {
		return r.Code
	}
	require.NoError(t, err)
	return ""
}

// keeping is a house whose tables keep time.
func keeping(t *testing.T) *desktest.House {
	h := desktest.Over(t, memory.New(), func() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) })
	return h
}

func starts(t *testing.T, h *desktest.House, out domain.TimeOut, places ...domain.TablePlace) events.Name {
	t.Helper()
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{
		Rulebook: tiny.Rulebook.Name(), Places: places, Pace: "daily", Clock: domain.ClockOf("daily", out),
	})
	require.NoError(t, err)
	for i, p := range places {
		for _, id := range p.Invited {
			h.Joins(id, ans.Table, domain.Seat(i))
		}
	}
	h.Follows(ans.Table)
	return ans.Table
}

// The limits that the rules name are those of the program, in every language.
func TestTheRulesOfAllTablesNameTheirLimits(t *testing.T) {
	b := book(t)
	for key, want := range map[string][]int{
		"open.3": {domain.MinContribution}, "open.4": {int(domain.InvitationLasts.Hours() / 24)},
		"consent.4": {int(domain.MostPause.Hours() / 24)}, "time.3": {people.MostAway, people.MostAwayYear},
		"time.4": {calendar.MostNight}, "talk.1": {people.MaxName},
	} {
		for _, lang := range languages.Complete() {
			text := b.Printer(lang, "", nil).Text("rules." + key)
			var named []int
			for _, digits := range regexp.MustCompile(`\d+`).FindAllString(text, -1) {
				n, err := strconv.Atoi(digits)
				require.NoError(t, err)
				named = append(named, n)
			}
			require.Equal(t, want, named, "%s: %s", lang, text)
		}
	}
	require.Equal(t, 6, people.MostOff, "time.4: one day of the week is left")
	require.Equal(t, 8*24*time.Hour, desk.MostAsked, "time.3: a week more, to the end of its last day")
	require.Equal(t, 24*time.Hour, domain.LeastNudge, "time.3: once a day")
}

func TestOpen2WhatNobodySitsOnMayBeChanged(t *testing.T) {
	h := keeping(t)
	table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "opener-only", says(t, h, bo, table, desk.Fill{Seat: 1}))
	require.Equal(t, "", says(t, h, ana, table, desk.Fill{Seat: 1}))
	h.Joins(bo, table, 1)
	require.Equal(t, "seat-taken", says(t, h, ana, table, desk.Fill{Seat: 1, StandIn: "random"}))
}

func TestOpen4AnInvitationMayBeRepeated(t *testing.T) {
	h := keeping(t)
	table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "", says(t, h, ana, table, desk.Invite{Seat: 1, Person: bo}))
	require.Equal(t, "opener-only", says(t, h, bo, table, desk.Invite{Seat: 1, Person: bo}))
}

// Where two are asked at once, the move of one ends nothing for the other.
func TestPlay1AMoveCountsWhileItsDecisionIsOpen(t *testing.T) {
	h := keeping(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	before := h.Sees(table)
	require.Len(t, before.Line.Awaited(), 2)
	h.Plays(table, 0, "keep")
	seen := before.Line.Awaited()[1]
	move, err := before.Rulebook.ParseMove("keep", nil)
	require.NoError(t, err)
	plays := func() error {
		_, err := h.Play(h.Ctx, desktest.By(bo), desk.Move{
			ID: events.NewCommandID(), Table: table, Line: before.LineName, Seat: 1, Decision: seen, Move: move,
		})
		return err
	}
	require.NoError(t, plays(), "somebody has moved since Bo looked, but his decision is open")
	refused, ok := domain.AsRefusal(plays())
	require.True(t, ok && refused.Code == "overtaken", "now it is over")
}

func TestUndo1AStepIsTakenBackByWhoeverSitsAlone(t *testing.T) {
	h := keeping(t)
	table := h.Starts("tiny", nil, desktest.Team(ana, cid), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	require.Equal(t, "undo-last", says(t, h, ana, table, desk.Undo{To: h.Sees(table).Line.Version - 1}))
	table = h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	require.Equal(t, "undo-beside", says(t, h, ana, table, desk.Undo{To: h.Sees(table).Line.Version - 1}),
		"Bo was asked before it, too")
}

func TestConsent1APauseNeedsTimeLimits(t *testing.T) {
	h := keeping(t)
	tomorrow := calendar.DayOf(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC), nil)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "no-clock", says(t, h, ana, table, desk.ProposePause{Until: tomorrow}))
	require.Equal(t, "", says(t, h, ana, table, desk.ProposeEnd{}))
	require.Equal(t, "proposal-open", says(t, h, bo, table, desk.ProposeEnd{}))
	table = starts(t, h, domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "", says(t, h, ana, table, desk.ProposePause{Until: tomorrow}))
}

func TestConsent2AMoveEndsAProposalButAPause(t *testing.T) {
	h := keeping(t)
	tomorrow := calendar.DayOf(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC), nil)
	for _, c := range []struct {
		asks  desk.Command
		lasts bool
	}{{desk.ProposeEnd{}, false}, {desk.ProposePause{Until: tomorrow}, true}} {
		table := starts(t, h, domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo))
		require.Equal(t, "", says(t, h, ana, table, c.asks))
		h.Plays(table, 0, "keep")
		require.Equal(t, c.lasts, h.Sees(table).Table.Proposal != nil)
	}
	table := starts(t, h, domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	require.Equal(t, "", says(t, h, ana, table, desk.ProposeEnd{}))
	require.Equal(t, "", says(t, h, bo, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since}))
	require.Nil(t, h.Sees(table).Table.Proposal, "one no is enough")
}

func TestTime2TheLastWhoIsThereKeepsTheirSeat(t *testing.T) {
	for out, want := range map[domain.TimeOut]domain.TimeOut{
		domain.TimeOutSeat: domain.TimeOutRemind, domain.TimeOutTurn: domain.TimeOutTurn,
	} {
		h := keeping(t)
		table := starts(t, h, out, desktest.Player(ana), desktest.Player(bo))
		require.Equal(t, "", says(t, h, bo, table, desk.Lend{Seat: 1}))
		look := h.Sees(table)
		e, err := look.Table.TimeOut(domain.Deadline{Line: look.LineName.String(), Seat: 0})
		require.NoError(t, err)
		require.Equal(t, want, e.(*domain.TimedOut).Does)
	}
	h := keeping(t)
	table := starts(t, h, domain.TimeOutLost, desktest.Player(ana), desktest.Player(bo))
	look := h.Sees(table)
	e, err := look.Table.TimeOut(domain.Deadline{Line: look.LineName.String(), Seat: 0})
	require.NoError(t, err)
	require.Equal(t, domain.EndResigned, e.(*domain.TimedOut).End, "a lost seat leaves Bo alone")
}

func TestTime3WhoeverWasRemindedMayTakeTimeOnce(t *testing.T) {
	h := keeping(t)
	week := calendar.DayOf(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), nil)
	table := starts(t, h, domain.TimeOutTurn, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	require.Equal(t, "not-nudged", says(t, h, ana, table, desk.NeedTime{Seat: 0, Until: week}))
	require.Equal(t, "", says(t, h, bo, table, desk.Nudge{Seat: 0}))
	require.Equal(t, "nudged", says(t, h, cid, table, desk.Nudge{Seat: 0}), "once a day, by whomever")
	require.Equal(t, "", says(t, h, ana, table, desk.NeedTime{Seat: 0, Until: week}))
	require.Equal(t, "not-nudged", says(t, h, ana, table, desk.NeedTime{Seat: 0, Until: week + 1}))
	table = h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "", says(t, h, bo, table, desk.Nudge{Seat: 0}))
	require.Equal(t, "no-clock", says(t, h, ana, table, desk.NeedTime{Seat: 0, Until: week}))
}

func TestSeats1TheLastPersonLendsNothing(t *testing.T) {
	h := keeping(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "", says(t, h, ana, table, desk.Lend{Seat: 0}))
	require.Equal(t, "lend-last", says(t, h, bo, table, desk.Lend{Seat: 1}))
	require.Equal(t, "", says(t, h, ana, table, desk.Return{Seat: 0}))
}

func TestSeats2ASeatGoesToSomebodyFromOutside(t *testing.T) {
	h := keeping(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	require.Equal(t, "seated-elsewhere", says(t, h, ana, table, desk.OfferSeat{Seat: 0, Person: bo}))
	require.Equal(t, "not-your-seat", says(t, h, bo, table, desk.OfferSeat{Seat: 0, Person: cid}),
		"its time is not over")
	require.Equal(t, "", says(t, h, ana, table, desk.OfferSeat{Seat: 0, Person: cid}))
	require.Equal(t, "", says(t, h, cid, table, desk.TakeOver{Seat: 0}))
	require.Equal(t, "seated-before", says(t, h, bo, table, desk.OfferSeat{Seat: 1, Person: ana}))
	require.Equal(t, "", says(t, h, ana, table, desk.Return{Seat: 0}), "who had it may come back")
	table = h.Starts("tiny", nil, desktest.Team(ana, cid), desktest.Player(bo))
	require.Equal(t, "one-player", says(t, h, ana, table, desk.OfferSeat{Seat: 0, Person: "c0"}))
}

func TestSeats3AResignationMayEndTheGame(t *testing.T) {
	h := keeping(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
	h.Resigns(ana, table, 0)
	h.Follows(table)
	require.Equal(t, domain.TableStarted, h.Sees(table).Table.Status)
	h.Resigns(bo, table, 1)
	h.Follows(table)
	require.Equal(t, domain.TableEnded, h.Sees(table).Table.Status, "only Cid is left")
	require.Equal(t, []int{2, 2, 1}, h.Sees(table).Table.Ranks)
}

func TestTalk3WhoReadsTheChat(t *testing.T) {
	h := keeping(t)
	table := h.Opens("tiny", nil, desktest.Player(bo), desktest.Free())
	knows := func(id domain.PersonID) bool { return h.Sees(table).Table.Knows(id) }
	require.True(t, knows(ana), "who opened it")
	require.True(t, knows(bo), "who is invited")
	require.False(t, knows(cid))
	h.Joins(bo, table, 0)
	h.Joins(cid, table, 1)
	h.Follows(table)
	require.True(t, knows(cid), "who plays")
	h.Resigns(cid, table, 1)
	require.True(t, knows(cid), "who has played")
}
