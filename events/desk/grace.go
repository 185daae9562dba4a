package desk

import (
	"context"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// A table may have agreed to a grace: for some minutes, a player who made a move that passed the turn on may take
// it back, if the move revealed nothing. The next players may play before then, which ends the grace. Meanwhile the
// house waits: it forces nothing, obeys no order, lets no stand-in move, and mails nobody about what the move brought
// up. Only [Desk.Held] decides whether the house waits.

// GraceSlack is how long after the grace is over the house goes on: see [domain.GraceSlack].
const GraceSlack = domain.GraceSlack

// Held returns until when the house waits at a look's table because its last move may still be taken back although
// the move has asked somebody else. It returns zero if the house does not wait.
func (d *Desk) Held(ctx context.Context, look Look) (until time.Time, err error) {
	if look.Table.Grace == 0 || look.Table.NoUndo || look.Table.Proposal != nil || !look.plays() {
		return until, nil // while a proposal is open nothing is taken back
	}
	rec, ok, err := lastMove(ctx, d.log, look)
	if err != nil || !ok || rec.Stream != look.LineName || rec.Version != look.Line.Version {
		return until, err
	}
	by, at, err := events.ByHand(&rec)
	over := look.Table.GraceOf(at).Add(GraceSlack)
	if err != nil || by == "" || len(rec.Parts) > 0 || !d.now().Before(over) {
		return until, err
	}
	played, err := d.played(ctx, look.Name, look.Table, look.Line, look.LineName, rec.Version-1)
	if err != nil {
		return until, err
	}
	if e, refused := look.Table.Undo(by, rec.Version-1, played, "", at); refused == nil && e.(*domain.Undone).Grace {
		until = over
	}
	return until, nil
}

// HeldUntil is [Desk.Held] for a table as it stands.
func (d *Desk) HeldUntil(ctx context.Context, table events.Name) (time.Time, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.table != nil && r.table.Version > 0 && r.table.Grace == 0 {
		return time.Time{}, nil // that never changes
	}
	if err := d.refresh(ctx, r); err != nil {
		return time.Time{}, err
	}
	return d.held(ctx, r)
}

// held is [Desk.Held] for a locked, refreshed table.
func (d *Desk) held(ctx context.Context, r *folded) (time.Time, error) {
	return d.Held(ctx, r.look())
}

// graced is how long after a move the time of the people it asks begins: they are told when its grace is over.
func graced(t *domain.Table, a events.Actor, e *domain.Event, after *domain.Line) time.Duration {
	hand := events.Meta{By: a.Person, Door: a.Door}.Hand()
	asks := slices.ContainsFunc(after.Awaited(), func(o domain.Open) bool { return o.Seat != e.Seat })
	if hand == "" || t.NoUndo || !asks || len(e.Draws) > 0 || len(e.Secrets) > 0 {
		return 0
	}
	return time.Duration(t.Grace) * time.Minute
}
