package mail_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
)

// scripted is a mail server that answers as told, which may change while it runs. A step is a verb, "greeting" or
// "dot"; the script for a step is an answer, "silent" for none at all, or "cut" to end the connection. "answered" gives
// the usual answer and then ends the connection.
type scripted struct {
	t      testing.TB
	listen net.Listener
	mu     sync.Mutex
	says   map[string]string
	to     map[string]string // the same by recipient, for RCPT
	slow   time.Duration     // before a letter is taken
	seen   func(step string) // called at each step before its answer
	done   func(step string) // called after the answer
	kept   []delivered       // letters, whether or not acknowledged
	conns  int
	most   int // most connections at once
	now    int
	only   int // how many it takes at once; 0 is no limit
}

// delivered is a letter that reached a scripted server.
type delivered struct{ from, to, message string }

func newScripted(t testing.TB) *scripted {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return scriptedOver(t, l)
}

// scriptedOver starts a server on a listener.
func scriptedOver(t testing.TB, l net.Listener) *scripted {
	t.Helper()
	s := &scripted{t: t, listen: l, says: map[string]string{}, to: map[string]string{}, seen: func(string) {},
		done: func(string) {}}
	var open sync.WaitGroup
	ended := make(chan struct{})
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			tooMany := s.count(1)
			open.Go(func() {
				go func() { <-ended; _ = c.Close() }()
				defer s.count(-1)
				if tooMany {
					_, _ = fmt.Fprint(c, "421 4.7.0 too many connections\r\n")
					_ = c.Close()
					return
				}
				s.serve(c)
			})
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		close(ended)
		open.Wait()
	})
	return s
}

func (s *scripted) count(n int) (tooMany bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now += n; n > 0 {
		s.conns++
		s.most = max(s.most, s.now)
	}
	return s.only > 0 && s.now > s.only
}

// say changes the answer at a step; "" is the answer of a working server.
func (s *scripted) say(step, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.says[step] = what
}

// set changes anything else about the server.
func (s *scripted) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// answered tells listeners that a step was answered.
func (s *scripted) answered(step string) {
	s.mu.Lock()
	done := s.done
	s.mu.Unlock()
	done(step)
}

func (s *scripted) answer(step, recipient string) string {
	s.mu.Lock()
	seen, what := s.seen, s.says[step]
	if step == "RCPT" && s.to[recipient] != "" {
		what = s.to[recipient]
	}
	s.mu.Unlock()
	seen(step)
	return what
}

// letters returns its letters, in order of arrival.
func (s *scripted) letters() []delivered {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]delivered(nil), s.kept...)
}

func (s *scripted) connections() (all, atOnce int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns, s.most
}

func (s *scripted) transport(address string) *mail.SMTP {
	s.t.Helper()
	if address == "" {
		address = "smtp://" + s.listen.Addr().String()
	}
	tr, err := mail.NewSMTP(address, "games.example.org", mail.DefaultConnections)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, tr.Close()) })
	return tr
}

// usual is what a working server says.
var usual = map[string]string{"greeting": "220 scripted ESMTP",
	"EHLO": "250-scripted\r\n250-STARTTLS\r\n250 AUTH PLAIN", "STARTTLS": "220 go on",
	"AUTH": "235 2.7.0 welcome", "DATA": "354 go on", "dot": "250 2.0.0 kept", "QUIT": "221 bye"}

// serve speaks with one client until it leaves or the script cuts the connection.
func (s *scripted) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	r := bufio.NewReader(c)
	var letter delivered
	speak := func(step string) (on bool) {
		what := s.answer(step, letter.to)
		switch {
		case what == "silent":
			_, _ = r.ReadString(0) // until the other side gives up
			return false
		case what == "cut":
			return false
		case what == "" || what == "answered":
			line := usual[step]
			if line == "" {
				line = "250 ok"
			}
			_, _ = fmt.Fprintf(c, "%s\r\n", line)
			s.answered(step)
			return what == ""
		}
		_, _ = fmt.Fprintf(c, "%s\r\n", what)
		return !strings.HasPrefix(what, "421")
	}
	for on := speak("greeting"); on; {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		_, address, _ := strings.Cut(strings.TrimSuffix(strings.SplitN(line+" ", ">", 2)[0], " "), "<")
		switch verb {
		case "MAIL":
			letter = delivered{from: address}
		case "RCPT":
			letter.to = address
		}
		on = speak(verb)
		if verb == "DATA" && on && !s.refuses("DATA") {
			on = s.data(r, letter) && speak("dot")
		}
		if verb == "QUIT" || verb == "STARTTLS" {
			return
		}
	}
}

func (s *scripted) refuses(step string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.says[step] != ""
}

// data takes a message; it returns false if the client has gone.
func (s *scripted) data(r *bufio.Reader, l delivered) bool {
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
	s.mu.Lock()
	slow := s.slow
	s.mu.Unlock()
	time.Sleep(slow)
	s.mu.Lock()
	defer s.mu.Unlock()
	if what := s.says["dot"]; what == "" || what[0] > '9' {
		l.message = b.String()
		s.kept = append(s.kept, l)
	}
	return true
}
