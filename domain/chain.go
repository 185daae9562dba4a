package domain

// Chains belongs to a rulebook whose turns end in moves that people mostly make one right after the other.
type Chains interface {
	// Chains lists what a page offers to be made by one press, from the seat's own knowledge alone. The first move
	// of each can be made now. Each further one is made while the seat's decision goes on, and judged when its time comes:
	// one that is refused then ends the chain, and the page asks what is open.
	Chains(s State, seat Seat) []Chain
}

// Chain is moves that are made one after the other. Of a single move it is a shorter name for it.
type Chain struct {
	Moves []Move
	Group Say  // what several have in common, said once before them: "End the turn and draw from stack"; may be empty
	Label Say  // short: "2"
	Title Say  // the whole of it in words
	Whole bool // with those beside it, it is all that its first move leads to
}
