package desk

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

type banned struct {
	Person domain.PersonID `json:"person"`
	Reason []byte          `json:"reason,omitempty"` // encrypted with the person's key, for those who run the house
}

type unbanned struct {
	Person domain.PersonID `json:"person"`
}

// Ban is the state of somebody who was ever banned.
type Ban struct {
	Now    bool // false once they were let back in
	At     time.Time
	Reason []byte // encrypted
	times  uint32 // how often they have been banned
}

// Ban notes that a person is banned, and why, encrypted. It does nothing if they already are. The keeper of people
// acts on it (see Bans).
func (d *Desk) Ban(ctx context.Context, a events.Actor, person domain.PersonID, reason []byte) error {
	return d.noteBan(ctx, a, person, true, events.TypeBanned, banned{person, reason})
}

// Unban notes that a person is let back in. It does nothing if they are not banned.
func (d *Desk) Unban(ctx context.Context, a events.Actor, person domain.PersonID) error {
	return d.noteBan(ctx, a, person, false, events.TypeUnbanned, unbanned{person})
}

func (d *Desk) noteBan(ctx context.Context, a events.Actor, person domain.PersonID, out bool, typ string,
	body any) error {
	all, err := d.Bans(ctx)
	if err != nil || all[person].Now == out {
		return err
	}
	because := events.Because(typ, []byte(person), binary.BigEndian.AppendUint32(nil, all[person].times))
	if err := d.noteHouse(ctx, a, because, typ+" "+string(person), typ, body); err != nil {
		return fmt.Errorf("note %s: %w", typ, err)
	}
	return nil
}

// Bans lists everybody who was ever banned, with their current state.
func (d *Desk) Bans(ctx context.Context) (map[domain.PersonID]Ban, error) {
	recs, err := d.log.Load(ctx, d.houseName(), 0, 0)
	if errors.Is(err, events.ErrNoStream) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read who is banned: %w", err)
	}
	out := map[domain.PersonID]Ban{}
	for i := range recs {
		if recs[i].Type != events.TypeBanned && recs[i].Type != events.TypeUnbanned {
			continue
		}
		var e banned
		if err := json.Unmarshal(recs[i].Data, &e); err != nil {
			return nil, fmt.Errorf("%s at position %d: %w", recs[i].Type, recs[i].Pos, err)
		}
		b := Ban{Now: recs[i].Type == events.TypeBanned, At: recs[i].At, Reason: e.Reason, times: out[e.Person].times}
		if b.Now {
			b.times++
		}
		out[e.Person] = b
	}
	return out, nil
}

// Bar sets the check for bans. The desk calls it before each command that a person gives themselves and before each
// move of their standing orders. Call Bar before you use the desk.
func (d *Desk) Bar(banned func(ctx context.Context, who domain.PersonID) (bool, error)) {
	d.barred = banned
}

// mayAct refuses the commands of a banned person: banned.
func (d *Desk) mayAct(ctx context.Context, a events.Actor) error {
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
