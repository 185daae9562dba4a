package kit

import (
	"posthorn/domain"
)

type estimator[S any] struct{ of Estimator[S] }

func (e estimator[S]) Estimate(s domain.State, seat domain.Seat) float64 {
	return e.of.Estimate(s.(S), seat)
}

func (e estimator[S]) Throughout() bool { return e.of.Throughout() }

type turns[S any] struct{ of Turns[S] }

func (t turns[S]) Turn(s domain.State) (number int, whose domain.Seat) { return t.of.Turn(s.(S)) }

type copier[S any] struct{ of Copier[S] }

func (c copier[S]) CopyOver(to, from domain.State) { c.of.CopyOver(to.(S), from.(S)) }

type rewriter[S any, M comparable] struct{ of Rewriter[S, M] }

func (r rewriter[S, M]) DecideOver(e *domain.Event, s domain.State, seat domain.Seat, m domain.Move,
	luck *domain.Luck) error {
	if _, ok := m.(M); ok {
		return r.of.DecideOver(e, s.(S), seat, m.(M), luck)
	}
	return domain.Refuse("unreadable")
}

type picker[S any] struct{ of Picker[S] }

func (p picker[S]) PickLegal(s domain.State, seat domain.Seat, pick func(n int) int) (domain.Move, int) {
	return p.of.PickLegal(s.(S), seat, pick)
}

type recaller[M comparable] struct{ of Recaller[M] }

func (r recaller[M]) Recall(e *domain.Event) (domain.Move, bool) {
	m, ok := r.of.Recall(e)
	if !ok {
		return nil, false
	}
	return m, true
}

type reshuffler[S any] struct{ of Reshuffler[S] }

func (r reshuffler[S]) Reshuffle(s domain.State, luck *domain.Luck) domain.Event {
	return r.of.Reshuffle(s.(S), luck)
}

func (r reshuffler[S]) Uncovered(s domain.State, e *domain.Event) int {
	return r.of.Uncovered(s.(S), e)
}

type glance[V any] struct{ of Glance[V] }

func (g glance[V]) Tally(v domain.View) domain.Tally  { return g.of.Tally(v.(V)) }
func (g glance[V]) Deeds(v domain.View) []domain.Deed { return g.of.Deeds(v.(V)) }
func (g glance[V]) Pictured(word string) domain.Scene { return g.of.Pictured(word) }

type chains[S any] struct{ of Chains[S] }

func (c chains[S]) Chains(s domain.State, seat domain.Seat) []domain.Chain {
	return c.of.Chains(s.(S), seat)
}

type accounts[S, V any] struct{ of Accounts[S, V] }

func (a accounts[S, V]) Chances(s domain.State, e *domain.Event) []domain.Chance {
	return a.of.Chances(s.(S), e)
}

func (a accounts[S, V]) Goods(v domain.View) domain.Goods { return a.of.Goods(v.(V)) }

type points[S any] struct{ of Points[S] }

func (p points[S]) PointsAfter(s domain.State, e *domain.Event) []int {
	return p.of.PointsAfter(s.(S), e)
}

type forced[V any] struct{ of Forced[V] }

func (f forced[V]) Forced(v domain.View, d domain.Decision) (domain.Move, bool) {
	return f.of.Forced(v.(V), d)
}

type asked[S any] struct{ of Asked[S] }

func (a asked[S]) Asked(s domain.State, d domain.Decision) string { return a.of.Asked(s.(S), d) }

type offers[S any, M comparable] struct{ of Offers[S, M] }

func (o offers[S, M]) Answers(s domain.State, seat domain.Seat, yes bool) (out []domain.Move) {
	for _, m := range o.of.Answers(s.(S), seat, yes) {
		out = append(out, m)
	}
	return out
}

type stopped[V any] struct{ of Stopped[V] }

func (s stopped[V]) Stopped(v domain.View) domain.View { return s.of.Stopped(v.(V)) }

type outcomes[V any] struct{ of Outcomes[V] }

func (o outcomes[V]) Outcomes(v domain.View) []domain.Form { return o.of.Outcomes(v.(V)) }

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
