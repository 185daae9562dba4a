package domain

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
