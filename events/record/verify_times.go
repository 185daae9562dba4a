package record

import (
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// clockAhead is how much later than the record an event may be: what is later by more was not
// written by a clock.
const clockAhead = 24 * time.Hour

// times checks that the times of events follow one another as the events do, and that none
// is later than the record.
func (v *verifier) times() {
	for i, e := range v.each() {
		v.must(e.At >= 0, i, "its time is before 1970")
		late := time.UnixMilli(e.At).Sub(v.f.Header.Exported)
		v.must(late <= clockAhead, i, "its time is later than the record by %s", late.Round(time.Hour))
		if before, ok := v.find(e.Stream, e.Version-1); ok && e.Version > 1 {
			v.after(before, i)
		}
	}
	for n, l := range v.lines {
		first, ok := v.at[place{l.name, l.Fork + 1}]
		cause, also := v.tableEvent(l.Since)
		if !ok || !also {
			continue
		}
		v.after(cause, first)
		if n+1 < len(v.lines) { // closed by the event that opened the next one
			if next, ok := v.tableEvent(v.lines[n+1].Since); ok {
				v.after(v.at[place{l.name, v.last[l.name]}], next)
			}
		}
	}
}

// tableTimes checks table events that depend on where the main line stood.
func (v *verifier) tableTimes() {
	for n, fact := range v.facts {
		i, _ := v.tableEvent(uint64(n + 1))
		main, ok := v.states[n].Main()
		if !ok {
			continue
		}
		name, stood := nameOf(main), uint64(0)
		switch e := fact.(type) {
		case *domain.Proposed:
			stood = e.Proposal.Line
		case *domain.Agreed:
			if p := v.states[n].Proposal; p != nil {
				stood = p.Line
			}
		case *domain.Ended:
			stood = e.Version
		case *domain.HandedOver:
			stood = v.last[name]
		}
		if stood == 0 {
			continue
		}
		if before, ok := v.find(name, stood); ok {
			v.after(before, i)
		}
		if next, ok := v.at[place{name, stood + 1}]; ok {
			v.after(i, next)
		}
	}
}

// after checks that one event is not earlier than another that came before it.
func (v *verifier) after(before, i int) {
	a, b := &v.f.Events[before], &v.f.Events[i]
	back := time.Duration(a.At-b.At) * time.Millisecond
	if back <= 0 {
		return
	}
	v.must(back <= events.ClockSet, i, "its time is earlier, by %s, than that of version %d of stream %s before it", back, a.Version, a.Stream)
	v.loose = true
	v.report.skip("version %d of stream %s is %s earlier than what it follows from: a clock that was set right, or a time that was altered", b.Version, b.Stream, back)
}
