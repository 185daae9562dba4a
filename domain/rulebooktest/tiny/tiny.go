// Package tiny is a whole rulebook on a few pages: the worked example of CONTRIBUTING, and the game that the house's
// tests play. Only tests register it.
//
// The game: two to four seats hold one hidden card each, of 24. In a round everybody, in any order, keeps their card,
// swaps it for the top card of the stack (laying the old one open), or peeks at somebody else's. Then one seat rolls a
// die, the cards are shown, and the highest card scores as many points as the die shows; with the option low, an odd
// die favours the lowest. The game is over after the last round; a seat that never peeked gets two points more.
//
// It has one of everything that is hard: a stack that nobody may see, hands that one seat may see, knowledge that a
// seat gains and keeps, two seats awaited at once, a die, an end.
package tiny

import (
	"embed"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed words
var files embed.FS

// Rulebook is the game. Its table needs no code; one value is the other four rooms, each in its own file here.
var Rulebook domain.Rulebook = kit.New[*state, move, *View](kit.Basics{
	Word: "tiny", Least: 2, Most: 4, Words: kit.Catalogue(files, "tiny"), Chance: []string{"die", "stack"},
	Variants: []domain.Option{
		{Key: "rounds", Values: []string{"1", "2", "3"}, Default: "3"},
		kit.Switch("low", "off"),
	},
}, game{}, game{}, game{}, game{}, kit.Extras[*state, move, *View]{Reshuffle: game{}.Reshuffle,
	Uncovered: game{}.Uncovered, Orders: kit.Orders[move, *View](orders, orders, orders)})

// game has no forms, and no cards in words.
type game struct{ kit.Defaults[*state, *View] }

// cards is the number of cards, numbered from 1: three rounds of four seats use up 24 at most.
const cards = 24

// honesty is the bonus at the end for a seat that never peeked.
const honesty = 2
