// Package kit is the base of the rulebooks: it makes a [domain.Rulebook] from typed rooms, and holds what every game
// needs and none should write again.
//
// A game has five rooms, each a value whose methods take the game's own types: S is its state (a pointer), M its move
// (comparable), V its view. The compiler makes sure that every game has them all; a game embeds [Defaults] for what it
// lacks. In a small game one value may be several rooms.
package kit

import (
	"iter"

	"posthorn/domain"
)

// State is the state room: how a state starts empty, changes, and is copied, seen and written.
type State[S, V any] interface {
	New() S
	Evolve(s S, e *domain.Event)
	Clone(s S) S
	View(s S, viewer domain.Viewer) V
	Codec() domain.Codec
}

// Rules is the room that judges: which moves are allowed, what follows from them, and how they score.
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

// Notation is the room for moves as people write them.
type Notation[M comparable] interface {
	ParseMove(text string, names []string) (M, error)
	FormatMove(m M, names []string) string
}

// Show is the room for what people see, in words and pictures.
type Show[S any, M comparable, V any] interface {
	Steps(s S, m M) []domain.Step
	Draw(v V, sketch domain.Sketch) []domain.Panel
	Describe(v V) domain.Description
	Cards(v V) []domain.CardText
	Tell(e *domain.Event, v V) []domain.Say
}

// Game is a rulebook made from rooms; see [New].
type Game[S any, M comparable, V any] struct {
	Basics
	state    State[S, V]
	rules    Rules[S, M]
	notation Notation[M]
	show     Show[S, M, V]
	extras   domain.Extras
	codec    domain.Codec // fetched from the state once, as every event needs it
}

// New makes a rulebook from five rooms, and from what only some games have.
func New[S any, M comparable, V any](table Basics, state State[S, V], rules Rules[S, M], notation Notation[M],
	show Show[S, M, V], extras Extras[S, M, V]) *Game[S, M, V] {
	return &Game[S, M, V]{Basics: table, state: state, rules: rules, notation: notation, show: show,
		extras: extras.untyped(), codec: state.Codec()}
}

// Extras implements domain.Rulebook.
func (g *Game[S, M, V]) Extras() domain.Extras { return g.extras }

// New implements domain.Rulebook.
func (g *Game[S, M, V]) New() domain.State { return g.state.New() }

// Setup implements domain.Rulebook.
func (g *Game[S, M, V]) Setup(of domain.Game, luck *domain.Luck) (domain.Event, error) {
	return g.rules.Setup(of, luck)
}

// Decide implements domain.Rulebook. It refuses a value that is not a move of the game as unreadable.
func (g *Game[S, M, V]) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event,
	error) {
	if _, ok := m.(M); ok {
		return g.rules.Decide(s.(S), seat, m.(M), luck) // converted where it is passed on: a move may be large
	}
	return domain.Event{}, domain.Refuse("unreadable")
}

// Evolve implements domain.Rulebook.
func (g *Game[S, M, V]) Evolve(s domain.State, e *domain.Event) { g.state.Evolve(s.(S), e) }

// Clone implements domain.Rulebook.
func (g *Game[S, M, V]) Clone(s domain.State) domain.State { return g.state.Clone(s.(S)) }

// Awaited implements domain.Rulebook.
func (g *Game[S, M, V]) Awaited(s domain.State) []domain.Decision { return g.rules.Awaited(s.(S)) }

// Legal implements domain.Rulebook.
func (g *Game[S, M, V]) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	all := g.rules.Legal(s.(S), seat)
	return func(yield func(domain.Move) bool) {
		all(func(m M) bool { return yield(m) })
	}
}

// Forms implements domain.Rulebook.
func (g *Game[S, M, V]) Forms(s domain.State, seat domain.Seat) []domain.Form {
	return g.rules.Forms(s.(S), seat)
}

// Standing implements domain.Rulebook.
func (g *Game[S, M, V]) Standing(s domain.State, viewer domain.Viewer) domain.Standing {
	return g.rules.Standing(s.(S), viewer)
}

// Value implements domain.Rulebook.
func (g *Game[S, M, V]) Value(s domain.State, seat domain.Seat) float64 {
	return g.rules.Value(s.(S), seat)
}

// View implements domain.Rulebook.
func (g *Game[S, M, V]) View(s domain.State, viewer domain.Viewer) domain.View {
	return g.state.View(s.(S), viewer)
}

// Blind implements domain.Rulebook.
func (g *Game[S, M, V]) Blind(s domain.State, viewer domain.Viewer, luck *domain.Luck) domain.Event {
	return g.rules.Blind(s.(S), viewer, luck)
}

// Codec implements domain.Rulebook.
func (g *Game[S, M, V]) Codec() domain.Codec { return g.codec }

// ParseMove implements domain.Rulebook.
func (g *Game[S, M, V]) ParseMove(text string, names []string) (domain.Move, error) {
	m, err := g.notation.ParseMove(text, names)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// FormatMove implements domain.Rulebook; it returns "" for a value that is not a move of the game.
func (g *Game[S, M, V]) FormatMove(m domain.Move, names []string) string {
	if _, ok := m.(M); !ok {
		return ""
	}
	return g.notation.FormatMove(m.(M), names)
}

// Steps implements domain.Rulebook; it returns none for a value that is not a move of the game.
func (g *Game[S, M, V]) Steps(s domain.State, m domain.Move) []domain.Step {
	if m, ok := m.(M); ok {
		return g.show.Steps(s.(S), m)
	}
	return nil
}

// Draw implements domain.Rulebook.
func (g *Game[S, M, V]) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	return g.show.Draw(v.(V), sketch)
}

// Describe implements domain.Rulebook.
func (g *Game[S, M, V]) Describe(v domain.View) domain.Description { return g.show.Describe(v.(V)) }

// Cards implements domain.Rulebook.
func (g *Game[S, M, V]) Cards(v domain.View) []domain.CardText { return g.show.Cards(v.(V)) }

// Tell implements domain.Rulebook.
func (g *Game[S, M, V]) Tell(e *domain.Event, v domain.View) []domain.Say {
	seen, _ := v.(V)
	return g.show.Tell(e, seen)
}
