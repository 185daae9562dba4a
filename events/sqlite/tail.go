package sqlite

import (
	"sync"

	"posthorn/events"
)

// tail holds the records written last, by their place in the log and in their streams. The relay and all the log's
// followers ask for them moments after they are written.
type tail struct {
	mu sync.RWMutex
	// maxLate of them once there are any, each at its position modulo maxLate; where one was too long, an older one
	ring  []events.Record
	where map[place]uint64
}

// place is a record's stream and version.
type place struct {
	stream  events.Name
	version uint64
}

func newTail() *tail { return &tail{where: map[place]uint64{}} }

// add keeps records that are on the disk.
func (t *tail) add(recs []events.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ring == nil {
		t.ring = make([]events.Record, maxLate)
	}
	for i := range recs {
		slot := &t.ring[recs[i].Pos%maxLate]
		if slot.Pos > 0 {
			delete(t.where, place{slot.Stream, slot.Version})
		}
		*slot = recs[i]
		t.where[place{slot.Stream, slot.Version}] = slot.Pos
	}
}

// at returns the record at a place.
func (t *tail) at(p place) (events.Record, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	pos, ok := t.where[p]
	if !ok {
		return events.Record{}, false
	}
	return t.ring[pos%maxLate], true
}

// after returns the records above a position and up to another. ok is false if any of them is missing here.
func (t *tail) after(pos, upTo uint64) (out []events.Record, ok bool) {
	if upTo-pos > maxLate {
		return nil, false
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.ring == nil {
		return nil, false
	}
	out = make([]events.Record, 0, upTo-pos)
	for pos++; pos <= upTo; pos++ {
		if t.ring[pos%maxLate].Pos != pos {
			return nil, false
		}
		out = append(out, t.ring[pos%maxLate])
	}
	return out, true
}

// forget drops all records, for when it is no longer certain what the disk has.
func (t *tail) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.ring)
	clear(t.where)
}
