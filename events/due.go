package events

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
)

// A deadline is written with what opens the ask: it stands in the meta data of the event that
// brought a decision up, or that proposed something, worked out from the table's pace and the
// calendars of whoever is asked, as they were known then. The log holds the instant alone.

// Due is until when what an event opens may be done.
type Due struct {
	Seat domain.Seat `json:"seat"` // whose decisions; domain.Nobody for the answers to a proposal
	At   time.Time   `json:"at"`   // full hours
}

// Calendars tells when people have time. Whoever is left out has a calendar of the zero value.
type Calendars func(ctx context.Context, ids []domain.PersonID) (map[domain.PersonID]calendar.Calendar, error)

// KeepTime sets whose calendars deadlines go by; without it every day counts, by UTC. Call it
// before the desk is used.
func (d *Desk) KeepTime(c Calendars) { d.calendars = c }

// Now is the time, as commands are judged by it.
func (d *Desk) Now() time.Time { return d.now() }

// opening is what brought up a decision that is open on a line.
type opening struct {
	since uint64
	due   time.Time // as it was written; zero for none
	clock bool      // a move of the same seat did, which a stand-in made at the clock's doing
}

// openings are those of what is open on a line.
type openings map[domain.Decision]opening

// note notes what an event of a line opened, once it is applied. The first event of a line opens
// everything.
func (o openings) note(line *domain.Line, first bool, mover domain.Seat, door string, due []Due) {
	maps.DeleteFunc(o, func(d domain.Decision, _ opening) bool {
		return !slices.ContainsFunc(line.Awaited(), func(a domain.Open) bool { return a.Decision == d })
	})
	for _, a := range line.Awaited() {
		if a.Since != line.Version && !first {
			continue
		}
		now := opening{since: a.Since, clock: door == DoorClock && a.Seat == mover}
		for _, d := range due {
			if d.Seat == a.Seat {
				now.due = d.At
			}
		}
		o[a.Decision] = now
	}
}

// foldTimed is foldLine for a table with a clock: it notes the deadlines of a line from its fork on.
func foldTimed(l *domain.Line, o openings, fork uint64, table Name, recs []Record, keys *Keys) error {
	var room decoder
	for i := range recs {
		if err := room.foldLine(l, table, recs[i:i+1], keys); err != nil {
			return err
		}
		if recs[i].Version <= fork {
			continue
		}
		err := reading(table, &recs[i], func() error {
			meta, err := ReadMeta(&recs[i])
			if err != nil {
				return err
			}
			mover := domain.Nobody
			if meta.Door == DoorClock {
				e, _, err := DecodePlay(l.Rulebook, &recs[i], nil, domain.Spectator)
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

// NoteProposalDue reads until when what a record proposes may be answered, once it is applied.
func NoteProposalDue(t *domain.Table, r *Record) error {
	if r.Type != typeProposed || t.Proposal == nil || !bytes.Contains(r.Meta, []byte(`"due"`)) {
		return nil
	}
	meta, err := ReadMeta(r)
	for _, d := range meta.Due {
		if d.Seat == domain.Nobody {
			t.Proposal.Due = d.At
		}
	}
	return err
}

// Deadline is until when a decision that is open on the look's line may be taken; zero for ever.
func (l Look) Deadline(o domain.Open) time.Time { return deadline(l.Table, l.LineName, l.openings, o) }

func deadline(t *domain.Table, line Name, opened openings, o domain.Open) time.Time {
	if t.Clock == nil {
		return time.Time{}
	}
	d := domain.Deadline{Line: line.String(), Seat: o.Seat, Since: o.Since}
	if was, ok := opened[o.Decision]; ok && was.since == o.Since {
		d.At = was.due
	}
	return t.Moved(d).At
}

// ProposalDeadline is until when the open proposal may be answered; zero for ever.
func (l Look) ProposalDeadline() time.Time { return proposalDeadline(l.Table) }

func proposalDeadline(t *domain.Table) time.Time {
	p := t.Proposal
	if p == nil || t.Clock == nil {
		return time.Time{}
	}
	return t.Moved(domain.Deadline{Seat: domain.Nobody, Since: p.Since, At: p.Due}).At
}

// TakenOver reports whether a stand-in takes a decision of a seat that people hold, because its
// time was over.
func (l Look) TakenOver(o domain.Open) bool { return takenOver(l.Table, l.LineName, l.openings, o) }

// takenOver: the decision whose time was over, and, as long as the stand-in's own moves bring up the
// next one of its seat, the rest of the turn.
func takenOver(t *domain.Table, line Name, opened openings, o domain.Open) bool {
	turn := t.Places[o.Seat].Turn
	if turn == nil || turn.Line != line.String() || o.Since < turn.Since {
		return false
	}
	return o.Since == turn.Since || len(t.Places) > 1 && opened[o.Decision].since == o.Since && opened[o.Decision].clock
}

// dueOf works out until when people may do something that is asked of them now: the latest of
// their deadlines. The answer to a proposal is everybody's; a team's decision may be any member's.
func (d *Desk) dueOf(ctx context.Context, t *domain.Table, from time.Time, allowed time.Duration, people []domain.PersonID) (time.Time, error) {
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

// calendarsOf are people's calendars, in their order.
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

// duesOf are the deadlines of what a line that has just gone on awaits of people: of all of it,
// or of what its last event brought up. They count from so much later than now.
func (d *Desk) duesOf(ctx context.Context, t *domain.Table, line *domain.Line, all bool, clocked domain.Seat, later time.Duration) ([]Due, error) {
	if t.Clock == nil {
		return nil, nil
	}
	var out []Due
	now := d.now().Add(later)
	for _, o := range line.Awaited() {
		p := t.Places[o.Seat]
		known := slices.ContainsFunc(out, func(d Due) bool { return d.Seat == o.Seat })
		if known || !all && o.Since != line.Version || !p.Humans() || o.Seat == clocked {
			continue
		}
		at, err := d.dueOf(ctx, t, now, time.Duration(t.Clock.Hours)*time.Hour, p.Holders)
		if err != nil {
			return nil, err
		}
		out = append(out, Due{o.Seat, at})
	}
	return out, nil
}

// duesAfter are the deadlines of what a move of the room's line brings up.
func (d *Desk) duesAfter(ctx context.Context, r *room, e *domain.Event, a Actor, after *domain.Line) ([]Due, error) {
	if r.table.Clock == nil {
		return nil, nil
	}
	clocked := domain.Nobody
	if a.Door == DoorClock {
		clocked = e.Seat
	}
	return d.duesOf(ctx, r.table, after, false, clocked, graced(r.table, a, e, after))
}

// duesOfFirst are those of what the first event of a line brings up.
func (d *Desk) duesOfFirst(ctx context.Context, r *room, main domain.TableLine, e *domain.Event) ([]Due, error) {
	if r.table.Clock == nil {
		return nil, nil
	}
	line := domain.NewLine(r.rulebook, domain.NewThrowaway(0))
	if main.Parent != "" {
		var err error
		if line, _, err = d.before(ctx, r, main, main.Parent, main.Fork); err != nil {
			return nil, err
		}
	}
	if main.Undo {
		return d.duesBack(ctx, r.table, line, main)
	}
	if e == nil {
		line.Skip()
	} else {
		line.Apply(e)
	}
	return d.duesOf(ctx, r.table, line, true, domain.Nobody, 0)
}

// duesBack are the deadlines of what is asked again after a step was taken back without consent: those that
// stood before that step. before is the line without it.
func (d *Desk) duesBack(ctx context.Context, t *domain.Table, before *domain.Line, main domain.TableLine) ([]Due, error) {
	name, err := ParseName(main.Parent)
	if err != nil {
		return nil, fmt.Errorf("parent of line %s: %w", main.Name, err)
	}
	fork := uint64(0)
	for _, l := range t.Lines {
		if l.Name == main.Parent {
			fork = l.Fork
		}
	}
	var out []Due
	for _, o := range before.Awaited() {
		rec, err := LoadOne(ctx, d.log, name, max(o.Since, fork+1))
		if err != nil {
			return nil, fmt.Errorf("what brought up a decision: %w", err)
		}
		meta, err := ReadMeta(&rec)
		if err != nil {
			return nil, err
		}
		for _, due := range meta.Due {
			if due.Seat == o.Seat {
				out = append(out, Due{o.Seat, t.Moved(domain.Deadline{Line: main.Parent, Seat: o.Seat, Since: o.Since, At: due.At}).At})
			}
		}
	}
	return out, nil
}

// duesOfTable are the deadlines that stand beside an event of the table.
func (d *Desk) duesOfTable(ctx context.Context, r *room, e domain.TableEvent) ([]Due, error) {
	p, ok := e.(*domain.Proposed)
	if !ok || r.table.Clock == nil || p.Rewound != nil || p.End != "" || p.Paused != nil {
		return nil, nil
	}
	at, err := d.dueOf(ctx, r.table, d.now(), time.Duration(r.table.Clock.Hours)*time.Hour, r.table.People())
	if err != nil {
		return nil, err
	}
	return []Due{{domain.Nobody, at}}, nil
}
