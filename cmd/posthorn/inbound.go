package main

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

// openInbound opens the door for answers to mails, and has the mails name their address, if the
// host asks for it.
func (h *house) openInbound(ctx context.Context, passes *pass.Maker) (err error) {
	if h.cfg.Inbound == "" {
		if h.cfg.ReplyTo != "" || h.cfg.AnySender {
			return errors.New("--reply-to and --any-sender say how answers to mails are taken: name where they come in with --inbound")
		}
		if h.mailbox == nil || mail.CheckReplyTo(h.cfg.From) != nil {
			return nil
		}
		h.mailbox.Answered(h.takesAnswers(h.cfg.From, passes).Handle) // there is no other way in, and no other mailbox
		return nil
	}
	to := cmp.Or(h.cfg.ReplyTo, h.cfg.From)
	if err := mail.CheckReplyTo(to); err != nil {
		return fmt.Errorf("--reply-to %s: %w", to, err)
	}
	door := h.takesAnswers(to, passes)
	if h.mailbox != nil {
		h.mailbox.Answered(door.Handle)
	}
	_, name, _ := strings.Cut(to, "@")
	h.sender.Return = mail.NewReturnAddress(to, h.keys)
	back := &bounce.Door{Address: h.sender.Return, Outbox: h.outbox, People: h.people, Log: h.logger}
	if h.inbound, err = inbound.Listen(ctx, h.cfg.Inbound, name, h.logger, back, door); err != nil {
		return fmt.Errorf("--inbound %s: %w", h.cfg.Inbound, err)
	}
	h.closers = append(h.closers, h.inbound)
	return nil
}

// takesAnswers has the mails name an address that they are answered to, and is what takes the answers.
func (h *house) takesAnswers(to string, passes *pass.Maker) *inbound.Door {
	c := h.sender.Composer
	c.ReplyTo = to
	return &inbound.Door{ReplyTo: to, Passes: passes, Desk: h.desk, Maker: c.Maker, People: h.people, Directory: c.Directory, Outbox: h.outbox,
		AnyFrom: h.cfg.AnySender, Log: h.logger, Now: time.Now}
}
