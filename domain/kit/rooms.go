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

// Picker is a [domain.Picker] of the rules. The move is an M already converted to an interface value, so that a game
// may keep the commonest ones ready.
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

// Glance is a [domain.Glance] of the show.
type Glance[V any] interface {
	Tally(v V) domain.Tally
	Deeds(v V) []domain.Deed
	Pictured(word string) domain.Scene
}

// Chains is a [domain.Chains] of the show.
type Chains[S any] interface {
	Chains(s S, seat domain.Seat) []domain.Chain
}

// Accounts is a [domain.Accounts] of the rules.
type Accounts[S, V any] interface {
	Chances(s S, e *domain.Event) []domain.Chance
	Goods(v V) domain.Goods
}

// Points is a [domain.Points] of the rules.
type Points[S any] interface {
	PointsAfter(s S, e *domain.Event) []int
}

// Forced is a [domain.Forced] of the rules.
type Forced[V any] interface {
	Forced(v V, d domain.Decision) (domain.Move, bool)
}

// Asked is a [domain.Asked] of the show.
type Asked[S any] interface {
	Asked(s S, d domain.Decision) string
}

// Offers is a [domain.Offers] of the rules.
type Offers[S any, M comparable] interface {
	Answers(s S, seat domain.Seat, yes bool) []M
}

// Stopped is a [domain.Stopped] of the state.
type Stopped[V any] interface {
	Stopped(v V) V
}

// Estimator is a [domain.Estimator] of the rules.
type Estimator[S any] interface {
	Estimate(s S, seat domain.Seat) float64
	Throughout() bool
}

// Turns is a [domain.Turns] of the rules.
type Turns[S any] interface {
	Turn(s S) (number int, whose domain.Seat)
}

// Copier is a [domain.Copier] of the state.
type Copier[S any] interface {
	CopyOver(to, from S)
}

// Rewriter is a [domain.Rewriter] of the rules.
type Rewriter[S any, M comparable] interface {
	DecideOver(e *domain.Event, s S, seat domain.Seat, m M, luck *domain.Luck) error
}

// Outcomes is a [domain.Outcomes] of the show.
type Outcomes[V any] interface {
	Outcomes(v V) []domain.Form
}

// The parts of [domain.StandingOrders], each for the room where it belongs.
type (
	// OrderRules says what an order does, and which orders people may put together.
	OrderRules[M comparable, V any] interface {
		Obey(orders []string, d domain.Decision, v V) (domain.Obeyed, bool)
		OrderFor(m M, d domain.Decision, v V) string
		OrderForms(v V) []domain.Form
	}
	// OrderNotation reads and writes orders as people write them.
	OrderNotation interface {
		ReadOrder(text string, names []string) (order string, err error)
		ShowOrder(order string, names []string) string
	}
	// OrderShow tells an order in sentences.
	OrderShow[V any] interface {
		TellOrder(order string, v V) []domain.Say
	}
)

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

// New makes a rulebook from five rooms. The With methods add what only some games have.
func New[S any, M comparable, V any](table Basics, state State[S, V], rules Rules[S, M], notation Notation[M],
	show Show[S, M, V]) *Game[S, M, V] {
	return &Game[S, M, V]{Basics: table, state: state, rules: rules, notation: notation, show: show,
		codec: state.Codec()}
}

// WithPicker adds rules that count their legal moves without making each.
func (g *Game[S, M, V]) WithPicker(p Picker[S]) *Game[S, M, V] {
	g.extras.Picker = picker[S]{p}
	return g
}

// WithRecaller adds a notation that keeps part of a move secret.
func (g *Game[S, M, V]) WithRecaller(r Recaller[M]) *Game[S, M, V] {
	g.extras.Recaller = recaller[M]{r}
	return g
}

// WithReshuffler adds rules in which something hidden lies in an order.
func (g *Game[S, M, V]) WithReshuffler(r Reshuffler[S]) *Game[S, M, V] {
	g.extras.Reshuffler = reshuffler[S]{r}
	return g
}

// WithOrders adds standing orders.
func (g *Game[S, M, V]) WithOrders(rules OrderRules[M, V], notation OrderNotation, show OrderShow[V]) *Game[S, M, V] {
	g.extras.Orders = orders[M, V]{rules, notation, show}
	return g
}

// WithOutcomes adds forms for what chance may bring.
func (g *Game[S, M, V]) WithOutcomes(show Outcomes[V]) *Game[S, M, V] {
	g.extras.Outcomes = outcomes[V]{show}
	return g
}

// WithGlance adds counts, and deeds with a price.
func (g *Game[S, M, V]) WithGlance(show Glance[V]) *Game[S, M, V] {
	g.extras.Glance = glance[V]{show}
	return g
}

// WithGuide adds the rules for people to read.
func (g *Game[S, M, V]) WithGuide(guide *domain.Guide) *Game[S, M, V] {
	g.extras.Guide = guide
	return g
}

// WithChains adds moves that are made one right after another.
func (g *Game[S, M, V]) WithChains(rules Chains[S]) *Game[S, M, V] {
	g.extras.Chains = chains[S]{rules}
	return g
}

// WithAccounts adds what chance brought, and what everybody gained and spent.
func (g *Game[S, M, V]) WithAccounts(rules Accounts[S, V]) *Game[S, M, V] {
	g.extras.Accounts = accounts[S, V]{rules}
	return g
}

// WithPoints adds rules that compute the points after an event without copying the state.
func (g *Game[S, M, V]) WithPoints(rules Points[S]) *Game[S, M, V] {
	g.extras.Points = points[S]{rules}
	return g
}

// WithThrown adds dice that everybody sees.
func (g *Game[S, M, V]) WithThrown(rules domain.Thrown) *Game[S, M, V] {
	g.extras.Thrown = rules
	return g
}

// WithForced adds moves that everybody can see are the only ones.
func (g *Game[S, M, V]) WithForced(rules Forced[V]) *Game[S, M, V] {
	g.extras.Forced = forced[V]{rules}
	return g
}

// WithAsked adds words for what a decision asks as a turn goes on.
func (g *Game[S, M, V]) WithAsked(show Asked[S]) *Game[S, M, V] {
	g.extras.Asked = asked[S]{show}
	return g
}

// WithVerbs adds the words with which moves begin.
func (g *Game[S, M, V]) WithVerbs(notation domain.Verbs) *Game[S, M, V] {
	g.extras.Verbs = notation
	return g
}

// WithOffers adds what a bare yes or no may mean.
func (g *Game[S, M, V]) WithOffers(rules Offers[S, M]) *Game[S, M, V] {
	g.extras.Offers = offers[S, M]{rules}
	return g
}

// WithStopped adds views of games that were broken off.
func (g *Game[S, M, V]) WithStopped(state Stopped[V]) *Game[S, M, V] {
	g.extras.Stopped = stopped[V]{state}
	return g
}

// WithEstimator adds a finer value.
func (g *Game[S, M, V]) WithEstimator(rules Estimator[S]) *Game[S, M, V] {
	g.extras.Estimator = estimator[S]{rules}
	return g
}

// WithTurns adds when turns begin.
func (g *Game[S, M, V]) WithTurns(rules Turns[S]) *Game[S, M, V] {
	g.extras.Turns = turns[S]{rules}
	return g
}

// WithCopier adds states that can be copied one over another.
func (g *Game[S, M, V]) WithCopier(state Copier[S]) *Game[S, M, V] {
	g.extras.Copier = copier[S]{state}
	return g
}

// WithRewriter adds rules that decide in the memory of an event that nobody needs any more.
func (g *Game[S, M, V]) WithRewriter(rules Rewriter[S, M]) *Game[S, M, V] {
	g.extras.Rewriter = rewriter[S, M]{rules}
	return g
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
