package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"posthorn/domain"
	"posthorn/events"
)

// typeOpened is how the types of the events begin whose secret part is the seed, which is not JSON.
var typeOpened = strings.TrimSuffix(domain.TableEventType(&domain.Opened{}), "1")

// chain checks that every event follows from the one before it.
func (v *verifier) chain() {
	commands := map[events.CommandID]bool{}
	for i, e := range v.each() {
		s, ok := v.streams[e.Stream]
		v.must(ok, i, "the header does not name this stream")
		next := max(v.last[e.Stream], s.Fork) + 1
		v.must(e.Version == next, i, "version %d should come here", next)
		rec := e.record()
		v.must(events.ChainHash(v.before(i, s), &rec) == e.Hash, i, "the event was altered: its hash does not fit")
		v.must(plainJSON(e.Data) && plainJSON(e.Meta), i,
			"something is said twice in it, so that one reader may read what another does not")
		v.must(e.Codec == "json", i, "%q is no way in which events are written", e.Codec)
		if s.Table == v.f.Header.Table {
			v.must(e.Command != events.CommandID{} && !commands[e.Command], i,
				"its command was done before at this table")
			commands[e.Command] = true
		}
		v.last[e.Stream] = e.Version
		v.at[place{e.Stream, e.Version}] = i
		v.report.Events++
	}
	for _, s := range v.f.Header.Streams {
		mustAt(s.Table != v.f.Header.Table || v.last[s.Name] > 0, s.Name, s.Fork+1,
			"the record holds no event of this stream")
	}
}

// ancestry checks what the header alone says of the streams.
func (v *verifier) ancestry() {
	mustAt(v.f.log || events.Proves(v.f.Header.Key), events.Name{}, 0,
		"anybody can sign for the key of a server: it proves nothing")
	mustAt(len(v.streams) == len(v.f.Header.Streams), events.Name{}, 0, "the header names a stream twice")
	for _, s := range v.f.Header.Streams {
		mustAt(s.Parent.IsZero() == (s.Fork == 0), s.Name, s.Fork+1, "the stream forks from nothing, or at no version")
		p := s
		for n := 0; !p.Parent.IsZero(); n++ {
			parent, ok := v.streams[p.Parent]
			mustAt(ok, s.Name, s.Fork+1, "the header does not name the stream it forked from")
			mustAt(n <= len(v.streams), s.Name, s.Fork+1, "the stream is its own ancestor")
			p = parent
		}
	}
}

func (v *verifier) before(i int, s events.Stream) events.Hash {
	e := &v.f.Events[i]
	if e.Version == s.Fork+1 && s.Parent.IsZero() {
		return s.Origin
	}
	j, ok := v.find(e.Stream, e.Version-1)
	v.must(ok, i, "the event before it is missing")
	return v.f.Events[j].Hash
}

// find looks a version up in a stream or, before its fork, in an ancestor.
func (v *verifier) find(stream events.Name, version uint64) (int, bool) {
	for range len(v.streams) + 1 {
		s, ok := v.streams[stream]
		if !ok {
			return 0, false
		}
		if version > s.Fork {
			i, ok := v.at[place{stream, version}]
			return i, ok
		}
		stream = s.Parent
	}
	return 0, false
}

// holds reports whether the record itself has an event, under that hash.
func (v *verifier) holds(stream events.Name, version uint64, hash events.Hash) bool {
	i, ok := v.at[place{stream, version}]
	return ok && v.f.Events[i].Hash == hash
}

// secrets checks the open parts against their digests.
func (v *verifier) secrets() {
	for i, e := range v.each() {
		for n, p := range e.Parts {
			if p.Text == nil {
				v.must(p.Salt == nil, i, "secret part %d does not fit its digest", n)
				v.report.Hidden++
				continue
			}
			v.must(len(p.Salt) == 32 && events.PartDigest([32]byte(p.Salt), []byte(*p.Text)) == p.Digest, i,
				"secret part %d does not fit its digest", n)
			v.must(plainJSON([]byte(*p.Text)) || strings.HasPrefix(e.Type, typeOpened), i,
				"something is said twice in secret part %d, so that one reader may read what another does not", n)
			v.report.Secrets++
		}
	}
}

// plainJSON reports whether a text is one JSON value in which no object names a member twice, even with different
// case: of two, some readers take the first and some the last. Counts of things whose names differ only in case (the
// tiles Rg and RG) are no duplicates.
func plainJSON(text []byte) bool {
	if !json.Valid(text) {
		return false
	}
	_, plain := plainValue(json.NewDecoder(bytes.NewReader(text)))
	return plain
}

// plainValue is plainJSON for the next value of a valid text, and reports whether that value is a number.
func plainValue(d *json.Decoder) (number, plain bool) {
	t, err := d.Token()
	open, nested := t.(json.Delim)
	if !nested || err != nil {
		_, number = t.(float64)
		return number, err == nil
	}
	names := map[string]bool{}
	twice, counts := false, true
	for d.More() {
		capital := false
		if open == json.Delim('{') {
			t, _ := d.Token()
			name, _ := t.(string)
			if names[name] {
				return false, false
			}
			capital = name != "" && 'A' <= name[0] && name[0] <= 'Z'
			alike := folded(name)
			twice = twice || names["~"+alike]
			names[name], names["~"+alike] = true, true
		}
		number, plain := plainValue(d)
		if !plain {
			return false, false
		}
		counts = counts && capital && number
	}
	_, err = d.Token()
	return false, err == nil && (!twice || counts)
}

// folded returns a name with all letters that readers may confuse by case replaced by one: Unicode's simple case
// folding, which has ſ for s and the kelvin sign for k, as Go's own JSON readers do.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

// header checks what the header says of table and streams against the table's own events: whose lines they are, what
// is played, where they fork.
func (v *verifier) header() {
	h := &v.f.Header
	mustAt(h.Rulebook == v.table.Rulebook && h.Edition == v.table.Edition, h.Table, 1,
		"the header names another game or edition than the table's opening")
	for _, s := range h.Streams {
		must := func(holds bool, what string) { mustAt(holds, s.Name, s.Fork+1, "%s", what) }
		must(s.Rulebook == v.table.Rulebook, "the stream is said to be of another game than the table's")
		if s.Name == h.Table {
			must(s.Kind == events.KindTable && s.Table == h.Table && s.Parent.IsZero() && s.Origin == events.Hash{},
				"what the record says of the table's stream is not so")
			continue
		}
		must(s.Kind == events.KindLine, "the stream is said to be no line of play")
		must(s.Table != h.Table || v.line(s.Name.String()) != nil || v.partly(),
			"no event of the table opened this line")
		must(s.Table == h.Table || v.ancestor(s.Name) || v.partly(),
			"the stream is of another table, and nothing here was branched from it")
		must(s.Parent.IsZero() || s.Origin == events.Hash{}, "a forked line starts from its parent alone")
	}
}

// sealed checks that a record that claims to be a handover is one. A handover lacks the event that closed the table,
// so a record that could merely claim to be one could hide its own end.
func (v *verifier) sealed() {
	if v.f.opened {
		return
	}
	for i, e := range v.each() {
		for n, p := range e.Parts {
			v.must(p.Sealed == nil || v.f.Header.Handover, i, "secret part %d is sealed, and this is no handover", n)
			if !v.f.Header.Handover {
				continue
			}
			v.must(p.Text == nil && p.Sealed != nil, i,
				"secret part %d is not sealed for another server: this is no handover", n)
		}
	}
}

// closed checks that nothing of the table is left closed once its secrets are open: a closed part would keep a reader
// from checking what came after it.
func (v *verifier) closed() {
	if !v.table.Revealed {
		return
	}
	for i, e := range v.each() {
		for n, p := range e.Parts {
			own := v.streams[e.Stream].Table == v.f.Header.Table
			v.must(!own || p.Text != nil, i, "secret part %d is left closed, and the table has ended", n)
		}
	}
}

// branch checks that the line the table branched from belongs to the table that it names.
func (v *verifier) branch() {
	b := v.table.Branch
	if b == nil || len(v.lines) == 0 {
		return
	}
	name, err := events.ParseName(b.Line)
	mustAt(err == nil, v.f.Header.Table, 1, "branched from %s: %v", b.Line, err)
	s, ok := v.streams[name]
	_, opened := v.streams[v.lines[0].name]
	mustAt(!opened || ok && s.Kind == events.KindLine && s.Table.String() == b.Table, v.f.Header.Table, 1,
		"the line it was branched from is not of the table that it names")
}

// line returns a line of the table by its name, nil if it has no such line.
func (v *verifier) line(name string) *domain.TableLine {
	for i := range v.table.Lines {
		if v.table.Lines[i].Name == name {
			return &v.table.Lines[i]
		}
	}
	return nil
}

// ancestor reports whether one of the table's lines goes on from a stream.
func (v *verifier) ancestor(name events.Name) bool {
	for _, s := range v.f.Header.Streams {
		if s.Table != v.f.Header.Table {
			continue
		}
		for range len(v.streams) {
			if s.Parent == name {
				return true
			}
			s = v.streams[s.Parent]
		}
	}
	return false
}

// receipts checks signed receipts against the chain: the record's own, and the given ones.
func (v *verifier) receipts(given []string) {
	for _, line := range v.f.Header.Heads {
		v.receipt(line)
	}
	v.headsAreSigned()
	v.former()
	covered := map[events.Name]uint64{}
	for _, line := range given {
		r, held := v.receipt(line)
		switch {
		case held:
			v.report.Witnessed = true
			v.cover(covered, r)
		case r.Stream == v.f.Header.Table:
			v.report.skip(OpenReceipts, "the receipt of version %d of the table is of what a server wrote there "+
				"when it handed the table over, or later: that event is not handed over", r.Version)
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
		ends := s.Name != v.f.Header.Table || v.f.Header.Closing == nil // else its closing event must be signed
		if s.Table != v.f.Header.Table || ends && signed[place{s.Name, v.last[s.Name]}] {
			continue
		}
		// by an event that is not handed over
		closed := v.f.Header.Handover && s.Name == v.f.Header.Table && signed[place{s.Name, v.last[s.Name] + 1}]
		mustAt(closed, s.Name, v.last[s.Name], "the record's own receipts do not say that the stream ends here")
	}
}

// receipt checks one receipt. held is false for a receipt of an event that the record need not hold.
func (v *verifier) receipt(line string) (r events.Receipt, held bool) {
	r, former := v.signed(line)
	mustAt(r.Table == v.f.Header.Table, r.Stream, r.Version, "the receipt of version %d is of another table", r.Version)
	if _, known := v.streams[r.Stream]; !known && v.line(r.Stream.String()) == nil {
		v.report.skip(OpenReceipts, "the receipt of version %d of stream %s, which the record does not hold: orders "+
			"of a seat are not in it, or a line was cut out", r.Version, r.Stream)
		return r, false
	}
	if r.Stream == v.f.Header.Table {
		last, closing := v.last[r.Stream]+1, events.Hash{}
		if former != nil {
			i, _ := v.tableEvent(former.Since)
			last, closing = former.Since, v.closingHash(i, former.Closing)
		} else if c := v.f.Header.Closing; c != nil {
			closing = c.Hash
		}
		if former != nil && r.Version >= last || v.f.Header.Handover && r.Version == last {
			return v.stayed(r, last, closing)
		}
	}
	v.fits(r, line)
	v.report.Receipts++
	return r, true
}

// stayed looks at a receipt of what a server wrote at a table from the version on at which it handed it over: the
// record holds none of that, but may name the event that closed it, by its hash. A receipt of that one proves all
// before it.
func (v *verifier) stayed(r events.Receipt, closed uint64, closing events.Hash) (events.Receipt, bool) {
	if r.Version != closed || closing == (events.Hash{}) {
		return r, false
	}
	mustAt(r.Hash == closing, r.Stream, r.Version, "there is a receipt of another history")
	v.report.Receipts++
	r.Version--
	return r, true
}

// signed reads a receipt with the key of the server that wrote the record, or of one that had the table before.
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

// fits checks a receipt against the chain.
func (v *verifier) fits(r events.Receipt, line string) {
	i, ok := v.find(r.Stream, r.Version)
	mustAt(r.Table == v.f.Header.Table, r.Stream, r.Version, "receipt %.60s… is of another table", line)
	mustAt(ok, r.Stream, r.Version, "there is a receipt of a version that the record does not hold: it was cut off")
	v.must(v.f.Events[i].Hash == r.Hash, i, "there is a receipt of another history")
}

// cover notes what a receipt proves: its stream up to its version, what that stream forked from, and the table up to
// the event that opened the line.
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

// later reports what comes after the last receipt.
func (v *verifier) later(covered map[events.Name]uint64) {
	for _, s := range v.f.Header.Streams {
		if s.Table != v.f.Header.Table || v.last[s.Name] <= covered[s.Name] {
			continue
		}
		from := max(covered[s.Name], s.Fork) + 1
		v.report.skip(OpenReceipts, "versions %d to %d of stream %s come after the last receipt: only "+
			"the hashes speak for them", from, v.last[s.Name], s.Name)
	}
}
