package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// past tells a line's events with the names of the people who made the moves: for a branch, what happened before it is
// told with the other table's people, as far as the asker may know them, and what happened before a seat changed hands
// with whoever held it then.
type past struct {
	m     *Maker
	look  desk.Look
	now   words.Printer
	names []string
	who   Asker
	from  map[events.Name]*origin // by stream
	view  domain.View             // the parts of it that never change say where a move was made; nil until needed
}

// origin is the table that wrote a stream, as an asker may know it.
type origin struct {
	look   desk.Look // without a table if the asker may not see it
	own    bool      // it is the table that the past is told for
	sat    []sitting // until its seats last changed hands
	called map[int]words.Printer
}

// sitting is who held a table's seats until the event at a position of the log.
type sitting struct {
	until  uint64
	places []domain.TablePlace
}

// past returns a teller for an asker; now and names are the table's own.
func (m *Maker) past(look desk.Look, now words.Printer, names []string, who Asker) *past {
	return &past{m: m, look: look, now: now, names: names, who: who, from: map[events.Name]*origin{}}
}

// printer returns a printer for what a record of a line's stream tells.
func (p *past) printer(ctx context.Context, rec *events.Record) (words.Printer, error) {
	if p.look.Table.Branch == nil && !changedHands(p.look.Table) {
		return p.now, nil
	}
	o, err := p.origin(ctx, rec.Stream)
	if err != nil {
		return p.now, err
	}
	n := slices.IndexFunc(o.sat, func(s sitting) bool { return rec.Pos < s.until })
	if n < 0 && o.own {
		return p.now, nil
	}
	if known, ok := o.called[n]; ok {
		return known, nil
	}
	o.called[n], err = p.then(ctx, o, n)
	return o.called[n], err
}

// origin finds the table that wrote a stream.
func (p *past) origin(ctx context.Context, stream events.Name) (*origin, error) {
	if known, ok := p.from[stream]; ok {
		return known, nil
	}
	o := &origin{look: p.look, own: true, called: map[int]words.Printer{}}
	s, err := p.m.desk.Log().Stream(ctx, stream)
	if err == nil && s.Table != p.look.Name {
		o.own = false
		o.look, err = p.m.desk.Look(ctx, s.Table)
		var broken *desk.Unreadable
		if errors.As(err, &broken) || err == nil && !o.look.Table.SeenBy(p.who.Person) {
			o.look, err = desk.Look{}, nil
		}
	}
	if err == nil && o.look.Table != nil && changedHands(o.look.Table) {
		o.sat, err = p.m.sittings(ctx, o.look)
	}
	if err != nil {
		return nil, fmt.Errorf("people of a stream: %w", err)
	}
	p.from[stream] = o
	return o, nil
}

// then returns a printer with the people of a sitting, or of a table as it is now (n < 0). Those who sit in the same
// seat here now are called as they are here; others get a word saying that it was then. If the asker may not see the
// table, seats are called by their letters.
func (p *past) then(ctx context.Context, o *origin, n int) (words.Printer, error) {
	letters := p.m.book.Printer(p.who.Lang, p.look.Table.Rulebook, nil)
	if o.look.Table == nil {
		return letters, nil
	}
	look, t := o.look, *o.look.Table
	if n >= 0 {
		t.Places = o.sat[n].places
		look.Table = &t
	}
	_, names, err := p.m.Printer(ctx, look, p.who.Lang)
	if err != nil {
		return letters, err
	}
	for i := range names {
		if i < len(p.names) && alikePlaces(t.Places[i], p.look.Table.Places[i]) {
			names[i] = p.names[i]
		} else {
			names[i] = p.now.Text("house.then", "who", names[i])
		}
	}
	return p.m.book.Printer(p.who.Lang, p.look.Table.Rulebook, names), nil
}

// changedHands reports whether a seat of a table was taken over from somebody.
func changedHands(t *domain.Table) bool {
	return slices.ContainsFunc(t.Places, func(p domain.TablePlace) bool { return len(p.Former)+len(p.Seen) > 0 })
}

// sittings lists who held a table's seats before each of the events at which one changed hands.
func (m *Maker) sittings(ctx context.Context, look desk.Look) (out []sitting, err error) {
	entries, err := m.desk.TablePart(ctx, look.Name, 0, look.TableHead.Version)
	if err != nil {
		return nil, err
	}
	var t domain.Table
	for _, entry := range entries {
		switch e := entry.Event.(type) {
		case *domain.Substituted, *domain.Returned:
			out = append(out, sitting{entry.Record.Pos, slices.Clone(t.Places)})
		case *domain.Claimed: // the same person, known here by another id
			for _, s := range out {
				p := &s.places[e.Seat]
				p.Holders = slices.Clone(p.Holders)
				if i := slices.Index(p.Holders, e.Was); i >= 0 {
					p.Holders[i] = e.Person
				}
			}
		}
		t.Apply(entry.Event)
	}
	return out, nil
}

// alikePlaces reports whether the same people hold two seats, or a stand-in holds each.
func alikePlaces(a, b domain.TablePlace) bool {
	return (a.Kind == domain.SeatStandIn) == (b.Kind == domain.SeatStandIn) && slices.Equal(a.Holders, b.Holders) &&
		(a.Kind == domain.SeatStandIn || len(a.Holders) > 0)
}

// tell tells an event; ok is false if it is not an event of play.
func (p *past) tell(ctx context.Context, e desk.Entry) (Happening, bool, error) {
	printer, err := p.printer(ctx, &e.Record)
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
		var other desk.Look
		if other, err = p.m.desk.Look(ctx, s.Table); err == nil {
			table = other.Table
		}
	}
	var broken *desk.Unreadable
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
