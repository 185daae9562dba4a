package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"posthorn/events/pass"
	"posthorn/mail"
	"posthorn/mail/bounce"
	"posthorn/mail/inbound"
)

// openInbound opens the door for answers to mails and puts its address into the mails, if the host asks for it.
func (h *House) openInbound(ctx context.Context, passes *pass.Maker) (err error) {
	if h.Config.Inbound == "" {
		if h.Config.ReplyTo != "" || h.Config.AnySender {
			return errors.New("--reply-to and --any-sender say how answers to mails are taken: name where they come in with --inbound")
		}
		if h.Mailbox == nil || mail.CheckReplyTo(h.Config.From) != nil {
			return nil
		}
		// There is no other way in and no other mailbox.
		h.Mailbox.Answered(inbound.Handler(h.takesAnswers(h.Config.From, passes)...))
		return nil
	}
	to := cmp.Or(h.Config.ReplyTo, h.Config.From)
	if err := mail.CheckReplyTo(to); err != nil {
		return fmt.Errorf("--reply-to %s: %w", to, err)
	}
	takers := h.takesAnswers(to, passes)
	if h.Mailbox != nil {
		h.Mailbox.Answered(inbound.Handler(takers...))
	}
	_, name, _ := strings.Cut(to, "@")
	h.Sender.Return = mail.NewReturnAddress(to, h.Keys)
	back := &bounce.Door{Address: h.Sender.Return, Outbox: h.Outbox, People: h.People, Log: h.Logger}
	if h.Inbound, err = inbound.Listen(ctx, h.Config.Inbound, name, h.Logger, append(takers, back)...); err != nil {
		return fmt.Errorf("--inbound %s: %w", h.Config.Inbound, err)
	}
	h.Closers = append(h.Closers, h.Inbound)
	return nil
}

// takesAnswers makes mails name the address to answer to, and returns what takes the answers, and the mails to the
// house's own addresses.
func (h *House) takesAnswers(to string, passes *pass.Maker) []inbound.Taker {
	c := h.Sender.Composer
	c.ReplyTo, c.Hosts = to, h.Config.Host
	door := &inbound.Door{ReplyTo: to, Passes: passes, Desk: h.Desk, Maker: c.Maker, People: h.People, Directory: c.Directory,
		Outbox: h.Outbox, AnyFrom: h.Config.AnySender, Log: h.Logger, Now: time.Now}
	own := &inbound.Own{Addresses: []string{c.From, to}, Keys: h.Keys, People: h.People, Outbox: h.Outbox, Log: h.Logger,
		Now: time.Now}
	return []inbound.Taker{door, own}
}
