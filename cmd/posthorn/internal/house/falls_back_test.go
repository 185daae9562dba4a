package house_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/people"
	"posthorn/mail"
)

// server takes mails as a mail server does that knows no mailbox at one domain.
type server struct {
	mu   sync.Mutex
	took []string // to whom, and what
}

func (s *server) Send(_ context.Context, _, to string, message []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasSuffix(to, "@gone.example") {
		return "", &mail.Verdict{Step: "recipient", Answer: &smtp.SMTPError{Code: 550,
			EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}}
	}
	s.took = append(s.took, to+"\n"+string(message))
	return "2.0.0 kept", nil
}

func (s *server) to(address string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.took {
		if strings.HasPrefix(m, address+"\n") {
			n++
		}
	}
	return n
}

// Given Ana with two addresses, when mails to the one that they go to come back for good, then they go to the other,
// which is told.
func TestMailsThatComeBackGoToTheOtherAddress(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	h, err := house.Open(ctx, posthorntest.Settings(t.TempDir()), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	srv := &server{}
	h.Sender.Transport = srv
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, h.Close())
	})
	link, _, err := h.People.AskSignIn(ctx, "ana@gone.example", "192.0.2.1", "en")
	require.NoError(t, err)
	ana, err := h.People.UseLink(ctx, link.Text())
	require.NoError(t, err)
	link, _, _, err = h.People.AskAddress(ctx, ana.ID, "ana@here.example")
	require.NoError(t, err)
	_, err = h.People.AddAddress(ctx, ana.ID, link.Text(), false)
	require.NoError(t, err)

	post := mail.Post{Outbox: h.Outbox}
	require.NoError(t, post.Stopped(ctx, ana.ID, "turn"))
	require.NoError(t, post.Stopped(ctx, ana.ID, "over"))
	require.Eventually(t, func() bool { return srv.to("ana@here.example") == 1 }, posthorntest.Patient,
		5*time.Millisecond, "the other address is told")
	have, err := h.People.Addresses(ctx, ana.ID)
	require.NoError(t, err)
	require.Equal(t, people.Address("ana@here.example"), have[0].Address)
	require.False(t, have[1].Failed.IsZero())
	back, err := h.Outbox.Unreachable(ctx, ana.ID)
	require.NoError(t, err)
	require.Empty(t, back, "mails reach her")
	require.NoError(t, post.Stopped(ctx, ana.ID, "news"))
	require.Eventually(t, func() bool { return srv.to("ana@here.example") == 2 }, posthorntest.Patient,
		5*time.Millisecond)
}
