package desk

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
)

// Calendars tells when people have time. A person left out of the map has the zero calendar.
type Calendars func(ctx context.Context, ids []domain.PersonID) (map[domain.PersonID]calendar.Calendar, error)

// KeepTime sets the calendars that deadlines go by; without it every day counts, by UTC. Call it before you use the
// desk.
func (d *Desk) KeepTime(c Calendars) { d.calendars = c }

// Now returns the time by which commands are judged.
func (d *Desk) Now() time.Time { return d.now() }

// openings holds what brought up each decision that is open on a line.
type openings map[domain.Decision]domain.Opening

// of returns what brought up a seat's decision at a version.
func (o openings) of(seat domain.Seat, since uint64) (of domain.Opening) {
	for d, was := range o {
		if d.Seat == seat && was.Since == since {
			of = was
		}
	}
	return of
}

// note notes what an event of a line opened, once the event is applied. A line's first event opens everything.
func (o openings) note(line *domain.Line, first bool, mover domain.Seat, door string, due []events.Due) {
	maps.DeleteFunc(o, func(d domain.Decision, _ domain.Opening) bool {
		return !slices.ContainsFunc(line.Awaited(), func(a domain.Open) bool { return a.Decision == d })
	})
	for _, a := range line.Awaited() {
		if a.Since != line.Version && !first {
			continue
		}
		now := domain.Opening{Since: a.Since, Clock: door == domain.DoorClock && a.Seat == mover}
		for _, d := range due {
			if d.Seat == a.Seat {
				now.Due = d.At
			}
		}
		o[a.Decision] = now
	}
}

// foldTimed is foldLine for a table with a clock: it notes a line's deadlines from its fork on.
func foldTimed(l *domain.Line, o openings, fork uint64, table events.Name, recs []events.Record,
	keys *events.Keys) error {
	var dec events.Decoder
	for i := range recs {
		if err := foldLine(&dec, l, table, recs[i:i+1], keys); err != nil {
			return err
		}
		if recs[i].Version <= fork {
			continue
		}
		err := reading(table, &recs[i], func() error {
			meta, err := events.ReadMeta(&recs[i])
			if err != nil {
				return err
			}
			mover := domain.Nobody
			if meta.Door == domain.DoorClock {
				e, _, err := events.DecodePlay(l.Rulebook, &recs[i], nil, domain.Spectator)
				if err != nil {
					return err
				}
				mover = e.Seat
			}
			o.note(l, recs[i].Version == fork+1, mover, meta.Door, meta.Due)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Deadline returns the deadline of an open decision on the look's line; zero if there is none.
func (l Look) Deadline(o domain.Open) time.Time {
	d, _ := l.judge().Stood(domain.Deadline{Line: l.LineName.String(), Seat: o.Seat, Since: o.Since})
	return d.At
}

// ProposalDeadline returns the deadline for answers to the open proposal; zero if there is none.
func (l Look) ProposalDeadline() (at time.Time) {
	if p := l.Table.Proposal; p != nil {
		d, _ := l.judge().Stood(domain.Deadline{Seat: domain.Nobody, Since: p.Since})
		at = d.At
	}
	return at
}

// TakenOver reports whether a stand-in takes a decision of a seat that people hold, because its time ran out.
func (l Look) TakenOver(o domain.Open) bool { return l.judge().TakenOver(o) }

// dueOf works out the deadline of something asked of people now: the latest of their deadlines. A proposal needs
// everybody's answer; any member may take a team's decision.
func (d *Desk) dueOf(ctx context.Context, t *domain.Table, from time.Time, allowed time.Duration,
	people []domain.PersonID) (time.Time, error) {
	all, err := d.calendarsOf(ctx, people)
	if err != nil {
		return time.Time{}, err
	}
	if t.PausedUntil.After(from) {
		from = t.PausedUntil
	}
	var due time.Time
	for i, c := range all {
		c = untilBack(c, t, people[i], from)
		if at := c.Deadline(from, allowed); at.After(due) {
			due = at
		}
	}
	return due, nil
}

// calendarsOf returns people's calendars, in the order of people.
func (d *Desk) calendarsOf(ctx context.Context, people []domain.PersonID) ([]calendar.Calendar, error) {
	out := make([]calendar.Calendar, len(people))
	if d.calendars == nil {
		return out, nil
	}
	known, err := d.calendars(ctx, people)
	if err != nil {
		return nil, fmt.Errorf("calendars: %w", err)
	}
	for i, id := range people {
		out[i] = known[id]
	}
	return out, nil
}

// duesOf returns the deadlines of what a line that has just moved on awaits of people: of all of it, or only of what
// its last event brought up. They count from that much later than now.
func (d *Desk) duesOf(ctx context.Context, t *domain.Table, line *domain.Line, all bool, clocked domain.Seat,
	later time.Duration) ([]events.Due, error) {
	if t.Clock == nil {
		return nil, nil
	}
	var out []events.Due
	now := d.now().Add(later)
	for _, o := range line.Awaited() {
		p := t.Places[o.Seat]
		known := slices.ContainsFunc(out, func(d events.Due) bool { return d.Seat == o.Seat })
		if known || !all && o.Since != line.Version || !p.Humans() || o.Seat == clocked {
			continue
		}
		at, err := d.dueOf(ctx, t, now, time.Duration(t.Clock.Hours)*time.Hour, p.Holders)
		if err != nil {
			return nil, err
		}
		out = append(out, events.Due{Seat: o.Seat, At: at})
	}
	return out, nil
}

// duesAfter returns the deadlines of what a move on the main line brings up.
func (d *Desk) duesAfter(ctx context.Context, r *folded, e *domain.Event, a events.Actor,
	after *domain.Line) ([]events.Due, error) {
	if r.table.Clock == nil {
		return nil, nil
	}
	clocked := domain.Nobody
	if a.Door == domain.DoorClock {
		clocked = e.Seat
	}
	return d.duesOf(ctx, r.table, after, false, clocked, graced(r.table, a, e, after))
}

// duesOfFirst returns the deadlines of what a line's first event brings up, nil for one that only opens the line. It
// applies the event to the line.
func (d *Desk) duesOfFirst(ctx context.Context, t *domain.Table, main domain.TableLine, line *domain.Line,
	e *domain.Event) ([]events.Due, error) {
	switch {
	case t.Clock == nil:
		return nil, nil
	case main.Undo:
		return d.duesBack(ctx, t, line, main)
	case e == nil:
		line.Skip()
	default:
		line.Apply(e)
	}
	return d.duesOf(ctx, t, line, true, domain.Nobody, 0)
}

// duesBack returns the deadlines of what is asked again after a step was taken back without consent: those that stood
// before that step; of two of one seat, which has one deadline for all that it is asked, the later. before is the line
// without it.
func (d *Desk) duesBack(ctx context.Context, t *domain.Table, before *domain.Line, main domain.TableLine) ([]events.Due,
	error) {
	var out []events.Due
	for _, o := range before.Awaited() {
		line, since := t.Holds(main.Parent, o.Since)
		name, err := events.ParseName(line)
		if err != nil {
			return nil, fmt.Errorf("parent of line %s: %w", main.Name, err)
		}
		rec, err := events.LoadOne(ctx, d.log, name, since)
		if err != nil {
			return nil, fmt.Errorf("what brought up a decision: %w", err)
		}
		meta, err := events.ReadMeta(&rec)
		if err != nil {
			return nil, err
		}
		for _, due := range meta.Due {
			if due.Seat == o.Seat {
				at := t.Moved(domain.Deadline{Line: line, Seat: o.Seat, Since: o.Since, At: due.At}).At
				out = later(out, events.Due{Seat: o.Seat, At: at})
			}
		}
	}
	return out, nil
}

// later adds a deadline to a list that has one a seat: the later one.
func later(list []events.Due, d events.Due) []events.Due {
	i := slices.IndexFunc(list, func(have events.Due) bool { return have.Seat == d.Seat })
	switch {
	case i < 0:
		return append(list, d)
	case d.At.After(list[i].At):
		list[i] = d
	}
	return list
}

// duesOfTable returns the deadlines that stand beside an event of the table.
func (d *Desk) duesOfTable(ctx context.Context, r *folded, e domain.TableEvent) ([]events.Due, error) {
	p, ok := e.(*domain.Proposed)
	if !ok || r.table.Clock == nil || p.Rewound != nil || p.End != "" || p.Paused != nil {
		return nil, nil
	}
	at, err := d.dueOf(ctx, r.table, d.now(), time.Duration(r.table.Clock.Hours)*time.Hour, r.table.People())
	if err != nil {
		return nil, err
	}
	return []events.Due{{Seat: domain.Nobody, At: at}}, nil
}
