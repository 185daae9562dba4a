package events

import (
	"crypto/hmac"
	"crypto/sha256"
)

// A caller at a door chooses the command's id, and may choose any. So nobody must be able to guess or take an id that
// the house itself will need: the house's own ids are keyed digests of their cause, those of doors are keyed digests
// of what was sent, and one bit separates the two.

// ownBit in an id's first byte marks the command as the house's own.
const ownBit = 0x80

// Cause is what one of the house's own commands follows from, so that it runs once however often it is tried.
type Cause struct {
	purpose string
	of      [][]byte
}

// Because names a cause: the command's purpose and the facts that tell this cause from others.
func Because(purpose string, of ...[]byte) Cause { return Cause{purpose, of} }

// Derive makes 16 bytes from a purpose and facts that anybody may know. Doors send it for a name that is not an id.
func Derive(purpose string, cause ...[]byte) CommandID {
	h := sha256.New()
	field(h, []byte("posthorn-command "+purpose))
	for _, c := range cause {
		field(h, c)
	}
	return CommandID(h.Sum(nil)[:16])
}

// Asked returns the id under which a command is logged that came through a door with an id.
func (k *Keys) Asked(id CommandID) CommandID {
	now := k.keyed("command of a door", id)
	now[0] &^= ownBit
	return now
}

// Own returns the id of one of the house's own commands.
func (k *Keys) Own(c Cause) CommandID {
	now := k.keyed("command of the house", Derive(c.purpose, c.of...))
	now[0] |= ownBit
	return now
}

func (k *Keys) keyed(purpose string, id CommandID) CommandID {
	m := hmac.New(sha256.New, k.For(purpose))
	_, _ = m.Write(id[:])
	return CommandID(m.Sum(nil)[:16])
}

// Own reports whether an id in the log is of one of the house's own commands.
func (id CommandID) Own() bool { return id[0]&ownBit != 0 }
