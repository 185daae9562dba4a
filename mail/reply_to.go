package mail

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/projections/turn"
)

// maxLocal is the most characters before the @ of an address (RFC 5321, section 4.5.3.1.1).
const maxLocal = 64

// ErrReplyTo is returned for an address that cannot take answers.
var ErrReplyTo = fmt.Errorf("write it as games@example.org, with at most %d letters and digits before the @ and no +", maxLocal-pass.MaxReply-1)

// CheckReplyTo checks that a token fits between the part of an address before its @ and its domain. It returns
// ErrReplyTo if not.
func CheckReplyTo(address string) error {
	a, err := mail.ParseAddress(address)
	if err != nil || a.Address != address || a.Name != "" {
		return ErrReplyTo
	}
	local, _, _ := strings.Cut(address, "@")
	if len(local)+1+pass.MaxReply > maxLocal || strings.ContainsAny(local, "+\"\\ ") {
		return ErrReplyTo
	}
	return nil
}

// replyAddress returns an address with a token: the part after the + is for this program, and mail servers ignore it.
func replyAddress(base, token string) string {
	local, host, _ := strings.Cut(base, "@")
	return local + "+" + token + "@" + host
}

// answerable gives a letter the address that plays its decision, and explains how to use it.
func (c *Composer) answerable(ctx context.Context, body *content, m *turn.Model, n Notice) error {
	if c.ReplyTo == "" {
		return nil
	}
	rec, err := events.LoadOne(ctx, c.Desk.Log(), n.Stream, n.Open.Since)
	if err != nil {
		return fmt.Errorf("address of an answer: %w", err)
	}
	n.Head = rec.Hash // an answer's letter is keyed by the mail that it answers, not by the event that its address names
	ahead := uint64(0)
	if n.Stream == m.Line {
		ahead = m.Version - n.Open.Since
	}
	token, err := c.Passes.Reply(ctx, n, rec.Pos, ahead)
	if errors.Is(err, pass.ErrFacts) {
		return nil // the facts do not fit into so few characters: the links still play
	}
	if err != nil {
		return err
	}
	body.ReplyTo = replyAddress(c.ReplyTo, token)
	add := func(what string, pairs ...any) {
		body.Typed = append(body.Typed, typed{m.Text("mail.reply."+what, pairs...), m.Text("mail.reply." + what + ".does")})
	}
	body.HowTo = m.Text("mail.reply.how.say")
	if m.Decision != nil {
		body.HowTo = m.Text("mail.reply.how.words")
		if body.example != "" {
			body.HowTo = m.Text("mail.reply.how")
			add("move", "example", body.example)
		}
	}
	if !m.Alone() || body.example == "" { // somebody who plays alone has nobody to tell, but the introduction needs an example
		add("say")
		add("away")
	}
	if m.Undo > 0 {
		add("back")
	}
	return nil
}
