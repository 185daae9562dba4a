package turn

import (
	"encoding/binary"

	"posthorn/domain"
	"posthorn/domain/standin"
)

// hinted finds the keys of a sound move: the one the steady stand-in would make, which knows
// no more than the seat does. The same situation gives the same hint.
func (mod *Model) hinted(state domain.State) func() []string {
	rb, seat, seed := mod.rulebook, mod.Seat, binary.BigEndian.Uint64(mod.Head.Hash[:8])
	return func() []string {
		m, ok := standin.Steady{}.Choose(standin.Look(rb, state, seat, seed))
		if !ok {
			return nil
		}
		keys, _ := mod.KeysOf(m)
		return keys
	}
}

// MayHint tells whether the asker may be shown a sound move: where nobody plays against them.
func (mod *Model) MayHint() bool { return mod.hint != nil }

// Hint is the keys of a sound move, for Choose; nil where there is none or it may not be shown.
func (mod *Model) Hint() []string {
	if mod.hint == nil {
		return nil
	}
	return mod.hint()
}
