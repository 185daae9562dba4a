package record

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// doors are those through which people give commands. The house itself has two: the runner's, and the host's.
var doors = []string{"page", "mail", "api", "host", domain.DoorReply, domain.DoorOrder}

// metaOf reads and checks the meta data of an event.
func (v *verifier) metaOf(i int) events.Meta {
	rec := v.f.Events[i].record()
	m, err := events.ReadMeta(&rec)
	if err == nil {
		err = exactly(rec.Meta, m)
	}
	v.must(err == nil, i, "what stands beside it cannot be read: %v", err)
	if m.By == "" {
		v.must(m.Door == events.House.Door || m.Door == domain.DoorClock || m.Door == domain.DoorForced ||
			m.Door == "host", i, "nobody came by the door %q", m.Door)
	} else {
		v.must(slices.Contains(doors, m.Door), i, "no person comes by the door %q", m.Door)
		v.must(m.Door != domain.DoorOrder || rec.Stream != v.f.Header.Table, i, "an order moves, and does nothing else")
	}
	v.must(m.Reply == "" || m.Door == domain.DoorReply, i, "it says that it came by mail, and by the door %q", m.Door)
	s := v.streams[rec.Stream]
	v.must(m.Opened == nil || s.Kind == events.KindLine && rec.Version == s.Fork+1, i,
		"it says that it opens a line, and it does not")
	return m
}

// publicMove is what every event of play says in public, whatever the game.
type publicMove struct {
	Seat  domain.Seat   `json:"seat"`
	Move  string        `json:"move"`
	Draws []domain.Draw `json:"draws"`
	Anew  bool          `json:"anew"`
}

func (v *verifier) publicOf(i int) publicMove {
	var p publicMove
	err := json.Unmarshal(v.f.Events[i].Data, &p)
	v.must(err == nil, i, "it cannot be read: %v", err)
	return p
}

// judgePeople checks that the giver of each event of play was allowed to give it: somebody who held the seat, or the
// house for a stand-in and for what nobody moves.
func (v *verifier) judgePeople() {
	for i, e := range v.each() {
		s := v.streams[e.Stream]
		if s.Kind != events.KindLine || s.Table != v.f.Header.Table {
			continue
		}
		if v.unknown[i] || !v.knownLine(e.Stream) {
			continue
		}
		meta, p := v.metaOf(i), v.publicOf(i)
		if e.Type == events.TypeForked || p.Move == "" {
			v.must(meta.By == "" && meta.Door == events.House.Door, i, "a line is opened by the house alone")
			continue
		}
		if v.beyond(e.At) {
			continue
		}
		err := v.mayHaveMoved(i, meta, p.Seat)
		v.must(err == nil, i, "%v", err)
	}
}

// mayHaveMoved reports whether a person could move for a seat in one of the situations that the table may have been
// in then.
func (v *verifier) mayHaveMoved(i int, meta events.Meta, seat domain.Seat) error {
	err := errors.New("the table was not being played then")
	for _, t := range v.statesAt(v.f.Events[i].At) {
		no := v.judgeOf(i, t, meta).MayMove(v.f.Events[i].Stream.String(), seat, domain.Open{})
		if no == nil {
			return nil
		}
		// a fault with the seat says more than that another line was being played
		if r, _ := domain.AsRefusal(err); r == nil || meta.By != "" || r.Code != "not-your-seat" {
			err = no
		}
	}
	return err
}

// statesAt lists how the table may have stood at a time: several ways if its events share that moment.
func (v *verifier) statesAt(at int64) []*domain.Table {
	slack := int64(0)
	if v.loose {
		slack = events.ClockSet.Milliseconds()
	}
	var out []*domain.Table
	for n := range v.facts {
		from, ok := v.tableEvent(uint64(n + 1))
		if !ok {
			continue
		}
		to, next := v.tableEvent(uint64(n + 2))
		if v.f.Events[from].At <= at+slack && (!next || at-slack <= v.f.Events[to].At) {
			out = append(out, v.states[n+1])
		}
	}
	return out
}

// clockAhead is how much later than the record an event may be: no clock wrote anything later than that.
const clockAhead = 24 * time.Hour

// times checks that the times of events follow their order, and that none is later than the record.
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
		case *domain.Agreed, *domain.Carried:
			if p := v.states[n].Proposal; p != nil && p.Kind != domain.ProposePause {
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

// after checks that an event is not earlier than one that came before it.
func (v *verifier) after(before, i int) {
	a, b := &v.f.Events[before], &v.f.Events[i]
	back := time.Duration(a.At-b.At) * time.Millisecond
	if back <= 0 {
		return
	}
	v.must(back <= events.ClockSet, i, "its time is earlier, by %s, than that of version %d of stream %s before it",
		back, a.Version, a.Stream)
	v.loose = true
	v.report.skip(OpenClock, "version %d of stream %s is %s earlier than what it follows from: a clock that was set "+
		"right, or a time that was altered", b.Version, b.Stream, back)
}
