package catan

import (
	"strconv"

	"posthorn/domain"
)

// rules are the options of one game, read.
type rules struct {
	target      int8 // points that win
	friendly    bool // the robber spares the poor
	neutralEach bool // Catan for two: a piece for each neutral, not for one of them
	tokensAny   bool // Catan for two: any number of token actions a turn
	apart       bool // no trade once something was built in the turn
}

// Options are the variants; see docs/notation-catan.md.
func (tableRoom) Options() []domain.Option {
	onOff := []string{"on", "off"}
	return []domain.Option{
		{Key: "points", Values: []string{"8", "9", "10", "11", "12", "13", "14", "15"}, Default: "10"},
		{Key: "board", Values: []string{"variable", "beginner"}, Default: "variable"},
		{Key: "tokens", Values: []string{"spiral", "random"}, Default: "spiral"},
		{Key: "harbours", Values: []string{"fixed", "shuffled"}, Default: "fixed"},
		{Key: "founding", Values: []string{"chosen", "beginner"}, Default: "chosen"},
		{Key: "friendly-robber", Values: onOff, Default: "off"},
		{Key: "trade-first", Values: onOff, Default: "off"},
		{Key: "neutral-building", Values: []string{"each", "one"}, Default: "each"},
		{Key: "token-actions", Values: []string{"one", "any"}, Default: "one"},
	}
}

// rulesOf reads the options of a game.
func rulesOf(c domain.Choices) rules {
	n, err := strconv.Atoi(c["points"])
	if err != nil {
		n = 10 // a choice that Complete let through is a number; anything else is the printed rule
	}
	return rules{
		target:      int8(n),
		friendly:    c.On("friendly-robber"),
		neutralEach: c["neutral-building"] != "one",
		tokensAny:   c["token-actions"] == "any",
		apart:       c.On("trade-first"),
	}
}
