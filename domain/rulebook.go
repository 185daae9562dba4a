// Package domain holds the rules of the house and the contract every game obeys.
//
// It is pure: no I/O, no clock, no goroutine, and no chance but the [Luck] it is given. What lives here: the
// [Rulebook] contract and its values, the [Line] (one stream of play, folded), the [Table] (the people around a game,
// their consent, invitations and endings) and [Luck] itself. The games live in their own folders below this one and
// are registered in domain/rulebooks.
//
// What must not live here: addresses and names of people, databases, mail, pages, and sentences. The domain speaks in
// values ([Say], [Refusal]); the catalogues beside each rulebook turn them into a language.
package domain

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// Rulebook is one game: pure functions over its own state. A rulebook keeps nothing;
// the same rulebook serves every table of its game at once.
//
// States, moves and views are values of the rulebook's own types behind `any`; only the rulebook that made one ever
// reads it.
type Rulebook interface {
	// Name is the game's word in scripts and subjects, e.g. "carcassonne".
	Name() string
	// Edition names the deciding rules, e.g. "1". A fix that changes a verdict makes a new edition.
	Edition() string
	// Options are the variants, with defaults and limits.
	Options() []Option
	// Seats returns how many seats a game with these options may have.
	Seats(o Choices) (least, most int)
	// ChanceKinds are the kinds of outcome that a script's `chance [KIND] WORDS` may dictate, as [Luck.Pick] and
	// [Luck.Dictated] name them. If there is only one, scripts may leave KIND out.
	ChanceKinds() []string
	// Extras are what only some games have.
	Extras() Extras

	// New returns an empty state, ready for the event that Setup made.
	New() State
	// Setup makes a line's first event. Game.First begins. It returns a *Refusal if Given is malformed.
	Setup(g Game, luck *Luck) (Event, error)
	// Decide judges a move: it returns one event, or a *Refusal. It changes nothing. The caller fills in the event's
	// Seat, Move and Draws (see [Line.Decide]).
	Decide(s State, seat Seat, m Move, luck *Luck) (Event, error)
	// Evolve applies an event in place. It is cheap and total: it never fails on an event that was ever written, and
	// runs neither rules nor chance. It need not support events with empty (redacted) secret parts.
	Evolve(s State, e *Event)
	// Clone copies a state; the copies share nothing that Evolve changes.
	Clone(s State) State

	// Awaited lists the decisions awaited now; it depends on public knowledge alone. Empty means the line has ended
	// (or was never set up). Callers must not change the list: it may be shared.
	Awaited(s State) []Decision
	// Legal yields every legal move of an awaited seat, each once, in a fixed order that depends on the seat's own
	// knowledge alone. It leaves out open-ended moves: see Forms.
	Legal(s State, seat Seat) iter.Seq[Move]
	// Forms returns the open-ended moves (a trade offer) that a seat may compose now; often none.
	Forms(s State, seat Seat) []Form
	// Standing returns the scores now, the scores if the game ended now, and the result. It is public: secret points
	// count only once the game is over, or for the viewer who has them.
	Standing(s State, viewer Viewer) Standing
	// Value estimates how well a seat stands, in points; the steady stand-in maximises it. It is called only on states
	// that Blind dealt afresh for that seat.
	Value(s State, seat Seat) float64

	// View returns what a viewer may know of a state: a value that encoding/json writes, with stable keys. The
	// Referee's view is the script's "state", and Game.Given takes any subset of it.
	View(s State, viewer Viewer) View
	// Blind makes the event that deals afresh everything the viewer does not know and keeps everything they do.
	// Evolving it replaces every secret. It carries the whole hidden state. It must depend only on the luck and on
	// what the viewer knows, never on how the hidden things lie: the luck of a branch opens at its end and would
	// reveal them.
	Blind(s State, viewer Viewer, luck *Luck) Event
	// Codec returns the codec with every event type ever released.
	Codec() Codec

	// ParseMove reads notation as people type it: case, spaces, accents, and words in English, Portuguese and Polish.
	// Names are the seats' names, or nil. It returns a *Refusal if the text is unreadable.
	ParseMove(text string, names []string) (Move, error)
	// FormatMove writes the one canonical form, with seats by name if names is given, otherwise by letter.
	FormatMove(m Move, names []string) string
	// Steps splits a legal move into the choices that a person makes one after another (place, turn, follower). Moves
	// that share their first steps share those keys.
	Steps(s State, m Move) []Step
	// Draw shows a view in one or more pictures, the most important first; sketch says what is being tried on them. A
	// choice open next that has a Spot can be pressed on one of them, under the name that the sketch gives it.
	Draw(v View, sketch Sketch) []Panel
	// Describe says the same in words.
	Describe(v View) Description
	// Cards lists the cards whose faces the view shows, for reading beside a drawing that is too small for their text:
	// first the viewer's own hand, then the board. None in a game whose cards have no text.
	Cards(v View) []CardText
	// Tell tells an event in sentences, each score with its causes. It leaves out redacted parts. The view may be any
	// viewer's, from any moment of the event's line: Tell reads only what never changes in a game, such as the hexes
	// of a board, to name a place by what lies there.
	Tell(e *Event, v View) []Say
	// Catalogue returns the rulebook's words: language ("en", "pt-BR") to a JSON object of key to text, or key to
	// {"one":…, "few":…, "many":…, "other":…}. Arguments are written {name}. Only a complete language has every key
	// (see [posthorn/domain/languages.Language]).
	Catalogue() map[string][]byte
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
	First   bool     // it says which game is played, not how a rule is read: people choose it with the game
	With    string   // the switch that must be on for it to change anything; "" for none
	Seats   int      // the only number of seats at which it changes anything; 0 for any
	// Label and Help are catalogue keys: "option.KEY" and "option.KEY.help"; a value's word is
	// "option.KEY.VALUE", and for a switch the house's own "on" and "off".
}

// Applies reports whether an option changes anything at a table of that many seats, given all its choices.
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
	known, keys := map[string]Option{}, []string{}
	for _, o := range rb.Options() {
		known[o.Key], keys = o, append(keys, o.Key)
		full[o.Key] = o.Default
	}
	for k, v := range given {
		o, ok := known[k]
		if !ok {
			return nil, Refuse("option-unknown", "option", k, "options", strings.Join(keys, ", "))
		}
		if !slices.Contains(o.Values, v) {
			return nil, Refuse("option-value", "option", k, "value", v, "values", strings.Join(o.Values, ", "))
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

// Decision is something awaited from a seat.
type Decision struct {
	Seat Seat   `json:"seat"`
	Kind string `json:"kind"` // the rulebook's word: "turn", "discard"; its sentence is the catalogue's "await.KIND"
	// Serial tells one decision of a seat and kind from the next: it stays the same while the decision is open and
	// never comes again on the line (a turn's number).
	Serial int `json:"serial"`
}

// Standing is how a game stands. Entries are seats, or what the rulebook scores instead (the colours of a solo game),
// named by Labels.
type Standing struct {
	Scores []int `json:"scores"`           // now
	Final  []int `json:"final"`            // if the game ended now
	Labels []Say `json:"labels,omitempty"` // nil: entry i is seat i
	Ended  bool  `json:"ended"`
	Ranks  []int `json:"ranks,omitempty"`  // once ended: 1 is best, equal ranks are shared
	Result []Say `json:"result,omitempty"` // once ended: sentences about it
	// by entry, what Final adds to Scores; once ended, if it adds nothing to any, where all points come from
	Causes [][]Say `json:"causes,omitempty"`
}

// Adds reports whether the end adds to any score.
func (s *Standing) Adds() bool { return !slices.Equal(s.Scores, s.Final) }

// Step is one choice on the way to a move.
type Step struct {
	// stable, fit for an address and for a label: "1,0". "2-pay-1a" is "pay-1a", as the second step of its move.
	Key   string
	Label Say // what the button says
	// Place is the notation's permanent word for what is chosen: a place ("13", "1,0") or a seat ("B"); "" if it is
	// neither. It names the choice everywhere, on pictures, in labels, lists and stories; no two choices open at once
	// share it. A choice without one gets a small letter, in the order of Legal.
	Place string
	Where Say    // the place for people, beside its number: "between ore 8 and wheat 5"; may be empty
	Spot  string // the Shape.Spot of the panel that makes this choice, or ""
	// the question that this is one of the answers to, the same for all of them: "Which way is it turned?"; may be
	// empty
	Ask   Say
	Press Press // how a page asks for a move that ends with this step
	None  bool  // choosing it adds nothing ("0 wool"): it is left out when a whole move is told
	// a page shows the place, the second and last choice of its moves, before the first choice is made, unless another
	// first choice leads to the same place
	Ahead bool
	Any   bool // on the first step of a move: a page takes the steps in any order, such as the cards of a hand
	// A page chooses the step with the highest number by itself, the first of several, and lets it be changed, such as
	// a card's site; of first steps only if all have one. 0 for a step that only its player chooses; -1 for one which,
	// besides, is chosen in any order, such as what is gained.
	Preset int
	// the key of a choice beside it, listed before, that looks the same (a tile turned) or does the same for less: a
	// mail's list leaves this one out; "" for none
	Like  string
	Order string // on the first step of a move: the standing order that always answers like this, or ""
	Every Say    // a short name for that order: "Always: roll for me"
	Whole Say    // on the first step: what the move does, where no step says it; may be empty
}

// Press is how a page asks for a move.
type Press int

// The ways to ask.
const (
	PressChosen Press = iota // it is chosen, and then played
	PressOnce                // what the seat has to do anyway, so that there is nothing to choose: the dice
	PressOut                 // what ends the turn or passes
)

// Form is an open-ended move to fill in. Pattern gives the notation, in which each {field} is replaced by what was
// filled in.
type Form struct {
	Key     string
	Label   Say
	Apart   Say    // its name beside forms that are filled in the same way; may be empty
	Pattern string // "offer {give} for {want} to {seats}"
	Fields  []Field
	Rates   []Rate // what the bank takes instead, if there is one
	Typed   Say    // a line that fills it in, as its player may type it; may be empty
	Apiece  bool   // no word may stand in two of its fields
}

// Field is one blank of a form.
type Field struct {
	Name   string
	Label  Say
	Kind   FieldKind
	Words  []string // for FieldAmounts and FieldChoice: the notation's words to count or choose from
	Seats  []Seat   // for FieldSeats: the seats that may be named
	Labels []Say    // one per word
	Max    int      // for FieldAmounts: the most of one word
	Have   []int    // for FieldAmounts: how many of each word are available; nil if that is not known
}

// FieldKind is how a field is filled in.
type FieldKind string

// The kinds of field: amounts of words ("1 wool 2 ore"), one word of several, a set of seats.
const (
	FieldAmounts FieldKind = "amounts"
	FieldChoice  FieldKind = "choice"
	FieldSeats   FieldKind = "seats"
)

// Description is a view in words. Words about a single panel are kept with that panel.
type Description struct {
	// Alt is the alternative text of the first panel, in one or two sentences. A text mail leaves it out, as Lines or
	// the panel's Text say the same.
	Alt   Say
	Lines []Say // the situation in sentences
	// Brief is what of Lines a mail says that has the pictures, or the panels' Text, but no room for all: what these
	// do not show.
	Brief []Say
	// Have is what a viewer with a seat has to pay with, for a mail that shows no board; empty where a panel beside the
	// others shows it.
	Have Say
	// Spelled is what, beside Brief, a mail says that has the panels' Text, but not the pictures.
	Spelled []Say
}
