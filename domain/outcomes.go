package domain

// Outcomes belongs to a rulebook that can say what chance may bring next, for people who try things on a copy and want
// to choose.
type Outcomes interface {
	// Outcomes returns forms for what a script may dictate before the next move in this view. A form's Pattern gives
	// the words that follow `chance` in a script; its fields are choices. The forms depend on the view alone: an
	// outcome they offer may turn out to be impossible, and they say nothing about what will come.
	Outcomes(v View) []Form
}
