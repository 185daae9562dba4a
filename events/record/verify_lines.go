package record

import (
	"bytes"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// origins checks that each of the table's lines was opened by an event of the table.
func (v *verifier) origins() error {
	for _, l := range v.table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return &Fault{What: "line " + l.Name + ": " + err.Error()}
		}
		s, ok := v.streams[name]
		if !ok {
			continue // decided, and not opened yet when the record was written
		}
		if s.Fork != l.Fork || s.Parent.String() != l.Parent && !(s.Parent.IsZero() && l.Parent == "") {
			return &Fault{Line: 1, Stream: name, What: "line " + l.Name + " forks elsewhere than the table says"}
		}
		i, ok := v.at[place{name, s.Fork + 1}]
		if !ok {
			return &Fault{Line: 1, Stream: name, What: "line " + l.Name + " has no first event"}
		}
		cause, ok := v.at[place{v.f.Header.Table, l.Since}]
		rec := v.f.Events[i].record()
		meta, err := events.ReadMeta(&rec)
		if err != nil || !ok || meta.Opened == nil || *meta.Opened != v.f.Events[cause].Hash {
			return v.fault(i, "the line does not name the table's event that opened it")
		}
		if s.Parent.IsZero() && s.Origin != v.f.Events[cause].Hash {
			return v.fault(i, "the line does not start from the table's event that opened it")
		}
	}
	return nil
}

// replay judges every move again with the luck that follows from the seed.
func (v *verifier) replay(rb domain.Rulebook) error {
	for _, l := range v.table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return &Fault{What: err.Error()}
		}
		if _, ok := v.streams[name]; !ok {
			continue
		}
		if err := v.replayLine(rb, l, name); err != nil {
			return err
		}
	}
	return nil
}

var errHidden = errors.New("hidden")

func (v *verifier) replayLine(rb domain.Rulebook, l domain.TableLine, name events.Name) error {
	line := domain.NewLine(rb, v.table.SourceOf(l))
	head := v.f.Header.Streams
	last := uint64(0)
	for _, s := range head {
		if s.Name == name {
			last = v.lastOf(name)
		}
	}
	for version := uint64(1); version <= last; version++ {
		i, ok := v.find(name, version)
		if !ok {
			return &Fault{Stream: name, Version: version, What: "the version is missing"}
		}
		e, played, err := v.decode(rb, i)
		if errors.Is(err, errHidden) {
			v.skip(fmt.Sprintf("line %s stands on secrets of another table: its luck and moves were not checked", name))
			return nil
		}
		if err != nil {
			return v.fault(i, "%v", err)
		}
		if !played {
			line.Skip()
			continue
		}
		if version > l.Fork {
			if err := v.judge(rb, line, i, &e); err != nil {
				return err
			}
		}
		line.Apply(&e)
	}
	return nil
}

func (v *verifier) lastOf(name events.Name) uint64 {
	last := uint64(0)
	for p := range v.at {
		if p.stream == name {
			last = max(last, p.version)
		}
	}
	return last
}

func (v *verifier) decode(rb domain.Rulebook, i int) (domain.Event, bool, error) {
	e := &v.f.Events[i]
	if e.Type == events.TypeForked {
		return domain.Event{}, false, nil
	}
	var parts []domain.SecretBytes
	for _, p := range e.Parts {
		if p.Text == nil {
			return domain.Event{}, false, errHidden
		}
		parts = append(parts, domain.SecretBytes{To: p.To, Data: []byte(*p.Text)})
	}
	typ, ok := bytes.CutPrefix([]byte(e.Type), []byte(rb.Name()+"."))
	if !ok {
		return domain.Event{}, false, fmt.Errorf("%q is not of %s", e.Type, rb.Name())
	}
	ev, err := rb.Codec().Decode(string(typ), e.Data, parts)
	return ev, true, err
}
