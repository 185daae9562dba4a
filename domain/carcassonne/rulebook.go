// Package carcassonne is the game of Carcassonne: the base game of 2014 for two to five
// players with farmers, the river, the abbot, and the game for one person or one team.
//
// What lives here: the tiles (table/tiles.txt), the board and its features kept up to
// date move by move, placing, claiming and scoring, the notation, the position set up by
// hand, the drawing and the words in four languages. What may not live here: anything that
// knows of mail, pages or the log.
//
// The rules follow the Portuguese rulebook of the base game with river and abbot ("S1" in
// comments) and the rules for one person ("S0", with the Polish print "S2"); where these
// are silent or can be read in two ways, the comment beside the code says which reading
// decides and an option offers the other where people really play both.
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
	WithPicker(rules.Room{}).WithGlance(show.Room{}).WithOutcomes(show.Room{}).WithGuide(table.Guide).WithAccounts(rules.Room{}).WithPoints(rules.Room{}).WithEstimator(rules.Room{}).WithCopier(state.Room{}).WithStopped(state.Room{})
