// Package rivals is The Rivals for Catan, for two: the introduction, the three ages and the Duel of the Princes. The
// cards are a table (cards.json); what they do is a small vocabulary of effects that the rules interpret. Where the
// printed rules leave a question open, comments name the reading we play by; table/words/readings has
// them all, with the scripts that show them.
//
// A row's effect says when (on), what (do) and how much. When: an action card is played (play), before the roll
// (before), a settlement is built (settle), the card itself is built (build), the dice (produce, brigand, trade,
// harvest), an event (event, plenty, riots, plague), an attack (attack, burn), a loss (loss), a payment (cost,
// search), an exchange (bank), or always (points, store). To add a card like existing ones, add a row that says which
// card it is like, the size of its set, and its words. A new kind of effect also needs a row in the vocabulary and a
// branch in perform, whenBuilt or resolveEvent. Loading the table finds anything in a row that means nothing.
//
// A decision works on a copy of the state and notes every change as an outcome (Op); folding an event applies the
// same outcomes. Everything to do before the turn can go on, choices and next steps alike, is a queue of tasks in the
// state; a choice with only one option makes itself.
package rivals

import (
	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/rules"
	"posthorn/domain/rivals/show"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Rulebook is the game. Its state is a *[state.State], its move a [state.Move], its view a *[state.View].
var Rulebook domain.Rulebook = kit.New[*state.State, state.Move, *state.View](table.Room, state.Room{}, judge,
	notation.Room{}, inWords, kit.Extras[*state.State, state.Move, *state.View]{
		Orders: kit.Orders[state.Move, *state.View](judge, notation.Room{}, inWords), Guide: show.Guide(),
		Nights:    show.Nights(),
		PickLegal: judge.PickLegal, Recall: notation.Room{}.Recall, Begins: notation.Room{}.Begins, Means: table.Means,
		Reword: table.Reword, Described: notation.Room{}.Described,
		Facts: inWords.Facts,
		Asked: inWords.Asked, Chains: judge.Chains, Reshuffle: judge.Reshuffle, Uncovered: judge.Uncovered,
		Thrown: judge.Thrown, Outcomes: inWords.Outcomes, Chances: judge.Chances, Goods: judge.Goods,
		Sources:  judge.Sources,
		Estimate: judge.Estimate, Turn: judge.Turn, CopyOver: state.Room{}.CopyOver, DecideOver: judge.DecideOver,
	})

var judge = new(rules.Room)

// inWords is the room of showing; it asks the rules what prevents the use of a card.
var inWords = show.Room{WhyNot: rules.WhyNot, Hinders: rules.Hindrances}
