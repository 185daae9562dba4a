package events

import (
	"context"
	"slices"
	"time"

	"posthorn/domain"
)

// A table may have agreed to a grace: so many minutes in which a move that passed the turn on can be taken back by
// whoever made it, if nothing came to light by it. Until then the people whom it asks may play all the same, which
// ends it, and the house waits: it forces nothing, obeys no order, lets no stand-in move, and mails nobody about
// what that move brought up. [Desk.Held] is the one answer to whether it does.

// GraceSlack is the moment between judging a step taken back and writing it: so much later than its grace is over
// the house goes on, and so much later its event may be.
const GraceSlack = 10 * time.Second

// Held tells until when the house waits at a look's table, since its last move may still be taken back though it
// has asked somebody else; zero where it does not wait.
func (d *Desk) Held(ctx context.Context, look Look) (until time.Time, err error) {
	if look.Table.Grace == 0 || look.Table.NoUndo || look.Table.Proposal != nil || !look.plays() {
		return until, nil // while something is proposed nothing is taken back
	}
	rec, ok, err := lastMove(ctx, d.log, look)
	if err != nil || !ok || rec.Stream != look.LineName || rec.Version != look.Line.Version {
		return until, err
	}
	by, at, err := byHand(&rec)
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

// HeldUntil is [Desk.Held] of a table as it stands.
func (d *Desk) HeldUntil(ctx context.Context, table Name) (time.Time, error) {
	r := d.room(table)
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

// held is [Desk.Held] of a locked room that was refreshed.
func (d *Desk) held(ctx context.Context, r *room) (time.Time, error) {
	return d.Held(ctx, Look{Name: r.name, Table: r.table, Line: r.line, LineName: r.lineName, Rulebook: r.rulebook, openings: r.openings})
}

// graced is how much later than a move whoever it asks has their time from: they are told when its grace is over.
func graced(t *domain.Table, a Actor, e *domain.Event, after *domain.Line) time.Duration {
	hand := Meta{By: a.Person, Door: a.Door}.Hand()
	asks := slices.ContainsFunc(after.Awaited(), func(o domain.Open) bool { return o.Seat != e.Seat })
	if hand == "" || t.NoUndo || !asks || len(e.Draws) > 0 || len(e.Secrets) > 0 {
		return 0
	}
	return time.Duration(t.Grace) * time.Minute
}
