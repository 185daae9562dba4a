package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/words"
)

// past tells a line's events with the names of the people who made the moves: for a branch, what happened before it is
// told with the other table's people, as far as the asker may know them.
type past struct {
	m     *Maker
	look  events.Look
	now   words.Printer
	names []string
	who   Asker
	known map[events.Name]words.Printer // by stream
	view  domain.View                   // the parts of it that never change say where a move was made; nil until needed
}

// past returns a teller for an asker; now and names are the table's own.
func (m *Maker) past(look events.Look, now words.Printer, names []string, who Asker) *past {
	return &past{m: m, look: look, now: now, names: names, who: who, known: map[events.Name]words.Printer{}}
}

// printer returns a printer for a stream's events.
func (p *past) printer(ctx context.Context, stream events.Name) (words.Printer, error) {
	if p.look.Table.Branch == nil {
		return p.now, nil
	}
	if known, ok := p.known[stream]; ok {
		return known, nil
	}
	out := p.now
	s, err := p.m.desk.Log().Stream(ctx, stream)
	if err == nil && s.Table != p.look.Name {
		out, err = p.then(ctx, s.Table)
	}
	if err == nil {
		p.known[stream] = out
	}
	return out, err
}

// then returns a printer with another table's people. Those who sit there and here are called as they are here; others
// get a word saying that it was then. If the asker may not see that table, seats are called by their letters.
func (p *past) then(ctx context.Context, table events.Name) (words.Printer, error) {
	letters := p.m.book.Printer(p.who.Lang, p.look.Table.Rulebook, nil)
	other, err := p.m.desk.Look(ctx, table)
	var broken *events.Unreadable
	if errors.As(err, &broken) || err == nil && !other.Table.SeenBy(p.who.Person) {
		return letters, nil
	}
	if err != nil {
		return letters, err
	}
	_, names, err := p.m.Printer(ctx, other, p.who.Lang)
	if err != nil {
		return letters, err
	}
	for i := range names {
		if i < len(p.names) && alikePlaces(other.Table.Places[i], p.look.Table.Places[i]) {
			names[i] = p.names[i]
		} else {
			names[i] = p.now.Text("house.then", "who", names[i])
		}
	}
	return p.m.book.Printer(p.who.Lang, p.look.Table.Rulebook, names), nil
}

// alikePlaces reports whether the same people hold two seats, or a stand-in holds each.
func alikePlaces(a, b domain.TablePlace) bool {
	return (a.Kind == domain.SeatStandIn) == (b.Kind == domain.SeatStandIn) && slices.Equal(a.Holders, b.Holders) &&
		(a.Kind == domain.SeatStandIn || len(a.Holders) > 0)
}

// tell tells an event; ok is false if it is not an event of play.
func (p *past) tell(ctx context.Context, e events.Entry) (Happening, bool, error) {
	printer, err := p.printer(ctx, e.Record.Stream)
	if err != nil {
		return Happening{}, false, err
	}
	if p.view == nil && p.look.Line != nil {
		p.view = p.look.Rulebook.View(p.look.Line.State, domain.Spectator)
	}
	h, ok := tell(printer, p.look.Rulebook, e, p.view)
	return h, ok, nil
}

// opening tells how the line that an event begins came to continue from an earlier moment; nothing for other events.
// The table's own events tell who did that, and what they asked before.
func (p *past) opening(ctx context.Context, rec events.Record) ([]string, error) {
	table := p.look.Table
	s, err := p.m.desk.Log().Stream(ctx, rec.Stream)
	if err == nil && s.Table != p.look.Name {
		var other events.Look
		if other, err = p.m.desk.Look(ctx, s.Table); err == nil {
			table = other.Table
		}
	}
	var broken *events.Unreadable
	if errors.As(err, &broken) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening of a line: %w", err)
	}
	i := slices.IndexFunc(table.Lines, func(l domain.TableLine) bool { return l.Name == rec.Stream.String() })
	if i < 0 || table.Lines[i].Fork == 0 || rec.Version != table.Lines[i].Fork+1 {
		return nil, nil
	}
	switch l := table.Lines[i]; {
	case l.Index == 0:
		return []string{p.now.Text("table.goes-on", "to", int(l.Fork))}, nil
	case l.Undo:
		return []string{p.now.Text("table.step-back", "to", int(l.Fork))}, nil
	default:
		return p.now.Lines(rewound(&domain.Rewound{Fork: l.Fork, Fresh: l.Fresh})), nil
	}
}
