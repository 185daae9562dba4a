// Package tiny is a whole rulebook on a few pages: the worked example of CONTRIBUTING, and
// what the tests of the house play. It is registered in tests alone.
//
// The game: two to four seats hold one hidden card each, of 24. In a round everybody, in any
// order, keeps their card, swaps it for the top one of the stack (the old one is laid open),
// or peeks at somebody else's. Then one seat rolls a die, the cards are shown, and the highest
// takes as many points as the die shows; with the option low, an odd die favours the lowest.
// The game is over after the last round; whoever never peeked gets two points more.
//
// It has one of everything that is hard: a stack that nobody may see, hands that one seat may
// see, knowledge that a seat gained and keeps, two seats awaited at once, a die, an end.
package tiny

import (
	"embed"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Rulebook is the game. One value is all five rooms of it; each has a file of its own here.
var Rulebook domain.Rulebook = kit.New[*state, move, *View](game{}, game{}, game{}, game{}, game{}).
	WithReshuffler(game{}).WithOrders(game{}, game{}, game{})

type game struct {
	kit.Defaults[*state, *View] // what tiny has not: forms, cards in words
}

// Cards is how many cards there are, numbered from 1.
const Cards = 24

// honesty is what whoever never peeked gets at the end.
const honesty = 2

// Name is the word in scripts.
func (game) Name() string { return "tiny" }

// Options are the length of the game, and whether low cards may win.
func (game) Options() []domain.Option {
	return []domain.Option{
		{Key: "rounds", Values: []string{"1", "2", "3"}, Default: "3"},
		{Key: "low", Values: []string{"on", "off"}, Default: "off"},
	}
}

// Seats are two to four: three rounds of four seats use up the 24 cards at most.
func (game) Seats(domain.Choices) (least, most int) { return 2, 4 }

// ChanceKinds are what scripts may dictate.
func (game) ChanceKinds() []string { return []string{"die", "stack"} }

//go:embed words
var files embed.FS

var catalogue = kit.Catalogue(files)

// Catalogue is the rulebook's words.
func (game) Catalogue() map[string][]byte { return catalogue }
