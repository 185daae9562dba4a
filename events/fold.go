package events

import (
	"fmt"
	"strings"

	"posthorn/domain"
)

// DecodeTable reads a table's event. With keys, it also reads the seed in the table's first event.
func DecodeTable(r *Record, keys *Keys) (domain.TableEvent, error) {
	e, err := domain.ReadTableEvent(r.Type, r.Data)
	if err != nil {
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

// PlayType returns the name under which a rulebook's event is logged: with the points counted after it, or without.
func PlayType(rb domain.Rulebook, e *domain.Event) string {
	return rb.Name() + "." + rb.Codec().Name(e)
}

// DecodePlay reads an event of play. It reads secret parts if keys are given and the audience admits the viewer; the
// others come back empty. ok is false for the opening of a forked line, which is no event of play.
func DecodePlay(rb domain.Rulebook, r *Record, keys *Keys, viewer domain.Viewer) (e domain.Event, ok bool, err error) {
	played, err := new(Decoder).Decode(rb, r, keys, viewer)
	if played != nil {
		e = *played
	}
	return e, played != nil, err
}

// Decoder holds the memory that events are decoded into, one after the other. An event is good only until the next;
// what it says stays valid.
type Decoder struct {
	event domain.Decoder
	parts []domain.SecretBytes
	opened
}

// Decode is DecodePlay, but returns nil for the opening of a forked line.
func (o *Decoder) Decode(rb domain.Rulebook, r *Record, keys *Keys, viewer domain.Viewer) (*domain.Event, error) {
	if r.Type == TypeForked {
		return nil, nil
	}
	typ, found := strings.CutPrefix(r.Type, rb.Name()+".")
	if !found {
		return nil, fmt.Errorf("position %d: %q is not of %s", r.Pos, r.Type, rb.Name())
	}
	o.parts = o.parts[:0]
	o.clear()
	for n, p := range r.Parts {
		part := domain.SecretBytes{To: p.To}
		if keys != nil && p.To.Admits(viewer) {
			var err error
			if _, part.Data, err = keys.unseal(&o.opened, r, n); err != nil {
				return nil, err
			}
		}
		o.parts = append(o.parts, part)
	}
	e, err := o.event.Decode(rb.Codec(), typ, r.Data, o.parts)
	if err != nil {
		return nil, fmt.Errorf("position %d: %w", r.Pos, err)
	}
	return e, nil
}

// FoldLine applies records of a line to it, including secrets.
func FoldLine(l *domain.Line, records []Record, keys *Keys) error {
	var d Decoder
	for i := range records {
		if err := d.Fold(l, &records[i], keys); err != nil {
			return err
		}
	}
	return nil
}

// Fold applies one record to a line.
func (o *Decoder) Fold(l *domain.Line, r *Record, keys *Keys) error {
	e, err := o.Decode(l.Rulebook, r, keys, domain.Referee)
	switch {
	case err != nil:
		return err
	case e != nil:
		l.Apply(e)
	default:
		l.Skip()
	}
	return nil
}
