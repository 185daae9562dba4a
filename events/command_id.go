package events

import (
	"crypto/hmac"
	"crypto/sha256"
)

// A caller at a door chooses the command's id, and may choose any. So nobody must be able to guess or take an id that
// the house itself will need: the house's own ids are keyed digests of their cause, those of doors are keyed digests
// of what was sent, and one bit separates the two. Older logs hold both unkeyed (see Derive), so a look-up tries that
// id too.

// ownBit in an id's first byte marks the command as the house's own.
const ownBit = 0x80

// Cause is what one of the house's own commands follows from, so that it runs once however often it is tried.
type Cause struct {
	purpose string
	of      [][]byte
}

// Because names a cause: the command's purpose and the facts that tell this cause from others.
func Because(purpose string, of ...[]byte) Cause { return Cause{purpose, of} }

// Derive makes 16 bytes from a purpose and facts that anybody may know. Before ids were keyed, this was the id of the
// command. Doors still send it for a name that is not an id.
func Derive(purpose string, cause ...[]byte) CommandID {
	h := sha256.New()
	field(h, []byte("posthorn-command "+purpose))
	for _, c := range cause {
		field(h, c)
	}
	return CommandID(h.Sum(nil)[:16])
}

// CommandIDs are the ids a command is found under: the one it is logged with, and the one it would have had before
// ids were keyed.
type CommandIDs struct {
	Now, Before CommandID
	Own         bool
}

// Asked returns the ids of a command that came through a door with an id.
func (k *Keys) Asked(id CommandID) CommandIDs {
	m := hmac.New(sha256.New, k.For("command of a door"))
	_, _ = m.Write(id[:])
	now := CommandID(m.Sum(nil)[:16])
	now[0] &^= ownBit
	return CommandIDs{Now: now, Before: id}
}

// Own returns the ids of one of the house's own commands.
func (k *Keys) Own(c Cause) CommandIDs {
	before := Derive(c.purpose, c.of...)
	m := hmac.New(sha256.New, k.For("command of the house"))
	_, _ = m.Write(before[:])
	now := CommandID(m.Sum(nil)[:16])
	now[0] |= ownBit
	return CommandIDs{Now: now, Before: before, Own: true}
}
