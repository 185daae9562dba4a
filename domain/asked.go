package domain

// Asked belongs to a rulebook in which one kind of decision asks for different things as a turn goes on: first the dice,
// then whether to build.
type Asked interface {
	// Asked gives the catalogue's word for what a decision that is awaited asks now: "await.KIND", or "await.KIND." and
	// something. It follows from what everybody knows.
	Asked(s State, d Decision) string
}

// WhatIsAsked gives the catalogue's word for what a decision that is awaited asks now.
func WhatIsAsked(rb Rulebook, s State, d Decision) string {
	if a := rb.Extras().Asked; a != nil {
		return a.Asked(s, d)
	}
	return "await." + d.Kind
}
