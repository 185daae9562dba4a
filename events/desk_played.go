package events

import (
	"context"
	"fmt"

	"posthorn/domain"
)

// Seen counts what the moves after a version of a table's main line brought to light, as a proposal
// to go back there would say it.
func (d *Desk) Seen(ctx context.Context, look Look, to uint64) ([]domain.SeenDraws, error) {
	if look.Line == nil {
		return nil, domain.Refuse("not-started")
	}
	p, err := d.played(ctx, look.Name, look.Table, look.Line, look.LineName, to)
	return p.Seen(), err
}

func (d *Desk) played(ctx context.Context, table Name, t *domain.Table, main *domain.Line, name Name, to uint64) (domain.Played, error) {
	p := domain.NewPlayed(t, main)
	if to == 0 || to >= p.Version || to < p.First {
		return p, nil
	}
	recs, err := d.log.Load(ctx, name, 0, main.Version)
	if err != nil {
		return p, fmt.Errorf("load what a rewind takes back: %w", err)
	}
	line := domain.NewLine(main.Rulebook, domain.NewThrowaway(0))
	for i := range recs {
		e, ok, err := DecodePlay(line.Rulebook, &recs[i], d.keys, domain.Referee)
		switch {
		case err != nil:
			return p, &Unreadable{Table: table, Stream: recs[i].Stream, Version: recs[i].Version, Err: err}
		case !ok:
			line.Skip()
		default:
			if line.Version >= to {
				p.Add(line, &e, recs[i].Stream.String())
			}
			line.Apply(&e)
		}
	}
	return p, nil
}
