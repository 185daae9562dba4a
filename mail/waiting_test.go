package mail_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/mail"
)

// waiting returns how many letters wait, and about how many tables.
func (h *house) waiting() [2]int {
	h.T.Helper()
	s, err := h.outbox.Standing(h.Ctx)
	require.NoError(h.T, err)
	return [2]int{s.Letters, len(s.Tables)}
}

// reminders returns what became of a person's reminders about a table: the state of each, and why.
func (h *house) reminders(table events.Name, to domain.PersonID) (out []string) {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	for _, l := range list {
		if l.Person == to && l.Kind.Reminds() {
			out = append(out, string(l.State)+" "+l.Note)
		}
	}
	return out
}

// makeWanted ends the pauses between tries, but not before a letter is to be written.
func (h *house) makeWanted() {
	h.T.Helper()
	require.NoError(h.T, h.outbox.Exec(h.Ctx, `UPDATE circuit SET next = 0`))
	require.NoError(h.T, h.outbox.Exec(h.Ctx, `UPDATE outbox SET due = 0 WHERE kind = 'turn'`))
}

func TestOnlyWhatIsDueWaits(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetMails(h.Ctx, bo, string(mail.KindTurn), false))
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{fails: []error{later, errors.New("no session")}}
	h.notify()
	require.Equal(t, [2]int{4, 1}, h.waiting(), "of these three only until it is seen that nobody wants them")
	require.NoError(t, h.send(out))
	require.Equal(t, [2]int{1, 1}, h.waiting(), "a letter that a server put off waits for it")
	h.makeWanted()
	require.NoError(t, h.send(out))
	require.Equal(t, [2]int{1, 1}, h.waiting(), "and so it does for a server that is away")
	h.makeWanted()
	require.NoError(t, h.send(out))
	require.Equal(t, []string{"new ", "new "}, h.reminders(table, ana))
	require.Zero(t, h.waiting(), "reminders do, but not yet")
	c.advance(12 * time.Hour)
	require.Equal(t, [2]int{2, 1}, h.waiting(), "now one for each of them")
}

func TestAReminderEndsWithItsDecision(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	h.notify()
	require.Equal(t, []string{"new ", "new "}, h.reminders(table, ana))
	today := calendar.DayOf(c.t, nil)
	h.Does(ana, table, desk.GoAway{Days: calendar.Span{From: today, Until: today + 5}})
	h.notify()
	require.Equal(t, []string{"dropped moved", "dropped moved", "new ", "new "}, h.reminders(table, ana))
	require.Equal(t, []string{"new ", "new "}, h.reminders(table, bo))
	h.play(table, 1, "keep")
	h.notify()
	require.Equal(t, []string{"dropped played", "dropped played"}, h.reminders(table, bo))
	require.Equal(t, []string{"new ", "new "}, h.reminders(table, ana)[2:])
}
