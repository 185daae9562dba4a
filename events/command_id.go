package events

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Whoever gives a command through a door chooses its id, and may choose any. An id that the house
// itself will need must therefore be neither guessed nor taken: the house's own ids are keyed
// digests of their cause, those of doors are keyed digests of what was sent, and one bit keeps the
// two apart. Before that both stood in the log as they were (see Derive), so a look-up tries that
// id too.

// ownBit of an id's first byte says that the command is the house's own.
const ownBit = 0x80

// Cause is what a command of the house itself follows from, so that it is done once however
// often it is tried.
type Cause struct {
	purpose string
	of      [][]byte
}

// Because names a cause: what the command is for, and the facts that make it this one.
func Because(purpose string, of ...[]byte) Cause { return Cause{purpose, of} }

// Derive makes 16 bytes from a purpose and facts that anybody may know. It was the id of what
// follows from them before ids were keyed, and is what a door sends for a name that is none.
func Derive(purpose string, cause ...[]byte) CommandID {
	h := sha256.New()
	field(h, []byte("posthorn-command "+purpose))
	for _, c := range cause {
		field(h, c)
	}
	return CommandID(h.Sum(nil)[:16])
}

// commandIDs are how a command is found: under the id that it is logged with, and the one that
// it was logged with before ids were keyed.
type commandIDs struct {
	now, before CommandID
	own         bool
}

// asked gives the ids of a command that came through a door with an id.
func (k *Keys) asked(id CommandID) commandIDs {
	m := hmac.New(sha256.New, k.For("command of a door"))
	_, _ = m.Write(id[:])
	now := CommandID(m.Sum(nil)[:16])
	now[0] &^= ownBit
	return commandIDs{now: now, before: id}
}

// own gives the ids of a command of the house itself.
func (k *Keys) own(c Cause) commandIDs {
	before := Derive(c.purpose, c.of...)
	m := hmac.New(sha256.New, k.For("command of the house"))
	_, _ = m.Write(before[:])
	now := CommandID(m.Sum(nil)[:16])
	now[0] |= ownBit
	return commandIDs{now: now, before: before, own: true}
}

// OwnID is the id with which what the house does for a cause is logged.
func (k *Keys) OwnID(c Cause) CommandID { return k.own(c).now }

// LoggedAs tells which id a door's command has in the log.
func (k *Keys) LoggedAs(id CommandID) CommandID { return k.asked(id).now }

// Done finds what a door's command did at a table; ok is false if it has done nothing.
func (d *Desk) Done(ctx context.Context, table Name, id CommandID) (rec Record, ok bool, err error) {
	ids := d.keys.asked(id)
	for _, id := range []CommandID{ids.now, ids.before} {
		if rec, ok, err = d.found(ctx, table, id); ok || err != nil {
			return rec, ok, err
		}
	}
	return Record{}, false, nil
}

func (d *Desk) found(ctx context.Context, table Name, id CommandID) (Record, bool, error) {
	rec, err := d.log.Find(ctx, table, id)
	if errors.Is(err, ErrNoRecord) || errors.Is(err, ErrNoStream) {
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, fmt.Errorf("find command: %w", err)
	}
	return rec, true, nil
}
