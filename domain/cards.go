package domain

// Cards is an optional interface of a rulebook that is played with cards: what they say,
// for whoever reads them on a page or in a mail beside a drawing that is too small for it.
type Cards interface {
	// Cards lists the cards whose faces the view shows, in the order in which they are read:
	// first those of the viewer's own hand, then those on the board.
	Cards(v View) []CardText
}

// CardText is one card that lies somewhere, in words.
type CardText struct {
	Key   string // stable while the card lies there and of its own in the list, fit for an address: "hand-2", "a-0b1"
	Place Say    // where it lies: "In your hand"; cards of one place follow each other
	Label Say    // its name
	Lines []Say  // what it is: kind, cost, points, what it asks for, its effect; a sentence each
	// Not is everything that keeps the viewer from using it now, a sentence each; empty where
	// nothing does, or where it is not theirs to use (a card already in play).
	Not  []Say
	Hand bool   // of the viewer's own hand
	Spot string // the Shape.Spot of the drawing where it lies, or ""
}
