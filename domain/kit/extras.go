package kit

import (
	"posthorn/domain"
)

// Extras are the [domain.Extras] of a game, in its own types; the fields mean what they mean there.
type Extras[S any, M comparable, V any] struct {
	Orders domain.StandingOrders // see [Orders]
	Guide  *domain.Guide
	Nights []domain.Night
	Usual  int

	PickLegal func(s S, seat domain.Seat, pick func(n int) int) (m domain.Move, n int)
	Recall    func(e *domain.Event) (M, bool)
	Answers   func(s S, seat domain.Seat, yes bool) []M
	Begins    func(words string) (begins, names bool)
	Means     func(word string) string
	Reword    func(text string) string
	Described func(s S, text string) (fit, others []M)
	Facts     func() []domain.Fact
	Asked     func(s S, d domain.Decision) string
	Forced    func(v V, d domain.Decision) (domain.Move, bool)
	Chains    func(s S, seat domain.Seat) []domain.Chain

	Reshuffle func(s S, luck *domain.Luck) domain.Event
	Uncovered func(s S, e *domain.Event) int
	Thrown    func(e *domain.Event, drawn []int) bool
	Outcomes  func(v V) []domain.Form

	Tally       func(v V) domain.Tally
	Deeds       func(v V) []domain.Deed
	Pictured    func(word string) domain.Scene
	Stopped     func(v V) V
	Chances     func(s S, e *domain.Event) []domain.Chance
	Goods       func(v V) domain.Goods
	Sources     func(s S, e *domain.Event, before domain.Sources) domain.Sources
	PointsAfter func(s S, e *domain.Event) []int

	Estimate       func(s S, seat domain.Seat) float64
	EstimatesTurns bool
	Turn           func(s S) (number int, whose domain.Seat)
	CopyOver       func(to, from S)
	DecideOver     func(e *domain.Event, s S, seat domain.Seat, m M, luck *domain.Luck) error
}

// untyped returns the extras as the house knows them.
func (x Extras[S, M, V]) untyped() domain.Extras {
	out := domain.Extras{Orders: x.Orders, Guide: x.Guide, Nights: x.Nights, Usual: x.Usual,
		Begins: x.Begins, Means: x.Means, Reword: x.Reword, Facts: x.Facts, Thrown: x.Thrown, Pictured: x.Pictured,
		EstimatesTurns: x.EstimatesTurns, Asked: of(x.Asked),
		Chains: of(x.Chains), Reshuffle: of(x.Reshuffle), Uncovered: of(x.Uncovered), Chances: of(x.Chances),
		PointsAfter: of(x.PointsAfter), Estimate: of(x.Estimate), Outcomes: ofOne(x.Outcomes),
		Tally: ofOne(x.Tally), Deeds: ofOne(x.Deeds), Goods: ofOne(x.Goods)}
	if f := x.Sources; f != nil {
		out.Sources = func(s domain.State, e *domain.Event, before domain.Sources) domain.Sources {
			return f(s.(S), e, before)
		}
	}
	if f := x.PickLegal; f != nil {
		out.PickLegal = func(s domain.State, seat domain.Seat, pick func(int) int) (domain.Move, int) {
			return f(s.(S), seat, pick)
		}
	}
	if f := x.Recall; f != nil {
		out.Recall = func(e *domain.Event) (domain.Move, bool) {
			m, ok := f(e)
			if !ok {
				return nil, false
			}
			return m, true
		}
	}
	if f := x.Answers; f != nil {
		out.Answers = func(s domain.State, seat domain.Seat, yes bool) (list []domain.Move) {
			for _, m := range f(s.(S), seat, yes) {
				list = append(list, m)
			}
			return list
		}
	}
	if f := x.Described; f != nil {
		out.Described = func(s domain.State, text string) (fit, others []domain.Move) {
			a, b := f(s.(S), text)
			for _, m := range a {
				fit = append(fit, m)
			}
			for _, m := range b {
				others = append(others, m)
			}
			return fit, others
		}
	}
	if f := x.Forced; f != nil {
		out.Forced = func(v domain.View, d domain.Decision) (domain.Move, bool) { return f(v.(V), d) }
	}
	if f := x.Stopped; f != nil {
		out.Stopped = func(v domain.View) domain.View { return f(v.(V)) }
	}
	if f := x.Turn; f != nil {
		out.Turn = func(s domain.State) (int, domain.Seat) { return f(s.(S)) }
	}
	if f := x.CopyOver; f != nil {
		out.CopyOver = func(to, from domain.State) { f(to.(S), from.(S)) }
	}
	if f := x.DecideOver; f != nil {
		out.DecideOver = func(e *domain.Event, s domain.State, seat domain.Seat, m domain.Move, l *domain.Luck) error {
			if _, ok := m.(M); !ok {
				return domain.Refuse("unreadable")
			}
			return f(e, s.(S), seat, m.(M), l) // converted where it is passed on: a move may be large
		}
	}
	return out
}

// of is a function of a state, or nothing.
func of[S, A, R any](f func(S, A) R) func(domain.State, A) R {
	if f == nil {
		return nil
	}
	return func(s domain.State, a A) R { return f(s.(S), a) }
}

// ofOne is a function of a view alone, or nothing.
func ofOne[V, R any](f func(V) R) func(domain.View) R {
	if f == nil {
		return nil
	}
	return func(v domain.View) R { return f(v.(V)) }
}

// Orders makes standing orders from the three rooms where their parts belong: what an order does, and which orders
// people may put together; how they are written; and how they are told.
func Orders[M comparable, V any](rules OrderRules[M, V], notation OrderNotation,
	show OrderShow[V]) domain.StandingOrders {
	return orders[M, V]{rules, notation, show}
}

// The parts of [domain.StandingOrders].
type (
	// OrderRules is the part of the rules.
	OrderRules[M comparable, V any] interface {
		Obey(orders []string, d domain.Decision, v V) (domain.Obeyed, bool)
		OrderFor(m M, d domain.Decision, v V) string
		OrderForms(v V) []domain.Form
	}
	// OrderNotation is the part of the notation.
	OrderNotation interface {
		ReadOrder(text string, names []string) (order string, err error)
		ShowOrder(order string, names []string) string
	}
	// OrderShow is the part of the show.
	OrderShow[V any] interface {
		TellOrder(order string, v V) []domain.Say
	}
)

type orders[M comparable, V any] struct {
	OrderRules[M, V]
	OrderNotation
	OrderShow[V]
}

func (o orders[M, V]) Obey(list []string, d domain.Decision, v domain.View) (domain.Obeyed, bool) {
	return o.OrderRules.Obey(list, d, v.(V))
}

func (o orders[M, V]) OrderFor(m domain.Move, d domain.Decision, v domain.View) string {
	move, ok := m.(M)
	if !ok {
		return ""
	}
	return o.OrderRules.OrderFor(move, d, v.(V))
}

func (o orders[M, V]) TellOrder(order string, v domain.View) []domain.Say {
	seen, _ := v.(V)
	return o.OrderShow.TellOrder(order, seen)
}

func (o orders[M, V]) OrderForms(v domain.View) []domain.Form { return o.OrderRules.OrderForms(v.(V)) }
