package mail_test

import (
	"context"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"posthorn/mail"
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

// send sends everything that is due now.
func (h *house) send(t mail.Transport) error {
	return h.sender(t).Flush(h.Ctx)
}
