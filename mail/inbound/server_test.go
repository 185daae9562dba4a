package inbound_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/mail/inbound"
)

// taker takes the mails for addresses that begin with a word, and fails as they say.
type taker struct {
	word string
	mu   sync.Mutex
	got  []string
	size int
}

func (t *taker) Takes(rcpt string) bool { return strings.HasPrefix(rcpt, t.word) }

func (t *taker) Handle(_ context.Context, rcpt, sender string, raw []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.got, t.size = append(t.got, rcpt+" from "+sender), len(raw)
	switch {
	case strings.Contains(rcpt, "later"):
		return errors.New("the disk is full")
	case strings.Contains(rcpt, "panic"):
		panic("hostile")
	}
	return nil
}

// serve opens a door for a test, and returns its address.
func serve(t *testing.T, address string, takers ...inbound.Taker) net.Addr {
	t.Helper()
	s, err := inbound.Listen(t.Context(), address, "localhost", slog.New(slog.DiscardHandler), takers...)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		require.NoError(t, s.Close())
	})
	return s.Addr()
}

// lmtp connects to a door as a mail server does.
func lmtp(t *testing.T, a net.Addr) *smtp.Client {
	t.Helper()
	conn, err := net.Dial(a.Network(), a.String())
	require.NoError(t, err)
	c := smtp.NewClientLMTP(conn)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// send hands a mail over; it returns the server's errors by recipient.
func send(t *testing.T, c *smtp.Client, sender, body string, rcpts ...string) map[string]int {
	t.Helper()
	require.NoError(t, c.Mail(sender, nil))
	for _, r := range rcpts {
		require.NoError(t, c.Rcpt(r, nil), "%s is accepted, or else the mail server would send it back", r)
	}
	w, err := c.Data()
	require.NoError(t, err)
	_, err = io.WriteString(w, body)
	require.NoError(t, err)
	codes := map[string]int{}
	_, err = w.CloseWithLMTPResponse()
	var refused smtp.LMTPDataError
	if errors.As(err, &refused) {
		for to, e := range refused {
			codes[to] = e.Code
		}
	} else {
		require.NoError(t, err)
	}
	return codes
}

func TestAMailServersMailIsAcceptedAndSortedByAddress(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "lmtp.sock")
	for _, address := range []string{"lmtp://127.0.0.1:0", "lmtp://" + socket} {
		a, b := &taker{word: "a"}, &taker{word: "b"}
		c := lmtp(t, serve(t, address, a, b))
		codes := send(t, c, "x@example.org", "Subject: x\r\n\r\nhi\r\n", "a1@example.org", "b1@example.org",
			"c@example.org", "a-later@example.org", "b-panic@example.org")
		require.Equal(t, map[string]int{"a-later@example.org": 451}, codes,
			"what failed here comes again; a mail that makes it fail does not")
		require.Equal(t, []string{"a1@example.org from x@example.org", "a-later@example.org from x@example.org"}, a.got)
		require.Equal(t, []string{"b1@example.org from x@example.org", "b-panic@example.org from x@example.org"}, b.got)
		require.Empty(t, send(t, c, "", "Subject: x\r\n\r\n"+strings.Repeat("y", 600_000)+"\r\n", "a2@example.org"),
			"a long line is none of its business")
		require.Empty(t, send(t, c, "", strings.Repeat("Subject: x\r\n", 1<<17), "a3@example.org"))
		require.Equal(t, 1<<20, a.size, "no more is read than a reply may be long")
		require.NoError(t, c.Quit())
	}
}

func TestAnybodyIsToldWhichAddressesThereAre(t *testing.T) {
	a := &taker{word: "a"}
	conn, err := net.Dial("tcp", serve(t, "smtp://127.0.0.1:0", a).String())
	require.NoError(t, err)
	c := smtp.NewClient(conn)
	require.NoError(t, c.Mail("x@example.org", nil))
	said := map[string]bool{}
	for _, nobody := range []string{"b@example.org", "games+aaaa@example.org", "postmaster@example.org"} {
		err := c.Rcpt(nobody, nil)
		var refused *smtp.SMTPError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 550, refused.Code)
		said[refused.Error()] = true
	}
	require.Len(t, said, 1, "all that is nobody's looks alike")
	require.NoError(t, c.Rcpt("a@example.org", nil))
	w, err := c.Data()
	require.NoError(t, err)
	_, err = io.WriteString(w, "Subject: x\r\n\r\nhi\r\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.Equal(t, []string{"a@example.org from x@example.org"}, a.got)
	require.NoError(t, c.Quit())
}

func TestSmuggledMailsAreOne(t *testing.T) {
	a := &taker{word: "a"}
	at := serve(t, "smtp://127.0.0.1:0", a).String()
	for _, dot := range []string{"\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r"} {
		conn, err := net.Dial("tcp", at)
		require.NoError(t, err)
		_, err = io.WriteString(conn, "EHLO x\r\nMAIL FROM:<x@example.org>\r\nRCPT "+
			"TO:<a@example.org>\r\nDATA\r\nSubject: x\r\n\r\nhi"+dot+
			"MAIL FROM:<evil@example.org>\r\nRCPT TO:<a@example.org>\r\nDATA\r\nSubject: "+
			"y\r\n\r\nkeep\r\n.\r\nQUIT\r\n")
		require.NoError(t, err)
		said, err := io.ReadAll(conn)
		require.NoError(t, err)
		require.Contains(t, string(said), "221", "it was heard to the end")
		require.NoError(t, conn.Close())
	}
	require.Equal(t, slices.Repeat([]string{"a@example.org from x@example.org"}, 5), a.got)
}

// The library closes only what it already serves: stopped a moment earlier, it would wait for mails forever.
func TestWhoeverIsStoppedWhileItStartsEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for range 10_000 { // the moment is brief
		s, err := inbound.Listen(t.Context(), "lmtp://127.0.0.1:0", "localhost", slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.ErrorIs(t, s.Run(ctx), context.Canceled)
	}
}

func TestWhereMailsAreTakenIsCheckedAtTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, bad := range []string{"", "127.0.0.1:25", "http://127.0.0.1:25", "lmtp://", "lmtp://127.0.0.1",
		"smtp:///run/x", "lmtp://u@127.0.0.1:24", "lmtp://127.0.0.1:24/x", "lmtp://127.0.0.1:24?x"} {
		_, err := inbound.Listen(t.Context(), bad, "localhost", slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, inbound.ErrAddress, bad)
	}
	_, err := inbound.Listen(t.Context(), "lmtp://"+file, "localhost", slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "no socket")
	taken := serve(t, "lmtp://"+filepath.Join(t.TempDir(), "sock"))
	_, err = inbound.Listen(t.Context(), "lmtp://"+taken.String(), "localhost", slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "another program")

	left := filepath.Join(t.TempDir(), "left.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: left, Net: "unix"})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false)
	require.NoError(t, l.Close())
	serve(t, "lmtp://"+left) // left by a program that was killed
}
