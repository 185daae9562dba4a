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
func (v *verifier) times() error {
	for i := range v.f.Events {
		v.now = i
		e := &v.f.Events[i]
		if e.At < 0 {
			return v.fault(i, "its time is before 1970")
		}
		if late := time.UnixMilli(e.At).Sub(v.f.Header.Exported); late > clockAhead {
			return v.fault(i, "its time is later than the record by %s", late.Round(time.Hour))
		}
		before, ok := v.find(e.Stream, e.Version-1)
		if e.Version > 1 && ok {
			if err := v.after(before, i); err != nil {
				return err
			}
		}
	}
	for n, l := range v.lines {
		first, ok := v.at[place{l.name, l.Fork + 1}]
		cause, also := v.tableEvent(l.Since)
		if !ok || !also {
			continue
		}
		if err := v.after(cause, first); err != nil {
			return err
		}
		if n+1 < len(v.lines) { // closed by the event that opened the next one
			if next, ok := v.tableEvent(v.lines[n+1].Since); ok {
				if err := v.after(v.at[place{l.name, v.last[l.name]}], next); err != nil {
					return err
				}
			}
		}
	}
	return v.tableTimes()
}

// tableTimes checks table events that depend on where the main line stood.
func (v *verifier) tableTimes() error {
	for n, fact := range v.facts {
		i, _ := v.tableEvent(uint64(n + 1))
		main, ok := v.states[n].Main()
		if !ok {
			continue
		}
		name, err := events.ParseName(main.Name)
		if err != nil {
			return v.nameFault(main, err)
		}
		stood := uint64(0)
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
		if before, ok := v.find(name, stood); ok && stood > 0 {
			if err := v.after(before, i); err != nil {
				return err
			}
		}
		if next, ok := v.at[place{name, stood + 1}]; ok && stood > 0 {
			if err := v.after(i, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// after checks that one event is not earlier than another that came before it.
func (v *verifier) after(before, i int) error {
	a, b := &v.f.Events[before], &v.f.Events[i]
	back := time.Duration(a.At-b.At) * time.Millisecond
	switch {
	case a.At <= b.At:
		return nil
	case a.At-b.At > events.ClockSet.Milliseconds():
		return v.fault(i, "its time is earlier, by %s, than that of version %d of stream %s before it", back, a.Version, a.Stream)
	}
	v.loose = true
	v.report.skip("version %d of stream %s is %s earlier than what it follows from: a clock that was set right, or a time that was altered", b.Version, b.Stream, back)
	return nil
}

func (v *verifier) nameFault(l domain.TableLine, err error) error {
	if i, ok := v.tableEvent(l.Since); ok {
		return v.fault(i, "line %s: %v", l.Name, err)
	}
	return &Fault{Line: 1, What: "line " + l.Name + ": " + err.Error()}
}
