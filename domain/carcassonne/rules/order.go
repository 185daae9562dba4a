package rules

import (
	"slices"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// In a solo game each completed feature is scored by itself, and who is lowest is looked at
// anew before each: the order decides who is paid (S0, scoring; point 57). Nobody is asked
// for an order that changes nothing.

// outcome is the scores that some order of the dues leads to, and the first such order.
type outcome struct {
	points Points
	order  [state.OrderMost]uint8 // indexes into the dues
}

// outcomes lists what the orders of the dues can come to, each once, beginning with what was
// fixed already. The orders are gone through by the dues' own order, so the first to reach
// an outcome is the first of all that do.
func outcomes(s *state.State, from Points, d dues, fixed []uint8) []outcome {
	w := orderWalk{s: s, d: &d, seen: map[orderState]bool{}}
	var path [state.OrderMost]uint8
	mask := uint16(0)
	for i, k := range fixed {
		pay(s, &from, &d.list[k].men, d.list[k].worth)
		path[i] = k
		mask |= 1 << k
	}
	w.walk(from, mask, path, len(fixed))
	return w.found
}

type orderState struct {
	points Points
	mask   uint16
}

type orderWalk struct {
	s     *state.State
	d     *dues
	seen  map[orderState]bool
	found []outcome
}

func (w *orderWalk) walk(now Points, mask uint16, path [state.OrderMost]uint8, n int) {
	if n == w.d.n {
		if !slices.ContainsFunc(w.found, func(o outcome) bool { return o.points == now }) {
			w.found = append(w.found, outcome{now, path})
		}
		return
	}
	step := orderState{now, mask}
	if w.seen[step] {
		return
	}
	w.seen[step] = true
	for k := range w.d.n {
		if mask>>k&1 == 1 {
			continue
		}
		then := now
		pay(w.s, &then, &w.d.list[k].men, w.d.list[k].worth)
		path[n] = uint8(k)
		w.walk(then, mask|1<<k, path, n+1)
	}
}

var noOrder = []state.Order{0}

// ordersFor lists the orders that the mover can choose between once a figure stands on a part, one
// for each outcome; only the empty one where the order changes nothing.
func ordersFor(s *state.State, m state.Move, c *state.Cell, part int) []state.Order {
	var p state.Placing
	p.Lay(s, s.Current, m.Quarter, c)
	if part >= 0 {
		claim(&p, part, s.ToMove)
	}
	from := Points(s.Scores)
	if m.Follower == table.Recall {
		payRecall(s, &from, c)
	}
	var d dues
	d.find(&p, m.Follower)
	if d.n < 2 {
		return noOrder
	}
	found := outcomes(s, from, d, nil)
	if len(found) < 2 {
		return noOrder
	}
	list := make([]state.Order, len(found))
	for i := range found {
		list[i] = d.pack(&found[i].order)
	}
	return list
}

func (d *dues) pack(order *[state.OrderMost]uint8) state.Order {
	var codes [state.OrderMost]uint8
	for i, k := range order[:d.n] {
		codes[i] = d.list[k].code
	}
	return state.PackOrder(codes[:d.n])
}
