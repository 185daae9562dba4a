package catan

import (
	"embed"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Rulebook is Catan: the base game for three and four, and with two seats Catan for two. Its state is
// a *[State], its move a [Move], its view a *[View].
var Rulebook domain.Rulebook = kit.New[*State, Move, *View](tableRoom{}, stateRoom{}, rulesRoom{}, notationRoom{}, showRoom{}).
	WithPicker(rulesRoom{}).WithOrders(rulesRoom{}, notationRoom{}, showRoom{})

// The rooms of the game.
type (
	tableRoom    struct{}
	stateRoom    struct{}
	rulesRoom    struct{}
	notationRoom struct{}
	showRoom     struct{ kit.Defaults[*State, *View] }
)

// Name is the game's word.
func (tableRoom) Name() string { return "catan" }

// Edition names the rules that decide.
func (tableRoom) Edition() string { return "2" }

// Seats is two to four; the beginner's starting positions are for three and four.
func (tableRoom) Seats(o domain.Choices) (least, most int) {
	if o["founding"] == "beginner" {
		return 3, 4
	}
	return 2, 4
}

// ChanceKinds are the kinds of outcome that a script may dictate.
func (tableRoom) ChanceKinds() []string { return []string{"dice", "steal", "card", "take", "board"} }

//go:embed words
var wordFiles embed.FS

// catalogue is the words in every language, read once.
var catalogue = kit.Catalogue(wordFiles)

// Catalogue is the rulebook's words in every language of the house.
func (tableRoom) Catalogue() map[string][]byte { return catalogue }

// New is an empty state.
func (stateRoom) New() *State { return &State{winner: noColour, longest: noColour, army: noColour} }

// Clone copies a state: a state is arrays, and a board that nothing changes.
func (stateRoom) Clone(s *State) *State {
	c := *s
	return &c
}
