package domain

// Chains belongs to a rulebook whose turns end in moves that people usually make one right after another.
type Chains interface {
	// Chains lists the chains that a page offers as one press each, from the seat's own knowledge alone. The first move
	// of each is legal now. The others follow while the seat's decision goes on, and each is judged when its turn
	// comes: a refusal ends the chain, and the page asks what is open.
	Chains(s State, seat Seat) []Chain
}

// Chain is a series of moves made one after another. A chain of one move is a shorter name for that move.
type Chain struct {
	Moves []Move
	// what several chains have in common, shown once before them: "End the turn and draw from stack"; may be empty
	Group Say
	Label Say  // short: "2"
	Title Say  // the whole of it in words
	Whole bool // with those beside it, it covers all that its first move leads to
}
