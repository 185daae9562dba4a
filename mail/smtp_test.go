package mail_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
	"posthorn/mail"
)

// sink is a mail server that fails in a given way, once for each fault, and then works.
type sink struct {
	t      *testing.T
	listen net.Listener
	mu     sync.Mutex
	faults []string // "before-354", "before-250", "after-250", or an answer to DATA such as "451 later"
	said   []string // the verbs
	owner  string   // who alone may be the sender; "" for anybody
	kept   []string // messages whose final dot came, whether or not acknowledged
	acked  int
	conns  int
}

func newSink(t *testing.T, faults ...string) *sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &sink{t: t, listen: l, faults: faults}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns++
			s.mu.Unlock()
			open.Go(func() { s.serve(c) })
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		open.Wait()
	})
	return s
}

func (s *sink) fault() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return ""
	}
	f := s.faults[0]
	s.faults = s.faults[1:]
	return f
}

func (s *sink) keep(message string, acked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, message)
	if acked {
		s.acked++
	}
}

// state returns what came, and how much of it was acknowledged.
func (s *sink) state() (kept []string, acked, conns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.kept...), s.acked, s.conns
}

func (s *sink) verbs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.said...)
}

// serve speaks with one client until it leaves or a fault cuts the connection.
func (s *sink) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	say := func(line string) { _, _ = fmt.Fprintf(c, "%s\r\n", line) }
	r := bufio.NewReader(c)
	say("220 sink ESMTP")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
		s.mu.Lock()
		s.said = append(s.said, verb)
		s.mu.Unlock()
		switch verb {
		case "DATA":
			if !s.data(r, say) {
				return
			}
		case "MAIL":
			if s.owner != "" && !strings.Contains(line, "<"+s.owner+">") {
				say("553 5.7.1 Sender address rejected: not owned by user")
				continue
			}
			say("250 ok")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// data takes a message; false cuts the connection.
func (s *sink) data(r *bufio.Reader, say func(string)) bool {
	fault := s.fault()
	switch {
	case fault == "before-354":
		return false
	case fault != "" && fault[0] >= '4' && fault[0] <= '5':
		say(fault)
		return true
	}
	say("354 go on")
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		b.WriteString(strings.TrimPrefix(line, "."))
	}
	s.keep(b.String(), fault != "before-250")
	if fault == "before-250" {
		return false
	}
	say("250 2.0.0 kept as 1")
	return fault != "after-250"
}

func (s *sink) transport() *mail.SMTP {
	s.t.Helper()
	tr, err := mail.NewSMTP("smtp://"+s.listen.Addr().String(), "games.example.org", mail.DefaultConnections)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = tr.Close() }) // the connection may be cut
	return tr
}

func TestALetterArrivesOnceOrTwiceTheSameInAnyFault(t *testing.T) {
	for _, c := range []struct {
		fault string
		kept  int // messages that the server ends up with
	}{
		{"before-354", 1},
		{"before-250", 2}, // it has the first one, but nobody can know
		{"after-250", 1},
		{"451 4.3.0 later", 1},
		{"421 4.3.2 closing", 1},
	} {
		t.Run(c.fault, func(t *testing.T) {
			h, table, _ := waiting(t)
			s := newSink(t, c.fault)
			tr := s.transport()
			for range 3 {
				require.NoError(t, h.send(tr))
				h.makeDue()
			}
			require.Equal(t, mail.StateSent, h.letterOf(table).State)
			kept, acked, _ := s.state()
			require.Equal(t, 1, acked)
			require.Len(t, kept, c.kept)
			for _, m := range kept {
				require.Equal(t, kept[0], m)
				require.Equal(t, "<"+h.letterOf(table).MessageID+">", messageID(t, m))
			}
		})
	}
}

// Many a provider lets an account send under its own address alone. A letter that could bear its own return address
// elsewhere then goes under that, and so do those after it, at once.
func TestALetterGoesUnderTheAccountsOwnAddress(t *testing.T) {
	h, table, _ := waiting(t)
	s := newSink(t)
	s.owner = h.composer.From
	sender := h.sender(s.transport())
	sender.Return = mail.NewReturnAddress("games@games.example.org", h.keys)
	require.NoError(t, sender.Flush(h.Ctx))
	require.Equal(t, mail.StateSent, h.letterOf(table).State, h.letterOf(table).Note)
	require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "jo@example.org", "token", "en", ""))
	tried := len(s.verbs())
	require.NoError(t, sender.Flush(h.Ctx))
	_, acked, _ := s.state()
	require.Equal(t, 2, acked)
	require.Len(t, slices.DeleteFunc(s.verbs()[tried:], func(v string) bool { return v != "MAIL" }), 1)
}

func TestALetterRefusedForGoodIsNotTriedAgain(t *testing.T) {
	h, table, _ := waiting(t)
	s := newSink(t, "554 5.7.1 not from you")
	tr := s.transport()
	for range 2 {
		require.NoError(t, h.send(tr))
		h.makeDue()
	}
	kept, _, _ := s.state()
	require.Empty(t, kept)
	l := h.letterOf(table)
	require.Equal(t, mail.StateFailed, l.State)
	require.Contains(t, l.Note, "not from you")
}

func TestLettersShareAConnectionAndALostOneIsMadeAnew(t *testing.T) {
	s := newSink(t, "", "", "after-250", "")
	tr := s.transport()
	for range 4 {
		_, err := tr.Send(context.Background(), "a@example.org", "b@example.org", []byte("Subject: x\r\n\r\ny\r\n"))
		require.NoError(t, err)
	}
	kept, acked, conns := s.state()
	require.Len(t, kept, 4)
	require.Equal(t, 4, acked)
	require.Equal(t, 2, conns)
}

func TestALetterRefusedKeepsTheConnectionForTheNext(t *testing.T) {
	s := newSink(t, "554 5.7.1 not from you", "")
	tr := s.transport()
	send := func() error {
		_, err := tr.Send(context.Background(), "a@example.org", "b@example.org", []byte("Subject: x\r\n\r\ny\r\n"))
		return err
	}
	require.ErrorContains(t, send(), "not from you")
	require.NoError(t, send())
	_, acked, conns := s.state()
	require.Equal(t, 1, acked)
	require.Equal(t, 1, conns)
}

func TestAServerThatIsAwayOnlyPutsLettersOff(t *testing.T) {
	h, table, _ := waiting(t)
	tr, err := mail.NewSMTP("smtp://"+porttest.Nobody(t), "localhost", 1)
	require.NoError(t, err)
	require.NoError(t, h.send(tr))
	got := h.letterOf(table)
	require.Equal(t, mail.StateNew, got.State)
	require.Zero(t, got.Attempts, "it is not the letter's fault")
	require.Contains(t, h.standing().Why, "reach the mail server")
}

func TestAddressesOfMailServers(t *testing.T) {
	for _, good := range []string{
		"smtp://mail.example.org", "smtp://mail.example.org:25", "smtps://user:p%40ss@mail.example.org",
		"smtp://localhost:25?tls=off", "smtp://localhost:25?tls=on", "smtp://[::1]:2525",
	} {
		_, err := mail.NewSMTP(good, "localhost", 1)
		require.NoError(t, err, good)
	}
	for _, bad := range []string{
		"", "mail.example.org", "mail.example.org:25", "http://mail.example.org", "smtp://", "smtp://:25",
		"smtp://host:port", "smtp://host/path", "smtp://host?tls=maybe", "smtp://host?tsl=off", "smtps://host?tls=off",
		"smtp://us er@host",
	} {
		_, err := mail.NewSMTP(bad, "localhost", 1)
		require.ErrorIs(t, err, mail.ErrSMTPAddress, bad)
		require.NotContains(t, err.Error(), "us er")
	}
}

func TestAPasswordIsNotSentWhereTLSIsWantedAndMissing(t *testing.T) {
	s := newSink(t)
	tr, err := mail.NewSMTP("smtp://user:secret@"+s.listen.Addr().String()+"?tls=on", "localhost", 1)
	require.NoError(t, err)
	_, err = tr.Send(context.Background(), "a@example.org", "b@example.org", []byte("x"))
	require.ErrorContains(t, err, "TLS")
	require.NotContains(t, err.Error(), "secret")
	require.NotContains(t, s.verbs(), "AUTH")
	require.NotContains(t, s.verbs(), "MAIL")
}

func TestAServerThatDoesNotAnswerDoesNotDelayTheStop(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	tr, err := mail.NewSMTP("smtp://"+l.Addr().String(), "localhost", 1)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		c, err := l.Accept()
		if err == nil {
			stop()
			_, _ = c.Read(make([]byte, 1)) // until the other side hangs up
			_ = c.Close()
		}
	}()
	_, err = tr.Send(ctx, "a@example.org", "b@example.org", []byte("x"))
	require.Error(t, err)
	require.Error(t, ctx.Err())
}

func FuzzSMTPAddress(f *testing.F) {
	f.Add("smtp://user:password@host:587")
	f.Add("smtps://host?tls=off")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := mail.NewSMTP(text, "localhost", 1); err != nil {
			require.ErrorIs(t, err, mail.ErrSMTPAddress)
		}
	})
}
