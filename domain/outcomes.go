package domain

// Outcomes belong to a rulebook that can say what chance may bring next, for whoever tries things on a copy and
// would choose it.
type Outcomes interface {
	// Outcomes are forms of what may be dictated before the next move in this view. A form's Pattern gives the words
	// that follow `chance` in a script; its fields are choices. It follows from the view alone: what is offered may
	// turn out to be impossible, and says nothing of what will come.
	Outcomes(v View) []Form
}
