package inbound

import (
	"context"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// Reads returns the moves that a line of a reply to a letter about a turn means, and whether it is one alone.
func (d *Door) Reads(ctx context.Context, look desk.Look, who turn.Asker) (
	func(text string) (all []domain.Move, one bool), error) {
	mod, err := d.Maker.Turn(ctx, look.Name, who)
	if err != nil {
		return nil, err
	}
	p, names, err := d.Maker.Printer(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	v := vocabulary{rulebook: look.Rulebook, seat: who.Seat, names: names, p: p, version: look.Line.Version,
		refuse: func(err error) (string, bool) { return err.Error(), true }}
	for _, g := range mod.Groups() {
		v.mailed.moves = append(v.mailed.moves, g.Moves...)
	}
	return func(text string) (all []domain.Move, one bool) {
		r := v.read(text, look.Line)
		for _, list := range [][]choice{r.moves, r.which} {
			for _, c := range list {
				all = append(all, c.move)
			}
		}
		return all, r.only() != nil
	}, nil
}
