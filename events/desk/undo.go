package desk

import (
	"context"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// lastMove returns the record of the last move of a look's line; it skips events that only open a line.
func lastMove(ctx context.Context, log events.Log, look Look) (events.Record, bool, error) {
	if look.Line == nil {
		return events.Record{Version: 1}, false, nil
	}
	for version := look.Line.Version; version > 1; version-- {
		rec, err := events.LoadOne(ctx, log, look.LineName, version)
		if err != nil {
			return events.Record{Version: 1}, false, err
		}
		if rec.Type != events.TypeForked {
			return rec, true, nil
		}
	}
	return events.Record{Version: 1}, false, nil
}

// Step is the last move of a main line, as one person may take it back.
type Step struct {
	To      uint64    // the version before it
	Move    string    // in notation
	Refused error     // why that person may not, a *domain.Refusal; nil if they may
	Until   time.Time // until when they may; zero unless they may because of the table's grace
}

// LastStep reports whether a person may take the last move back without consent, and if not, why.
func (d *Desk) LastStep(ctx context.Context, look Look, by domain.PersonID) (Step, error) {
	none := Step{Refused: domain.Refuse("undo-last")}
	switch {
	case by == "" || look.Line == nil:
		return none, nil
	case look.Table.NoUndo:
		return Step{Refused: domain.Refuse("undo-off")}, nil
	}
	rec, ok, err := lastMove(ctx, d.log, look)
	if err != nil || !ok {
		return none, err
	}
	// The last event alone shows most reasons against it; only the rest need the line folded again.
	e, ok, err := events.DecodePlay(look.Rulebook, &rec, nil, domain.Spectator)
	if err != nil || !ok || e.Seat == domain.Nobody || !look.Table.Places[e.Seat].Holds(by) {
		return none, err
	}
	step := Step{To: rec.Version - 1, Move: e.Move}
	if len(rec.Parts) > 0 || len(e.Draws) > 0 {
		step.Refused = domain.Refuse("undo-seen")
		return step, nil
	}
	played, err := d.played(ctx, look.Name, look.Table, look.Line, look.LineName, step.To)
	if err == nil {
		var e domain.TableEvent
		if e, step.Refused = look.Table.Undo(by, step.To, played, "", d.now()); step.Refused == nil &&
			e.(*domain.Undone).Grace {
			step.Until = look.Table.GraceOf(played.At)
		}
	}
	return step, err
}

// MayUndo returns the version that a person may go back to without consent: the one before their last step. ok is
// false if there is no such step.
func (d *Desk) MayUndo(ctx context.Context, look Look, by domain.PersonID) (to uint64, ok bool, err error) {
	step, err := d.LastStep(ctx, look, by)
	return step.To, err == nil && step.Refused == nil, err
}
