package domain

// Extras are what only some games have; a field is nil if the game lacks it. They are a value of the rulebook rather
// than type assertions, so that a wrapper around a rulebook passes them on.
type Extras struct {
	// Orders are for a game whose seats may give answers in advance.
	Orders StandingOrders
	// Guide is the rules for people to read.
	Guide *Guide
	// Nights are what the colours of the game's drawings become where a page is dark.
	Nights []Night
	// Usual is how many seats a newcomer's first game against the program has; 0 for the fewest that are not alone.
	Usual int

	// PickLegal counts the moves that Legal yields, asks pick for a number below that, and returns the move with this
	// number in Legal's order, from 0. If there are none, it does not call pick and returns a nil move. It is for
	// callers that want one of many, as simulations do at every move.
	PickLegal func(s State, seat Seat, pick func(n int) int) (m Move, n int)
	// Recall returns an event's whole move, from its secret parts, in a game whose moves may name what others must
	// not know, and so appear in Event.Move with "?". It returns false if a part is redacted, if the event is not a
	// move, or if Event.Move is already whole; the caller then reads Event.Move. See [WholeMove].
	Recall func(e *Event) (Move, bool)
	// Answers lists every move that a seat's bare yes or no may mean, in a game in which seats offer each other
	// something: one for each answer that is open to it, whether or not it can pay. It depends only on what everybody
	// knows.
	Answers func(s State, seat Seat, yes bool) []Move
	// Begins reports whether a move, as people type it, may begin with some words: a caller tells a move that went
	// wrong from talk by it. Names says that they are no verb, but name what a move is about, such as a card.
	Begins func(words string) (begins, names bool)
	// Means returns what a folded word of a move means, the same in every language and form; "" for a word that means
	// nothing, or several things. Words of one meaning are read alike where people repeat what a list shows.
	Means func(word string) string
	// Reword puts the words of the notation for phrases in which people say the same: "throw away" for "discard". It
	// returns a text without any as it is.
	Reword func(text string) string
	// Described returns the moves, legal or not, that a text describes by what they do and not by their names ("1,-2
	// city south and west, knight"), and the others that may be meant; none for a text that describes no move.
	Described func(s State, text string) (fit, others []Move)
	// Facts tells of what people ask about by its name what it costs and does: the same for everybody, at all times.
	Facts func() []Fact
	// Asked returns the catalogue's word for what an awaited decision asks now, in a game where one kind of decision
	// asks for different things as a turn goes on: "await.KIND", or "await.KIND." plus a suffix. It depends only on
	// what everybody knows. See [WhatIsAsked].
	Asked func(s State, d Decision) string
	// Forced returns the one legal move of a decision if everybody can see that there is no other. It depends only on
	// a spectator's view, so playing it at once reveals nothing. It returns false if anything hidden could allow
	// another move, or if a form could be filled in.
	Forced func(v View, d Decision) (Move, bool)
	// Chains lists the chains that a page offers as one press each, from the seat's own knowledge alone. The first
	// move of each is legal now. The others follow while the seat's decision goes on, and each is judged when its
	// turn comes: a refusal ends the chain, and the page asks what is open.
	Chains func(s State, seat Seat) []Chain

	// Reshuffle belongs to a game in which something lies in an order fixed before anybody sees it: a shuffled stack.
	// It makes the event with which a line goes on after a rewind with fresh luck: it shuffles anew whatever no seat
	// knows, every order equally likely. What any seat knows stays as it is, known to the same seats: hands with
	// their owners, a card that somebody put under a stack or looked at in its place. No viewer gains or loses
	// knowledge, and the event depends only on the luck and on what is known. The caller fills in Seat, Draws and
	// Anew (see [Line.Reshuffle]). All draws are unseen.
	Reshuffle func(s State, luck *Luck) Event
	// Uncovered, which a game with Reshuffle has too, counts the hidden cards that a whole event shows to seats that
	// did not know them: drawn, turned up or looked at. S is the state before the event. The count is public, so
	// where only some know whether a seat knew a card, it counts.
	Uncovered func(s State, e *Event) int
	// Thrown reports whether the dice that an event shows to everybody are the outcomes of its draws for "dice", in
	// their order: so they can be compared with luck even where nobody may know the position.
	Thrown func(e *Event, drawn []int) bool
	// Outcomes returns forms for what a script may dictate before the next move in this view, for people who try
	// things on a copy and want to choose. A form's Pattern gives the words that follow `chance` in a script; its
	// fields are choices. The forms depend on the view alone: an outcome they offer may turn out to be impossible,
	// and they say nothing about what will come.
	Outcomes func(v View) []Form

	// Tally returns what everybody may count in a view.
	Tally func(v View) Tally
	// Deeds returns what the viewer may do for a price, whether or not they can now; none for a viewer without a
	// seat.
	Deeds func(v View) []Deed
	// Pictured returns the picture of a word that forms count ("wool"), without symbols; its size is zero if there is
	// none. A [Form] whose amounts all have pictures is put together from them.
	Pictured func(word string) Scene
	// Stopped returns the view of a position at which the game was broken off, without what nobody will play any
	// more, such as a tile to place. It does not change v.
	Stopped func(v View) View
	// Chances returns what chance brought by an event, as everybody saw it, and what was expected. S is the state
	// before the event; only what everybody knew then may matter.
	Chances func(s State, e *Event) []Chance
	// Goods, which a game with Chances has too, counts what everybody has, in a view: by kind if the viewer knows the
	// kinds for everybody, otherwise what they know for everybody.
	Goods func(v View) Goods
	// Sources returns what the points come from after an event, in the state that it led to; before is what they came
	// from until then, empty at first. They count for the referee: until a game is over it has no other use.
	Sources func(s State, e *Event, before Sources) Sources
	// PointsAfter returns the points that everybody may know once an event is applied to a state, those of the
	// spectator's [Standing] then, for less than the cost of copying the state. It does not change the state.
	PointsAfter func(s State, e *Event) []int

	// Estimate judges how a seat stands more finely than Value does: for a stand-in with time to spare, at the end of
	// what it plays out in its head. It is higher the better a seat stands; 0 is as good as anybody. It is called
	// only on states that Blind dealt afresh, or that were played on from one.
	Estimate func(s State, seat Seat) float64
	// EstimatesTurns says that Estimate is also better than Value at choosing moves within a turn: which are worth
	// playing on from, and which to play on the way.
	EstimatesTurns bool
	// Turn returns the number of the turn, in a game whose turns consist of many moves: it rises from turn to turn.
	// It also returns whose it is; Nobody while the game asks something between turns, or before the first turn. A
	// stand-in plays on in its head until its seat's next turn begins; without Turn, until the move comes back to the
	// seat, which also happens in the middle of a turn in which others were asked something.
	Turn func(s State) (number int, whose Seat)
	// CopyOver turns a state of this rulebook, whatever it was, into a copy of another; they then share nothing. A
	// stand-in tries thousands of moves, and copies of large states would cost more than the moves.
	CopyOver func(to, from State)
	// DecideOver is Decide, but writes the event over one that this rulebook decided before, or over an empty one.
	// The old event's body, lists and secret parts are invalid afterwards, even if the move is refused. It is for
	// callers that play thousands of moves and keep none of their events.
	DecideOver func(e *Event, s State, seat Seat, m Move, luck *Luck) error
}

// WholeMove returns an event's move as it was given, even if others were not told all of it. It returns an error if
// the move cannot be read.
func WholeMove(rb Rulebook, e *Event) (Move, error) {
	if recall := rb.Extras().Recall; recall != nil {
		if m, ok := recall(e); ok {
			return m, nil
		}
	}
	return rb.ParseMove(e.Move, nil)
}

// WhatIsAsked returns the catalogue's word for what an awaited decision asks now.
func WhatIsAsked(rb Rulebook, s State, d Decision) string {
	if asked := rb.Extras().Asked; asked != nil {
		return asked(s, d)
	}
	return "await." + d.Kind
}

// StandingOrders belongs to a rulebook whose seats may give answers in advance, so that nobody waits for a mail that
// could have been answered already. An order is kept beside the line as text in its canonical form, private to its
// seat; the move it makes is played, and may be refused, like any other.
type StandingOrders interface {
	// ReadOrder reads an order as people type it and returns its canonical form, seats by letter. It returns a
	// *Refusal if the text is unreadable.
	ReadOrder(text string, names []string) (order string, err error)
	// ShowOrder writes a canonical order with the seats' names.
	ShowOrder(order string, names []string) string
	// TellOrder tells a canonical order in sentences. The view is as in [Rulebook.Tell].
	TellOrder(order string, v View) []Say
	// Obey returns the move that a seat's orders make for a decision awaited from it; false if none does. The view is
	// the seat's own: an order knows nothing that its seat does not.
	Obey(orders []string, d Decision, v View) (Obeyed, bool)
	// OrderFor returns the order by which the seat would make a move, one of its own that answers the decision in
	// this view; "" if no order says that. The order may do other things in other situations: a caller that means
	// this move alone checks with Obey.
	OrderFor(m Move, d Decision, v View) string
	// OrderForms returns forms for the orders that a seat may put together on its page instead of typing them; often
	// none. The view is the seat's own; a form's Pattern gives an order as ReadOrder reads it, seats by letter.
	OrderForms(v View) []Form
}

// Obeyed is a move made by a standing order.
type Obeyed struct {
	Move  Move
	Order int    // which of the orders made it
	Left  string // what is left of that order once the move is played; "" if it is used up
}
