package mail

import (
	"context"
	"fmt"
	"strings"

	"posthorn/domain"
)

// offer asks somebody to take over a seat in a running game. They take it on the table's page, signed in: a link that
// gave the seat away would work for anybody it was forwarded to.
func (c *Composer) offer(ctx context.Context, d *draft) error {
	body, m, l := &d.content, d.m, d.Letter
	entries, err := c.Desk.TablePart(ctx, l.Table, l.Open.Since-1, l.Open.Since)
	if err != nil {
		return err
	}
	offered, ok := entries[0].Event.(*domain.Offered)
	if !ok {
		return fmt.Errorf("version %d of table %s offers no seat", l.Open.Since, l.Table)
	}
	who, err := c.Maker.Name(ctx, c.Book.Printer(m.Lang(), "", nil), offered.By)
	if err != nil {
		return err
	}
	body.Headline = m.Text("mail.offer.headline", "who", who, "game", m.Game)
	body.Preheader = body.Headline
	body.Intro = append(body.Intro,
		m.Text("mail.offer.intro", "letter", l.Open.Seat.Letter(), "who", strings.Join(company(m), ", ")),
		m.Text("mail.offer.signin"))
	body.Button, body.Ask = link{m.Text("mail.offer.button"), c.Links.Table(l.Table)}, true
	return c.names(ctx, d, m.Text("mail.subject.seat", "who", who, "game", m.Game), offered.By)
}
