package table

import (
	_ "embed"
	"fmt"
	"slices"
)

//go:embed cards.json
var CardTable []byte

// Pictures says how to draw each card: one line per card, which the room of showing reads.
//
//go:embed pictures.txt
var Pictures string

// Card is one printing of a card: which card it is and which back it bears. Copies of a printing are identical. The
// zero value is no card.
type Card uint8

// NoCard means that no card lies there, or one that a viewer may not know.
const NoCard Card = 0

// Set is a set of cards, which is also the back of its draw cards.
type Set = Word[setWords]

// The sets.
const (
	Basic Set = iota
	Gold
	Turmoil
	Progress
	Sets
)

// SetNames are the sets' words.
var SetNames = [Sets]string{"basic", "gold", "turmoil", "progress"}

// Kind is the sort of card a row describes.
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
	Victory  int8 `json:"victory"`
	Commerce int8 `json:"commerce"`
	Strength int8 `json:"strength"`
	Skill    int8 `json:"skill"`
	Progress int8 `json:"progress"`
}

// Add adds points.
func (p *Points) Add(q Points) {
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
	Max    int8     `json:"max,omitempty"`    // at most this many in all
	Times  int8     `json:"times,omitempty"`  // uses per turn
	Over   int8     `json:"over,omitempty"`   // only for printed costs above this
	Behind int8     `json:"behind,omitempty"` // N for a player with fewer victory points

	Goods ResMask `json:"-"` // the resources that What stands for
}

// Row is one card of the table, whatever backs it has.
type Row struct {
	ID      string        `json:"id"`
	Like    string        `json:"like"`  // a card that does the same, whose scenario covers this one too
	Short   string        `json:"short"` // another word the notation accepts
	Kind    Kind          `json:"kind"`
	Class   string        `json:"class"` // "building" or "unit"
	Tag     string        `json:"tag"`   // "hero" or "trade-ship"
	Attack  bool          `json:"attack"`
	One     bool          `json:"one"`  // at most one in a principality
	Open    bool          `json:"open"` // lies face up in the game of its theme
	Copies  []Copies      `json:"copies"`
	CostOf  map[Res]uint8 `json:"cost"`
	Points  Points        `json:"points"`
	Need    [][]string    `json:"need"` // each group requires one of its conditions
	Effects []Effect      `json:"effects"`

	Cost     Goods    `json:"-"`
	Building bool     `json:"-"`
	Unit     bool     `json:"-"`
	Hero     bool     `json:"-"`
	Ship     bool     `json:"-"` // a trade ship
	Doubles  Res      `json:"-"` // the resource a production booster doubles, or NoRes
	Fixes    bool     `json:"-"` // played before a roll
	Harvest  int8     `json:"-"` // gold at every Plentiful Harvest
	Rate     Res      `json:"-"` // bank rate 2 for this resource, or NoRes
	Guard    uint8    `json:"-"`
	Negates  RowSet   `json:"-"` // the events that it averts
	Excuse   uint8    `json:"-"`
	Raises   [2]int8  `json:"-"` // commerce for each card a Trading Base raises, for each trade ship
	Based    int8     `json:"-"` // 1 if a Trading Base raises it
	Scores   int8     `json:"-"` // victory points once there are three trade ships
	Play     []Effect `json:"-"` // On == "play"
	Build    []Effect `json:"-"` // On == "build"
	Less     []Effect `json:"-"` // On == "cost"
	Needs    [][]Need `json:"-"`
	Bank     *Effect  `json:"-"` // On == "bank"
	Number   int      `json:"-"` // in the table
	Marks    Marks    `json:"-"` // what the rules look for among the cards in play
}

// Marks are what a card in play may do at recurring moments. A principality keeps those of its cards, so that a
// moment that concerns none of them costs nothing.
type Marks uint8

// The marks.
const (
	MarksShare  Marks = 1 << iota // gains at a production roll of the other
	MarksLess                     // a lower cost
	MarksSearch                   // a lower price of searching
	MarksLoss                     // consoles for a loss
	MarksPlague
	MarksShelter
	MarksGuard
)

// RowSet is a set of rows of the table.
type RowSet [2]uint64

// RowsMost is how many rows a set has room for: those of the cards, and one for no card.
const RowsMost = len(RowSet{}) * 64

// Put adds a row.
func (m *RowSet) Put(r *Row) { m[r.Number/64] |= 1 << (r.Number % 64) }

// Has reports whether a row is among them.
func (m *RowSet) Has(r *Row) bool { return m[r.Number/64]&(1<<(r.Number%64)) != 0 }

// Copies says how many times a card is printed in a set, and how many of those have the half-moon.
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
	Name string // in notation: the row's id, plus ":set" if an earlier row has the plain id
}

// CentreCard is a road, a settlement or a city: how many there are, how many each side starts with, and what one
// costs.
type CentreCard struct {
	N      int           `json:"n"`
	Start  int           `json:"start"`
	CostOf map[Res]uint8 `json:"cost"`
	Cost   Goods         `json:"-"`
}

// StartRegion is a terrain: where it lies at the beginning, and the numbers on its cards.
type StartRegion struct {
	Terrain Terrain `json:"terrain"`
	Place   Place   `json:"place"`
	Red     uint8   `json:"red"`
	Blue    uint8   `json:"blue"`
	Drawn   []int   `json:"drawn"`
}

// Tables is everything printed.
type Tables struct {
	Sets    []SetSize              `json:"sets"`
	Centre  map[string]*CentreCard `json:"centre"`
	Regions []StartRegion          `json:"regions"`
	// Vocabulary is what an effect may be: when and what, and the fields that say how much of which goods, with the
	// words that each accepts. A field with a question mark is optional. The word resource stands for any resource,
	// card for any card.
	Vocabulary map[string]map[string]string `json:"vocabulary"`
	Cards      []*Row                       `json:"-"`
}

// SetSize is the number of cards in a set according to its rulebook: of each kind, and how many of those have the
// half-moon. A duel leaves those out or, for events, draws a few.
type SetSize struct {
	Set        Set          `json:"set"`
	Cards      map[Kind]int `json:"cards"`
	Moons      int          `json:"moons"`
	MoonEvents int          `json:"moon_events"`
}

// The table of cards as loaded, and what is often looked up in it.
var (
	Table     = Must(Load(CardTable))
	Printings = Table.printings()
	// Vocabulary holds the effects that the table knows.
	Vocabulary = Table.Vocabulary
	CardNamed  = func() map[string]Card {
		m := map[string]Card{}
		for i, p := range Printings[1:] {
			m[p.Name] = Card(i + 1)
		}
		return m
	}()

	RoadCost       = Table.Centre["road"].Cost
	SettlementCost = Table.Centre["settlement"].Cost
	CityCost       = Table.Centre["city"].Cost

	ParishHall  = MustCard("parish_hall")
	TownHall    = MustCard("town_hall")
	GoldCache   = MustCard("gold_cache")
	Scout       = MustCard("scout")
	Sebastian   = MustCard("sebastian_the_itinerant_preacher")
	Irmgard     = MustCard("irmgard_keeper_of_the_light")
	FireBrigade = MustCard("fire_brigade")
	BathHouse   = MustCard("bath_house")
	PirateShip  = MustCard("pirate_ship")
	Yule        = MustCard("yule")
)

// printings numbers the printings from 1, in the order of the table. Event cards all have one back, so each is one
// printing whatever sets its copies come from.
func (t *Tables) printings() []Printing {
	list := []Printing{{Row: &Row{Kind: ActionCard, Doubles: NoRes, Rate: NoRes, Number: len(t.Cards)}}}
	for _, r := range t.Cards {
		for i, c := range r.Copies {
			switch last := &list[len(list)-1]; {
			case i > 0 && r.Kind == EventCard:
				last.N += c.N
				last.Moon += c.Moon
			case i > 0:
				list = append(list, Printing{Row: r, Set: c.Set, N: c.N, Moon: c.Moon,
					Name: r.ID + ":" + c.Set.String()})
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

// MustCard returns the card with that name.
func MustCard(name string) Card {
	c, ok := CardNamed[name]
	if !ok {
		panic("rivals: card table: no " + name)
	}
	return c
}

// Row returns the card's row in the table.
func (c Card) Row() *Row { return faces[c].Row }

// Set returns the back the card bears.
func (c Card) Set() Set { return faces[c].Set }

// Name returns the card's word in notation; "?" for an unknown card.
func (c Card) Name() string {
	if c == NoCard {
		return "?"
	}
	return faces[c].Name
}

// Same reports whether two printings are the same card.
func (c Card) Same(d Card) bool { return c.Row() == d.Row() }

// backs are the cards of which only the back is known, one of each set; faces are what a card can show, the printings
// and the backs.
var (
	backs = Card(len(Printings))
	faces = func() []Printing {
		list := slices.Clip(Printings)
		for set := range Sets {
			list = append(list, Printing{Row: Printings[NoCard].Row, Set: set, Name: "?" + set.String()})
		}
		return list
	}()
	backNamed = map[string]Card{"": NoCard, "-": NoCard, "?": NoCard, "?basic": BackOf(Basic), "?gold": BackOf(Gold),
		"?turmoil": BackOf(Turmoil), "?progress": BackOf(Progress)}
)

// BackOf returns a card of a set of which only the back is known.
func BackOf(s Set) Card { return backs + Card(s) }

// Hidden reports whether the face of a card is unknown.
func (c Card) Hidden() bool { return c == NoCard || c >= backs }

// MarshalText writes the card's name.
func (c Card) MarshalText() ([]byte, error) {
	if int(c) >= len(faces) {
		return nil, fmt.Errorf("there is no card %d", c)
	}
	return []byte(c.Name()), nil
}

// UnmarshalText reads the card's name, also as people type it.
func (c *Card) UnmarshalText(text []byte) error {
	return Named(c, text, func(name string) (card Card, ok bool) {
		if card, ok = CardNamed[name]; !ok {
			if card, ok = backNamed[name]; !ok {
				card, ok = CardWords[Fold(name)]
			}
		}
		return card, ok
	})
}

// On reports whether a row has an effect at that moment.
func (r *Row) On(when string) bool {
	return slices.ContainsFunc(r.Effects, func(e Effect) bool { return e.On == when })
}
