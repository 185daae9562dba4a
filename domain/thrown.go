package domain

// Thrown belongs to a rulebook whose events show dice to everybody: what they showed can be compared with luck even
// where nobody may know the position.
type Thrown interface {
	// Thrown reports whether the dice that an event shows are the outcomes of its draws for "dice", in their order.
	Thrown(e *Event, drawn []int) bool
}
