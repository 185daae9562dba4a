package rivals

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
	verbs
)

// Move is a command in this game's notation. It is comparable: every word that a verb does
// not use is zero. Resources, places and towns are stored one up, so that zero means none.
type Move struct {
	Verb    Verb
	Card    Card
	Card2   Card
	Card3   Card
	At, At2 int8  // town or gap, counted from the first settlement
	Side    uint8 // 0 none, 1 above, 2 below
	Side2   uint8
	N       uint8 // a stack (from 1), a rate, a die
	N2      uint8
	Res     resWord
	Res2    resWord
	Land    Land
	Land2   Land
	Right   bool // road and settle; scout is Card
	Place   placeWord
	Place2  placeWord
	Pay     [8]placeWord // also the further places of pay
	Into    [4]placeWord
	Draws   [4]uint8 // further stacks of draw; the order of arrange is in Order
	Order   [6]uint8
}

type resWord uint8

func wordRes(r Res) resWord { return resWord(r) + 1 }

func (w resWord) res() Res { return Res(w - 1) }

type placeWord uint8

func wordPlace(p Place) placeWord { return placeWord(p) + 1 }

func (w placeWord) place() Place { return Place(w - 1) }

const (
	above uint8 = 1
	below uint8 = 2
)

var (
	sideNames = [3]string{"", "above", "below"}
	wayNames  = [2]string{"left", "right"}
)
