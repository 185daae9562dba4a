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
	require.Zero(t, h.waiting())
	c.advance(12*time.Hour - time.Second)
	h.reminds()
	require.Empty(t, h.reminders(table, ana), "nothing is queued before it is due")
	c.advance(time.Second)
	h.reminds()
	require.Equal(t, [2]int{2, 1}, h.waiting(), "now one for each of them")
}

// A reminder is of a deadline as it stands once it is due. What a decision that was taken, or a deadline that moved,
// would have been reminded of is not even queued.
func TestAReminderIsMadeOfWhatIsStillAsked(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo, jo)
	h.notify()
	today := calendar.DayOf(c.t, nil)
	h.Does(ana, table, desk.GoAway{Days: calendar.Span{From: today, Until: today + 5}})
	h.play(table, 1, "keep")
	h.notify()
	c.advance(12 * time.Hour)
	for range 3 {
		h.reminds()
	}
	require.Empty(t, h.reminders(table, ana), "her deadline moved")
	require.Empty(t, h.reminders(table, bo), "he has played")
	require.Equal(t, []string{"new "}, h.reminders(table, jo), "once, however often one looks")
	h.play(table, 2, "keep")
	require.NoError(t, h.send(&post{}))
	require.Equal(t, []string{"dropped played"}, h.reminders(table, jo), "and it is asked again before it goes out")
	c.advance(6*24*time.Hour - time.Hour)
	h.reminds()
	require.Equal(t, []string{"new "}, h.reminders(table, ana), "of two that are due, the later one")
	require.Contains(t, string(h.letter(table, mail.KindReminder, ana).Secret), "tenth")
}
