package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/projections/turn"
)

// how returns how a mail about a table is replied to: what a table itself asks or tells has a kind of its own, and
// everything on a line is a decision of play.
func (n Notice) how() How {
	if n.Stream != n.Table {
		return HowMoves
	}
	return Kind(n.Open.Kind).How()
}

// answerable gives a letter the address that replies about what it is about go to, and explains how to use it.
func (c *Composer) answerable(ctx context.Context, d *draft) error {
	if c.ReplyTo == "" || d.about == nil {
		return nil
	}
	body, m, n := &d.content, d.m, *d.about
	rec, err := c.named(ctx, m, n)
	if err != nil {
		return fmt.Errorf("address of an answer: %w", err)
	}
	// an answer's letter is keyed by the mail that it answers, not by the event that its address names
	n.Head = rec.Hash
	ahead := uint64(0)
	if n.Stream == m.Line {
		ahead = m.Version - rec.Version
	}
	token, err := c.Passes.Reply(ctx, n, rec.Pos, ahead)
	if errors.Is(err, pass.ErrFacts) {
		return nil // the facts do not fit into so few characters: the links still play
	}
	if err != nil {
		return err
	}
	to := ReplyAddress(c.ReplyTo, token)
	if !fits(to) {
		return nil // as above
	}
	body.ReplyTo = to
	body.Mark = m.Text("mail.reply.mark", "mark", ReplyMark(token))
	switch n.how() {
	case HowYesNo:
		body.HowTo = m.Text("mail.reply.how.yes")
		body.Typed = append(body.Typed, yesNo(m, n.Open.Kind)...)
	case HowWords:
		look, err := c.Desk.Look(ctx, n.Table)
		if err != nil {
			return err
		}
		if !m.Alone() && look.Table.Knows(n.Person) {
			body.HowTo = m.Text("mail.reply.how.chat")
		}
		if d.Kind == KindOver && look.Table.IsOver() && len(look.Table.SeatsOf(n.Person)) > 0 {
			body.HowTo = cmp.Or(body.HowTo, m.Text("mail.reply.how.yes"))
			body.Typed = append(body.Typed, typed{Write: m.Text("mail.reply.again"),
				Does: m.Text("mail.reply.again.does")})
		}
	default:
		body.explain(m)
		if d.brief && m.HasBoard() {
			body.Typed = append(body.Typed,
				typed{Write: m.Text("mail.reply.board"), Does: m.Text("mail.reply.board.does")})
		}
	}
	return nil
}

// yesNo says what yes and no do in reply to a question.
func yesNo(m *turn.Model, question string) (out []typed) {
	for _, word := range []string{"yes", "no"} {
		key := "mail.reply." + word
		out = append(out, typed{Write: m.Text(key), Does: m.Text(key + "." + question)})
	}
	return out
}

// named returns the event that an address names: the one that asked or, if that is of a line that this one came from,
// and maybe of another table, the one that opened this line.
func (c *Composer) named(ctx context.Context, m *turn.Model, n Notice) (rec events.Record, err error) {
	for version := n.Open.Since; ; version++ {
		rec, err = events.LoadOne(ctx, c.Desk.Log(), n.Stream, version)
		if err != nil || rec.Stream == n.Stream || version >= m.Version {
			return rec, err
		}
	}
}

// explain says how to reply to a mail about a decision of play.
func (body *content) explain(m *turn.Model) {
	add := func(what string) {
		key := "mail.reply." + what
		body.Typed = append(body.Typed, typed{Write: m.Text(key), Does: m.Text(key + ".does")})
	}
	body.HowTo = m.Text("mail.reply.how.say")
	if m.Decision != nil {
		body.HowTo = m.Text("mail.reply.how.words")
		if len(body.examples) > 0 {
			body.HowTo = m.Text("mail.reply.how")
			move := typed{Write: m.Text("mail.reply.move", "example", body.examples[0]),
				Does: m.Text("mail.reply.move.does")}
			for _, name := range body.examples[1:] {
				move.Also = append(move.Also, link{Label: name})
			}
			if body.out.Write != "" {
				move.Also = append(move.Also, link{Label: body.out.Write})
			}
			body.Typed = append(body.Typed, move)
		}
		if body.out.Write != "" {
			body.out.Beside = len(body.examples) > 0
			body.Typed = append(body.Typed, body.out)
		}
	}
	if m.Decision != nil && m.Offered() {
		body.Typed = append(body.Typed, yesNo(m, "offer")...)
	}
	for _, f := range m.Forms {
		if line := m.Say(f.Typed); line != "" && m.Decision != nil {
			body.Typed = append(body.Typed, typed{Write: line, Does: m.Text("mail.reply.move.does")})
		}
	}
	// Somebody who plays alone has nobody to tell, but the introduction needs an example.
	if !m.Alone() || len(body.examples) == 0 {
		add("say")
		add("away")
		if m.Away() {
			add("here")
		}
	}
	if m.Undo > 0 {
		add("back")
	}
}

// exampleOf returns the text that plays the first of the listed moves that leaves what is offered as it is: nobody
// copies an answer by mistake. The notation is in English; for a mail in another language, it prefers a move whose name
// contains no word of the notation, and otherwise spells the move out, as it does a hand of cards.
func exampleOf(moves []turn.Named, lang string, quiet func(domain.Move) bool) (first string) {
	for _, n := range moves {
		name := cmp.Or(n.Short, n.Name)
		switch {
		case !quiet(n.Move):
			continue
		case n.Whole != "" && !slices.ContainsFunc(n.Path, func(o turn.Option) bool { return o.Place }):
			return n.Label()
		case lang == "en" || !slices.ContainsFunc(n.Path, worded):
			return name
		}
		first = cmp.Or(first, n.Label())
	}
	return first
}

// worded reports whether the notation's name of a place contains a word, as "0 above" does.
func worded(o turn.Option) bool {
	return o.Place && slices.ContainsFunc(strings.Fields(o.Name), func(w string) bool {
		return len(w) > 1 && strings.IndexFunc(w, unicode.IsLetter) == 0
	})
}

// stands reports whether a table's own question is still asked of a letter's person.
func stands(m *turn.Model, n Notice) bool {
	for _, a := range m.Asks {
		if n.Stream == n.Table && string(a.Kind) == n.Open.Kind && a.Open.Seat == n.Open.Seat {
			return a.Kind == desk.AskInvitation || a.Open.Since == n.Open.Since
		}
	}
	return false
}

// askAgain repeats a table's own question in an answer to a reply about it.
func (c *Composer) askAgain(ctx context.Context, d *draft, n Notice) error {
	body, m := &d.content, d.m
	rec, err := events.LoadOne(ctx, c.Desk.Log(), n.Stream, n.Open.Since)
	if err != nil {
		return fmt.Errorf("an ask's version: %w", err)
	}
	n.Kind, n.Head = Kind(n.Open.Kind), rec.Hash
	token, err := c.Passes.Act(ctx, n)
	if err != nil {
		return fmt.Errorf("pass: %w", err)
	}
	if m.Proposal != nil && n.Kind == KindConsent {
		body.Intro = append(body.Intro, m.Proposal.Sentence)
	}
	body.Button, body.Ask = link{m.Text("mail." + n.Open.Kind + ".button"), c.Links.Pass(token)}, true
	if n.Kind == KindInvitation && m.Status == domain.TableStarted {
		body.Button = link{m.Text("mail.offer.button"), c.Links.Table(n.Table)}
	}
	d.about = &n
	return nil
}
