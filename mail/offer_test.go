package mail_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/mail"
)

// traders have something to offer and nothing else to wait for.
const traders = `{"phase":"main","first":"A","active":"A",
	"players":[{"settlements":[30],"roads":[35],"hand":{"wool":3}},{"hand":{"ore":1}},{}]}`

func TestAnOfferStandsInTheFirstLineOfItsMail(t *testing.T) {
	h := newHouse(t)
	ana, bo, cid := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Cid", "en")
	table := h.started("catan", traders, ana, bo, cid)
	h.play(table, 0, "offer 2 wool for ore")
	h.notify()
	require.Subset(t, h.letters(table, mail.KindTurn), []string{"turn Bo", "turn Cid"},
		"whoever is offered something is mailed, whatever they hold")
	text := flat(parts(t, h.compose(table, mail.KindTurn, bo)).Text)
	asks := "Your turn: answer an offer. Will you take 2 wool from Ana for 1 ore? "
	require.True(t, strings.HasPrefix(text, asks), text)
	require.Contains(t, text, " What you can play from this email: a accept b decline ", "the yes first")
}

// trade is a table of Catan, and what was mailed about it.
type trade struct {
	*house
	clock        *clock
	out          *post
	table        events.Name
	ana, bo, cid domain.PersonID
	read         int // how many mails gets has seen
}

// trading opens a table where a decision has a day. It is Ana's turn, and she was mailed about it, once what is to come
// before has been done.
func trading(t *testing.T, before ...func(*trade)) *trade {
	t.Helper()
	c := &clock{noon}
	h := &trade{house: open(t, c.now), clock: c, out: &post{}}
	h.ana, h.bo, h.cid = h.person("Ana", "en"), h.person("Bo", "en"), h.person("Cid", "en")
	n := desk.NewTable{Rulebook: "catan", Pace: "daily", Clock: domain.ClockOf("daily", domain.TimeOutTurn),
		Places: invited(h.ana, h.bo, h.cid), Given: []byte(traders)}
	ans, err := h.Open(h.Ctx, desktest.By(h.ana), events.NewCommandID(), n)
	require.NoError(t, err)
	h.table = ans.Table
	for _, id := range []domain.PersonID{h.ana, h.bo, h.cid} {
		h.join(id, h.table)
	}
	for _, f := range before {
		f(h)
	}
	h.goes()
	return h
}

// goes mails what is to be mailed.
func (h *trade) goes() {
	h.T.Helper()
	h.notify()
	require.NoError(h.T, h.send(h.out))
}

// moves plays and mails after each move.
func (h *trade) moves(all ...string) {
	h.T.Helper()
	for _, m := range all {
		who, text, _ := strings.Cut(m, " ")
		h.play(h.table, domain.Seat(who[0]-'A'), text)
		h.goes()
	}
}

// gets returns Ana's mails since it was last called.
func (h *trade) gets() (all []mail.Parts) {
	h.T.Helper()
	list := h.out.taken()
	for _, s := range list[h.read:] {
		if s.to == "ana@example.org" {
			all = append(all, parts(h.T, mail.Message{Raw: []byte(s.message)}))
		}
	}
	h.read = len(list)
	return all
}

func TestWhoeverMadeAnOfferIsMailedTheAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		says  string
		moves []string
	}{
		"accepted":        {"Bo and Ana trade", []string{"A offer 2 wool for ore", "B accept"}},
		"declined by all": {"Cid declines", []string{"A offer 2 wool for ore", "B decline", "C decline"}},
		"declined by one": {"Bo declines", []string{"A offer 2 wool for ore to B", "B decline"}},
		"countered":       {"Bo offers 1 ore", []string{"A offer 2 wool for ore to B", "B counter ore for 3 wool"}},
		"to be confirmed": {"Bo would take", []string{"A offer 2 wool for ore ask to B", "B accept"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := trading(t)
			first := h.gets()
			require.Len(t, first, 1)
			h.moves(c.moves...)
			got := h.gets()
			require.Len(t, got, 1, "one mail, and only once nobody else is asked")
			require.Contains(t, flat(got[0].Text), c.says)
			require.True(t, strings.HasPrefix(got[0].Text, "Your turn"), got[0].Text)
			require.NotEqual(t, first[0].Header.Get("Message-Id"), got[0].Header.Get("Message-Id"))
			h.goes()
			require.Empty(t, h.gets(), "and once")
		})
	}
}

// turn returns what the links of a mail about Ana's turn let her do, and whether it is asked of her now.
func (h *trade) turn(mailed mail.Parts) (f pass.Facts, asked bool) {
	h.T.Helper()
	f = h.linked(mailed.Text, "Look at the board and play")
	open := domain.Open{Decision: domain.Decision{Seat: f.Seat, Kind: f.Kind, Serial: f.Serial}, Since: f.Since}
	why, err := h.Desk.Stale(h.Ctx, h.Sees(h.table),
		desk.Ask{Kind: desk.AskTurn, Person: f.Person, Table: h.table, Stream: f.Stream, Open: open})
	require.NoError(h.T, err)
	return f, why == desk.StillAsked
}

func TestTheMailsBeforeAndAfterAnAnswerPlayTheTurn(t *testing.T) {
	h := trading(t)
	first := h.gets()[0]
	h.moves("A offer 2 wool for ore to B", "B decline")
	second := h.gets()[0]
	before, asked := h.turn(first)
	require.True(t, asked)
	after, asked := h.turn(second)
	require.True(t, asked)
	require.Equal(t, before, after, "it is the same decision")
	h.moves("A end")
	_, asked = h.turn(second)
	require.False(t, asked)
}

func TestEachAnswerOfATurnIsMailed(t *testing.T) {
	h := trading(t)
	h.gets()
	for _, answer := range []string{"B decline", "B accept", "B decline"} {
		h.moves("A offer wool for ore to B", answer)
		require.Len(t, h.gets(), 1, answer)
	}
	h.moves("A offer wool for brick to B", "A withdraw")
	require.Empty(t, h.gets(), "Ana knows what she did herself")
	h.moves("A end")
	require.Empty(t, h.gets())
}

// Given answers that are mailed late, then only the last of them is, and nothing once its reader has moved.
func TestOnlyTheLastAnswerThatWaitsIsMailed(t *testing.T) {
	h := trading(t)
	h.gets()
	for range 2 {
		h.play(h.table, 0, "offer wool for ore to B")
		h.notify()
		h.play(h.table, 1, "decline")
		h.notify()
	}
	h.goes()
	require.Len(t, h.gets(), 1)

	h.play(h.table, 0, "offer 3 wool for ore to B")
	h.play(h.table, 1, "decline")
	h.notify()
	h.play(h.table, 0, "offer 2 wool for ore to B")
	h.goes()
	require.Empty(t, h.gets(), "Ana has seen the answer: she went on")
	h.moves("B decline")
	require.Len(t, h.gets(), 1)
}

// Given a turn that begins in a night, and an offer that is answered in it, then there is one mail in the morning.
func TestAnAnswerReplacesTheMailThatStillWaits(t *testing.T) {
	h := trading(t, func(h *trade) {
		require.NoError(t, h.people.SetCalendar(h.Ctx, h.ana, calendar.Night{From: 11, To: 20}, [7]bool{}))
	})
	h.moves("A offer wool for ore to B", "B decline")
	require.Empty(t, h.gets())
	h.passes(h.clock, h.out, 8)
	got := h.gets()
	require.Len(t, got, 1)
	require.Contains(t, got[0].Text, "Bo declines")
}

// A decision has one deadline, and its reminders, however often it comes back.
func TestAnAnswerMovesNoDeadlineAndDoublesNoReminder(t *testing.T) {
	h := trading(t)
	h.gets()
	ask := func() desk.Ask { return h.Sees(h.table).Asks()[0] }
	due, told := ask().Due, func() time.Time {
		became, err := h.outbox.Told(h.Ctx, ask())
		require.NoError(t, err)
		return became.At
	}
	require.Equal(t, noon, told())
	h.passes(h.clock, h.out, 3)
	h.moves("A offer wool for ore to B", "B decline")
	require.Len(t, h.gets(), 1)
	require.Equal(t, due, ask().Due)
	require.Equal(t, noon, told(), "the clock goes by the first mail: an offer buys no time")
	h.passes(h.clock, h.out, 21)
	got := h.gets()
	require.Len(t, got, 2)
	require.Contains(t, got[0].Text, "Half of your time has passed.")
	require.Contains(t, got[1].Text, "Little of your time is left.")
}

func TestNoReminderComesWithAnAnswer(t *testing.T) {
	h := trading(t)
	h.gets()
	h.passes(h.clock, h.out, 11)
	h.moves("A offer wool for ore to B", "B decline")
	require.Len(t, h.gets(), 1)
	h.passes(h.clock, h.out, 5)
	require.Empty(t, h.gets(), "half of the time has passed an hour after the answer")
}

// Going back to a moment when somebody is asked two things at once asks both anew: one mail has the choices of both.
func TestWhoIsAskedTwoThingsAtOnceGetsOneMail(t *testing.T) {
	h := trading(t)
	h.moves("A offer 2 wool for ore ask to B", "B accept")
	to := h.Sees(h.table).Line.Version
	h.moves("A confirm B")
	h.gets()
	h.do(h.ana, h.table, desk.ProposeRewind{To: to})
	h.do(h.bo, h.table, desk.Agree{Since: h.Sees(h.table).Table.Proposal.Since})
	h.do(h.cid, h.table, desk.Agree{Since: h.Sees(h.table).Table.Proposal.Since})
	require.Len(t, h.Sees(h.table).Line.Awaited(), 2)
	h.goes()
	got := h.gets()
	require.Equal(t, 1, len(got)) // Len would print the pictures
	require.True(t, strings.HasPrefix(got[0].Text, "Your turn: choose whom to trade with."), got[0].Text)
	h.moves("A confirm B")
	require.Empty(t, h.gets(), "the same mail asks for the rest of the turn, too")
}
