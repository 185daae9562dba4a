package events

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
)

// Who is banned is in the log as well, so that it is known who did it and when, and a restored backup of
// people.db lets nobody in again.
const (
	// TypeBanned is the event that a host keeps a person out of the house.
	TypeBanned = "person.banned.v1"
	// TypeUnbanned is the event that a host lets them in again.
	TypeUnbanned = "person.unbanned.v1"
)

// HouseTypes are the types of event in the stream of what concerns no table.
var HouseTypes = []string{TypeForgotten, TypeWithdrawn, TypeBanned, TypeUnbanned, TypeTookOver}

type banned struct {
	Person domain.PersonID `json:"person"`
	Reason []byte          `json:"reason,omitempty"` // encrypted with their key, for those who run the house
}

type unbanned struct {
	Person domain.PersonID `json:"person"`
}

// Ban is how it stands with somebody who was ever banned.
type Ban struct {
	Now    bool // or they were let in again
	At     time.Time
	Reason []byte // encrypted
	times  uint32 // how often they were banned
}

// Ban notes that a person is kept out, and why, encrypted. Nothing happens if they are. Whoever knows
// people acts on it (see Bans).
func (d *Desk) Ban(ctx context.Context, a Actor, person domain.PersonID, reason []byte) error {
	return d.noteBan(ctx, a, person, true, TypeBanned, banned{person, reason})
}

// Unban notes that a person is let in again. Nothing happens if they are not banned.
func (d *Desk) Unban(ctx context.Context, a Actor, person domain.PersonID) error {
	return d.noteBan(ctx, a, person, false, TypeUnbanned, unbanned{person})
}

func (d *Desk) noteBan(ctx context.Context, a Actor, person domain.PersonID, out bool, typ string, body any) error {
	all, err := d.Bans(ctx)
	if err != nil || all[person].Now == out {
		return err
	}
	because := Because(typ, []byte(person), binary.BigEndian.AppendUint32(nil, all[person].times))
	if err := d.noteHouse(ctx, a, because, typ+" "+string(person), typ, body); err != nil {
		return fmt.Errorf("note %s: %w", typ, err)
	}
	return nil
}

// Bans lists everybody who was ever banned, as it stands with them.
func (d *Desk) Bans(ctx context.Context) (map[domain.PersonID]Ban, error) {
	recs, err := d.log.Load(ctx, d.houseName(), 0, 0)
	if errors.Is(err, ErrNoStream) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read who is banned: %w", err)
	}
	out := map[domain.PersonID]Ban{}
	for i := range recs {
		if recs[i].Type != TypeBanned && recs[i].Type != TypeUnbanned {
			continue
		}
		var e banned
		if err := json.Unmarshal(recs[i].Data, &e); err != nil {
			return nil, fmt.Errorf("%s at position %d: %w", recs[i].Type, recs[i].Pos, err)
		}
		b := Ban{Now: recs[i].Type == TypeBanned, At: recs[i].At, Reason: e.Reason, times: out[e.Person].times}
		if b.Now {
			b.times++
		}
		out[e.Person] = b
	}
	return out, nil
}

// Bar has somebody asked, before each command that a person gives by themselves and each move of their standing orders,
// whether they are banned.
// Call it before the desk is used.
func (d *Desk) Bar(banned func(ctx context.Context, who domain.PersonID) (bool, error)) {
	d.barred = banned
}

// mayAct refuses the commands of whoever is banned: banned.
func (d *Desk) mayAct(ctx context.Context, a Actor) error {
	if !typed(a) {
		return nil
	}
	out, err := d.isBarred(ctx, a.Person)
	if err != nil {
		return err
	}
	if out {
		return domain.Refuse("banned")
	}
	return nil
}

// isBarred reports whether somebody is banned.
func (d *Desk) isBarred(ctx context.Context, who domain.PersonID) (bool, error) {
	if d.barred == nil {
		return false, nil
	}
	out, err := d.barred(ctx, who)
	if err != nil {
		return false, fmt.Errorf("who may act: %w", err)
	}
	return out, nil
}
