// Package table holds what is on the table in Catan before anybody plays: the island and its numbers, cards and costs,
// what people call them, and the options. It knows no state.
package table

import (
	"embed"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed words
var wordFiles embed.FS

// Room is the table room, with the variants; see docs/notation-catan.md. There are two to four seats; the beginner's
// starting positions are for three and four.
var Room = kit.Basics{
	Word: "catan", Rules: "2", Chance: []string{"dice", "steal", "card", "take", "board"},
	Fits: func(o domain.Choices) (least, most int) {
		if o["founding"] == "beginner" {
			return 3, 4
		}
		return 2, 4
	},
	Variants: []domain.Option{
		{Key: "points", Values: []string{"8", "9", "10", "11", "12", "13", "14", "15"}, Default: "10"},
		{Key: "board", Values: []string{"variable", "beginner"}, Default: "variable"},
		{Key: "tokens", Values: []string{"spiral", "random"}, Default: "spiral"},
		{Key: "harbours", Values: []string{"fixed", "shuffled"}, Default: "fixed"},
		{Key: "founding", Values: []string{"chosen", "beginner"}, Default: "chosen"},
		kit.Switch("friendly-robber", "off"),
		kit.Switch("trade-first", "off"),
		{Key: "neutral-building", Values: []string{"each", "literal", "one"}, Default: "each", Seats: 2},
		{Key: "token-actions", Values: []string{"one", "any"}, Default: "one", Seats: 2},
	},
	Words: kit.Catalogue(wordFiles, "catan"),
}

// Guide is the rules for people to read.
var Guide = kit.Guide(wordFiles)

// Rules are the options of one game in parsed form.
type Rules struct {
	Target      int8 // points that win
	Friendly    bool // the robber spares the poor
	NeutralEach bool // Catan for two: a piece for each neutral, not for one of them
	RoadLast    bool // Catan for two: a road in place of a settlement only if no neutral can build one
	TokensAny   bool // Catan for two: any number of token actions per turn
	Apart       bool // no trade after building in a turn
}

// RulesOf reads the options of a game.
func RulesOf(c domain.Choices) Rules {
	n, err := strconv.Atoi(c["points"])
	if err != nil {
		n = 10 // Complete only accepts numbers; anything else means the printed rule
	}
	return Rules{
		Target:      int8(n),
		Friendly:    c.On("friendly-robber"),
		NeutralEach: c["neutral-building"] != "one",
		RoadLast:    c["neutral-building"] == "one" || c["neutral-building"] == "literal",
		TokensAny:   c["token-actions"] == "any",
		Apart:       c.On("trade-first"),
	}
}
