package events

import (
	"context"

	"posthorn/domain"
)

// lastMove is the record of the last move of a look's line; what only opens a line is passed over.
func lastMove(ctx context.Context, log Log, look Look) (Record, bool, error) {
	if look.Line == nil {
		return Record{Version: 1}, false, nil
	}
	for version := look.Line.Version; version > 1; version-- {
		rec, err := LoadOne(ctx, log, look.LineName, version)
		if err != nil {
			return Record{Version: 1}, false, err
		}
		if rec.Type != TypeForked {
			return rec, true, nil
		}
	}
	return Record{Version: 1}, false, nil
}

// MayUndo tells what version a person may go back to without consent: that before their last step. ok is
// false where there is no such step.
func (d *Desk) MayUndo(ctx context.Context, look Look, by domain.PersonID) (to uint64, ok bool, err error) {
	if by == "" || look.Line == nil || look.Table.NoUndo {
		return 0, false, nil
	}
	rec, ok, err := lastMove(ctx, d.log, look)
	if err != nil || !ok || len(rec.Parts) > 0 {
		return 0, false, err
	}
	// What mostly forbids it shows by the last event alone; the line is folded again only for the rest.
	e, ok, err := DecodePlay(look.Rulebook, &rec, nil, domain.Spectator)
	if err != nil || !ok || len(e.Draws) > 0 || e.Seat == domain.Nobody || !look.Table.Places[e.Seat].Holds(by) {
		return 0, false, err
	}
	played, err := d.played(ctx, look.Name, look.Table, look.Line, look.LineName, rec.Version-1)
	if err != nil {
		return 0, false, err
	}
	_, refused := look.Table.Undo(by, rec.Version-1, played, "")
	return rec.Version - 1, refused == nil, nil
}
