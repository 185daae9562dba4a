package inbound_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/imap"
	"posthorn/mail/inbound"
)

// stopping keeps how far a mailbox is read, until the program stops before it can note that.
type stopping struct {
	*mail.Outbox
	stopped, noted atomic.Bool
}

func (s *stopping) SetFetched(ctx context.Context, folder string, f mail.Fetched) error {
	if s.stopped.Load() {
		return errors.New("the program stops")
	}
	defer s.noted.Store(true)
	return s.Outbox.SetFetched(ctx, folder, f)
}

// Given a program that stops after an answer was played and before that is noted, then the answer is not played again:
// neither at the next start, nor when the mailbox numbers its mails anew.
func TestAFetchedAnswerIsPlayedOnce(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	user := imapmemserver.NewUser("games", "pw")
	require.NoError(t, user.Create("INBOX", nil))
	mem := imapmemserver.New()
	mem.AddUser(user)
	server := imapserver.New(&imapserver.Options{InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return mem.NewSession(), &imapserver.GreetingData{}, nil
		}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(l) }() // until it is closed
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	a, err := imap.ReadAccount("imap://games:pw@"+l.Addr().String()+"?handled=", "")
	require.NoError(t, err)
	pace := imap.DefaultPace
	pace.Round = 20 * time.Millisecond // this server tells nothing of what came just before IDLE
	marks := &stopping{Outbox: h.outbox}
	run := func(during func(f *imap.Fetcher)) {
		ctx, stop := context.WithCancel(t.Context())
		f := &imap.Fetcher{Account: a, Takers: inbound.NewTakers(h.door.Log, h.door), Marks: marks,
			Pace: pace, Log: h.door.Log, Now: time.Now}
		ended := make(chan error, 1)
		go func() { ended <- f.Run(ctx) }()
		during(f)
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	}
	until := func(what string, done func() bool) {
		require.Eventually(t, done, time.Minute, 2*time.Millisecond, what)
	}
	puts := func() {
		raw := string(h.posted(to, written(bo, "1", "keep", "say so there")))
		_, err := user.Append("INBOX", literal{strings.NewReader(raw)}, &goimap.AppendOptions{})
		require.NoError(t, err)
	}
	done := []string{"reply: said so there", "reply: move B keep"}

	run(func(f *imap.Fetcher) {
		until("it is known where the mailbox was", marks.noted.Load)
		marks.stopped.Store(true)
		puts()
		until("it is played, and not noted", func() bool { return f.Standing().Faults > 0 })
	})
	require.Equal(t, done, h.story(table, at))
	for _, next := range []func(){func() {}, func() {
		require.NoError(t, user.Delete("INBOX"))
		require.NoError(t, user.Create("INBOX", nil))
		puts()
	}} {
		next()
		marks.stopped.Store(false)
		h.log.Reset()
		run(func(f *imap.Fetcher) { until("it is noted", func() bool { return f.Standing().Ours == 1 }) })
		require.Equal(t, "why: again", outcome(h.log.String()))
		require.Equal(t, done, h.story(table, at))
		require.Len(t, h.answers(table), 1)
	}
}

// literal is a mail to be put into a mailbox.
type literal struct{ *strings.Reader }

// Size returns its length.
func (l literal) Size() int64 { return int64(l.Len()) }
