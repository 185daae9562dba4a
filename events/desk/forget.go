package desk

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

type forgotten struct {
	Person domain.PersonID `json:"person"`
}

type withdrawn struct {
	Person domain.PersonID `json:"person"`
	Epoch  uint32          `json:"epoch"` // of the passes that are good from then on
}

// houseName is the name of the house stream, which concerns no table.
func (d *Desk) houseName() events.Name { return d.keys.HouseStream() }

// Forget notes that a person is to be forgotten, once, however often it is called. The keeper of names and addresses
// acts on it (see Forgotten).
func (d *Desk) Forget(ctx context.Context, a events.Actor, person domain.PersonID) error {
	if err := d.noteHouse(ctx, a, events.Because("forget", []byte(person)), "forget "+string(person),
		events.TypeForgotten,
		forgotten{person}); err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	return nil
}

// Withdraw notes that a person's passes are good only from an epoch on. The keeper of the epochs acts on it (see
// Withdrawn).
func (d *Desk) Withdraw(ctx context.Context, a events.Actor, person domain.PersonID, epoch uint32) error {
	because := events.Because("withdraw", []byte(person), binary.BigEndian.AppendUint32(nil, epoch))
	if err := d.noteHouse(ctx, a, because, fmt.Sprintf("withdraw %s %d", person, epoch), events.TypeWithdrawn,
		withdrawn{person, epoch}); err != nil {
		return fmt.Errorf("withdraw a person's passes: %w", err)
	}
	return nil
}

// noteHouse appends to the house stream, once for each command.
func (d *Desk) noteHouse(ctx context.Context, a events.Actor, because events.Cause, wish, typ string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("marshal %s: %w", typ, err)
	}
	name, id := d.houseName(), d.keys.Own(because)
	for range tries {
		draft := events.Draft{Stream: name, Command: id, Type: typ, Codec: "json", At: d.stamp(),
			Meta: d.meta(a, id, wish).Bytes(), Data: data}
		head, err := d.log.Head(ctx, name)
		switch {
		case errors.Is(err, events.ErrNoStream):
			draft.Open = &events.Stream{Name: name, Kind: events.KindHouse, Table: name}
		case err != nil:
			return err
		default:
			draft.Expect = head.Version
		}
		_, err = d.log.Append(ctx, draft)
		var dup *events.Duplicate
		var conflict *events.Conflict
		switch {
		case err == nil || errors.As(err, &dup):
			return nil
		case !errors.As(err, &conflict):
			return err
		}
	}
	return errors.New("too busy")
}

// Forgotten lists everybody who was ever forgotten.
func (d *Desk) Forgotten(ctx context.Context) ([]domain.PersonID, error) {
	var out []domain.PersonID
	err := readHouse(ctx, d, events.TypeForgotten, func(f forgotten) { out = append(out, f.Person) })
	return out, err
}

// Withdrawn lists everybody who ever withdrew their passes, with the epoch from which passes are good.
func (d *Desk) Withdrawn(ctx context.Context) (map[domain.PersonID]uint32, error) {
	out := map[domain.PersonID]uint32{}
	err := readHouse(ctx, d, events.TypeWithdrawn, func(w withdrawn) { out[w.Person] = max(out[w.Person], w.Epoch) })
	return out, err
}

// readHouse reads the house stream's events of a type.
func readHouse[T any](ctx context.Context, d *Desk, typ string, each func(T)) error {
	recs, err := d.log.Load(ctx, d.houseName(), 0, 0)
	if errors.Is(err, events.ErrNoStream) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", typ, err)
	}
	for i := range recs {
		if recs[i].Type != typ {
			continue
		}
		var e T
		if err := json.Unmarshal(recs[i].Data, &e); err != nil {
			return fmt.Errorf("%s at position %d: %w", typ, recs[i].Pos, err)
		}
		each(e)
	}
	return nil
}
