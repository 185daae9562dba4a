package domain

// Forced belongs to a rulebook in which public knowledge alone can leave a seat a single move: rolling the dice, for a
// seat with no card that could be played first.
type Forced interface {
	// Forced returns the one legal move of a decision if everybody can see that there is no other. It depends only on a
	// spectator's view, so playing it at once reveals nothing. It returns false if anything hidden could allow another
	// move, or if a form could be filled in.
	Forced(v View, d Decision) (Move, bool)
}
