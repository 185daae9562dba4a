package record

import (
	"bytes"
	"encoding/json"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// typeOpened is the event whose secret part is the seed, and no JSON.
var typeOpened = domain.TableEventType(&domain.Opened{})

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
		v.must(plainJSON(e.Data) && plainJSON(e.Meta), i, "something is said twice in it, so that one reader may read what another does not")
		v.must(e.Codec == "json", i, "%q is no way in which events are written", e.Codec)
		if s.Table == v.f.Header.Table {
			v.must(e.Command != events.CommandID{} && !commands[e.Command], i, "its command was done before at this table")
			commands[e.Command] = true
		}
		v.last[e.Stream] = e.Version
		v.at[place{e.Stream, e.Version}] = i
		v.report.Events++
	}
	for _, s := range v.f.Header.Streams {
		mustAt(s.Table != v.f.Header.Table || v.last[s.Name] > 0, s.Name, s.Fork+1, "the record holds no event of this stream")
	}
}

// ancestry checks what the header says of the streams by itself.
func (v *verifier) ancestry() {
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

// holds tells whether the record has an event itself, under that hash.
func (v *verifier) holds(stream events.Name, version uint64, hash events.Hash) bool {
	i, ok := v.at[place{stream, version}]
	return ok && v.f.Events[i].Hash == hash
}

// secrets checks the parts that are open against their digests.
func (v *verifier) secrets() {
	for i, e := range v.each() {
		for n, p := range e.Parts {
			if p.Text == nil {
				v.report.Hidden++
				continue
			}
			v.must(len(p.Salt) == 32 && events.PartDigest([32]byte(p.Salt), []byte(*p.Text)) == p.Digest, i, "secret part %d does not fit its digest", n)
			v.must(plainJSON([]byte(*p.Text)) || e.Type == typeOpened, i, "something is said twice in secret part %d, so that one reader may read what another does not", n)
			v.report.Secrets++
		}
	}
}

// plainJSON tells whether a text is one JSON value in which no object names a member twice, be it in
// other letters: of two, some readers take the first and some the last.
func plainJSON(text []byte) bool {
	return json.Valid(text) && plainValue(json.NewDecoder(bytes.NewReader(text)))
}

// plainValue is plainJSON of the next value of a valid text.
func plainValue(d *json.Decoder) bool {
	open, err := d.Token()
	if _, nested := open.(json.Delim); !nested || err != nil {
		return err == nil
	}
	names := map[string]bool{}
	for d.More() {
		if open == json.Delim('{') {
			t, _ := d.Token()
			name, _ := t.(string)
			if name = strings.ToLower(name); names[name] {
				return false
			}
			names[name] = true
		}
		if !plainValue(d) {
			return false
		}
	}
	_, err = d.Token()
	return err == nil
}

// header checks what the header says of table and streams against what the table's own
// events say: whose lines they are, what is played, where they fork.
func (v *verifier) header() {
	h := &v.f.Header
	mustAt(h.Rulebook == v.table.Rulebook && h.Edition == v.table.Edition, h.Table, 1, "the header names another game or edition than the table's opening")
	for _, s := range h.Streams {
		must := func(holds bool, what string) { mustAt(holds, s.Name, s.Fork+1, "%s", what) }
		must(s.Rulebook == v.table.Rulebook, "the stream is said to be of another game than the table's")
		if s.Name == h.Table {
			must(s.Kind == events.KindTable && s.Table == h.Table && s.Parent.IsZero() && s.Origin == events.Hash{}, "what the record says of the table's stream is not so")
			continue
		}
		must(s.Kind == events.KindLine, "the stream is said to be no line of play")
		must(s.Table != h.Table || v.line(s.Name.String()) != nil, "no event of the table opened this line")
		must(s.Table == h.Table || v.ancestor(s.Name), "the stream is of another table, and nothing here was branched from it")
		must(s.Parent.IsZero() || s.Origin == events.Hash{}, "a forked line starts from its parent alone")
	}
}

// sealed checks that what is said to be a handover is one. Of a handover the event that closed the
// table is missing, so a record that could say so of itself could hide its own end.
func (v *verifier) sealed() {
	if !v.f.Header.Handover || v.f.opened {
		return
	}
	for i, e := range v.each() {
		for n, p := range e.Parts {
			v.must(p.Text == nil && p.Sealed != nil, i, "secret part %d is not sealed for another server: this is no handover", n)
		}
	}
}

// branch checks that the line the table was branched from is of the table that it names.
func (v *verifier) branch() {
	b := v.table.Branch
	if b == nil || len(v.lines) == 0 {
		return
	}
	name, err := events.ParseName(b.Line)
	mustAt(err == nil, v.f.Header.Table, 1, "branched from %s: %v", b.Line, err)
	s, ok := v.streams[name]
	_, opened := v.streams[v.lines[0].name]
	mustAt(!opened || ok && s.Table.String() == b.Table, v.f.Header.Table, 1, "the line it was branched from is not of the table that it names")
}

// line is a line of the table by its name, nil if it has none such.
func (v *verifier) line(name string) *domain.TableLine {
	for i := range v.table.Lines {
		if v.table.Lines[i].Name == name {
			return &v.table.Lines[i]
		}
	}
	return nil
}

// ancestor tells whether one of the table's lines goes on from a stream.
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
