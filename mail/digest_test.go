package mail_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
)

func TestWhoWantsOneMailADayGetsOneWithAllThatWaits(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	for range 3 {
		table := h.started("tiny", `{"roller":"A"}`, ana, bo)
		h.play(table, 0, "keep")
	}
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	for _, s := range out.taken() {
		require.NotEqual(t, "bo@example.org", s.to, "it is noon")
	}
	sent := len(out.taken())
	clock.t = noon.Add(6*time.Hour + time.Minute)
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), sent+1)
	p := parts(t, mail.Message{Raw: []byte(out.taken()[sent].message)})
	require.Equal(t, "3 games wait for you", p.Subject)
	require.Contains(t, p.Text, "  1  Tiny: Ana, Bo: Your turn: keep your card, swap it, or peek at\r\n")
	require.Contains(t, p.HTML, "/p/")
	text := strings.Join(strings.Fields(p.Text), " ")
	require.Contains(t, text, "Anyone who has this email can play this turn.")
	require.NotContains(t, text, "Your last move", "they have made none")
	// and nothing before tomorrow, whatever happens
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.notify()
	clock.t = noon.Add(10 * time.Hour)
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), sent+1)
	clock.t = noon.Add(30*time.Hour + time.Minute)
	require.NoError(t, h.send(out))
	last := out.taken()[len(out.taken())-1]
	require.Equal(t, "bo@example.org", last.to)
	require.Contains(t, parts(t, mail.Message{Raw: []byte(last.message)}).Text, "The cards",
		"what is alone comes whole, with its board")
}

// Who has their mails in one hears of each table how their last move came in there, as in every other mail.
func TestADigestSaysHowMovesCameIn(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	for range 2 {
		table := h.started("tiny", `{"roller":"B"}`, ana, bo)
		h.play(table, 1, "keep")
		h.play(table, 0, "keep")
	}
	h.notify()
	clock.t = noon.Add(6*time.Hour + time.Minute)
	out := &post{}
	require.NoError(t, h.send(out))
	last := out.taken()[len(out.taken())-1]
	require.Equal(t, "bo@example.org", last.to)
	p := parts(t, mail.Message{Raw: []byte(last.message)})
	require.Equal(t, "2 games wait for you", p.Subject)
	text := strings.Join(strings.Fields(p.Text), " ")
	require.Equal(t, 2, strings.Count(text, "Bo: Your last move was made on the page: "), text)
	require.Equal(t, 1, strings.Count(text, "If that was not you,"), text)
}

// A table's deadline reads as in every other mail, and not as programs write times.
func TestADigestSaysTheDeadlinesAsPeopleDo(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	for range 2 {
		table := h.timed("daily", domain.TimeOutTurn, ana, bo)
		h.play(table, 0, "keep")
	}
	h.notify()
	clock.t = noon.Add(6*time.Hour + time.Minute)
	out := &post{}
	require.NoError(t, h.send(out))
	var digests []string
	for _, s := range out.taken() {
		if s.to == "bo@example.org" {
			digests = append(digests, parts(t, mail.Message{Raw: []byte(s.message)}).Text)
		}
	}
	text := strings.Join(digests, "\n")
	require.Equal(t, 2, strings.Count(strings.Join(strings.Fields(text), " "),
		"· until Sunday, 22 November, 12:00 (UTC)"), text)
	require.NotRegexp(t, `\d{4}-\d\d-\d\d`, text)
}

func TestWhatWasPlayedMeanwhileIsInNoDigest(t *testing.T) {
	clock := &clock{t: noon}
	h := open(t, clock.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	first := h.started("tiny", `{"roller":"A"}`, ana, bo)
	second := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	require.NoError(t, h.send(&post{}))
	h.play(first, 1, "keep")
	h.play(second, 1, "keep")
	clock.t = noon.Add(7 * time.Hour)
	out := &post{}
	require.NoError(t, h.send(out))
	require.Empty(t, out.taken())
}

func TestNothingIsMailedInSomebodysNight(t *testing.T) {
	clock := &clock{t: noon.Add(11 * time.Hour)}
	h := open(t, clock.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetCalendar(h.Ctx, ana, calendar.Night{From: 22, To: 7}, [7]bool{}))
	h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 1)
	require.Equal(t, "bo@example.org", out.taken()[0].to)
	require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "ana@example.org", "token", "en", ""))
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 2, "but what they ask for themselves")
	clock.t = noon.Add(19 * time.Hour)
	require.NoError(t, h.send(out))
	require.Len(t, out.taken(), 3)
}

// bos returns the text of each mail that Bo got.
func (p *post) bos(t *testing.T) (out []string) {
	t.Helper()
	for _, s := range p.taken() {
		if s.to == "bo@example.org" {
			out = append(out, flat(parts(t, mail.Message{Raw: []byte(s.message)}).Text))
		}
	}
	return out
}

// Bo's turns begin at noon, he has 56 hours for each, and he is mailed at six.
func TestADigestCoversReminders(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	h.KeepTime(h.people.Calendars)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetMails(h.Ctx, ana, people.AllMails, false))
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 18}))
	h.timed("weekly", domain.TimeOutTurn, ana, bo)
	h.timed("weekly", domain.TimeOutTurn, ana, bo)
	h.notify()
	out := &post{}
	h.passes(c, out, 28)
	require.Len(t, out.bos(t), 1, "half of the time has passed, but it is four o'clock")
	h.passes(c, out, 2)
	got := out.bos(t)
	require.Len(t, got, 2)
	require.Equal(t, 2, strings.Count(got[1], "Tiny: Ana, Bo: Half of your time has passed. Your turn: keep"), got[1])
	require.Regexp(t, `1: https://games\.example\.org/p/\S+ 2: https`, got[1])
	h.passes(c, out, 23)
	require.Len(t, out.bos(t), 2, "little of it is left, but it is five o'clock")
	h.passes(c, out, 1)
	got = out.bos(t)
	require.Len(t, got, 3)
	require.Equal(t, 2, strings.Count(got[2], "Little of your time is left. Your turn"), got[2])
	h.passes(c, out, 24)
	require.Len(t, out.bos(t), 3)
}

// A reminder that would come too late goes out at once.
func TestAReminderDoesNotWaitForTheEndOfTheTime(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Daily: true, At: 12}))
	h.timed("daily", domain.TimeOutTurn, ana, bo)
	h.notify()
	out := &post{}
	h.passes(c, out, 23)
	got := out.bos(t)
	require.Len(t, got, 3)
	require.Contains(t, got[1], "Half of your time has passed.")
	require.Contains(t, got[2], "Little of your time is left.")
}

// Given a reader whom a rhythm kept waiting until half of the time has passed, then the mails about the turns are
// reminder enough.
func TestNoReminderComesBesideItsLetter(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetRhythm(h.Ctx, bo, people.Rhythm{Every: 1}))
	require.NoError(t, h.people.SetCalendar(h.Ctx, bo, calendar.Night{From: 11, To: 1}, [7]bool{}))
	h.timed("daily", domain.TimeOutTurn, ana, bo)
	h.timed("daily", domain.TimeOutTurn, ana, bo)
	h.notify()
	out := &post{}
	h.passes(c, out, 20)
	got := out.bos(t)
	require.Len(t, got, 1)
	require.NotContains(t, got[0], "Half of your time")
}

// Nobody is nudged at night.
func TestANudgeWaitsForTheMorning(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetCalendar(h.Ctx, bo, calendar.Night{From: 22, To: 7}, [7]bool{}))
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	out := &post{}
	h.passes(c, out, 11)
	require.Len(t, out.bos(t), 1)
	h.Does(ana, table, desk.Nudge{Seat: 1})
	h.notify()
	h.passes(c, out, 7)
	require.Len(t, out.bos(t), 1)
	h.passes(c, out, 1)
	require.Len(t, out.bos(t), 2)
	require.Contains(t, out.bos(t)[1], "Ana reminds you")
}
