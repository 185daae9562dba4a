package inbound

import (
	"context"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/mail/reply"
)

// again reports whether a mail, about a game that is over, asks to play it once more and says nothing else.
func (w *writer) again() bool {
	return w.d.Again != nil && w.l.look.Table.IsOver() && w.l.kind != "" && (w.alive || w.proved) &&
		reply.Again(w.l.lines)
}

// playAgain opens the same game with the same people, or finds where one of them has, and takes its writer's seat
// there.
func (w *writer) playAgain(ctx context.Context) error {
	table, ok, err := w.d.Again(ctx, w.l.person, w.l.table)
	switch {
	case err != nil:
		return w.refused(err)
	case !ok:
		w.told("refused", w.text("again.not"))
		return nil
	}
	look, err := w.d.Desk.Look(ctx, table)
	if err != nil {
		return err
	}
	for seat, p := range look.Table.Places {
		if len(p.Holders) > 0 || len(p.Invited) != 1 || p.Invited[0] != w.l.person {
			continue
		}
		join := desk.Join{Seat: domain.Seat(seat), Chance: w.l.chance()}
		if _, err := w.d.Desk.Do(ctx, w.actor, table, w.id("again", seat), join); err != nil {
			return w.refused(err)
		}
	}
	w.achieved("again", w.text("again", "game", w.m.Game))
	_, _ = w.d.Desk.Advance(ctx, table) // begins the game now; otherwise the runner would
	return nil
}
