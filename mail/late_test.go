package mail_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	deadlines "posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

func TestWhatBecameOfAMailIsKnownToTheClock(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	told := func(a desk.Ask) deadlines.Told {
		out, err := h.outbox.Told(h.Ctx, a)
		require.NoError(t, err)
		return out
	}
	asks := h.Sees(table).Asks()
	require.Len(t, asks, 2)
	require.Equal(t, deadlines.Told{}, told(asks[0]), "nothing is known of it")
	h.notify()
	require.Equal(t, deadlines.Told{Waits: true}, told(asks[0]))
	require.NoError(t, h.people.SetMails(h.Ctx, bo, "turn", false))
	require.NoError(t, h.send(&post{}))
	require.Equal(t, deadlines.Told{At: noon}, told(asks[0]))
	require.Equal(t, deadlines.Told{}, told(asks[1]), "who wants no mail is not waited for")
}

func TestATurnMailSaysUntilWhenByTheClockOfItsReader(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "pl"), h.person("Bo", "en")
	require.NoError(t, h.people.SetZone(h.Ctx, ana, "Europe/Warsaw"))
	table := h.timed("daily", domain.TimeOutTurn, ana, bo)
	h.notify()
	m := parts(t, h.compose(table, mail.KindTurn, ana))
	require.Contains(t, m.Text, "Zagraj do: niedziela, 22 listopada, 13:00 (CET).")
	require.Contains(t, m.HTML, "Zagraj do: niedziela, 22 listopada, 13:00 (CET).")
	require.Contains(t, parts(t, h.compose(table, mail.KindTurn, bo)).Text, "Play by Sunday, 22 November, 12:00 (UTC).")
}

// Given a letter that the receiving server defers, when its deadline moves before it is taken, then it names the new
// deadline.
func TestALetterPutOffSaysUntilWhenThereIsTimeNow(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.timed("daily", domain.TimeOutTurn, ana, bo)
	h.notify()
	out := &post{fails: []error{later, later}} // Ana's and Bo's
	require.NoError(t, h.send(out))
	to := func() (all []mail.Parts) {
		for _, s := range out.taken() {
			if s.to == "ana@example.org" {
				all = append(all, parts(t, mail.Message{Raw: []byte(s.message)}))
			}
		}
		return all
	}
	require.Contains(t, to()[0].Text, "Play by Sunday, 22 November, 12:00 (UTC).")
	h.Does(ana, table, desk.GoAway{
		Days: calendar.Span{From: calendar.DayOf(noon, time.UTC), Until: calendar.DayOf(noon, time.UTC) + 4}})
	require.Equal(t, 1, h.letter(table, mail.KindTurn, ana).Attempts)
	h.makeDue()
	require.NoError(t, h.send(out))
	mails := to()
	require.Len(t, mails, 2)
	require.Contains(t, mails[1].Text, "Play by Friday, 27 November, 00:00 (UTC).")
	require.Equal(t, mails[0].Header.Get("Message-Id"), mails[1].Header.Get("Message-Id"))
}

// Given a letter that may have arrived, because the program stopped while sending it, when it is later put off, then
// the same bytes go out again: a person who already has it must not read something else under its id.
func TestALetterThatMayHaveArrivedIsNotWrittenAnew(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetMails(h.Ctx, bo, string(mail.KindTurn), false))
	table := h.timed("daily", domain.TimeOutTurn, ana, bo)
	h.notify()
	ctx, stop := context.WithCancel(h.Ctx)
	k := &killed{stop: stop, after: true}
	require.ErrorIs(t, h.sender(k).Flush(ctx), context.Canceled)
	h.reopen()
	h.Does(ana, table, desk.GoAway{
		Days: calendar.Span{From: calendar.DayOf(noon, time.UTC), Until: calendar.DayOf(noon, time.UTC) + 4}})
	k.post.fails = []error{later, errors.New("nobody there")}
	for range 3 {
		h.makeDue()
		require.NoError(t, h.send(&k.post))
	}
	got := k.taken()
	require.Len(t, got, 4)
	for _, s := range got {
		require.Equal(t, got[0].message, s.message)
	}
	require.Equal(t, mail.StateSent, h.letter(table, mail.KindTurn, ana).State)
}

// timed starts a game with deadlines.
func (h *house) timed(pace string, out domain.TimeOut, ids ...domain.PersonID) events.Name {
	h.T.Helper()
	ans, err := h.Open(h.Ctx, desktest.By(ids[0]), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: pace, Clock: domain.ClockOf(pace, out),
			Places: invited(ids...), Given: []byte(`{"roller":"A"}`)})
	require.NoError(h.T, err)
	for _, id := range ids {
		h.join(id, ans.Table)
	}
	h.Follows(ans.Table)
	return ans.Table
}

func TestWhoeverIsAskedToTakeOverASeatIsWrittenTo(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "pl")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	h.Does(ana, table, desk.OfferSeat{Seat: 0, Person: jo})
	h.notify()
	p := parts(t, h.compose(table, mail.KindInvitation, jo))
	require.Contains(t, p.Text, "Ana prosi cię o przejęcie miejsca: Tiny")
	require.Contains(t, p.Text, "https://games.example.org/t/"+table.String())
	h.Does(jo, table, desk.WithdrawOffer{Seat: 0})
	out := &post{}
	require.NoError(t, h.send(out))
	require.Empty(t, out.sentTo(t, "jo@example.org"), "who has said no hears nothing more")
}
