package events

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"posthorn/domain"
)

// TypeForgotten is the event that a person was forgotten. It is applied again at every
// start, so that a restored backup brings nobody back.
const TypeForgotten = "person.forgotten.v1"

type forgotten struct {
	Person domain.PersonID `json:"person"`
}

// houseName is the stream of what concerns no table.
func (d *Desk) houseName() Name { return Name(d.keys.For("house stream")[:16]) }

// Forget notes that a person is to be forgotten. It is done once, however often it is asked
// for. Whoever keeps names and addresses acts on it (see Forgotten).
func (d *Desk) Forget(ctx context.Context, a Actor, person domain.PersonID) error {
	data, err := json.Marshal(forgotten{person})
	if err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	name := d.houseName()
	for range tries {
		draft := Draft{Stream: name, Command: Derive("forget", []byte(person)), Type: TypeForgotten, Codec: "json",
			At: d.stamp(), Meta: d.meta(a, "forget "+string(person)).bytes(), Data: data}
		head, err := d.log.Head(ctx, name)
		switch {
		case errors.Is(err, ErrNoStream):
			draft.Open = &Stream{Name: name, Kind: KindHouse, Table: name}
		case err != nil:
			return fmt.Errorf("forget a person: %w", err)
		default:
			draft.Expect = head.Version
		}
		_, err = d.log.Append(ctx, draft)
		var dup *Duplicate
		var conflict *Conflict
		switch {
		case err == nil || errors.As(err, &dup):
			return nil
		case !errors.As(err, &conflict):
			return fmt.Errorf("forget a person: %w", err)
		}
	}
	return errors.New("forget a person: too busy")
}

// Forgotten lists everybody who was ever forgotten.
func (d *Desk) Forgotten(ctx context.Context) ([]domain.PersonID, error) {
	recs, err := d.log.Load(ctx, d.houseName(), 0, 0)
	if errors.Is(err, ErrNoStream) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("who was forgotten: %w", err)
	}
	var out []domain.PersonID
	for i := range recs {
		if recs[i].Type != TypeForgotten {
			continue
		}
		var f forgotten
		if err := json.Unmarshal(recs[i].Data, &f); err != nil {
			return nil, fmt.Errorf("who was forgotten, position %d: %w", recs[i].Pos, err)
		}
		out = append(out, f.Person)
	}
	return out, nil
}
