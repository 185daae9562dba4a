// Package domain holds the rules of the house and the contract every game obeys.
//
// It is pure: no I/O, no clock, no goroutine, and no chance but the [Luck] that
// is handed in. What lives here: the [Rulebook] contract and its values, the
// [Line] (one stream of play, folded), the [Table] (the people around a game,
// their consent, invitations and endings) and [Luck] itself. The games live in
// folders of their own below this one and are registered in domain/rulebooks.
//
// What may not live here: addresses and names of people, databases, mail, pages,
// and sentences. The domain speaks in values ([Say], [Refusal]); the catalogues
// beside each rulebook turn them into a language.
package domain

import (
	"encoding/json"
	"iter"
	"slices"
)

// Rulebook is one game: pure functions over its own state. A rulebook keeps nothing;
// the same rulebook serves every table of its game at once.
//
// State, moves and views are values of the rulebook's own types behind `any`; only the
// rulebook that made one ever reads it.
type Rulebook interface {
	// Name is the game's word in scripts and subjects, e.g. "carcassonne".
	Name() string
	// Edition names the rules that decide, e.g. "1". A fix that changes a verdict is a new one.
	Edition() string
	// Options are the variants, with defaults and limits.
	Options() []Option
	// Seats is how many seats a game with these options may have.
	Seats(o Choices) (least, most int)
	// ChanceKinds are the kinds of outcome that a script's `chance [KIND] WORDS` may dictate, as
	// [Luck.Pick] and [Luck.Dictated] name them. Where there is one, scripts may leave KIND out.
	ChanceKinds() []string
	// Extras are what only some games have.
	Extras() Extras

	// New is an empty state, ready for the event that Setup made.
	New() State
	// Setup makes a line's first event. Game.First begins. A malformed Given is a *Refusal.
	Setup(g Game, luck *Luck) (Event, error)
	// Decide judges a move: one event, or a *Refusal. It changes nothing.
	// Seat, Move and Draws of the event are filled in by the caller (see [Line.Decide]).
	Decide(s State, seat Seat, m Move, luck *Luck) (Event, error)
	// Evolve applies an event in place. Cheap and total: never fails on an event that was
	// ever written, and runs neither rules nor chance. Events with secret parts that are
	// empty (redacted) need not be supported.
	Evolve(s State, e *Event)
	// Clone copies a state; the copies share nothing that Evolve changes.
	Clone(s State) State

	// Awaited lists the decisions awaited now; it depends on public knowledge alone.
	// Empty means the line has ended (or was never set up). The list must not be changed: it may be anybody's.
	Awaited(s State) []Decision
	// Legal yields every legal move of a seat that is awaited, each once, in a fixed order
	// that depends on the seat's own knowledge alone. Open-ended moves are not in it: see Forms.
	Legal(s State, seat Seat) iter.Seq[Move]
	// Forms are the open-ended moves (a trade offer) a seat may compose now; often none.
	Forms(s State, seat Seat) []Form
	// Standing is the scores now, the scores if it ended now, and the result. The view of
	// it is public: secret points count only once the game is over or for their Viewer.
	Standing(s State, viewer Viewer) Standing
	// Value estimates how well a seat stands, in points; the steady stand-in maximises it.
	// It is only ever called on states that Blind dealt afresh for that seat.
	Value(s State, seat Seat) float64

	// View is what a viewer may know of a state: a value that encoding/json writes, with
	// stable keys. The Referee's view is the script's "state", and any subset of it is
	// what Game.Given takes.
	View(s State, viewer Viewer) View
	// Blind makes the event that deals afresh everything the viewer does not know, keeping
	// all that they do. Evolving it replaces every secret. It carries the whole hidden state.
	// It follows from the luck and what the viewer knows alone, never from how the hidden
	// things lie: the luck of a branch opens at its end, and would tell them.
	Blind(s State, viewer Viewer, luck *Luck) Event
	// Codec lists every event type ever released.
	Codec() Codec

	// ParseMove reads notation as people type it: case, spaces, accents, and words in
	// English, Portuguese and Polish. Names are the seats' names, or nil. A *Refusal if unreadable.
	ParseMove(text string, names []string) (Move, error)
	// FormatMove writes the one canonical form; seats by name if names is given, else by letter.
	FormatMove(m Move, names []string) string
	// Steps splits a legal move into the choices a person makes one after the other
	// (place, turn, follower). Moves that share their first steps share those keys.
	Steps(s State, m Move) []Step
	// Draw shows a view in one picture or several, the most important first;
	// sketch says what is being tried on them. What may be chosen next and has a Spot can be
	// pressed on one of them, and bears there the name that the sketch gives it.
	Draw(v View, sketch Sketch) []Panel
	// Describe is the same in words.
	Describe(v View) Description
	// Cards lists the cards whose faces the view shows, for whoever reads them beside a drawing
	// that is too small for their text: first those of the viewer's own hand, then those on the
	// board. None in a game without cards that say something.
	Cards(v View) []CardText
	// Tell says an event in sentences, each score with its causes. Redacted parts are left out.
	// The view is any of the event's line, whosever and of whatever moment: all that is read in it is what never
	// changes in a game, such as the hexes of a board, so that a place is told by what lies there.
	Tell(e *Event, v View) []Say
	// Catalogue is the rulebook's words: language ("en", "pt-BR", "pt-PT", "pl") to a JSON
	// object of key to text, or key to {"one":…, "few":…, "many":…, "other":…}. Arguments are
	// written {name}.
	Catalogue() map[string][]byte
}

// Extras are what only some games have; nil where a game has no such thing. They are a value of
// the rulebook, and no type assertion, so that whatever wraps a rulebook hands them on.
type Extras struct {
	Picker     Picker
	Recaller   Recaller
	Reshuffler Reshuffler
	Orders     StandingOrders
	Outcomes   Outcomes
	Glance     Glance
	Guide      *Guide
	Chains     Chains
	Accounts   Accounts
	Points     Points
	Forced     Forced
	Asked      Asked
	Stopped    Stopped
	Estimator  Estimator
	Turns      Turns
	Copier     Copier
	Rewriter   Rewriter
}

// Rewriter belongs to a rulebook that can decide in the memory of an event that nobody needs any more: who plays thousands
// of moves and keeps none of their events would spend a good part of the time asking for memory.
type Rewriter interface {
	// DecideOver is Decide, but for where the event is written: over one that this rulebook decided before, or over an empty
	// one. What that one said, its body, lists and secret parts, is worth nothing afterwards, also if the move is refused.
	DecideOver(e *Event, s State, seat Seat, m Move, luck *Luck) error
}

// Copier belongs to a rulebook whose states are large and can be copied one over the other: a stand-in tries
// thousands of moves, and what it leaves behind would cost more than the moves.
type Copier interface {
	// CopyOver makes a state of this rulebook, whatever it was, what another is; they share nothing then.
	CopyOver(to, from State)
}

// Estimator belongs to a rulebook that can tell how a seat stands more finely than by Value: for a stand-in that
// has the time, where what it plays in its head ends. Without one Value does.
type Estimator interface {
	// Estimate is the more the better a seat stands; 0 is as good as anybody. It is only ever called on states
	// that Blind dealt afresh, or that were played on from one.
	Estimate(s State, seat Seat) float64
	// Throughout reports whether it also chooses between the moves of a turn better than Value does: those that are
	// worth playing on from, and those that are played on the way.
	Throughout() bool
}

// Turns belongs to a rulebook whose turns are many moves: a stand-in plays on in its head until a seat's next turn is its
// own to begin with. Without it, until the move comes back to the seat, which it also does in the middle of a turn in
// which others were asked something.
type Turns interface {
	// Turn is the number of the turn, which rises from turn to turn, and whose it is; Nobody as long as the game still
	// asks something in between, or no turn has begun.
	Turn(s State) (number int, whose Seat)
}

// WholeMove is an event's move as it was given, also where others were not told all of it. The error says that it
// cannot be read.
func WholeMove(rb Rulebook, e *Event) (Move, error) {
	if r := rb.Extras().Recaller; r != nil {
		if m, ok := r.Recall(e); ok {
			return m, nil
		}
	}
	return rb.ParseMove(e.Move, nil)
}

// Recaller belongs to a rulebook whose moves may name what others must not know, and so stand in
// Event.Move with "?".
type Recaller interface {
	// Recall gives an event's whole move, from its secret parts. False if a part is redacted, or
	// the event is no move, or Event.Move names it whole, which is read then.
	Recall(e *Event) (Move, bool)
}

// Picker belongs to a rulebook that can count its legal moves without making each: for whoever
// wants one of many, as simulations do at every move.
type Picker interface {
	// PickLegal counts the moves that Legal yields, asks pick for a number below that, and
	// gives the move of this number in Legal's order, from 0. If there is none, pick is not
	// asked and the move is nil.
	PickLegal(s State, seat Seat, pick func(n int) int) (m Move, n int)
}

// Reshuffler belongs to a rulebook in which something lies in an order that was fixed before
// anybody sees it: a shuffled stack. Where everything hidden is either in somebody's
// hand or drawn when it is needed, fresh luck needs nothing of the rulebook.
type Reshuffler interface {
	// Reshuffle makes the event that a line goes on with after a rewind with fresh luck: whatever
	// no seat knows of is shuffled anew, every order of it as likely. What any seat knows stays as it
	// is and known to whom it was: hands with their owners, a card that somebody put under a stack
	// or looked at in its place. No viewer gains or loses knowledge by it, and it follows from the
	// luck and from what is known alone. Seat, Draws and Anew are filled in by the caller (see
	// [Line.Reshuffle]). All draws are unseen.
	Reshuffle(s State, luck *Luck) Event
	// Uncovered counts the hidden cards that an event, whole, lets seats see that did not know
	// them: drawn, turned up or looked at. S is the state before it. The count is public.
	Uncovered(s State, e *Event) int
}

// StandingOrders belong to a rulebook whose seats may say beforehand what they answer, so that nobody waits for a mail that could have been answered already. An
// order is kept as text in its canonical form, private to its seat, beside the line; the
// move it makes is played like any other, and may be refused like any other.
type StandingOrders interface {
	// ReadOrder reads an order as people type it and gives its canonical form, seats by
	// letter. A *Refusal if it cannot be read.
	ReadOrder(text string, names []string) (order string, err error)
	// ShowOrder writes a canonical order with the seats' names.
	ShowOrder(order string, names []string) string
	// TellOrder says a canonical order in sentences. The view is as in [Rulebook.Tell].
	TellOrder(order string, v View) []Say
	// Obey gives the move that a seat's orders make for a decision awaited of it; false if
	// none does. The view is the seat's own: an order knows nothing that its seat does not.
	Obey(orders []string, d Decision, v View) (Obeyed, bool)
	// OrderFor gives the order by which the seat would make a move, one of its own that answers the
	// decision in this view; "" where no order says that, and then there is none. What the order does in other
	// situations is the order's: whoever means this move alone asks Obey.
	OrderFor(m Move, d Decision, v View) string
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

// State is a rulebook's own state; a pointer.
type State any

// Move is a rulebook's own move; a comparable value.
type Move any

// View is what one viewer may know of a state; encoding/json writes it.
type View any

// Option is one variant of a game.
type Option struct {
	Key     string   // as in `option farmers on`
	Values  []string // allowed values in their order; {"on","off"} for a switch
	Default string   // one of Values
	First   bool     // which game it is, rather than how a rule is read: it is chosen with the game
	With    string   // the switch without which it changes nothing; "" for none
	Seats   int      // the number of seats at which alone it changes anything; 0 for any
	// Label and Help are catalogue keys: "option.KEY" and "option.KEY.help"; a value's word is
	// "option.KEY.VALUE", and for a switch the house's own "on" and "off".
}

// Applies reports whether an option changes anything at a table of so many seats, with all its choices.
func (o Option) Applies(full Choices, seats int) bool {
	return (o.With == "" || full.On(o.With)) && (o.Seats == 0 || o.Seats == seats)
}

// Choices are the options of one game, each key with a value.
type Choices map[string]string

// On reports whether a switch is on.
func (c Choices) On(key string) bool { return c[key] == "on" }

// Complete fills in the defaults and refuses unknown keys and values.
func Complete(rb interface{ Options() []Option }, given Choices) (Choices, error) {
	full := Choices{}
	known := map[string]Option{}
	for _, o := range rb.Options() {
		known[o.Key] = o
		full[o.Key] = o.Default
	}
	for k, v := range given {
		o, ok := known[k]
		if !ok {
			return nil, Refuse("option-unknown", "option", k)
		}
		if !slices.Contains(o.Values, v) {
			return nil, Refuse("option-value", "option", k, "value", v)
		}
		full[k] = v
	}
	return full, nil
}

// Game is what a line is set up with.
type Game struct {
	Choices Choices         // complete, see Complete
	Seats   int             // within Rulebook.Seats
	First   Seat            // who begins
	Given   json.RawMessage // a position set up by hand, or nil
}

// Decision is something awaited of a seat.
type Decision struct {
	Seat Seat   `json:"seat"`
	Kind string `json:"kind"` // the rulebook's word: "turn", "discard"; its sentence is the catalogue's "await.KIND"
	// Serial tells one decision of a seat and kind from the next: it stays while the same
	// decision is open and never comes again on the line (a turn's number).
	Serial int `json:"serial"`
}

// Standing is how a game stands. Entries are seats, or what the rulebook scores instead
// (the colours of a solo game), which Labels then names.
type Standing struct {
	Scores []int   `json:"scores"`           // now
	Final  []int   `json:"final"`            // if the game ended now
	Labels []Say   `json:"labels,omitempty"` // nil: entry i is seat i
	Ended  bool    `json:"ended"`
	Ranks  []int   `json:"ranks,omitempty"`  // once ended: 1 is best, equal ranks are shared
	Result []Say   `json:"result,omitempty"` // once ended: sentences about it
	Causes [][]Say `json:"causes,omitempty"` // by entry, what Final adds to Scores; once ended, where it adds to none, where all points come from
}

// Adds reports whether the end adds to any score.
func (s *Standing) Adds() bool { return !slices.Equal(s.Scores, s.Final) }

// Step is one choice on the way to a move.
type Step struct {
	Key   string // stable, fit for an address and for a label: "1,0"
	Label Say    // what the button says
	// Place is the permanent word by which the notation names what is chosen, a place ("13", "1,0")
	// or a seat ("B"); "" if it is neither. It names the choice everywhere, on pictures, in labels,
	// lists and stories; of the choices open at once no two have the same. What has none is given
	// a small letter, in the order of Legal.
	Place string
	Where Say    // the place for people, beside its number: "between ore 8 and wheat 5"; may be empty
	Spot  string // the Shape.Spot of the panel that makes this choice, or ""
	Ask   Say    // what is asked where this is one of the answers, the same for all of them: "Which way is it turned?"; may be empty
	Press Press  // how a page asks for a move that ends with this step
	None  bool   // choosing it adds nothing ("0 wool"): it is left out where a whole move is said
	Ahead bool   // a page shows the place, the second and last choice of its moves, before the first is made
	Any   bool   // of the first step of a move: a page takes its steps in any order, such as the cards of a hand
	Alone bool   // as Ahead, but only where no other first choice leads to the same place
	Like  string // the key of a choice beside it, listed before, that looks the same (a tile turned): a mail's list leaves this one out; "" for none
	Order string // of the first step of a move: the standing order that always answers like this, or ""
	Every Say    // what that is called in short: "Always: roll for me"
}

// Press is how a page asks for a move.
type Press int

// The ways to ask. What a press plays at once is what the seat has to do anyhow, so that there is nothing to look
// at before it, what can be taken back, what was chosen step by step, or the way out.
const (
	PressTwice Press = iota // it is shown first, and played when that is confirmed
	PressOnce               // choosing it plays it: the dice, a card from a stack
	PressOut                // so does this, which ends the turn or passes: it stands last, apart from the others
	PressStep               // so does this, which stands among the others: a card built, a place that pays
)

// Form is an open-ended move to be filled in. Pattern gives the notation: each {field} is
// replaced by what was filled in.
type Form struct {
	Key     string
	Label   Say
	Apart   Say    // what it is called beside forms that are filled in alike; may be empty
	Pattern string // "offer {give} for {want} to {seats}"
	Fields  []Field
	Rates   []Rate // what the bank takes instead, if there is one
}

// Field is one blank of a form.
type Field struct {
	Name   string
	Label  Say
	Kind   FieldKind
	Words  []string // for FieldAmounts and FieldChoice: the notation words to count or choose from
	Seats  []Seat   // for FieldSeats: who may be named
	Labels []Say    // one per word
	Max    int      // for FieldAmounts: the most of one word
	Have   []int    // for FieldAmounts: how many of each word there are to be taken; nil where that is not known
}

// FieldKind is how a field is filled in.
type FieldKind string

// The kinds of field: amounts of words ("1 wool 2 ore"), one word of several, a set of seats.
const (
	FieldAmounts FieldKind = "amounts"
	FieldChoice  FieldKind = "choice"
	FieldSeats   FieldKind = "seats"
)

// Description is a view in words. What is about one panel alone stands with that panel.
type Description struct {
	// Alt is the alternative text of the first panel, in one or two sentences. A text mail leaves it out:
	// what it says is in Lines, or in the panel's Text, too.
	Alt   Say
	Lines []Say // the situation in sentences
}
