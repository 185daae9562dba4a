package carcassonne

import (
	"posthorn/domain"
	"posthorn/domain/kit"
)

// Rulebook is the game. Its state is a *[State], its move a [Move], its view a *[View].
var Rulebook domain.Rulebook = kit.New[*State, Move, *View](tableRoom, stateRoom{}, rulesRoom{}, notationRoom{}, showRoom{}).
	WithPicker(rulesRoom{})

// The rooms of the game. Nothing is hidden in it but what is not decided yet, and every move is a
// closed choice.
type (
	stateRoom    struct{}
	rulesRoom    struct{ kit.Defaults[*State, *View] }
	notationRoom struct{}
	showRoom     struct{ kit.Defaults[*State, *View] }
)
