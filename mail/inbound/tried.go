package inbound

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/reply"
)

// Tried takes the mails that posthorn doctor sends to try the way that answers come, forged ones among them, and notes
// whether one would be believed, and whether its move plays: at a table in memory that nobody sees.
type Tried struct {
	Address *mail.ReturnAddress
	Checker authentic.Checker
	Keys    *events.Keys
	Named   func(string) (domain.Rulebook, bool)
	Game    string // the rulebook of that table, whose first move whoever begins can play
	Note    func(mark string, believed bool, unplayed string) error
	Log     *slog.Logger
}

// Takes reports whether an address is for such a mail.
func (f *Tried) Takes(rcpt string) bool {
	_, ok := f.Address.Tried(rcpt)
	return ok
}

// Handle notes whether a mail would prove an answer.
func (f *Tried) Handle(ctx context.Context, rcpt, _ string, raw []byte) error {
	mark, ok := f.Address.Tried(rcpt)
	head, err := reply.ReadHead(raw)
	if !ok || err != nil {
		return nil // it is no mail
	}
	m := f.Checker.Read(ctx, head, raw)
	believed := slices.ContainsFunc(m.Signatures, func(s authentic.Signature) bool { return s.Verified })
	f.Log.Info("a mail of posthorn doctor came in", "believed", believed)
	unplayed := ""
	if err := f.rehearses(ctx, head); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		unplayed = err.Error()
	}
	if err := f.Note(mark, believed, unplayed); err != nil {
		return fmt.Errorf("a mail of posthorn doctor: %w", err)
	}
	return nil
}
