package carcassonne

import (
	"embed"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed words
var files embed.FS

// tableRoom is the game, with its variants. Colours and followers count only in a solo game, river-turns
// and river-start-tile only with the river. There are two to five seats (S1, components); one, held by
// a person or a team, in a solo game (S0).
var tableRoom = kit.Basics{
	Word: "carcassonne", Chance: []string{drawKind},
	Fits: func(o domain.Choices) (least, most int) {
		if o.On("solo") {
			return 1, 1
		}
		return 2, maxOwners
	},
	Variants: []domain.Option{
		kit.Switch("farmers", "on"),
		{Key: "two-tile-city", Values: []string{"4", "2"}, Default: "4"},
		kit.Switch("river", "off"),
		{Key: "river-turns", Values: []string{"consecutive", "any"}, Default: "consecutive"},
		{Key: "river-start-tile", Values: []string{"box", "bag"}, Default: "box"},
		kit.Switch("abbot", "off"),
		kit.Switch("solo", "off"),
		{Key: "colours", Values: []string{"3", "4"}, Default: "3"},
		{Key: "followers", Values: []string{"3", "4", "5", "6", "7"}, Default: "4"},
	},
	Words: kit.Catalogue(files),
}

// choices is what the options come to.
type choices struct {
	farmers, tinyPays2, river, turnsAny, startInBag, abbot, solo bool

	owners uint8 // players, or colours of a solo game
	hand   uint8 // followers of each
}

const fullHand = 7 // followers of each player (S1, components)

func choicesOf(o domain.Choices, seats int) choices {
	c := choices{
		farmers:    o.On("farmers"),
		tinyPays2:  o["two-tile-city"] == "2",
		river:      o.On("river"),
		turnsAny:   o["river-turns"] == "any",
		startInBag: o["river-start-tile"] == "bag",
		abbot:      o.On("abbot"),
		solo:       o.On("solo"),
		owners:     uint8(seats),
		hand:       fullHand,
	}
	if c.solo {
		c.farmers = false // S0, placing a follower: never as a farmer
		c.owners = number(o["colours"], 3)
		c.hand = number(o["followers"], 4)
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

// asChoices is choicesOf backwards: what a view says of the options.
func (c choices) asChoices() domain.Choices {
	o := domain.Choices{
		"farmers": onOrOff(c.farmers), "two-tile-city": "4", "river": onOrOff(c.river),
		"river-turns": "consecutive", "river-start-tile": "box",
		"abbot": onOrOff(c.abbot), "solo": onOrOff(c.solo), "colours": "3", "followers": "4",
	}
	if c.tinyPays2 {
		o["two-tile-city"] = "2"
	}
	if c.turnsAny {
		o["river-turns"] = "any"
	}
	if c.startInBag {
		o["river-start-tile"] = "bag"
	}
	if c.solo {
		o["colours"] = strconv.Itoa(int(c.owners))
		o["followers"] = strconv.Itoa(int(c.hand))
	}
	return o
}

func onOrOff(is bool) string {
	if is {
		return "on"
	}
	return "off"
}
