package mail

import (
	"context"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// beside shows the open proposal in a mail about something else: what is proposed and by whom. To somebody who is asked
// to answer it, it also says what their own move would do to it, with a link to answer.
func (c *Composer) beside(ctx context.Context, d *draft) error {
	body, m := &d.content, d.m
	if m.Proposal == nil {
		return nil
	}
	text := m.Proposal.Sentence
	i := slices.IndexFunc(m.Asks, func(a desk.Ask) bool { return a.Kind == desk.AskConsent })
	if i < 0 {
		body.Intro = append(body.Intro, text)
		return nil
	}
	if m.Decision != nil && m.Proposal.Kind != domain.ProposePause {
		text += " " + m.Text("mail.beside.lapses")
	}
	body.Intro = append(body.Intro, text)
	ask := m.Asks[i]
	rec, err := events.LoadOne(ctx, c.Desk.Log(), ask.Stream, ask.Open.Since)
	if err != nil {
		return fmt.Errorf("a proposal's version: %w", err)
	}
	token, err := c.Passes.Act(ctx,
		Notice{Kind: KindConsent, Person: d.Person, Table: d.Table, Stream: ask.Stream, Open: ask.Open, Head: rec.Hash})
	if err != nil {
		return fmt.Errorf("pass: %w", err)
	}
	body.Proposal = link{m.Text("mail.beside.answer"), c.Links.Pass(token)}
	return nil
}
