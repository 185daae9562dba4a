// Package carcassonne is the game of Carcassonne: the base game of 2014 for two to five players with farmers, the
// river, the abbot, and the game for one person or one team.
//
// What lives here: the tiles (table/tiles.txt), the board and its features, updated move by move, placing, claiming
// and scoring, the notation, positions set up by hand, the drawing and the words in four languages. What must not
// live here: anything that knows about mail, pages or the log.
//
// The rules follow the Portuguese rulebook of the base game with river and abbot ("S1" in comments) and the rules for
// one person ("S0", with the Polish print "S2"). Where these are silent or ambiguous, table/words/readings
// says which reading we use, by the points in comments; where people really play both, an option offers the other.
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

// Rulebook is the game. Its state is a *[state.State], its move a [state.Move], its view a *[state.View]. It hides
// nothing except what is not decided yet, and every move is a closed choice.
var Rulebook domain.Rulebook = kit.New[*state.State, state.Move, *state.View](table.Room, state.Room{}, rules.Room{},
	notation.Room{}, show.Room{}, kit.Extras[*state.State, state.Move, *state.View]{
		Guide: table.Guide, Nights: show.Nights, PickLegal: rules.Room{}.PickLegal, Means: notation.Means,
		Reword: notation.Reword, Described: notation.Room{}.Described,
		Outcomes: show.Room{}.Outcomes, Tally: show.Room{}.Tally, Deeds: show.Room{}.Deeds,
		Pictured: show.Room{}.Pictured, Stopped: state.Room{}.Stopped,
		Chances: rules.Room{}.Chances, Goods: rules.Room{}.Goods, Sources: rules.Room{}.Sources,
		PointsAfter: rules.Room{}.PointsAfter,
		Estimate:    rules.Room{}.Estimate, EstimatesTurns: true, CopyOver: state.Room{}.CopyOver,
	})
