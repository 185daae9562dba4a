package rivals

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

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
type Kind uint8

// The kinds of card.
const (
	ActionCard     Kind = iota // played from the hand, then discarded
	SettlementCard             // green: on a site of a settlement or city
	CityCard                   // red: on a site of a city
	RegionCard                 // brown: beside a region
	EventCard
)

var kindNames = map[string]Kind{"action": ActionCard, "settlement": SettlementCard, "city": CityCard, "region": RegionCard, "event": EventCard}

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
}

// Row is one card of the table, whatever backs it comes with.
type Row struct {
	ID      string         `json:"id"`
	Short   string         `json:"short"` // another word the notation takes
	KindID  string         `json:"kind"`
	Class   string         `json:"class"` // "building" or "unit"
	Tag     string         `json:"tag"`   // "hero" or "trade-ship"
	Attack  bool           `json:"attack"`
	One     bool           `json:"one"`  // one of it in a principality
	Open    bool           `json:"open"` // lies face up in the game of its theme
	Copies  []Copies       `json:"copies"`
	CostOf  map[string]int `json:"cost"`
	Points  Points         `json:"points"`
	Need    [][]string     `json:"need"` // every group needs one of its conditions
	Effects []Effect       `json:"effects"`

	Kind     Kind  `json:"-"`
	Cost     Goods `json:"-"`
	building bool
	unit     bool
	hero     bool
	ship     bool // a trade ship
	doubles  Res  // the resource a production booster doubles, or noRes
	shelter  bool // Storehouse
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

func (m *rowSet) put(r *Row)      { m[r.number/64] |= 1 << (r.number % 64) }
func (m *rowSet) has(r *Row) bool { return m[r.number/64]&(1<<(r.number%64)) != 0 }

// Copies says how often a card is printed in a set, and how many of those bear the half-moon.
type Copies struct {
	Set  string `json:"set"`
	N    int    `json:"n"`
	Moon int    `json:"moon"`
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
	N      int            `json:"n"`
	Start  int            `json:"start"`
	CostOf map[string]int `json:"cost"`
	Cost   Goods          `json:"-"`
}

type startRegion struct {
	Terrain terrain `json:"terrain"`
	Place   Place   `json:"place"`
	Red     uint8   `json:"red"`
	Blue    uint8   `json:"blue"`
	Drawn   []int   `json:"drawn"`
}

type tables struct {
	Centre  map[string]*CentreCard `json:"centre"`
	Regions []startRegion          `json:"regions"`
	Cards   []*Row                 `json:"cards"`
}

var (
	table     = loadTable()
	printings = layPrintings()
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

func loadTable() *tables {
	t := &tables{}
	if err := json.Unmarshal(cardTable, t); err != nil {
		panic(fmt.Sprintf("rivals: card table: %v", err))
	}
	for _, c := range t.Centre {
		c.Cost = goodsOf(c.CostOf)
	}
	for i, r := range t.Cards {
		r.number = i
		r.Kind = kindNames[r.KindID]
		r.Cost = goodsOf(r.CostOf)
		r.prepare()
	}
	t.linkRaised()
	t.readNeeds()
	return t
}

// linkRaised marks the cards that another card's "raise" names.
func (t *tables) linkRaised() {
	for _, r := range t.Cards {
		for _, e := range r.Effects {
			for _, q := range t.Cards {
				switch {
				case !slices.Contains(e.Of, q.ID):
				case e.Do == "raise":
					q.based, q.link = 1, 1
				case e.Do == "negate":
					r.negates.put(q)
				}
			}
		}
	}
}

// prepare reads the effects into the fields that the rules look at often.
func (r *Row) prepare() {
	r.building, r.unit = r.Class == "building", r.Class == "unit"
	r.hero, r.ship = r.Tag == "hero", r.Tag == "trade-ship"
	r.doubles, r.rate = noRes, noRes
	for _, e := range r.Effects {
		res, named := resNamed(e.What)
		switch e.On + " " + e.Do {
		case "produce double":
			r.doubles = res
		case "bank rate":
			if named && e.Times == 0 {
				r.rate = res
			}
		case "brigand shelter":
			r.shelter, r.marks = true, r.marks|marksShelter
		case "plenty yield":
			r.plenty = true
		case "harvest gain":
			r.harvest = e.N
		case "attack guard":
			r.guard, r.marks = faceMask(e.Faces), r.marks|marksGuard
		case "riots excuse":
			r.excuse = faceMask(e.Faces)
		case "produce share":
			r.marks |= marksShare
		case "loss gain":
			r.marks |= marksLoss
		case "plague gain":
			r.marks |= marksPlague
		case "points score":
			r.scores, r.link = e.N, 1
		case "points raise":
			r.link = 1
			if e.Of[0] == "trade-ship" {
				r.raises[1] = e.N
			} else {
				r.raises[0] = e.N
			}
		}
		switch e.On {
		case "before":
			r.fixes = true
		case "play":
			r.play = append(r.play, e)
		case "build":
			r.build = append(r.build, e)
		case "cost":
			r.less, r.marks = append(r.less, e), r.marks|marksLess
		case "search":
			r.marks |= marksSearch
		case "bank":
			r.bank, r.marks = &r.Effects[0], r.marks|marksBank
		}
	}
}

func faceMask(faces []int) (m uint8) {
	for _, f := range faces {
		m |= 1 << f
	}
	return m
}

// layPrintings numbers the printings from 1, in the order of the table. Event cards all
// have one back, so each is one printing whatever sets its copies come from.
func layPrintings() []Printing {
	list := []Printing{{Row: &Row{doubles: noRes, rate: noRes, number: len(table.Cards)}}}
	for _, r := range table.Cards {
		if r.Kind == EventCard {
			p := Printing{Row: r, Name: r.ID}
			for _, c := range r.Copies {
				p.N += c.N
				p.Moon += c.Moon
			}
			list = append(list, p)
			continue
		}
		for i, c := range r.Copies {
			p := Printing{Row: r, Set: setNamed(c.Set), N: c.N, Moon: c.Moon, Name: r.ID}
			if i > 0 {
				p.Name += ":" + c.Set
			}
			list = append(list, p)
		}
	}
	return list
}

func setNamed(name string) Set {
	for s, n := range setNames {
		if n == name {
			return Set(s)
		}
	}
	panic("rivals: card table: no set " + name)
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
