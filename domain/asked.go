package domain

// Asked belongs to a rulebook in which one kind of decision asks for different things as a turn goes on: first the
// dice, then whether to build.
type Asked interface {
	// Asked returns the catalogue's word for what an awaited decision asks now: "await.KIND", or "await.KIND." plus a
	// suffix. It depends only on what everybody knows.
	Asked(s State, d Decision) string
}

// Stopped belongs to a rulebook whose views show what is played next, such as a tile to place.
type Stopped interface {
	// Stopped returns the view of a position at which the game was broken off, without what nobody will play any more.
	// It does not change v.
	Stopped(v View) View
}

// WhatIsAsked returns the catalogue's word for what an awaited decision asks now.
func WhatIsAsked(rb Rulebook, s State, d Decision) string {
	if a := rb.Extras().Asked; a != nil {
		return a.Asked(s, d)
	}
	return "await." + d.Kind
}
