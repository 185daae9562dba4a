package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Answer returns the move that a seat's standing orders make for a decision awaited from it, and which of the orders
// made it; ok is false if none does. The view is the seat's own: an order knows nothing that its seat does not.
func Answer(orders []notation.Order, d domain.Decision, v *state.View) (m state.Move, which int, ok bool) {
	for kind := range notation.OrderKinds {
		for i, o := range orders {
			if m, ok := answer(o, d, v); ok && o.Kind == kind {
				return m, i, true
			}
		}
	}
	return state.Move{}, -1, false
}

// Obey returns the move that a seat's orders make for a decision. It skips unreadable orders.
func (*Room) Obey(orders []string, d domain.Decision, view *state.View) (domain.Obeyed, bool) {
	list := make([]notation.Order, len(orders))
	for i, text := range orders {
		var err error
		if list[i], err = notation.ParseOrder(text, nil); err != nil {
			list[i].Kind = notation.OrderKinds
		}
	}
	m, which, ok := Answer(list, d, view)
	if !ok {
		return domain.Obeyed{}, false
	}
	out := domain.Obeyed{Move: m, Order: which}
	if left, keep := After(list[which], m, &view.Offers[view.Active]); keep {
		out.Left = notation.FormatOrder(left, nil)
	}
	return out, true
}

// OrderFor returns the order by which a seat would make a move.
func (*Room) OrderFor(m state.Move, d domain.Decision, v *state.View) string {
	o := notation.Order{Kind: notation.OrderKinds, Hex: table.NoHex, Seat: domain.Nobody}
	switch m.Kind {
	case state.KindRoll:
		o.Kind = notation.OrderRoll
	case state.KindDiscard:
		o.Kind = notation.OrderDiscard
		for _, all := range []bool{true, false} { // first the kinds of which all go
			for k, n := range m.Give {
				if n > 0 && (n == v.Hand[d.Seat][k]) == all {
					o.Kinds = append(o.Kinds, table.Resource(k)) // #nosec G115: there are five
				}
			}
		}
	case state.KindRob:
		o.Kind, o.Hex, o.Seat = notation.OrderRob, m.A, m.Seat
	case state.KindKnight:
		o.Kind, o.Hex, o.Seat = notation.OrderKnight, m.A, m.Seat
	case state.KindAccept:
		offer := &v.Offers[v.Active]
		o.Kind, o.Give, o.Want, o.Times, o.Seats = notation.OrderGive, offer.Want, offer.Give, 1,
			state.SeatSet(0).With(v.Active)
	case state.KindDecline:
		o.Kind, o.Seats = notation.OrderDecline, state.SeatSet(0).With(v.Active)
	default:
		return ""
	}
	return notation.FormatOrder(o, nil)
}

// After returns what is left of an order once it has made a move; keep is false if nothing is.
func After(o notation.Order, m state.Move, offer *state.Offer) (left notation.Order, keep bool) {
	if o.Kind != notation.OrderGive || o.Times == 0 {
		return o, true
	}
	used := 1
	if m.Kind == state.KindAccept {
		used = max(1, times(o, offer.Want))
	}
	o.Times -= used
	return o, o.Times > 0
}

func answer(o notation.Order, d domain.Decision, v *state.View) (state.Move, bool) {
	me := int8(d.Seat)
	if me < 0 || !v.Known.Has(me) {
		return state.Move{}, false
	}
	switch {
	case d.Kind == "discard" && o.Kind == notation.OrderDiscard:
		return discard(o, v.Hand[me], v.Owes[me]), true
	case d.Kind == "answer" && (o.Kind == notation.OrderGive || o.Kind == notation.OrderDecline):
		return trade(o, me, v)
	case d.Kind != "turn" || v.Active != me:
		return state.Move{}, false
	}
	switch {
	case v.Phase == state.PhaseRoll && o.Kind == notation.OrderRoll:
		return state.NewMove(state.KindRoll), true
	case v.Phase == state.PhaseRoll && o.Kind == notation.OrderKnight && v.Rolls == 0:
		return knight(o, me, v)
	case v.Phase == state.PhaseRobber && o.Kind == notation.OrderRob:
		return rob(o, state.KindRob, me, v)
	}
	return state.Move{}, false
}

// discard takes the named kinds in order, then the kind with the most cards.
func discard(o notation.Order, left table.Hand, owed int8) state.Move {
	m := state.NewMove(state.KindDiscard)
	for _, k := range o.Kinds {
		n := min(left[k], owed)
		m.Give[k] += n
		left[k] -= n
		owed -= n
	}
	for ; owed > 0; owed-- {
		most := table.Brick
		for r, n := range left {
			if n > left[most] {
				most = table.Resource(r)
			}
		}
		m.Give[most]++
		left[most]--
	}
	return m
}

func with(o notation.Order, seat int8) bool {
	return o.Seats == 0 || o.Seats.Has(seat) != o.Except
}

// trade answers the offer of the seat in turn: it accepts if the offer gives what the order wants for each time it
// takes the order's cards; otherwise it makes a counter-offer, if the order says so.
func trade(o notation.Order, me int8, v *state.View) (state.Move, bool) {
	offer := &v.Offers[v.Active]
	if me == v.Active || !offer.Unanswered().Has(me) || !with(o, v.Active) {
		return state.Move{}, false
	}
	if o.Kind == notation.OrderDecline {
		return state.NewMove(state.KindDecline), true
	}
	n := times(o, offer.Want)
	if n > 0 && (o.Times == 0 || n <= o.Times) && offer.Give.Covers(o.Want.Times(n)) && v.Hand[me].Covers(offer.Want) {
		return state.NewMove(state.KindAccept), true
	}
	if !o.Counter || !v.Hand[me].Covers(o.Give) || !offer.Want.Meets(o.Give) {
		return state.Move{}, false
	}
	m := state.NewMove(state.KindCounter)
	m.Give, m.Want = o.Give, o.Want
	return m, true
}

// times returns how many times the order must be carried out to give these cards; 0 if it cannot.
func times(o notation.Order, wanted table.Hand) int {
	n := 0
	for r, w := range wanted {
		if w == 0 {
			continue
		}
		if o.Give[r] == 0 {
			return 0
		}
		n = max(n, int((w+o.Give[r]-1)/o.Give[r]))
	}
	return n
}

// knight plays a knight if the robber is at a building of the seat's and a knight may be played.
func knight(o notation.Order, me int8, v *state.View) (state.Move, bool) {
	if !playable(&v.State, me, table.Knight) || table.Isle.HexCorners[v.Robber]&v.Buildings(me) == 0 {
		return state.Move{}, false
	}
	return rob(o, state.KindKnight, me, v)
}

// rob moves the robber as ordered, if possible: to another allowed hex, robbing somebody there who has a card. If the
// order names nobody, there must be at most one possible victim.
func rob(o notation.Order, k state.Kind, me int8, v *state.View) (state.Move, bool) {
	if robberMay(&v.State)>>o.Hex&1 == 0 {
		return state.Move{}, false
	}
	there := Victims(&v.State, me, o.Hex).List()
	switch {
	case o.Seat != domain.Nobody:
		return state.MoveOn(k, o.Hex, int8(o.Seat)), slices.Contains(there, o.Seat)
	case len(there) == 1:
		return state.MoveOn(k, o.Hex, int8(there[0])), true
	}
	return state.MoveOn(k, o.Hex, int8(domain.Nobody)), len(there) == 0
}
