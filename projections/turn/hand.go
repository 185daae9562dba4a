package turn

import "posthorn/domain"

// Hand draws what lies beside the board, as the viewer may see it; ok is false where the
// game has nothing there.
func (mod *Model) Hand() (s domain.Scene, ok bool) {
	h, can := mod.rulebook.(domain.Hand)
	if !can || mod.view == nil {
		return s, false
	}
	return h.Hand(mod.view)
}
