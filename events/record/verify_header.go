package record

import (
	"posthorn/domain"
	"posthorn/events"
)

// header checks what the header says of table and streams against what the table's own
// events say: whose lines they are, what is played, where they fork.
func (v *verifier) header() error {
	h := &v.f.Header
	if h.Rulebook != v.table.Rulebook || h.Edition != v.table.Edition {
		return &Fault{Line: 1, Stream: h.Table, Version: 1, What: "the header names another game or edition than the table's opening"}
	}
	for _, s := range h.Streams {
		fault := func(what string) error { return streamFault(s.Name, s.Fork+1, "%s", what) }
		switch {
		case s.Rulebook != v.table.Rulebook:
			return fault("the stream is said to be of another game than the table's")
		case s.Name == h.Table && (s.Kind != events.KindTable || s.Table != h.Table || !s.Parent.IsZero() || s.Origin != events.Hash{}):
			return fault("what the record says of the table's stream is not so")
		case s.Name == h.Table:
		case s.Kind != events.KindLine:
			return fault("the stream is said to be no line of play")
		case s.Table == h.Table && v.line(s.Name.String()) == nil:
			return fault("no event of the table opened this line")
		case s.Table != h.Table && !v.ancestor(s.Name):
			return fault("the stream is of another table, and nothing here was branched from it")
		case !s.Parent.IsZero() && s.Origin != events.Hash{}:
			return fault("a forked line starts from its parent alone")
		}
	}
	if err := v.sealed(); err != nil {
		return err
	}
	return v.branch()
}

// sealed checks that what is said to be a handover is one. Of a handover the event that closed the
// table is missing, so a record that could say so of itself could hide its own end.
func (v *verifier) sealed() error {
	if !v.f.Header.Handover || v.f.opened {
		return nil
	}
	for i := range v.f.Events {
		for n, p := range v.f.Events[i].Parts {
			if p.Text != nil || p.Sealed == nil {
				return v.fault(i, "secret part %d is not sealed for another server: this is no handover", n)
			}
		}
	}
	return nil
}

// branch checks that the line the table was branched from is of the table that it names.
func (v *verifier) branch() error {
	b := v.table.Branch
	if b == nil || len(v.table.Lines) == 0 {
		return nil
	}
	name, err := events.ParseName(b.Line)
	if err != nil {
		return &Fault{Line: 1, Stream: v.f.Header.Table, Version: 1, What: "branched from " + b.Line + ": " + err.Error()}
	}
	s, ok := v.streams[name]
	first, _ := events.ParseName(v.table.Lines[0].Name)
	if _, opened := v.streams[first]; opened && (!ok || s.Table.String() != b.Table) {
		return &Fault{Line: 1, Stream: v.f.Header.Table, Version: 1, What: "the line it was branched from is not of the table that it names"}
	}
	return nil
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
