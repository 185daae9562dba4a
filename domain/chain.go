package domain

// Chain is a series of moves made one after another. A chain of one move is a shorter name for that move.
type Chain struct {
	Moves []Move
	// what several chains have in common, shown once before them: "End the turn and draw from stack"; may be empty
	Group Say
	Label Say  // short: "2"
	Title Say  // the whole of it in words
	Whole bool // with those beside it, it covers all that its first move leads to
}
