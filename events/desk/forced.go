package desk

import (
	"bytes"
	"context"

	"posthorn/domain"
	"posthorn/events"
)

// The house makes a move at once if everybody can see that it is the only one, and if it follows from a move that was
// made on this very line and can no longer be taken back as a step. So nothing is lost by it. Where people have gone
// back to, they are asked instead: otherwise the house would undo what they agreed upon.

// force makes one move that public knowledge alone forces, if there is one.
func (d *Desk) force(ctx context.Context, table events.Name) (did bool, err error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil || r.line == nil {
		return false, err
	}
	if until, err := d.held(ctx, r); err != nil || !until.IsZero() {
		return false, err
	}
	for _, o := range r.line.Awaited() {
		move, ok, err := d.forced(ctx, r.look(), o)
		if err != nil || !ok {
			if err != nil {
				return false, err
			}
			continue
		}
		because := d.keys.Own(events.Because("forced", bytes.Clone(r.lineName[:]), bytes.Clone(r.lineHead.Hash[:])))
		_, err = d.play(ctx, r, events.Actor{Door: domain.DoorForced},
			Move{Table: table, Line: r.lineName, Seat: o.Seat, Decision: o, Move: move}, because)
		if _, refused := domain.AsRefusal(err); refused {
			return false, nil // its people are asked
		}
		return err == nil, err
	}
	return false, nil
}

// forced returns the move that the house makes for a decision, if it makes one.
func (d *Desk) forced(ctx context.Context, look Look, o domain.Open) (domain.Move, bool, error) {
	may := look.mayMove(events.Actor{Door: domain.DoorForced}, look.LineName, o.Seat, o)
	if may != nil || look.TakenOver(o) {
		return nil, false, nil
	}
	move, ok := look.Line.OnlyMove(o.Decision)
	if !ok {
		return nil, false, nil
	}
	rec, ok, err := lastMove(ctx, d.log, look)
	if err != nil || !ok || rec.Stream != look.LineName || rec.Version != look.Line.Version {
		return nil, false, err
	}
	e, ok, err := events.DecodePlay(look.Rulebook, &rec, nil, domain.Spectator)
	stays := len(rec.Parts) > 0 || len(e.Draws) > 0 || e.Seat != o.Seat
	return move, err == nil && ok && e.Move != "" && stays, err
}
