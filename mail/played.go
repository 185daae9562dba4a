package mail

import (
	"context"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// played says how a reader's last move at a table came in, so that they hear of one that was not theirs; "" if they
// have made none.
func (c *Composer) played(ctx context.Context, m *turn.Model, r Recipient) (string, error) {
	look, err := c.Desk.Glance(ctx, m.Table)
	if err != nil {
		return "", err
	}
	before, err := c.Desk.OwnLast(ctx, look, r.ID)
	if err != nil || before == 0 {
		return "", err
	}
	rec, err := events.LoadOne(ctx, c.Desk.Log(), look.LineName, before+1)
	if err != nil {
		return "", err
	}
	meta, err := events.ReadMeta(&rec)
	if err != nil {
		return "", err
	}
	way, device := string(meta.Door), ""
	if meta.Door == domain.DoorPage && c.Pressed != nil {
		p, err := c.Pressed(ctx, r.ID, m.Table)
		if err != nil {
			return "", err
		}
		if after := p.Moved.Sub(rec.At); after > -time.Second && after < time.Minute { // it is about this very move
			way, device = p.Way, p.Device
		}
	}
	p := c.Book.Printer(m.Lang(), "", nil)
	if !c.Book.Has("mail.played." + way) {
		return "", nil // the house made it for them
	}
	return p.Text("mail.played."+way, "when", p.Moment(rec.At.In(r.Zone)), "device", device), nil
}
