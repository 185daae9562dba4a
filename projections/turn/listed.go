package turn

import (
	"context"
	"errors"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Listed returns a table as a list shows it to the asker: its name, what it asks and by when, and how it ended. It
// leaves out moves and past events, which are most of a model's cost.
func (m *Maker) Listed(ctx context.Context, table events.Name, who Asker) (mod *Model, err error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil {
		return nil, err
	}
	err = m.desk.Guard(look.Name, func() error {
		mod, err = m.listed(ctx, look, who)
		return err
	})
	return mod, err
}

func (m *Maker) listed(ctx context.Context, look desk.Look, who Asker) (*Model, error) {
	printer, names, people, err := m.called(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	t := look.Table
	mod := &Model{Table: look.Name, TableHead: look.TableHead, Rulebook: t.Rulebook, Game: printer.Text("name"),
		Pace: t.Pace, Grace: t.Grace, Status: t.Status, End: t.End,
		Viewer: t.ViewerOf(who.Person, who.Seat), Seat: seatOf(t, who), Branch: t.Branch, Main: true, me: who.Person,
		zone: who.Zone, printer: printer,
		rulebook: look.Rulebook, Players: players(t, names, people, who.Person)}
	mod.Title = title(printer, t, people)
	m.goesOn(mod, look)
	if mod.missing, err = m.missing(ctx, printer, t); err != nil {
		return nil, err
	}
	if mod.Asks, err = m.asks(ctx, look, who.Person); err != nil {
		return nil, err
	}
	if mod.Proposal, err = m.proposal(ctx, mod, look, who.Person); err != nil {
		return nil, err
	}
	line, err := m.desk.LineAt(ctx, look, look.LineName, 0)
	if errors.Is(err, events.ErrNoStream) && look.Line == nil {
		mod.sentence(look, nil)
		return mod, nil
	}
	if err != nil {
		return nil, err
	}
	mod.Line, mod.Version, mod.Last = look.LineName, line.Version, line.Version
	mod.at(line)
	if mod.Status == domain.TableEnded && !mod.GoesOn {
		mod.Standing = look.Rulebook.Standing(line.State, mod.Viewer)
		mod.Result = printer.Lines(mod.Standing.Result)
	} else if ask, ok := mod.asked(look, line); ok {
		mod.Decision = &ask.Open
	}
	m.time(mod, look)
	mod.sentence(look, line)
	return mod, nil
}
