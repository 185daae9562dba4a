package mail_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/porttest"
	"posthorn/mail"
)

// clock is a house's clock, which the test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

// waitingThree returns a house with three letters to send: two turns at two tables, and a sign-in that somebody
// requested last.
func waitingThree(t *testing.T) (h *house, c *clock, tables []events.Name) {
	t.Helper()
	c = &clock{noon}
	h = open(t, c.now)
	for _, name := range []string{"Ana", "Bo"} {
		p := h.person(name, "en")
		table := h.open("tiny", p, `{"roller":"A","chosen":["","keep"]}`, append(invited(p), standIn)...)
		h.join(p, table)
		h.notify()
		tables = append(tables, table)
	}
	c.advance(time.Second)
	require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "jo@example.org", "token", "en", ""))
	return h, c, tables
}

func (h *house) standing() mail.Standing {
	h.T.Helper()
	s, err := h.outbox.Standing(h.Ctx)
	require.NoError(h.T, err)
	return s
}

// sessionFaults are all the ways in which a server takes no mail, whatever the letter.
var sessionFaults = []struct {
	name    string
	address string            // "" is unencrypted, without signing in
	says    map[string]string // what the server says
	why     string            // what the host reads
}{
	{name: "the password is wrong", address: "user:secret@",
		says: map[string]string{"AUTH": "535 5.7.8 wrong password"}, why: "535"},
	{name: "signing in does not work now", address: "user:secret@", says: map[string]string{"AUTH": "454 4.7.0 later"},
		why: "454"},
	{name: "signing in is wanted, and said to the recipient",
		says: map[string]string{"RCPT": "530 5.7.0 sign in first"}, why: "530"},
	{name: "a quota for a while", says: map[string]string{"MAIL": "452 4.5.3 enough for now"}, why: "enough for now"},
	{name: "a quota", says: map[string]string{"MAIL": "552 5.2.2 over quota"}, why: "over quota"},
	{name: "a quota of the day, said to the letter", says: map[string]string{"DATA": "550 5.4.5 daily limit exceeded"},
		why: "daily limit"},
	{name: "the sender is refused", says: map[string]string{"MAIL": "553 5.7.1 not your address"},
		why: "not your address"},
	{name: "the sender is refused, said to the recipient",
		says: map[string]string{"RCPT": "550 5.1.8 sender's domain unknown"}, why: "unknown"},
	{name: "TLS is not to be had", address: "tls", says: map[string]string{"STARTTLS": "454 4.7.0 no certificate"},
		why: "TLS"},
	{name: "TLS fails", address: "tls", why: "TLS"},
	{name: "it never greets", says: map[string]string{"greeting": "silent"}, why: "no answer in time"},
	{name: "it greets with a refusal", says: map[string]string{"greeting": "554 5.3.2 not today"}, why: "not today"},
	{name: "it is closing, at the greeting", says: map[string]string{"greeting": "421 4.3.2 closing"}, why: "closing"},
	{name: "it is closing, at a recipient", says: map[string]string{"RCPT": "421 4.3.2 closing"}, why: "closing"},
	{name: "it is closing, at a letter's end", says: map[string]string{"dot": "421 4.3.2 closing"}, why: "closing"},
	{name: "it hangs up", says: map[string]string{"EHLO": "cut"}, why: "greet the mail server"},
	{name: "it hangs up at every sender", says: map[string]string{"MAIL": "cut"}, why: "sender"},
	{name: "nobody knows its host", address: "smtp://no-such-host.invalid", why: "reach the mail server"},
	{name: "nobody listens", address: "nobody", why: "reach the mail server"},
}

// faulty makes a server with a fault, and a transport to it.
func faulty(t *testing.T, address string, says map[string]string) (*scripted, *mail.SMTP) {
	t.Helper()
	s := newScripted(t)
	for step, what := range says {
		s.say(step, what)
	}
	at := "smtp://" + s.listen.Addr().String()
	switch address {
	case "":
	case "user:secret@":
		at = "smtp://user:secret@" + s.listen.Addr().String()
	case "tls":
		at += "?tls=on"
	case "nobody":
		at = "smtp://" + porttest.Nobody(t)
	default:
		at = address
	}
	tr := s.transport(at)
	if says["greeting"] == "silent" {
		tr.Session = 50 * time.Millisecond
	}
	return s, tr
}

func TestAFaultOfTheSessionIsNeverAVerdictOnALetter(t *testing.T) {
	for _, f := range sessionFaults {
		t.Run(f.name, func(t *testing.T) {
			h, c, tables := waitingThree(t)
			_, tr := faulty(t, f.address, f.says)
			var told []mail.Standing
			s := h.sender(tr)
			s.Tell = func(st mail.Standing) { told = append(told, st) }
			s.Alarm = func(err error) { require.NoError(t, err, "no letter is to blame") }
			// however often the letters are tried, for days
			for range 10 {
				require.NoError(t, s.Flush(h.Ctx))
				c.advance(11 * time.Hour)
			}
			// then no letter is judged, and the host knows what waits and why
			for _, table := range tables {
				l := h.letterOf(table)
				require.NotContains(t, []mail.State{mail.StateFailed, mail.StateDropped, mail.StateSent}, l.State)
				require.Zero(t, l.Attempts)
			}
			now := h.standing()
			require.True(t, now.Stopped())
			require.Equal(t, noon.Add(time.Second).UnixMilli(), now.Since.UnixMilli())
			require.Contains(t, now.Why, f.why)
			require.NotContains(t, now.Why, "secret")
			require.Equal(t, tables, now.Tables)
			require.Equal(t, 10, now.Tries)
			require.Len(t, told, 1, "the host is told once, not at every try")
			require.Equal(t, tables, told[0].Tables)
			require.Equal(t, 5, told[0].Letters, "news of what others did waits with them")
			// and once the server works, everything that is still of use goes out
			_, works := faulty(t, "", nil)
			s.Transport = works
			require.NoError(t, s.Flush(h.Ctx))
			for _, table := range tables {
				require.Equal(t, mail.StateSent, h.letterOf(table).State)
			}
			require.False(t, h.standing().Stopped())
			require.Zero(t, h.standing().Letters, "the sign-in link is of no use any more, and was dropped")
			require.Len(t, told, 2)
			require.False(t, told[1].Stopped())
		})
	}
}

func TestAWaitingQueueTriesOneLetterThenSignInsFirst(t *testing.T) {
	h, c, tables := waitingThree(t)
	s := newScripted(t)
	s.say("AUTH", "535 5.7.8 no")
	snd := h.sender(s.transport("smtp://user:secret@" + s.listen.Addr().String()))
	snd.Connections = 3
	conns := func() int { n, _ := s.connections(); return n }
	require.NoError(t, snd.Flush(h.Ctx))
	begun := conns()
	c.advance(59 * time.Second)
	require.NoError(t, snd.Flush(h.Ctx))
	require.Equal(t, begun, conns(), "not tried within the minute, whatever is new in the queue")
	c.advance(time.Second)
	require.NoError(t, snd.Flush(h.Ctx))
	require.Equal(t, begun+1, conns(), "one letter tries it")
	s.say("AUTH", "")
	c.advance(2 * time.Minute)
	snd.Connections = 1
	require.NoError(t, snd.Flush(h.Ctx))
	var to []string
	for _, l := range s.letters() {
		to = append(to, l.to)
	}
	require.Equal(t, []string{"jo@example.org", "ana@example.org", "bo@example.org"}, to)
	for _, table := range tables {
		require.Equal(t, mail.StateSent, h.letterOf(table).State)
	}
}

func TestAQueueThatWaitsIsTriedSoonAndNeverGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, time.Now)
		ana := h.person("Ana", "en")
		table := h.open("tiny", ana, "", append(invited(ana), standIn)...)
		h.join(ana, table)
		h.notify()
		away := &post{at: time.Now}
		for range 2000 {
			away.fails = append(away.fails, errors.New("nobody there"))
		}
		ended, begun := make(chan error, 1), time.Now()
		told := 0
		s := h.sender(away)
		s.GiveUp = 8 * time.Hour
		lasts := 10 * time.Hour // longer than a letter is tried for
		if os.Getenv("POSTHORN_LONG") == "1" {
			s.GiveUp, lasts = mail.DefaultGiveUp, 6*24*time.Hour
		}
		s.Tell = func(mail.Standing) { told++ }
		ctx, stop := context.WithCancel(h.Ctx)
		go func() { ended <- s.Run(ctx) }()
		time.Sleep(lasts)
		synctest.Wait()
		var pauses []time.Duration
		last := begun
		for _, sent := range away.taken() {
			pauses = append(pauses, sent.at.Sub(last).Round(time.Second))
			last = sent.at
		}
		m := time.Minute
		require.Equal(t, []time.Duration{0, m, 2 * m, 3 * m, 4 * m, 5 * m, 5 * m, 5 * m}, pauses[:8])
		require.InDelta(t, lasts.Hours(), told, 3, "about once an hour")
		require.Equal(t, mail.StateNew, h.letterOf(table).State,
			"it waits as long as the server is away, and is written anew then")
		away.repair()
		time.Sleep(5 * m)
		synctest.Wait()
		require.Equal(t, mail.StateSent, h.letterOf(table).State)
		stop()
		require.Error(t, <-ended)
	})
}

func TestOnlyTheAnswerToALetterIsAVerdictOnIt(t *testing.T) {
	for _, v := range []struct {
		step, says string
		state      mail.State
	}{
		{"RCPT", "550 5.1.1 <ana@example.org> unknown", mail.StateFailed},
		{"RCPT", "552 5.2.2 mailbox full", mail.StateFailed},
		{"RCPT", "451 4.7.1 greylisted", mail.StateNew},
		{"RCPT", "452 4.2.2 mailbox full for now", mail.StateNew},
		{"DATA", "554 5.6.0 not like this", mail.StateFailed},
		{"dot", "552 5.3.4 too large", mail.StateFailed},
		{"dot", "451 4.3.0 later", mail.StateNew},
	} {
		t.Run(v.step+" "+v.says, func(t *testing.T) {
			h, c, tables := waitingThree(t)
			s := newScripted(t)
			if v.step == "RCPT" {
				s.set(func() { s.to["ana@example.org"] = v.says })
			} else {
				s.say(v.step, v.says)
			}
			snd := h.sender(s.transport(""))
			require.NoError(t, snd.Flush(h.Ctx))
			require.False(t, h.standing().Stopped())
			l := h.letterOf(tables[0])
			require.Equal(t, v.state, l.State)
			require.NotContains(t, l.Note, "ana@", "addresses are not kept open")
			if v.step == "RCPT" {
				require.Equal(t, mail.StateSent, h.letterOf(tables[1]).State, "the others are not held up")
			}
			if v.state == mail.StateNew {
				require.Equal(t, 1, l.Attempts)
				require.Equal(t, c.now().Add(time.Minute).UnixMilli(), l.Due.UnixMilli())
			}
		})
	}
}

func TestALetterThatLosesConnectionsHoldsNoOtherUp(t *testing.T) {
	h, c, tables := waitingThree(t)
	s := newScripted(t)
	s.set(func() { s.to["ana@example.org"] = "cut" })
	for range 6 {
		require.NoError(t, h.sender(s.transport("")).Flush(h.Ctx))
		c.advance(time.Hour)
	}
	require.Equal(t, mail.StateSent, h.letterOf(tables[1]).State)
	require.False(t, h.standing().Stopped(), "one letter is not the server")
	require.Equal(t, 6, h.letterOf(tables[0]).Attempts)
}

func TestAServerThatHangsUpOverEveryLetterIsWaitedFor(t *testing.T) {
	h, c, tables := waitingThree(t)
	s := newScripted(t)
	s.say("DATA", "cut")
	tr := s.transport("")
	require.NoError(t, h.sender(tr).Flush(h.Ctx))
	require.True(t, h.standing().Stopped())
	s.say("DATA", "")
	c.advance(5 * time.Minute)
	require.NoError(t, h.sender(tr).Flush(h.Ctx))
	for _, table := range tables {
		require.Equal(t, mail.StateSent, h.letterOf(table).State)
	}
	require.Len(t, s.letters(), 3)
}

func TestASignInThatIsOverIsNotMailed(t *testing.T) {
	c := &clock{noon}
	h := open(t, c.now)
	require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "jo@example.org", "token", "en", ""))
	c.advance(mail.SignInLasts)
	out := &post{}
	require.NoError(t, h.send(out))
	require.Empty(t, out.taken())
	require.Zero(t, h.sizeOfBytes())
}
