package table

import (
	"embed"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Room is the table, as kit.New takes it.
type Room struct{}

// Rules are the options of one game, read.
type Rules struct {
	Target      int8 // points that win
	Friendly    bool // the robber spares the poor
	NeutralEach bool // Catan for two: a piece for each neutral, not for one of them
	TokensAny   bool // Catan for two: any number of token actions a turn
	Apart       bool // no trade once something was built in the turn
}

// Options are the variants; see docs/notation-catan.md.
func (Room) Options() []domain.Option {
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

// RulesOf reads the options of a game.
func RulesOf(c domain.Choices) Rules {
	n, err := strconv.Atoi(c["points"])
	if err != nil {
		n = 10 // a choice that Complete let through is a number; anything else is the printed rule
	}
	return Rules{
		Target:      int8(n),
		Friendly:    c.On("friendly-robber"),
		NeutralEach: c["neutral-building"] != "one",
		TokensAny:   c["token-actions"] == "any",
		Apart:       c.On("trade-first"),
	}
}

// Name is the game's word.
func (Room) Name() string { return "catan" }

// Edition names the rules that decide.
func (Room) Edition() string { return "2" }

// Seats is two to four; the beginner's starting positions are for three and four.
func (Room) Seats(o domain.Choices) (least, most int) {
	if o["founding"] == "beginner" {
		return 3, 4
	}
	return 2, 4
}

// ChanceKinds are the kinds of outcome that a script may dictate.
func (Room) ChanceKinds() []string { return []string{"dice", "steal", "card", "take", "board"} }

//go:embed words
var wordFiles embed.FS

// catalogue is the words in every language, read once.
var catalogue = kit.Catalogue(wordFiles)

// Catalogue is the rulebook's words in every language of the house.
func (Room) Catalogue() map[string][]byte { return catalogue }
