package rules

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Obey returns the move that a seat's orders make for a decision: one of the legal moves, found from the seat's own
// view.
func (r *Room) Obey(orders []string, d domain.Decision, v *state.View) (domain.Obeyed, bool) {
	s := v.State
	for i, order := range orders {
		var best domain.Move
		rank := -1.0
		for m := range r.Legal(&s, d.Seat) {
			if fits := obeys(&s, order, d.Seat, m); fits > rank {
				best, rank = m, fits
			}
		}
		if best != nil {
			return domain.Obeyed{Move: best, Order: i, Left: order}, true
		}
	}
	return domain.Obeyed{}, false
}

// plain are the orders without arguments, in the order in which a page offers them: what they answer, and with which
// move. Those about a card belong to the plays that have it.
var plain = [...]struct {
	order, card string
	answers     []state.TaskKind
	verb        state.Verb
	names       func(table.Card) bool
}{
	{order: "roll", answers: []state.TaskKind{state.NoTask}, verb: state.RollDice},
	{order: "exchange nothing", answers: []state.TaskKind{state.NoTask}, verb: state.Pass},
	{order: "pay"}, // from the fullest places, see prefers
	{order: "buy nothing", answers: []state.TaskKind{state.TaskBuy}, verb: state.Pass},
	{order: "guard", card: "archer", answers: []state.TaskKind{state.TaskReact}, verb: state.React,
		names: func(c table.Card) bool { return c.Row().Guard != 0 }},
	{order: "let", card: "archer", answers: []state.TaskKind{state.TaskReact}, verb: state.Pass},
	{order: "riots pay", card: "riots", answers: []state.TaskKind{state.TaskRiot}, verb: state.PayFrom},
	{order: "sebastian", card: "sebastian_the_itinerant_preacher",
		answers: []state.TaskKind{state.TaskReact, state.TaskRiot}, verb: state.React, names: table.Sebastian.Same},
}

// obeys ranks a legal move under an order: negative if the order does not mean it.
func obeys(s *state.State, order string, seat domain.Seat, m state.Move) float64 {
	kind := s.Asked(seat)
	for _, o := range plain {
		if o.order == order && m.Verb == o.verb && slices.Contains(o.answers, kind) &&
			(o.names == nil || o.names(m.Card)) {
			return 1
		}
	}
	return prefers(s, strings.Fields(order), kind, seat, &m)
}

// prefers ranks a move under an order that some moves obey better than others.
func prefers(s *state.State, order []string, kind state.TaskKind, seat domain.Seat, m *state.Move) float64 {
	switch {
	case order[0] == "pay" && kind == state.TaskPay && m.Into[0] == 0: // this order does not say what comes for it
		return fullness(s, seat, m.Pay[:])
	case order[0] == "gain" && kind == state.TaskGain && m.Verb == state.Into:
		return wishes(s, order, seat, m.Into[:])
	case order[0] == "buy" && kind == state.TaskBuy && m.Verb == state.Pass:
		return 0 // if nothing the order names can be bought
	case order[0] == "buy" && kind == state.TaskBuy && m.Verb == state.Buy:
		rank := 0.0
		for res, n := range m.Goods() {
			i := slices.Index(order, table.Res(res).String())
			if n > 0 && i < 0 {
				return -1
			}
			rank += float64(n) * float64(64-i)
		}
		return rank
	case order[0] == "lose" && m.Verb == state.Lose:
		if i := slices.Index(order, m.Card.Row().ID); i > 0 {
			return float64(len(order) - i)
		}
	}
	return -1
}

// OrderFor returns the order by which a seat would make a move.
func (*Room) OrderFor(m state.Move, d domain.Decision, v *state.View) string {
	s := v.State
	for _, o := range plain {
		if obeys(&s, o.order, d.Seat, m) >= 0 {
			return o.order
		}
	}
	var order string
	var wished []table.Res
	switch kind := s.Asked(d.Seat); {
	case kind == state.TaskGain && m.Verb == state.Into:
		order = "gain"
		for _, w := range state.WordsIn(m.Into[:]) {
			if w.Place() == table.LostPlace {
				return ""
			}
			wished = append(wished, s.Realms[d.Seat].Yields(w.Place()))
		}
	case kind == state.TaskBuy && m.Verb == state.Buy:
		order = "buy"
		for res, n := range m.Goods() {
			wished = append(wished, slices.Repeat([]table.Res{table.Res(res)}, int(n))...)
		}
	case m.Verb == state.Lose:
		return "lose " + m.Card.Row().ID
	default:
		return ""
	}
	for i, res := range wished {
		if !slices.Contains(wished[:i], res) {
			order += " " + res.String()
		}
	}
	return order
}

// fullness ranks the places of a payment: the fuller, the better, at the moment each pays.
func fullness(s *state.State, seat domain.Seat, list []state.PlaceWord) (rank float64) {
	stores := s.Realms[seat]
	for _, w := range state.WordsIn(list) {
		n := stores.Store(w.Place())
		rank += float64(n)
		stores.SetStore(w.Place(), int(n)-1)
	}
	return rank
}

// wishes ranks the places of a gain: by the order's resources, then by the room there.
func wishes(s *state.State, order []string, seat domain.Seat, list []state.PlaceWord) (rank float64) {
	r := s.Realms[seat]
	for _, w := range state.WordsIn(list) {
		p := w.Place()
		if p == table.LostPlace { // no order wishes for that
			return -1
		}
		for i, name := range order {
			if name == r.Yields(p).String() {
				rank += float64(len(order)-i) * 64
			}
		}
		rank += float64(r.Space(p))
		r.SetStore(p, int(r.Store(p))+1)
	}
	return rank
}
