package turn

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Moves is Turn reduced to what is asked of the asker and how to answer it: who plays, the decision, its moves and
// forms. It leaves out the position in words and past events, which are most of a model's cost.
func (m *Maker) Moves(ctx context.Context, table events.Name, who Asker) (mod *Model, err error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil {
		return nil, err
	}
	err = m.desk.Guard(look.Name, func() error {
		mod, err = m.moves(ctx, look, who)
		return err
	})
	return mod, err
}

func (m *Maker) moves(ctx context.Context, look desk.Look, who Asker) (*Model, error) {
	printer, names, people, err := m.called(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	t := look.Table
	mod := &Model{Table: look.Name, TableHead: look.TableHead, Rulebook: t.Rulebook, Choices: t.Choices,
		Status: t.Status, Viewer: t.ViewerOf(who.Person, who.Seat),
		Seat: seatOf(t, who), Main: true, me: who.Person, zone: who.Zone, printer: printer, rulebook: look.Rulebook,
		Players: players(t, names, people, who.Person)}
	if mod.Asks, err = m.asks(ctx, look, who.Person); err != nil {
		return nil, err
	}
	line := look.Line // a copy already
	if line == nil {
		return mod, nil
	}
	mod.Line, mod.Version, mod.Last = look.LineName, line.Version, line.Version
	if ask, ok := mod.asked(look, line); ok {
		mod.decide(look, line, ask)
	}
	return mod, nil
}

// asked marks the awaited players, and finds the play decision that the model is about.
func (mod *Model) asked(look desk.Look, line *domain.Line) (ask desk.Ask, ok bool) {
	if mod.Status != domain.TableStarted || look.Table.Due != "" {
		return ask, false
	}
	for _, o := range line.Awaited() {
		if int(o.Seat) < len(mod.Players) {
			mod.Players[o.Seat].Awaited = true
		}
	}
	return mod.turnOf()
}

// decide makes the model about a decision and the seat that has to make it.
func (mod *Model) decide(look desk.Look, line *domain.Line, ask desk.Ask) {
	if ask.Open.Seat != mod.Seat { // somebody with several seats plays the awaited one
		mod.Seat = ask.Open.Seat
		mod.Viewer = look.Table.ViewerOf(mod.me, mod.Seat)
	}
	mod.Decision = &ask.Open
	mod.choices(line)
}

// List returns all legal moves in the order of Groups; with their words only if words is true.
func (mod *Model) List(words bool) []Named {
	out := make([]Named, 0, mod.tree.Count)
	for _, first := range mod.tree.next {
		for path := range first.paths(nil) {
			out = append(out, mod.named(path, words))
		}
	}
	return slices.Clip(out)
}

func (mod *Model) named(path []*node, words bool) Named {
	m := Named{Name: nameOf(path), Move: path[len(path)-1].move}
	m.Notation = mod.rulebook.FormatMove(m.Move, nil)
	if m.Path = each(path, func(n *node) Option { return n.Option }); words {
		m.Path, m.Short, m.Whole = mod.options(path), shortOf(path), mod.printer.Say(path[0].step.Whole)
	}
	return m
}
