package mail_test

import (
	"errors"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/mail"
)

// dates returns the Date of each mail to a person so far, as tries went.
func (p *post) dates(t *testing.T, to string) (out []time.Time) {
	t.Helper()
	for _, s := range p.taken() {
		if s.to == to {
			m, err := netmail.ReadMessage(strings.NewReader(s.message))
			require.NoError(t, err)
			at, err := m.Header.Date()
			require.NoError(t, err)
			out = append(out, at.UTC())
		}
	}
	return out
}

func TestAReminderIsDatedWhenItGoesOut(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	h.passes(c, out, 13)
	require.Equal(t, []time.Time{noon, noon.Add(12 * time.Hour)}, out.dates(t, "ana@example.org"))
}

func TestWhatANightHeldIsDatedInTheMorning(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetCalendar(h.Ctx, ana, calendar.Night{From: 11, To: 20}, [7]bool{}))
	h.started("tiny", `{"roller":"A"}`, ana, bo)
	out := &post{}
	h.notify()
	h.passes(c, out, 9)
	require.Equal(t, []time.Time{noon.Add(8 * time.Hour)}, out.dates(t, "ana@example.org"))
}

// A server that takes no mail has not seen a letter: it is dated when one does. What a server put off keeps the date of
// the first try.
func TestALetterIsDatedByItsFirstTry(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetMails(h.Ctx, bo, string(mail.KindTurn), false))
	h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	out := &post{fails: []error{errors.New("no session"), later, later}}
	for range 4 {
		require.NoError(t, h.send(out))
		h.makeDue()
		c.advance(time.Hour)
	}
	first := noon.Add(time.Hour)
	require.Equal(t, []time.Time{noon, first, first, first}, out.dates(t, "ana@example.org"))
}
