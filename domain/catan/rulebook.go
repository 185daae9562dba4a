// Package catan is the rulebook of Catan: the base game for three and four seats, and
// Catan for two.
//
// The numbers in comments are the points of the rules after which the tests are named: "Catan base game, 34" is the
// base rules' point on roads, "Catan for two, 8" the owner's rulebook on building for the neutrals, and A1 to A21 and
// 8.1 to 8.10 are the readings chosen where a text allows two (table/words/readings).
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
var Rulebook domain.Rulebook = kit.New[*state.State, state.Move, *state.View](table.Room, state.Room{}, judge,
	notation.Room{}, show.Room{}, kit.Extras[*state.State, state.Move, *state.View]{
		Orders: kit.Orders[state.Move, *state.View](judge, notation.Room{}, show.Room{}), Guide: table.Guide,
		Nights:    show.Nights,
		PickLegal: judge.PickLegal, Answers: judge.Answers, Begins: notation.Room{}.Begins,
		Means: notation.Means, Reword: notation.Reword, Described: notation.Room{}.Described, Asked: show.Room{}.Asked,
		Facts:  show.Room{}.Facts,
		Forced: judge.Forced, Chains: judge.Chains, Thrown: judge.Thrown, Outcomes: show.Room{}.Outcomes,
		Tally: show.Room{}.Tally, Deeds: show.Room{}.Deeds, Pictured: show.Room{}.Pictured, Usual: 3,
		Stopped: state.Room{}.Stopped,
		Chances: judge.Chances, Goods: judge.Goods, Sources: judge.Sources, Estimate: judge.Estimate, Turn: judge.Turn,
		CopyOver: state.Room{}.CopyOver, DecideOver: judge.DecideOver,
	})

var judge = new(rules.Room)
