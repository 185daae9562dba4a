package events

import (
	"encoding/json"
	"fmt"
	"strings"

	"posthorn/domain"
)

// DecodeTable reads a table's event. With keys, the seed in its first event is read too.
func DecodeTable(r *Record, keys *Keys) (domain.TableEvent, error) {
	e, ok := domain.NewTableEvent(r.Type)
	if !ok {
		return nil, fmt.Errorf("position %d: no table event %q", r.Pos, r.Type)
	}
	if err := json.Unmarshal(r.Data, e); err != nil {
		return nil, fmt.Errorf("position %d, %s: %w", r.Pos, r.Type, err)
	}
	if o, ok := e.(*domain.Opened); ok && keys != nil && len(r.Parts) > 0 {
		_, text, err := keys.Unseal(r, 0)
		if err != nil {
			return nil, fmt.Errorf("seed at position %d: %w", r.Pos, err)
		}
		if err := o.Seed.UnmarshalText(text); err != nil {
			return nil, fmt.Errorf("seed at position %d: %w", r.Pos, err)
		}
	}
	return e, nil
}

// FoldTable applies records of a table's stream to it.
func FoldTable(t *domain.Table, records []Record, keys *Keys) error {
	for i := range records {
		e, err := DecodeTable(&records[i], keys)
		if err != nil {
			return err
		}
		t.Apply(e)
		if err := NoteProposalDue(t, &records[i]); err != nil {
			return err
		}
	}
	return nil
}

// PlayType is the name under which a rulebook's event is logged: with the points counted after it or without.
func PlayType(rb domain.Rulebook, e *domain.Event) string {
	return rb.Name() + "." + rb.Codec().Name(e)
}

// DecodePlay reads an event of play. Secret parts are read if keys are given and the
// audience admits the viewer; the others come back empty. ok is false for the opening of a
// forked line, which is no event of play.
func DecodePlay(rb domain.Rulebook, r *Record, keys *Keys, viewer domain.Viewer) (e domain.Event, ok bool, err error) {
	if r.Type == TypeForked {
		return e, false, nil
	}
	typ, found := strings.CutPrefix(r.Type, rb.Name()+".")
	if !found {
		return e, false, fmt.Errorf("position %d: %q is not of %s", r.Pos, r.Type, rb.Name())
	}
	parts := make([]domain.SecretBytes, 0, len(r.Parts))
	for n, p := range r.Parts {
		part := domain.SecretBytes{To: p.To}
		if keys != nil && p.To.Admits(viewer) {
			if _, part.Data, err = keys.Unseal(r, n); err != nil {
				return e, false, err
			}
		}
		parts = append(parts, part)
	}
	e, err = rb.Codec().Decode(typ, r.Data, parts)
	if err != nil {
		return e, false, fmt.Errorf("position %d: %w", r.Pos, err)
	}
	return e, true, nil
}

// FoldLine applies records of a line to it, secrets and all.
func FoldLine(l *domain.Line, records []Record, keys *Keys) error {
	var event domain.Event // one for all: what it says is kept, itself it is not
	for i := range records {
		e, ok, err := DecodePlay(l.Rulebook, &records[i], keys, domain.Referee)
		switch event = e; {
		case err != nil:
			return err
		case ok:
			l.Apply(&event)
		default:
			l.Skip()
		}
	}
	return nil
}
