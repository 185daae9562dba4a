package record

import (
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// receipts checks signed receipts against the chain: those of the record itself, and those
// that were given.
func (v *verifier) receipts(given []string) {
	for _, line := range v.f.Header.Heads {
		v.receipt(line)
	}
	v.headsAreSigned()
	for n, former := range v.table.Former {
		if len(former.Receipts) == 0 {
			v.report.skip("server %d is said to have handed the table over at version %d, and no receipt of it says so", n+1, former.Since)
		}
		for _, line := range former.Receipts {
			r, err := events.ReadReceipt(former.Key, line)
			i, _ := v.tableEvent(former.Since)
			v.must(err == nil, i, "a receipt of server %d, which handed the table over: %v", n+1, err)
			v.fits(r, line)
		}
	}
	covered := map[events.Name]uint64{}
	for _, line := range given {
		r, held := v.receipt(line)
		switch {
		case held:
			v.report.Witnessed = true
			v.cover(covered, r)
		case r.Stream == v.f.Header.Table:
			v.report.skip("the receipt of version %d of the table, with which a server closed it there: that event is not handed over", r.Version)
		}
	}
	if v.report.Witnessed {
		v.later(covered)
	}
}

// headsAreSigned checks that the record's own receipts say how each of its streams ends.
func (v *verifier) headsAreSigned() {
	if v.f.log {
		return // read from the log itself
	}
	signed := map[place]bool{}
	for _, line := range v.f.Header.Heads {
		if r, err := events.ReadReceipt(v.f.Header.Key, line); err == nil {
			signed[place{r.Stream, r.Version}] = true
		}
	}
	for _, s := range v.f.Header.Streams {
		if s.Table != v.f.Header.Table || signed[place{s.Name, v.last[s.Name]}] {
			continue
		}
		closed := v.f.Header.Handover && s.Name == v.f.Header.Table && signed[place{s.Name, v.last[s.Name] + 1}] // by an event that is not handed over
		mustAt(closed, s.Name, v.last[s.Name], "the record's own receipts do not say that the stream ends here")
	}
}

// receipt checks one receipt; held is false for one of an event that the record need not hold.
func (v *verifier) receipt(line string) (r events.Receipt, held bool) {
	r, former := v.signed(line)
	mustAt(r.Table == v.f.Header.Table, r.Stream, r.Version, "the receipt of version %d is of another table", r.Version)
	if _, known := v.streams[r.Stream]; !known && v.line(r.Stream.String()) == nil {
		v.report.skip("the receipt of version %d of stream %s, which the record does not hold: orders of a seat are not in it, or a line was cut out", r.Version, r.Stream)
		return r, false
	}
	closing := v.f.Header.Handover && r.Version == v.last[r.Stream]+1
	if former != nil {
		closing = r.Version == former.Since
	}
	if closing && r.Stream == v.f.Header.Table {
		return r, false // the closing event is not handed over
	}
	v.fits(r, line)
	v.report.Receipts++
	return r, true
}

// signed reads a receipt with the key of the server that wrote the record, or of one that
// had the table before.
func (v *verifier) signed(line string) (events.Receipt, *domain.FormerServer) {
	if r, err := events.ReadReceipt(v.f.Header.Key, line); err == nil {
		return r, nil
	}
	for n := range v.table.Former {
		former := &v.table.Former[n]
		if r, err := events.ReadReceipt(former.Key, line); err == nil {
			return r, former
		}
	}
	panic(&Fault{Line: 1, What: fmt.Sprintf("receipt %.60s…: %v", line, events.ErrReceipt)})
}

// fits holds a receipt against the chain.
func (v *verifier) fits(r events.Receipt, line string) {
	i, ok := v.find(r.Stream, r.Version)
	mustAt(r.Table == v.f.Header.Table, r.Stream, r.Version, "receipt %.60s… is of another table", line)
	mustAt(ok, r.Stream, r.Version, "there is a receipt of a version that the record does not hold: it was cut off")
	v.must(v.f.Events[i].Hash == r.Hash, i, "there is a receipt of another history")
}

// cover notes what a receipt proves: its stream up to its version, what that forked from, and
// the table up to the event that opened the line.
func (v *verifier) cover(covered map[events.Name]uint64, r events.Receipt) {
	name, version := r.Stream, r.Version
	for range len(v.streams) + 1 {
		s, ok := v.streams[name]
		if !ok {
			return
		}
		if version > s.Fork {
			covered[name] = max(covered[name], version)
			if l := v.line(name.String()); l != nil {
				covered[v.f.Header.Table] = max(covered[v.f.Header.Table], l.Since)
			}
		}
		name, version = s.Parent, min(version, s.Fork)
	}
}

// later says what comes after the last receipt.
func (v *verifier) later(covered map[events.Name]uint64) {
	for _, s := range v.f.Header.Streams {
		if s.Table != v.f.Header.Table || v.last[s.Name] <= covered[s.Name] {
			continue
		}
		from := max(covered[s.Name], s.Fork) + 1
		v.report.skip("versions %d to %d of stream %s come after the last receipt: only the hashes speak for them", from, v.last[s.Name], s.Name)
	}
}
