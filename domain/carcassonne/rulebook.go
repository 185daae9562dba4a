package carcassonne

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/notation"
	"posthorn/domain/carcassonne/rules"
	"posthorn/domain/carcassonne/show"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// Rulebook is the game. Its state is a *[state.State], its move a [state.Move], its view a *[state.View]. Nothing is hidden in it but
// what is not decided yet, and every move is a closed choice.
var Rulebook domain.Rulebook = kit.New[*state.State, state.Move, *state.View](table.Room, state.Room{}, rules.Room{}, notation.Room{}, show.Room{}).
	WithPicker(rules.Room{})
