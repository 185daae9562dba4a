package mail_test

import (
	"context"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/projections/views"
)

// post is a transport that keeps what it gets.
type post struct {
	mu    sync.Mutex
	sent  []sent
	fails []error // returned in turn, before it takes anything
	at    func() time.Time
}

// later is how a server defers one letter.
var later = &mail.Verdict{Step: "data",
	Answer: &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "later"}}

type sent struct {
	from, to string
	message  string
	at       time.Time
}

func (p *post) Send(_ context.Context, from, to string, message []byte) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := sent{from: from, to: to, message: string(message)}
	if p.at != nil {
		s.at = p.at()
	}
	p.sent = append(p.sent, s)
	if len(p.fails) > 0 {
		err := p.fails[0]
		p.fails = p.fails[1:]
		return "", err
	}
	return "2.0.0 kept", nil
}

// repair makes it take everything from now on.
func (p *post) repair() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fails = nil
}

func (p *post) taken() []sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]sent(nil), p.sent...)
}

func (h *house) sender(t mail.Transport) *mail.Sender {
	return &mail.Sender{Outbox: h.outbox, Composer: h.composer, Transport: t, Now: h.now,
		Delays: mail.DefaultDelays, GiveUp: mail.DefaultGiveUp}
}

// send reminds whom it is time to remind, and sends everything that is due now.
func (h *house) send(t mail.Transport) error {
	h.reminds()
	return h.sender(t).Flush(h.Ctx)
}

// reminds queues what people are to be reminded of by now.
func (h *house) reminds() {
	h.T.Helper()
	if h.views == nil {
		var err error
		h.views, err = views.Open(h.Ctx, h.dir, h.Desk)
		require.NoError(h.T, err)
		h.T.Cleanup(func() { require.NoError(h.T, h.views.Close()) })
	}
	require.ErrorIs(h.T, h.views.Run(h.Ctx, sofar{h.Desk.Log(), 4096}), errCaughtUp)
	h.notifier.Due = h.views.Reminders
	require.NoError(h.T, h.notifier.RemindNow(h.Ctx))
}
