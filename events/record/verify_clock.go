package record

import (
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// What a record shows of a table's clock: the deadlines of everything that was asked, that nothing followed from a
// deadline before it had passed, and that deadlines only moved later. It cannot show whether a deadline fits its
// person's calendar, which is private.

// dues checks the deadlines recorded with events.
func (v *verifier) dues() {
	for i, e := range v.each() {
		s := v.streams[e.Stream]
		if s.Table != v.f.Header.Table || s.Kind == events.KindSeat {
			continue
		}
		if v.partly() && !v.knownLine(e.Stream) && e.Version > uint64(len(v.facts)) {
			continue // what it opens is not known here
		}
		meta, clock := v.metaOf(i), v.table.Clock
		v.must(clock != nil || len(meta.Due) == 0, i, "it names a deadline, and the table has no clock")
		at := time.UnixMilli(e.At)
		for _, d := range meta.Due {
			opens := d.Seat == domain.Nobody && domain.IsTableEvent[*domain.Proposed](e.Type)
			if s.Kind == events.KindLine {
				opens = d.Seat >= 0 && int(d.Seat) < len(v.table.Places)
			}
			v.must(opens, i, "it names a deadline of what it does not open")
			if v.keptBack(s, e.Version, e.At, d) {
				continue
			}
			v.must(d.At.Sub(at) >= time.Duration(clock.Hours)*time.Hour-domain.TimeSlack, i,
				"it leaves less time than the table's pace: until %s", d.At.Format(time.RFC3339))
		}
	}
}

// keptBack reports whether a deadline is one from before a step was taken back without consent: what is asked again
// keeps the time it had, in whichever of the lines taken back since.
func (v *verifier) keptBack(s events.Stream, version uint64, at int64, d events.Due) bool {
	l := v.line(s.Name.String())
	if l == nil || !l.Undo || version != l.Fork+1 {
		return false
	}
	before := v.states[l.Since-1]
	for i := range v.f.Events {
		e := &v.f.Events[i]
		if v.line(e.Stream.String()) == nil || e.Stream == s.Name {
			continue
		}
		for _, due := range v.metaOf(i).Due {
			was := domain.Deadline{Line: e.Stream.String(), Seat: due.Seat, Since: e.Version, At: due.At}
			if due.Seat == d.Seat && e.At <= at && before.Moved(was).At.Equal(d.At) {
				return true
			}
		}
	}
	return false
}

// opened returns what stands beside the event that brought up a seat's decision on the main line.
func (v *verifier) opened(t *domain.Table, seat domain.Seat, since uint64) (of domain.Opening) {
	main, _ := t.Main()
	i, ok := v.find(nameOf(main), max(since, main.Fork+1))
	if !ok {
		return of
	}
	meta := v.metaOf(i)
	for _, due := range meta.Due {
		if due.Seat == seat {
			of.Due = due.At
		}
	}
	of.Clock = meta.Door == domain.DoorClock && v.publicOf(i).Seat == seat
	return of
}

// tookTurn checks that a move through the clock's door belongs to the turn whose time was over: it took the decision
// noted as timed out, or one that the stand-in's own move brought up.
func (v *verifier) tookTurn(line *domain.Line, i int, e *domain.Event) {
	meta := v.metaOf(i)
	if meta.Door != domain.DoorClock {
		return
	}
	for _, t := range v.statesAt(v.f.Events[i].At) {
		j := v.judgeOf(i, t, meta)
		if slices.ContainsFunc(line.Awaited(), func(o domain.Open) bool {
			return o.Seat == e.Seat && int(o.Seat) < len(t.Places) && j.TakenOver(o)
		}) {
			return
		}
	}
	v.must(false, i, "a stand-in took a turn whose time was not over")
}

// forced checks, for a move through the door of forced moves, that everybody could see it was the only one.
func (v *verifier) forced(line *domain.Line, i int, e *domain.Event) {
	if v.metaOf(i).Door != domain.DoorForced {
		return
	}
	v.must(slices.ContainsFunc(line.Awaited(), func(o domain.Open) bool {
		move, ok := line.OnlyMove(o.Decision)
		return o.Seat == e.Seat && ok && line.Rulebook.FormatMove(move, nil) == e.Move
	}), i, "the house moved for people, who had another move")
}
