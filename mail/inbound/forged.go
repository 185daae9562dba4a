package inbound

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/reply"
)

// Forged takes the mails that the host forges to try their own mail server (posthorn doctor), and notes whether one
// would be believed.
type Forged struct {
	Address *mail.ReturnAddress
	Checker authentic.Checker
	Note    func(mark string, believed bool) error
	Log     *slog.Logger
}

// Takes reports whether an address is for such a mail.
func (f *Forged) Takes(rcpt string) bool {
	_, ok := f.Address.Forged(rcpt)
	return ok
}

// Handle notes whether a mail would prove an answer.
func (f *Forged) Handle(ctx context.Context, rcpt, _ string, raw []byte) error {
	mark, ok := f.Address.Forged(rcpt)
	head, err := reply.ReadHead(raw)
	if !ok || err != nil {
		return nil // it is no mail
	}
	m := f.Checker.Read(ctx, head, raw)
	believed := slices.ContainsFunc(m.Signatures, func(s authentic.Signature) bool { return s.Verified })
	f.Log.Info("a mail that posthorn doctor forged came in", "believed", believed)
	if err := f.Note(mark, believed); err != nil {
		return fmt.Errorf("a forged mail: %w", err)
	}
	return nil
}
