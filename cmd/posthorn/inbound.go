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
		return nil
	}
	to := cmp.Or(h.cfg.ReplyTo, h.cfg.From)
	if err := mail.CheckReplyTo(to); err != nil {
		return fmt.Errorf("--reply-to %s: %w", to, err)
	}
	c := h.sender.Composer
	c.ReplyTo = to
	_, name, _ := strings.Cut(to, "@")
	door := &inbound.Door{ReplyTo: to, Passes: passes, Desk: h.desk, Maker: c.Maker, People: h.people, Directory: c.Directory, Outbox: h.outbox,
		AnyFrom: h.cfg.AnySender, Log: h.logger, Now: time.Now}
	h.sender.Return = mail.NewReturnAddress(to, h.keys)
	back := &bounce.Door{Address: h.sender.Return, Outbox: h.outbox, People: h.people, Log: h.logger}
	if h.inbound, err = inbound.Listen(ctx, h.cfg.Inbound, name, h.logger, back, door); err != nil {
		return fmt.Errorf("--inbound %s: %w", h.cfg.Inbound, err)
	}
	h.closers = append(h.closers, h.inbound)
	return nil
}
