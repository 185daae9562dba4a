package rivals

import _ "embed"

//go:embed cards.json
var cardTable []byte

// Card is one printing of a card: which card it is and which back it bears. Copies of a
// printing are alike. The zero value is no card.
type Card uint8

// NoCard stands where no card lies, and for a card that a viewer may not know.
const NoCard Card = 0

// Set is a set of cards, which is also the back that its draw cards bear.
type Set = Word[setWords]

// The sets.
const (
	Basic Set = iota
	Gold
	Turmoil
	Progress
	sets
)

var setNames = [sets]string{"basic", "gold", "turmoil", "progress"}

// Kind is what sort of card a row describes.
type Kind = Word[kindWords]

// The kinds of card.
const (
	noKind         Kind = iota
	ActionCard          // played from the hand, then discarded
	SettlementCard      // green: on a site of a settlement or city
	CityCard            // red: on a site of a city
	RegionCard          // brown: beside a region
	EventCard
)

var kindNames = [...]string{"", "action", "settlement", "city", "region", "event"}

// Points are what a card or a principality counts.
type Points struct {
	Victory  int8 `json:"victory,omitempty"`
	Commerce int8 `json:"commerce,omitempty"`
	Strength int8 `json:"strength,omitempty"`
	Skill    int8 `json:"skill,omitempty"`
	Progress int8 `json:"progress,omitempty"`
}

func (p *Points) add(q Points) {
	p.Victory += q.Victory
	p.Commerce += q.Commerce
	p.Strength += q.Strength
	p.Skill += q.Skill
	p.Progress += q.Progress
}

// Effect is one thing a card does: when (On), what (Do), and with how much of which goods.
type Effect struct {
	On     string   `json:"on"`
	Do     string   `json:"do"`
	What   string   `json:"what,omitempty"` // a resource, or "any", "near", …
	N      int8     `json:"n,omitempty"`
	Per    string   `json:"per,omitempty"`    // counted once for each of these
	If     string   `json:"if,omitempty"`     // a condition at that moment
	Of     []string `json:"of,omitempty"`     // the cards or tags it concerns
	Faces  []int    `json:"faces,omitempty"`  // of the production die
	Max    int8     `json:"max,omitempty"`    // at most so many in all
	Times  int8     `json:"times,omitempty"`  // uses in a turn
	Over   int8     `json:"over,omitempty"`   // only for printed costs above this
	Behind int8     `json:"behind,omitempty"` // N for whoever has fewer victory points

	goods resMask // the resources that What stands for
}

// Row is one card of the table, whatever backs it comes with.
type Row struct {
	ID      string        `json:"id"`
	Like    string        `json:"like"`  // a card that does the same, whose scenario speaks for this one too
	Short   string        `json:"short"` // another word the notation takes
	Kind    Kind          `json:"kind"`
	Class   string        `json:"class"` // "building" or "unit"
	Tag     string        `json:"tag"`   // "hero" or "trade-ship"
	Attack  bool          `json:"attack"`
	One     bool          `json:"one"`  // one of it in a principality
	Open    bool          `json:"open"` // lies face up in the game of its theme
	Copies  []Copies      `json:"copies"`
	CostOf  map[Res]uint8 `json:"cost"`
	Points  Points        `json:"points"`
	Need    [][]string    `json:"need"` // every group needs one of its conditions
	Effects []Effect      `json:"effects"`

	Cost     Goods `json:"-"`
	building bool
	unit     bool
	hero     bool
	ship     bool // a trade ship
	doubles  Res  // the resource a production booster doubles, or noRes
	plenty   bool // Year of Plenty counts it
	fixes    bool // it is played before a roll
	harvest  int8 // gold at every Plentiful Harvest
	rate     Res  // bank rate 2 for this resource, or noRes
	guard    uint8
	negates  rowSet // the events that it averts
	excuse   uint8
	link     uint8    // whether points depend on other cards
	raises   [2]int8  // commerce for each card a Trading Base raises, for each trade ship
	based    int8     // 1 if a Trading Base raises it
	scores   int8     // victory points once there are three trade ships
	play     []Effect // On == "play"
	build    []Effect // On == "build"
	less     []Effect // On == "cost"
	needs    [][]need
	bank     *Effect // On == "bank"
	number   int     // in the table
	marks    marks   // what the rules look for among the cards in play
}

// marks are what a card in play may do at moments that come again and again: a principality
// keeps those of its cards, so that a moment that concerns none of them costs nothing.
type marks uint8

const (
	marksShare  marks = 1 << iota // gains at a production roll of the other
	marksBank                     // better rates
	marksLess                     // a lower cost
	marksSearch                   // a lower price of searching
	marksLoss                     // consoles for a loss
	marksPlague
	marksShelter
	marksGuard
)

// rowSet is a set of rows of the table.
type rowSet [2]uint64

// rowsMost is how many rows a set has room for, and one for no card.
const rowsMost = len(rowSet{})*64 - 1

func (m *rowSet) put(r *Row)      { m[r.number/64] |= 1 << (r.number % 64) }
func (m *rowSet) has(r *Row) bool { return m[r.number/64]&(1<<(r.number%64)) != 0 }

// Copies says how often a card is printed in a set, and how many of those bear the half-moon.
type Copies struct {
	Set  Set `json:"set"`
	N    int `json:"n"`
	Moon int `json:"moon"`
}

// Printing is one card with one back.
type Printing struct {
	Row  *Row
	Set  Set
	N    int    // copies
	Moon int    // copies with the half-moon
	Name string // in notation: the row's id, and ":set" where an earlier row has the plain id
}

// CentreCard is a road, a settlement or a city: how many there are, how many each side
// starts with, and what one costs.
type CentreCard struct {
	N      int           `json:"n"`
	Start  int           `json:"start"`
	CostOf map[Res]uint8 `json:"cost"`
	Cost   Goods         `json:"-"`
}

type startRegion struct {
	Terrain terrain `json:"terrain"`
	Place   Place   `json:"place"`
	Red     uint8   `json:"red"`
	Blue    uint8   `json:"blue"`
	Drawn   []int   `json:"drawn"`
}

// tables is all that is printed.
type tables struct {
	Sets    []SetSize              `json:"sets"`
	Centre  map[string]*CentreCard `json:"centre"`
	Regions []startRegion          `json:"regions"`
	Cards   []*Row                 `json:"-"`
}

// SetSize is how many cards a set has, as its rulebook says: of each kind, and of those how many
// with the half-moon, which a duel leaves out or, of events, draws a few of.
type SetSize struct {
	Set        Set          `json:"set"`
	Cards      map[Kind]int `json:"cards"`
	Moons      int          `json:"moons"`
	MoonEvents int          `json:"moon_events"`
}

var (
	table     = must(load(cardTable))
	printings = table.printings()
	cardNamed = nameCards()

	roadCost       = table.Centre["road"].Cost
	settlementCost = table.Centre["settlement"].Cost
	cityCost       = table.Centre["city"].Cost

	parishHall  = mustCard("parish_hall")
	townHall    = mustCard("town_hall")
	goldCache   = mustCard("gold_cache")
	scout       = mustCard("scout")
	sebastian   = mustCard("sebastian_the_itinerant_preacher")
	irmgard     = mustCard("irmgard_keeper_of_the_light")
	fireBrigade = mustCard("fire_brigade")
	bathHouse   = mustCard("bath_house")
	pirateShip  = mustCard("pirate_ship")
	yule        = mustCard("yule")
)

// printings numbers the printings from 1, in the order of the table. Event cards all
// have one back, so each is one printing whatever sets its copies come from.
func (t *tables) printings() []Printing {
	list := []Printing{{Row: &Row{Kind: ActionCard, doubles: noRes, rate: noRes, number: len(t.Cards)}}}
	for _, r := range t.Cards {
		for i, c := range r.Copies {
			switch last := &list[len(list)-1]; {
			case i > 0 && r.Kind == EventCard:
				last.N += c.N
				last.Moon += c.Moon
			case i > 0:
				list = append(list, Printing{Row: r, Set: c.Set, N: c.N, Moon: c.Moon, Name: r.ID + ":" + c.Set.String()})
			default:
				list = append(list, Printing{Row: r, Set: c.Set, N: c.N, Moon: c.Moon, Name: r.ID})
			}
		}
	}
	for i := range list {
		if list[i].Row.Kind == EventCard {
			list[i].Set = Basic
		}
	}
	return list
}

func nameCards() map[string]Card {
	m := map[string]Card{}
	for i, p := range printings {
		if i > 0 {
			m[p.Name] = Card(i)
		}
	}
	return m
}

func mustCard(name string) Card {
	c, ok := cardNamed[name]
	if !ok {
		panic("rivals: card table: no " + name)
	}
	return c
}

// Row is the card's row in the table.
func (c Card) Row() *Row { return faces[c].Row }

// Set is the back the card bears.
func (c Card) Set() Set { return faces[c].Set }

// Name is the card's word in notation; "?" for an unknown card.
func (c Card) Name() string {
	if c == NoCard {
		return "?"
	}
	return faces[c].Name
}

// before tells whether a card lies before another in a hand: by back, then by the table.
func (c Card) before(d Card) bool {
	if a, b := c.Set(), d.Set(); a != b {
		return a < b
	}
	return c < d
}

// same tells whether two printings are the same card.
func (c Card) same(d Card) bool { return c.Row() == d.Row() }
