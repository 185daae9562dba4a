// Package table is what lies on the table in Carcassonne before anybody plays: the tiles and their shapes, and the
// options. It does not know the state.
package table

import (
	"embed"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Choices is what the options mean for a game.
type Choices struct {
	Farmers, TinyPays2, River, TurnsAny, StartInBag, Abbot, Solo bool

	Owners uint8 // players, or colours of a solo game
	Hand   uint8 // followers each
}

// FullHand is the number of followers each player has (S1, components).
const FullHand = 7

// option is an option with two values: the field it sets, the value for true and the value for false.
type option struct {
	key    string
	is     *bool
	on, no string
}

func (c *Choices) options() []option {
	return []option{
		{"farmers", &c.Farmers, "on", "off"}, {"two-tile-city", &c.TinyPays2, "2", "4"},
		{"river", &c.River, "on", "off"},
		{"river-turns", &c.TurnsAny, "any", "consecutive"}, {"river-start-tile", &c.StartInBag, "bag", "box"},
		{"abbot", &c.Abbot, "on", "off"}, {"solo", &c.Solo, "on", "off"},
	}
}

// ChoicesOf returns what the options mean.
func ChoicesOf(o domain.Choices, seats int) Choices {
	c := Choices{Owners: uint8(seats), Hand: FullHand}
	for _, x := range c.options() {
		*x.is = o[x.key] == x.on
	}
	if c.Solo {
		c.Farmers = false // S0, placing a follower: never as a farmer
		c.Owners = number(o["colours"], 3)
		c.Hand = number(o["followers"], 4)
	}
	return c
}

func number(text string, otherwise uint8) uint8 {
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil {
		return otherwise
	}
	return uint8(n)
}

// AsChoices is the inverse of ChoicesOf: the options as a view shows them.
func (c Choices) AsChoices() domain.Choices {
	o := domain.Choices{"colours": "3", "followers": "4"}
	for _, x := range c.options() {
		o[x.key] = x.no
		if *x.is {
			o[x.key] = x.on
		}
	}
	if c.Solo {
		o["colours"], o["followers"] = strconv.Itoa(int(c.Owners)), strconv.Itoa(int(c.Hand))
	}
	return o
}

//go:embed words
var Files embed.FS

// Room is the game, with its variants. Colours and followers count only in a solo game, river-turns and
// river-start-tile only with the river. There are two to five seats (S1, components), or one in a solo game, held by
// a person or a team (S0).
var Room = kit.Basics{
	Word: "carcassonne", Chance: []string{DrawKind},
	Fits: func(o domain.Choices) (least, most int) {
		if o.On("solo") {
			return 1, 1
		}
		return 2, MaxOwners
	},
	Variants: []domain.Option{
		kit.Switch("farmers", "on"),
		{Key: "two-tile-city", Values: []string{"4", "2"}, Default: "4"},
		{Key: "river", Values: []string{"on", "off"}, Default: "off", First: true},
		{Key: "river-turns", Values: []string{"consecutive", "any"}, Default: "consecutive", With: "river"},
		{Key: "river-start-tile", Values: []string{"box", "bag"}, Default: "box", With: "river"},
		{Key: "abbot", Values: []string{"on", "off"}, Default: "off", First: true},
		{Key: "solo", Values: []string{"on", "off"}, Default: "off", Seats: 1},
		{Key: "colours", Values: []string{"3", "4"}, Default: "3", With: "solo"},
		{Key: "followers", Values: []string{"3", "4", "5", "6", "7"}, Default: "4", With: "solo"},
	},
	Words: kit.Catalogue(Files, "carcassonne"),
}

// Guide is the rules as people read them.
var Guide = kit.Guide(Files)

// DrawKind is the game's only kind of chance: the tile drawn next.
const DrawKind = "tile"

// TileKinds is the number of lines in the table; a test checks it against the table.
const TileKinds = 43

// MaxOwners is the most players or colours there can be.
const MaxOwners = 5
