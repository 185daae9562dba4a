package record

import (
	"posthorn/domain"
	"posthorn/events"
)

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
