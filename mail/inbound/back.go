package inbound

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/projections/turn"
)

// back takes back the writer's last step and plays nothing else; the answer then shows what is awaited. It takes back
// the step that the mail shows, or the one that answered it, if it is the only one since. So a delayed mail takes back
// nothing that its writer did not have in mind, and asking twice in one mail acts once.
func (w *writer) back(ctx context.Context, lines []string) (stop bool, err error) {
	w.nothing = "back.nothing"
	if slices.ContainsFunc(lines, w.v.meant) {
		w.told(mail.OutcomeAsked, w.text("back.alone"))
		return true, nil
	}
	id := w.id("back", 0)
	_, again, err := w.d.Desk.Done(ctx, w.l.table, id)
	if err != nil {
		return false, err
	}
	if again { // the program stopped before its answer
		w.achieved("back", w.text("back.before"))
		return false, nil
	}
	step, err := w.d.Desk.LastStep(ctx, w.l.look, w.l.person)
	if err != nil {
		return false, err
	}
	own, err := w.d.Desk.OwnLast(ctx, w.l.look, w.l.person)
	if err != nil {
		return false, err
	}
	since, err := w.d.Desk.OwnSince(ctx, w.l.look, w.l.person, w.l.since+w.l.Ahead)
	if err != nil {
		return false, err
	}
	about := w.l.look.LineName == w.l.stream && since <= 1 && (w.open != nil || max(own, step.To) >= w.l.since)
	switch {
	case w.l.look.Table.Status == domain.TableEnded:
		w.told("stale", w.m.Text("status.ended"))
		return false, nil
	case !about && step.Refused == nil:
		w.told("stale", w.text("back.stale")+" "+w.text("back.newest"))
		return false, nil
	case !about:
		w.told("stale", w.text("back.stale"))
		return false, w.unmoved(step.Refused, own > 0)
	}
	said, err := w.step(ctx, step)
	if err != nil {
		return false, err
	}
	if step.Refused == nil {
		_, step.Refused = w.d.Desk.Do(ctx, w.actor, w.l.table, id, desk.Undo{To: step.To})
	}
	if step.Refused != nil {
		return false, w.unmoved(step.Refused, own > 0)
	}
	_, _ = w.d.Desk.Advance(ctx, w.l.table) // opens the line now; otherwise the runner would
	w.achieved("back", w.text("back.done", "move", said))
	return false, nil
}

// step returns a step that can be taken back in words.
func (w *writer) step(ctx context.Context, s desk.Step) (string, error) {
	if s.Refused != nil {
		return "", nil
	}
	m, err := w.v.rulebook.ParseMove(s.Move, nil)
	if err != nil {
		return s.Move, nil
	}
	at, err := w.d.Desk.LineAt(ctx, w.l.look, w.l.look.LineName, s.To)
	if err != nil {
		return "", err
	}
	return turn.InWords(w.p, at, m), nil
}

// unmoved says why the writer's last step stands, and where the others can be asked to go back if that is the way: the
// reason says to ask them, or the writer has played.
func (w *writer) unmoved(why error, played bool) error {
	err := w.refused(why)
	r, ok := domain.AsRefusal(why)
	switch {
	case !ok:
	case slices.Contains([]string{"undo-off", "undo-seen", "undo-asked", "undo-beside", "undo-shared", "undo-late"},
		r.Code):
		w.lines = append(w.lines, w.text("back.ask"))
	case r.Code == "undo-last" && played:
		w.lines = append(w.lines, w.text("back.others"))
	}
	return err
}
