package state

import (
	"cmp"
	"slices"

	"posthorn/domain/rivals/table"
)

// Verb is what a move does.
type Verb uint8

// The verbs, in the order of a turn.
const (
	NoVerb     Verb = iota
	Stack           // stack N: look through a stack (first hand, Library)
	Hand            // hand CARD CARD CARD: the first hand
	Arrange         // arrange …: six region places in the order of Order; or keep
	RollDice        // roll
	PlayCard        // play CARD [resources | place | town side], play CARD [die] [CARD] before the roll
	Road            // road left|right
	Settle          // settle left|right [scout]
	City            // city N
	Build           // build CARD N above|below
	Bank            // bank N RES RES
	Remove          // remove CARD N above|below
	End             // end
	Close           // close: a game that stands still
	Draw            // draw N [N …]
	LayOff          // discard CARD N
	Swap            // swap CARD N N
	Search          // search CARD N N
	Pass            // pass
	PayFrom         // pay PLACE …; pay alone for Riots
	Into            // into PLACE …
	Take            // take CARD | take RES
	Save            // save RES
	Buy             // buy RES
	React           // react CARD
	Bury            // bury CARD N [CARD N]
	NameCard        // name CARD N above|below
	Lose            // lose CARD N above|below [STACK]
	Give            // give RES
	Corners         // corners LAND LAND (above, below)
	SwapPlaces      // move PLACE PLACE
	SwapCards       // move CARD N SIDE CARD N SIDE
	Verbs
)

// Move is a command in this game's notation. It is comparable: every word that a verb does not use is zero.
// Resources, places and towns are stored plus one, so that zero means none.
type Move struct {
	Verb    Verb
	Card    table.Card
	Card2   table.Card
	Card3   table.Card
	At, At2 int8  // town or gap, counted from the first settlement
	Side    uint8 // 0 none, 1 above, 2 below
	Side2   uint8
	N       uint8 // a stack (from 1), a rate, a die
	N2      uint8
	Res     ResWord
	Res2    ResWord
	Res3    ResWord // take alone has a third
	Land    table.Land
	Land2   table.Land
	Right   bool // road and settle; scout is Card
	Place   PlaceWord
	Place2  PlaceWord
	Pay     [8]PlaceWord // also the further places of pay
	Into    [4]PlaceWord
	Draws   [4]uint8 // further stacks of draw; the order of arrange is in Order
	Order   [6]uint8
}

// ResWord is a resource in a move: plus one, so that zero is none.
type ResWord uint8

// WordRes returns a resource as a move holds it.
func WordRes(r table.Res) ResWord { return ResWord(r) + 1 }

// Res returns the resource.
func (w ResWord) Res() table.Res { return table.Res(w - 1) }

// PlaceWord is a place in a move: plus one, so that zero is none.
type PlaceWord uint8

// WordPlace returns a place as a move holds it.
func WordPlace(p table.Place) PlaceWord { return PlaceWord(p) + 1 }

// Place returns the place.
func (w PlaceWord) Place() table.Place { return table.Place(w - 1) }

// The sides of a town in a move; zero is none.
const (
	Above uint8 = 1
	Below uint8 = 2
)

// StartPlace returns the k-th of the six places of the beginning: above from the left, then below.
func StartPlace(k int) table.Place { return table.PlaceAt(table.Origin+k%3, k/3) }

// Goods returns the resources that a move names, as an amount.
func (m *Move) Goods() (want table.Goods) {
	for _, w := range [3]ResWord{m.Res, m.Res2, m.Res3} {
		if w != 0 {
			want[w.Res()]++
		}
	}
	return want
}

// Tidy gives equivalent moves the same form.
func (m *Move) Tidy() {
	switch m.Verb {
	case Hand:
		order(&m.Card, &m.Card2)
		order(&m.Card2, &m.Card3)
		order(&m.Card, &m.Card2)
	case PlayCard:
		order(&m.Card, &m.Card2)
		order(&m.Res, &m.Res2)
	case Take, Save, Buy:
		order(&m.Res, &m.Res2)
		order(&m.Res2, &m.Res3)
		order(&m.Res, &m.Res2)
	case SwapPlaces:
		order(&m.Place, &m.Place2)
	case PayFrom:
		slices.Sort(WordsIn(m.Pay[:]))
	case Into:
		slices.Sort(WordsIn(m.Into[:]))
	case Bury:
		if m.Card2 != table.NoCard && (m.Card > m.Card2 || m.Card == m.Card2 && m.N > m.N2) {
			m.Card, m.Card2, m.N, m.N2 = m.Card2, m.Card, m.N2, m.N
		}
	}
}

// order puts the smaller first; zero stays last.
func order[T cmp.Ordered](a, b *T) {
	var none T
	if *b != none && *a > *b {
		*a, *b = *b, *a
	}
}

// WordsIn returns the places that a move names.
func WordsIn(list []PlaceWord) []PlaceWord {
	for i, w := range list {
		if w == 0 {
			return list[:i]
		}
	}
	return list
}

// VerbNames are the canonical verbs.
var VerbNames = [Verbs]string{
	Stack: "stack", Hand: "hand", Arrange: "arrange", RollDice: "roll", Close: "close", PlayCard: "play", Road: "road",
	Settle: "settle",
	City:   "city", Build: "build", Bank: "bank", Remove: "remove", End: "end", Draw: "draw", LayOff: "discard",
	Swap:   "swap",
	Search: "search", Pass: "pass", PayFrom: "pay", Into: "into", Take: "take", Save: "save", Buy: "buy",
	React: "react",
	Bury:  "bury", NameCard: "name", Lose: "lose", Give: "give", Corners: "corners", SwapPlaces: "move",
	SwapCards: "move",
}
