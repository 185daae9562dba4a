package turn

import (
	"context"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// Audited is an event as the log has it, told in words.
type Audited struct {
	Happening
	Actor  string // who gave the command; "" for the house itself
	Record events.Record
	Meta   events.Meta
	Draws  []domain.Draw // with the outcomes that the asker may see
}

// AuditLine tells every event of a line, as the asker may know it, with versions above after and up to upTo (0: all).
// That includes the events of its ancestors before the fork.
func (m *Maker) AuditLine(ctx context.Context, look desk.Look, line events.Name, who Asker, after,
	upTo uint64) ([]Audited, error) {
	p, names, err := m.Printer(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	viewer := who.viewer(look.Table)
	entries, err := m.desk.History(ctx, look, line, viewer, after, upTo)
	if err != nil {
		return nil, err
	}
	list, told := make([]Audited, len(entries)), make([]Happening, len(entries))
	actor, past := m.actors(ctx, p, look), m.past(look, p, names, who)
	for i, e := range entries {
		var ok bool
		if told[i], ok, err = past.tell(ctx, e); err != nil {
			return nil, err
		}
		if !ok {
			told[i].Sentences = []string{p.Text("audit.forked")}
		}
		list[i] = Audited{Record: e.Record, Meta: e.Meta, Draws: e.Event.Draws}
		if list[i].Actor, err = actor(e.Meta.By); err != nil {
			return nil, err
		}
	}
	err = m.byOrders(ctx, p, look, line, viewer, told)
	for i := range told {
		list[i].Happening = told[i]
	}
	return list, err
}

// AuditTable tells every event of a table's own stream with versions above after and up to upTo (0: all). text opens
// what somebody wrote; it returns "" if the asker may not read it or it is gone.
func (m *Maker) AuditTable(ctx context.Context, look desk.Look, who Asker, after, upTo uint64,
	text func(domain.PersonID, []byte) string) ([]Audited, error) {
	p, _, err := m.Printer(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	entries, err := m.desk.TablePart(ctx, look.Name, after, upTo)
	if err != nil {
		return nil, err
	}
	list, actor := make([]Audited, len(entries)), m.actors(ctx, p, look)
	for i, e := range entries {
		says, err := m.tellAll(ctx, p, look.Table, e.Event, text)
		if err != nil {
			return nil, err
		}
		h := Happening{Version: e.Record.Version, Stream: e.Record.Stream, At: e.Record.At, Seat: domain.Nobody,
			Table: true, By: e.Meta.By, Sentences: p.Lines(says)}
		list[i] = Audited{Happening: h, Record: e.Record, Meta: e.Meta}
		if list[i].Actor, err = actor(e.Meta.By); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// tellAll tells any event, including those in the log that are news to nobody.
func (m *Maker) tellAll(ctx context.Context, p words.Printer, t *domain.Table, e domain.TableEvent,
	text func(domain.PersonID, []byte) string) ([]domain.Say, error) {
	says, err := m.tellTable(ctx, p, t, e, text)
	if err != nil || len(says) > 0 {
		return says, err
	}
	switch e := e.(type) {
	case *domain.Contributed:
		who, err := m.NameAt(ctx, p, t, e.Person)
		return []domain.Say{domain.S("audit.contributed", "who", who)}, err
	case *domain.Said:
		who, err := m.NameAt(ctx, p, t, e.Person)
		return []domain.Say{domain.S("audit.said", "who", who)}, err
	case *domain.Deferred:
		return []domain.Say{domain.S("audit.deferred")}, nil
	}
	return nil, nil
}

// actors returns a function that gives people's names at a table, and looks each up once.
func (m *Maker) actors(ctx context.Context, p words.Printer, look desk.Look) func(domain.PersonID) (string, error) {
	known := map[domain.PersonID]string{"": ""}
	return func(by domain.PersonID) (string, error) {
		name, ok := known[by]
		if ok {
			return name, nil
		}
		name, err := m.NameAt(ctx, p, look.Table, by)
		known[by] = name
		return name, err
	}
}
