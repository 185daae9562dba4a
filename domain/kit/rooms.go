// Package kit lies under the rulebooks: it makes a [domain.Rulebook] of typed rooms, and holds what
// every game needs and none should write again.
//
// A game has five rooms, each a value whose methods take the game's own types: S is its state (a
// pointer), M its move (comparable), V its view. The compiler holds that every game has them all; what
// a game has not comes from [Defaults], embedded. One value may be several rooms of a small game.
package kit

import (
	"iter"

	"posthorn/domain"
)

// State is how a game stands: how it begins empty, changes, is copied, is seen and is written.
type State[S, V any] interface {
	New() S
	Evolve(s S, e *domain.Event)
	Clone(s S) S
	View(s S, viewer domain.Viewer) V
	Codec() domain.Codec
}

// Rules are what judges: what may be done, what comes of it, and how it counts.
type Rules[S any, M comparable] interface {
	Setup(g domain.Game, luck *domain.Luck) (domain.Event, error)
	Blind(s S, viewer domain.Viewer, luck *domain.Luck) domain.Event
	Decide(s S, seat domain.Seat, m M, luck *domain.Luck) (domain.Event, error)
	Awaited(s S) []domain.Decision
	Legal(s S, seat domain.Seat) iter.Seq[M]
	Forms(s S, seat domain.Seat) []domain.Form
	Standing(s S, viewer domain.Viewer) domain.Standing
	Value(s S, seat domain.Seat) float64
}

// Notation is moves as people write them.
type Notation[M comparable] interface {
	ParseMove(text string, names []string) (M, error)
	FormatMove(m M, names []string) string
}

// Show is what people are shown, in words and pictures.
type Show[S any, M comparable, V any] interface {
	Steps(s S, m M) []domain.Step
	Draw(v V, sketch domain.Sketch) []domain.Panel
	Describe(v V) domain.Description
	Cards(v V) []domain.CardText
	Tell(e *domain.Event) []domain.Say
}

// Picker is a [domain.Picker] of the rules. The move is an M already turned into an interface value,
// so that a game may have the commonest ones lie ready.
type Picker[S any] interface {
	PickLegal(s S, seat domain.Seat, pick func(n int) int) (m domain.Move, n int)
}

// Recaller is a [domain.Recaller] of the notation.
type Recaller[M comparable] interface {
	Recall(e *domain.Event) (M, bool)
}

// Reshuffler is a [domain.Reshuffler] of the rules.
type Reshuffler[S any] interface {
	Reshuffle(s S, luck *domain.Luck) domain.Event
	Uncovered(s S, e *domain.Event) int
}

// The parts of [domain.StandingOrders], each in the room where it belongs.
type (
	// OrderRules are what an order does, and which may be put together.
	OrderRules[V any] interface {
		Obey(orders []string, d domain.Decision, v V) (domain.Obeyed, bool)
		OrderForms(v V) []domain.Form
	}
	// OrderNotation is orders as people write them.
	OrderNotation interface {
		ReadOrder(text string, names []string) (order string, err error)
		ShowOrder(order string, names []string) string
	}
	// OrderShow says an order in sentences.
	OrderShow interface {
		TellOrder(order string) []domain.Say
	}
)
