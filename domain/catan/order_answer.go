package catan

import (
	"slices"

	"posthorn/domain"
)

// Answer is the move that a seat's standing orders make for a decision awaited of it, and
// which of the orders made it; ok is false if none does. The view is the seat's own: an order
// knows nothing that its seat does not.
func Answer(orders []Order, d domain.Decision, v *View) (m Move, which int, ok bool) {
	for kind := range orderKinds {
		for i, o := range orders {
			if o.Kind != kind {
				continue
			}
			if m, ok := o.answer(d, v); ok {
				return m, i, true
			}
		}
	}
	return Move{}, -1, false
}

// ReadOrder reads an order and gives its canonical form, seats by letter.
func (notationRoom) ReadOrder(text string, names []string) (string, error) {
	o, err := ParseOrder(text, names)
	if err != nil {
		return "", err
	}
	return FormatOrder(o, nil), nil
}

// ShowOrder writes a canonical order with the seats' names.
func (notationRoom) ShowOrder(order string, names []string) string {
	o, err := ParseOrder(order, nil)
	if err != nil {
		return order
	}
	return FormatOrder(o, names)
}

// TellOrder says a canonical order in sentences.
func (showRoom) TellOrder(order string) []domain.Say {
	o, err := ParseOrder(order, nil)
	if err != nil {
		return nil
	}
	return o.Say()
}

// Obey gives the move that a seat's orders make for a decision. What cannot be read is
// passed over.
func (rulesRoom) Obey(orders []string, d domain.Decision, view *View) (domain.Obeyed, bool) {
	var list []Order
	var index []int
	for i, text := range orders {
		if o, err := ParseOrder(text, nil); err == nil {
			list, index = append(list, o), append(index, i)
		}
	}
	m, which, ok := Answer(list, d, view)
	if !ok {
		return domain.Obeyed{}, false
	}
	out := domain.Obeyed{Move: m, Order: index[which]}
	if left, keep := list[which].After(m, &view.offers[view.active]); keep {
		out.Left = FormatOrder(left, nil)
	}
	return out, true
}

// After is what is left of an order once it has made a move; keep is false if nothing is.
func (o Order) After(m Move, offer *Offer) (left Order, keep bool) {
	if o.Kind != OrderGive || o.Times == 0 {
		return o, true
	}
	used := 1
	if m.Kind == KindAccept {
		used = max(1, o.times(offer.Want))
	}
	o.Times -= used
	return o, o.Times > 0
}

func (o Order) answer(d domain.Decision, v *View) (Move, bool) {
	me := int8(d.Seat)
	if me < 0 || !v.known.has(me) {
		return Move{}, false
	}
	switch {
	case d.Kind == "discard" && o.Kind == OrderDiscard:
		return o.discard(v.hand[me], v.owes[me]), true
	case d.Kind == "answer" && (o.Kind == OrderGive || o.Kind == OrderDecline):
		return o.trade(me, v)
	case d.Kind != "turn" || v.active != me:
		return Move{}, false
	}
	switch {
	case v.phase == PhaseRoll && o.Kind == OrderRoll:
		return move(KindRoll), true
	case v.phase == PhaseRoll && o.Kind == OrderKnight && v.rolls == 0:
		return o.knight(me, v)
	case v.phase == PhaseRobber && o.Kind == OrderRob:
		return o.rob(KindRob, me, v)
	}
	return Move{}, false
}

// discard takes the named kinds in their order, then whatever there is most of.
func (o Order) discard(left Hand, owed int8) Move {
	m := move(KindDiscard)
	for _, k := range o.Kinds {
		n := min(left[k], owed)
		m.Give[k] += n
		left[k] -= n
		owed -= n
	}
	for ; owed > 0; owed-- {
		most := Brick
		for r, n := range left {
			if n > left[most] {
				most = Resource(r)
			}
		}
		m.Give[most]++
		left[most]--
	}
	return m
}

func (o Order) with(seat int8) bool {
	return o.Seats == 0 || o.Seats.has(seat) != o.Except
}

// trade answers the offer of the seat in turn: accepts it if it gives what the order wants for
// every time it takes the order's cards; else makes a counter-offer, if that was said.
func (o Order) trade(me int8, v *View) (Move, bool) {
	offer := &v.offers[v.active]
	if me == v.active || !offer.unanswered().has(me) || !o.with(v.active) {
		return Move{}, false
	}
	if o.Kind == OrderDecline {
		return move(KindDecline), true
	}
	n := o.times(offer.Want)
	if n > 0 && (o.Times == 0 || n <= o.Times) && offer.Give.Covers(o.Want.times(n)) && v.hand[me].Covers(offer.Want) {
		return move(KindAccept), true
	}
	if !o.Counter || !v.hand[me].Covers(o.Give) || !offer.Want.meets(o.Give) {
		return Move{}, false
	}
	m := move(KindCounter)
	m.Give, m.Want = o.Give, o.Want
	return m, true
}

// times is how often the order must be carried out to give these cards; 0 if it cannot.
func (o Order) times(wanted Hand) int {
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

// knight is played if the robber stands at one's own building and a knight may be played.
func (o Order) knight(me int8, v *View) (Move, bool) {
	if !v.playable(me, Knight) || isle.hexCorners[v.robber]&v.buildings(me) == 0 {
		return Move{}, false
	}
	return o.rob(KindKnight, me, v)
}

// rob moves the robber as ordered, if it can: to another hex where it may go, and from somebody
// who is there and has a card. Who was not named is chosen if there is one alone.
func (o Order) rob(k Kind, me int8, v *View) (Move, bool) {
	if v.robberMay()>>o.Hex&1 == 0 {
		return Move{}, false
	}
	there := v.victims(me, o.Hex).list()
	switch {
	case o.Seat != domain.Nobody:
		return moveOn(k, o.Hex, int8(o.Seat)), slices.Contains(there, o.Seat)
	case len(there) == 1:
		return moveOn(k, o.Hex, int8(there[0])), true
	}
	return moveOn(k, o.Hex, int8(domain.Nobody)), len(there) == 0
}
