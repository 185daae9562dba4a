package catan

import (
	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/show"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Rulebook is Catan: the base game for three and four, and with two seats Catan for two. Its state is
// a *[state.State], its move a [state.Move], its view a *[state.View].
var Rulebook domain.Rulebook = kit.New[*state.State, state.Move, *state.View](table.Room, state.Room{}, new(rules.Room), notation.Room{}, show.Room{}).
	WithPicker(new(rules.Room)).WithOrders(new(rules.Room), notation.Room{}, show.Room{})
