package domain

// Forced belongs to a rulebook in which public knowledge alone may leave a seat a single move: rolling the dice, for whoever holds no
// card that could be played before.
type Forced interface {
	// Forced gives the one legal move of a decision, where everybody can see that there is no other: it follows from a
	// spectator's view, so that being played at once tells nothing. False where any hidden thing could allow another, and
	// where a form could be filled in.
	Forced(v View, d Decision) (Move, bool)
}
