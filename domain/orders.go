package domain

// StandingOrders belong to a rulebook whose seats may say beforehand what they answer, so that nobody waits for a mail that could have been answered already. An
// order is kept as text in its canonical form, private to its seat, beside the line; the
// move it makes is played like any other, and may be refused like any other.
type StandingOrders interface {
	// ReadOrder reads an order as people type it and gives its canonical form, seats by
	// letter. A *Refusal if it cannot be read.
	ReadOrder(text string, names []string) (order string, err error)
	// ShowOrder writes a canonical order with the seats' names.
	ShowOrder(order string, names []string) string
	// TellOrder says a canonical order in sentences.
	TellOrder(order string) []Say
	// Obey gives the move that a seat's orders make for a decision awaited of it; false if
	// none does. The view is the seat's own: an order knows nothing that its seat does not.
	Obey(orders []string, d Decision, v View) (Obeyed, bool)
	// OrderForms are the orders that a seat may put together on its page instead of typing them;
	// often none. The view is the seat's own; a form's Pattern gives an order as ReadOrder reads
	// it, seats by letter.
	OrderForms(v View) []Form
}

// Obeyed is a move that a standing order made.
type Obeyed struct {
	Move  Move
	Order int    // which of the orders made it
	Left  string // what stands of that order once the move is played; "" if it is used up
}
