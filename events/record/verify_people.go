package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// doors are those through which people give commands. The house itself has two: the runner's,
// and the host's.
var doors = []string{"page", "mail", "api", "host", events.DoorOrder}

// metaOf reads and checks what stands beside an event.
func (v *verifier) metaOf(i int) events.Meta {
	rec := v.f.Events[i].record()
	m, err := events.ReadMeta(&rec)
	v.must(err == nil, i, "what stands beside it cannot be read: %v", err)
	if m.By == "" {
		v.must(m.Door == events.House.Door || m.Door == "host", i, "nobody came by the door %q", m.Door)
	} else {
		v.must(slices.Contains(doors, m.Door), i, "no person comes by the door %q", m.Door)
		v.must(m.Door != events.DoorOrder || rec.Stream != v.f.Header.Table, i, "an order moves, and does nothing else")
	}
	s := v.streams[rec.Stream]
	v.must(m.Opened == nil || s.Kind == events.KindLine && rec.Version == s.Fork+1, i, "it says that it opens a line, and it does not")
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

// judgePeople checks of each event of play that whoever gave it might: somebody who held the
// seat, or the house for a stand-in and for what nobody moves.
func (v *verifier) judgePeople() {
	for i, e := range v.each() {
		s := v.streams[e.Stream]
		if s.Kind != events.KindLine || s.Table != v.f.Header.Table {
			continue
		}
		meta, p := v.metaOf(i), v.publicOf(i)
		if e.Type == events.TypeForked || p.Move == "" {
			v.must(meta.By == "" && meta.Door == events.House.Door, i, "a line is opened by the house alone")
			continue
		}
		err := v.mayHaveMoved(i, meta, p.Seat)
		v.must(err == nil, i, "%v", err)
	}
}

// mayHaveMoved tells whether a person could move for a seat in one of the situations that the
// table may have been in then.
func (v *verifier) mayHaveMoved(i int, meta events.Meta, seat domain.Seat) error {
	err := errors.New("the table was not being played then")
	for _, t := range v.statesAt(v.f.Events[i].At) {
		if err = mayMove(t, v.f.Events[i].Stream.String(), meta, seat); err == nil {
			return nil
		}
	}
	return err
}

func mayMove(t *domain.Table, line string, meta events.Meta, seat domain.Seat) error {
	main, ok := t.Main()
	switch {
	case t.Status != domain.TableStarted || t.Due != "":
		return errors.New("the table was not being played then")
	case !ok || main.Name != line:
		return errors.New("this was not the main line then")
	case seat < 0 || int(seat) >= len(t.Places):
		return errors.New("the table has no such seat")
	}
	p := t.Places[seat]
	switch {
	case meta.By == "" && (p.Humans() || meta.Door != events.House.Door):
		return fmt.Errorf("the house moves for stand-ins alone, and seat %s was none", seat.Letter())
	case meta.By != "" && (!p.Humans() || !p.Holds(meta.By)):
		return fmt.Errorf("it was moved by somebody who did not hold seat %s", seat.Letter())
	case t.Proposal != nil && (meta.By == "" || meta.Door == events.DoorOrder):
		return errors.New("stand-ins and orders wait while something is proposed")
	}
	return nil
}

// statesAt lists how the table may have stood at a time: more than one way where its events
// are of the same moment.
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
