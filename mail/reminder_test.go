package mail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/mail"
)

// sentTo returns what a person was mailed, by first line.
func (p *post) sentTo(t *testing.T, to string) (out []string) {
	t.Helper()
	for _, s := range p.taken() {
		if s.to == to {
			text := parts(t, mail.Message{Raw: []byte(s.message)}).Text
			first := ""
			for _, c := range text {
				if c == '\r' || c == '\n' {
					break
				}
				first += string(c)
			}
			out = append(out, first)
		}
	}
	return out
}

// passes lets time pass, hour by hour, and sends what is due.
func (h *house) passes(c *clock, out *post, hours int) {
	h.T.Helper()
	for range hours {
		c.t = c.t.Add(time.Hour)
		require.NoError(h.T, h.send(out))
	}
}

func TestRemindersComeAtHalfAndATenthOfTheTimeLeft(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	h.KeepTime(h.people.Calendars)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	h.play(table, 1, "keep")
	h.notify()
	require.Len(t, out.sentTo(t, "ana@example.org"), 1)

	h.passes(c, out, 11)
	require.Len(t, out.sentTo(t, "ana@example.org"), 1)
	h.passes(c, out, 1)
	require.Len(t, out.sentTo(t, "ana@example.org"), 2)
	require.Contains(t, out.sentTo(t, "ana@example.org")[1], "Half of your time has passed.")
	h.passes(c, out, 12)
	got := out.sentTo(t, "ana@example.org")
	require.Len(t, got, 3)
	require.Contains(t, got[2], "Little of your time is left.")
	require.Len(t, out.sentTo(t, "bo@example.org"), 1, "never for what was played")
	text := parts(t, mail.Message{Raw: []byte(out.taken()[len(out.taken())-1].message)}).Text
	require.Contains(t, text, "Play by Sunday, 22 November, 12:00 (UTC).")
	require.Contains(t, text, "/p/", "and it plays")
}

func TestAReminderIsOfOneDeadline(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	today := calendar.DayOf(c.t, nil)
	h.Does(ana, table, desk.GoAway{Days: calendar.Span{From: today, Until: today + 5}})
	h.notify()
	h.passes(c, out, 60)
	require.Len(t, out.sentTo(t, "ana@example.org"), 1, "the deadline has moved: nothing about the old one")
	h.passes(c, out, 83)
	require.Len(t, out.sentTo(t, "ana@example.org"), 1, "nobody is reminded on their holiday")
	h.passes(c, out, 13)
	require.Len(t, out.sentTo(t, "ana@example.org"), 3)
}

func TestNoReminderComesAtNight(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	h.KeepTime(h.people.Calendars)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetCalendar(h.Ctx, ana, calendar.Night{From: 22, To: 7}, [7]bool{}))
	h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	h.passes(c, out, 18)
	require.Len(t, out.sentTo(t, "ana@example.org"), 1)
	h.passes(c, out, 1)
	require.Len(t, out.sentTo(t, "ana@example.org"), 2, "at seven")
}

func TestTheLastReminderComesBeforeTheLastNight(t *testing.T) {
	c := &clock{t: noon.Add(14 * time.Hour)} // 02:00, when Ana sleeps
	h := open(t, c.now)
	h.KeepTime(h.people.Calendars)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetCalendar(h.Ctx, ana, calendar.Night{From: 22, To: 7}, [7]bool{}))
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	require.Equal(t, 7, h.Sees(table).Deadlines()[0].At.Hour(), "the time ends with the night")
	out := &post{}
	h.notify()
	h.passes(c, out, 19)
	require.Len(t, out.sentTo(t, "ana@example.org"), 2, "at 21:00 the last reminder is still to come")
	h.passes(c, out, 1)
	require.Contains(t, out.sentTo(t, "ana@example.org")[2], "Little of your time is left.")
}

func TestANudgeIsMailedOnceAndNamesWhoAsked(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo) // without a clock
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	h.Does(ana, table, desk.Nudge{Seat: 1})
	h.notify()
	h.notify()
	require.NoError(t, h.send(out))
	got := out.sentTo(t, "bo@example.org")
	require.Len(t, got, 2)
	require.Contains(t, got[1], "Ana przypomina ci o ruchu.")

	other := h.started("tiny", `{"roller":"A"}`, ana, bo)
	require.NoError(t, h.people.SetMails(h.Ctx, bo, "nudge", false))
	h.Does(ana, other, desk.Nudge{Seat: 1})
	h.notify()
	require.NoError(t, h.send(out))
	require.Len(t, out.sentTo(t, "bo@example.org"), 3, "who wants none gets none")
}

func TestEverybodyIsToldThatSomebodysTimeIsOver(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo, jo := h.curious("Ana", "en"), h.curious("Bo", "en"), h.curious("Jo", "en")
	table := h.timed("daily", domain.TimeOutSeat, ana, bo, jo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	h.play(table, 1, "keep")
	h.play(table, 2, "keep")
	d := h.Sees(table).Deadlines()[0]
	c.t = d.At
	_, err := h.DoCaused(h.Ctx, events.Clock, table, desk.CauseOf("time-out", table, d), desk.TimeOut{Due: d})
	require.NoError(t, err)
	h.notify()
	require.NoError(t, h.send(out))
	for _, who := range []string{"ana", "bo", "jo"} {
		got := out.sentTo(t, who+"@example.org")
		require.Contains(t, got[len(got)-1], "The time of seat A is over", who)
	}
}
