package mail

import (
	"context"
	"net/url"
	"slices"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/projections/ics"
	"posthorn/projections/turn"
)

// dates gives a letter a calendar, if its table asks its reader something until some time, or no longer asks what an
// earlier letter's calendar had.
func (c *Composer) dates(ctx context.Context, d *draft) error {
	look, err := c.Desk.Look(ctx, d.Table)
	if err != nil {
		return err
	}
	at, err := url.Parse(c.Links.Base)
	if err != nil {
		return err
	}
	cal, link := ics.New(at.Hostname(), c.SiteName, d.dated(c.Desk.Now())), c.Links.Table(d.Table)
	for _, a := range d.m.Asks {
		until := a.Due
		if a.Kind == desk.AskInvitation {
			until = look.Table.AskedUntil(a.Open.Seat, d.Person)
		}
		if !until.IsZero() {
			cal.Entry(a, until, d.Thread+": "+d.m.Sentence, link)
		}
	}
	if over := d.overAsk(look.Table); over.Kind != "" && !cal.Has(over) {
		cal.Cancel(over, d.Thread, link)
	}
	if !cal.Empty() {
		d.calendar = cal.Bytes()
	}
	return nil
}

// overAsk returns what an earlier letter's calendar may have had and a letter's reader is asked no more: what their
// reply was about, the last turn of a game that is over, or the invitation to one that began.
func (d *draft) overAsk(t *domain.Table) desk.Ask {
	a := desk.Ask{Kind: desk.AskTurn, Person: d.Person, Table: d.Table, Open: d.Open}
	switch {
	case d.Kind == KindReply && d.Stream == d.Table:
		a.Kind = desk.AskKind(d.Open.Kind)
	case d.Kind == KindNews && slices.ContainsFunc(d.lines, func(h turn.Happening) bool { return h.Began }):
		a.Kind = desk.AskInvitation
	case d.Kind != KindReply && d.Kind != KindOver:
		return desk.Ask{}
	}
	if a.Kind == desk.AskInvitation || t.Clock != nil && (a.Kind == desk.AskTurn || a.Kind == desk.AskConsent) {
		return a
	}
	return desk.Ask{}
}
