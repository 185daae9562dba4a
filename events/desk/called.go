package desk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// call is a question that [Desk.Called] asks about a stream.
type call struct {
	stream events.Name
	who    domain.PersonID
	since  int64 // in milliseconds
}

// heard is the answer up to a version.
type heard struct {
	version uint64
	called  bool
}

const maxCalls = 1 << 12 // a hundred octets each

// Called reports whether somebody was called to a table after a time: what somebody else did asked them to decide,
// their seat was played otherwise than by them on a page, or they did something else there by mail or by a program than
// talk. What they bring up themselves on a page is no call. A call stays one, also once the line of play on which it
// came is left. What was found is kept, so that asking again costs no more than what has happened since.
func (d *Desk) Called(ctx context.Context, look Look, who domain.PersonID, since time.Time) (bool, error) {
	since = since.Truncate(time.Millisecond)
	at := since.UnixMilli()
	called, err := d.hears(ctx, call{look.Name, who, at}, look.TableHead.Version, 0,
		func(recs []events.Record) (bool, error) { return acts(recs, who) })
	for i := len(look.Table.Lines) - 1; i >= 0 && err == nil && !called; i-- {
		l := look.Table.Lines[i]
		name, head := look.LineName, look.LineHead
		if l.Name != name.String() {
			if name, head, err = d.LineHead(ctx, l); err != nil {
				return false, err
			}
		}
		c := caller{d, look, l, name, who, since}
		if called, err = d.hears(ctx, call{name, who, at}, head.Version, l.Fork,
			func(recs []events.Record) (bool, error) { return c.calls(ctx, recs) }); err != nil || called || i == 0 {
			break
		}
		opened, err := events.LoadOne(ctx, d.log, look.Name, l.Since)
		if err != nil || !opened.At.After(since) {
			return false, err // the lines before it were left by then
		}
	}
	return called, err
}

// hears asks whether the events of a stream after a version, and after the call's time, call somebody. It asks only
// about those that it has not asked about before.
func (d *Desk) hears(ctx context.Context, c call, head, after uint64, calls func([]events.Record) (bool, error)) (bool,
	error) {
	before, _ := d.calls.Get(c)
	if before.called || before.version >= head {
		return before.called, nil
	}
	var recs []events.Record
	for after, upTo := max(after, before.version), head; upTo > after; {
		part, err := d.log.Load(ctx, c.stream, max(after, upTo-min(upTo, 64)), upTo)
		if err != nil {
			return false, fmt.Errorf("what has happened since a letter: %w", err)
		}
		upTo -= uint64(len(part))
		n := len(part)
		part = slices.DeleteFunc(slices.Clone(part), func(r events.Record) bool { return r.At.UnixMilli() <= c.since })
		recs = append(part, recs...)
		if len(part) < n || n == 0 {
			break
		}
	}
	called := false
	if len(recs) > 0 {
		var err error
		if called, err = calls(recs); err != nil {
			return false, err
		}
	}
	d.calls.Set(c, heard{head, called})
	return called, nil
}

// acts reports whether somebody gave one of a table's commands otherwise than on a page, apart from talking.
func acts(recs []events.Record, who domain.PersonID) (bool, error) {
	for i := range recs {
		meta, err := events.ReadMeta(&recs[i])
		if err != nil || meta.By == who && meta.Door != domain.DoorPage &&
			!domain.IsTableEvent[*domain.Said](recs[i].Type) {
			return err == nil, err
		}
	}
	return false, nil
}

// caller looks for calls on one line of a table.
type caller struct {
	*Desk
	look  Look
	line  domain.TableLine
	name  events.Name
	who   domain.PersonID
	since time.Time
}

// calls reports whether one of the events of the line, which follow each other, calls its person.
func (c caller) calls(ctx context.Context, recs []events.Record) (called bool, err error) {
	if !slices.ContainsFunc(recs, func(r events.Record) bool { return !onPage(&r, c.who) }) {
		return false, nil
	}
	src, err := sourceOf(c.look.Name, c.look.Table, c.name)
	if err != nil {
		return false, err
	}
	line := domain.NewLine(c.look.Rulebook, src)
	if before := recs[0].Version - 1; before > 0 {
		if line, err = c.foldTo(ctx, c.look.Name, c.look.Table, c.look.Rulebook, c.name, before); err != nil {
			return false, err
		}
	}
	var dec events.Decoder
	for i := range recs {
		if called, err = c.plays(&recs[i]); err != nil || called {
			return called, err
		}
		if err := foldLine(&dec, line, c.look.Name, recs[i:i+1], c.keys); err != nil {
			return false, err
		}
		for _, o := range line.Awaited() {
			if o.Since != recs[i].Version || !c.look.Table.Places[o.Seat].Holds(c.who) {
				continue
			}
			by, err := c.brought(ctx, o.Since)
			if err != nil || by.At.After(c.since) && !onPage(&by, c.who) {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// plays reports whether an event played its person's seat, although they did not on a page. A move that everybody could
// see was the only one is nobody's.
func (c caller) plays(rec *events.Record) (played bool, err error) {
	meta, err := events.ReadMeta(rec)
	if err != nil || meta.By == c.who && meta.Door == domain.DoorPage || meta.Door == domain.DoorForced {
		return false, err
	}
	err = reading(c.look.Name, rec, func() error {
		e, ok, err := events.DecodePlay(c.look.Rulebook, rec, nil, domain.Spectator)
		played = ok && e.Seat != domain.Nobody && c.look.Table.Places[e.Seat].Holds(c.who)
		return err
	})
	return played, err
}

// brought returns the event that brought up what an event of the line asks: where a step was taken back, that; where
// the house made the only possible move first, the one before; and at a game's beginning what filled the table.
func (c caller) brought(ctx context.Context, at uint64) (rec events.Record, err error) {
	for {
		first := at == c.line.Fork+1
		switch {
		case first && c.line.Undo:
			return events.LoadOne(ctx, c.log, c.look.Name, c.line.Since)
		case first && c.line.Index == 0 && c.line.Since > 1:
			return events.LoadOne(ctx, c.log, c.look.Name, c.line.Since-1)
		}
		if rec, err = events.LoadOne(ctx, c.log, c.name, at); err != nil {
			return rec, err
		}
		meta, err := events.ReadMeta(&rec)
		if err != nil || meta.Door != domain.DoorForced || at == 1 {
			return rec, err
		}
		at--
	}
}

// onPage reports whether somebody gave the command behind an event on a page.
func onPage(rec *events.Record, who domain.PersonID) bool {
	meta, err := events.ReadMeta(rec)
	return err == nil && meta.By == who && meta.Door == domain.DoorPage
}
