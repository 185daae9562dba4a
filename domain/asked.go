package domain

// Asked belongs to a rulebook in which one kind of decision asks for different things as a turn goes on: first the dice,
// then whether to build.
type Asked interface {
	// Asked gives the catalogue's word for what a decision that is awaited asks now: "await.KIND", or "await.KIND." and
	// something. It follows from what everybody knows.
	Asked(s State, d Decision) string
}

// Stopped belongs to a rulebook whose views show what is to be played next, such as a tile that is to be placed.
type Stopped interface {
	// Stopped is a view of a position at which the game was broken off: of what nobody plays any more it shows nothing. The
	// view that it is made of stays as it is.
	Stopped(v View) View
}

// WhatIsAsked gives the catalogue's word for what a decision that is awaited asks now.
func WhatIsAsked(rb Rulebook, s State, d Decision) string {
	if a := rb.Extras().Asked; a != nil {
		return a.Asked(s, d)
	}
	return "await." + d.Kind
}
