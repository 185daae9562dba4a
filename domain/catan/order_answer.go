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
func (Rulebook) ReadOrder(text string, names []string) (string, error) {
	o, err := ParseOrder(text, names)
	if err != nil {
		return "", err
	}
	return FormatOrder(o, nil), nil
}

// ShowOrder writes a canonical order with the seats' names.
func (Rulebook) ShowOrder(order string, names []string) string {
	o, err := ParseOrder(order, nil)
	if err != nil {
		return order
	}
	return FormatOrder(o, names)
}

// TellOrder says a canonical order in sentences.
func (Rulebook) TellOrder(order string) []domain.Say {
	o, err := ParseOrder(order, nil)
	if err != nil {
		return nil
	}
	return o.Say()
}

// Obey gives the move that a seat's orders make for a decision. What cannot be read is
// passed over.
func (Rulebook) Obey(orders []string, d domain.Decision, v domain.View) (domain.Obeyed, bool) {
	view, ok := v.(*View)
	if !ok {
		return domain.Obeyed{}, false
	}
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
	if left, keep := list[which].After(m, view.offerTo(d.Seat)); keep {
		out.Left = FormatOrder(left, nil)
	}
	return out, true
}

// After is what is left of an order once it has made a move; keep is false if nothing is.
func (o Order) After(m Move, offer *OfferView) (left Order, keep bool) {
	if o.Kind != OrderGive || o.Times == 0 {
		return o, true
	}
	used := 1
	if m.Kind == KindAccept && offer != nil {
		used = max(1, o.times(Hand(*offer.Want)))
	}
	o.Times -= used
	return o, o.Times > 0
}

func (o Order) answer(d domain.Decision, v *View) (Move, bool) {
	me := v.player(d.Seat)
	if me == nil || me.Hand == nil {
		return Move{}, false
	}
	switch {
	case d.Kind == "discard" && o.Kind == OrderDiscard:
		return o.discard(me), true
	case d.Kind == "answer" && (o.Kind == OrderGive || o.Kind == OrderDecline):
		return o.trade(d.Seat, me, v)
	case d.Kind != "turn" || v.Active != me.Seat:
		return Move{}, false
	}
	switch {
	case v.Phase == "roll" && o.Kind == OrderRoll:
		return move(KindRoll), true
	case v.Phase == "roll" && o.Kind == OrderKnight && v.Rolls == 0:
		return o.knight(me, v)
	case v.Phase == "robber" && o.Kind == OrderRob:
		return o.rob(KindRob, me, v)
	}
	return Move{}, false
}

func (v *View) player(seat domain.Seat) *PlayerView {
	for i := range v.Players {
		if v.Players[i].Seat == seat.Letter() {
			return &v.Players[i]
		}
	}
	return nil
}

// discard takes the named kinds in their order, then whatever there is most of.
func (o Order) discard(me *PlayerView) Move {
	m, left, owed := move(KindDiscard), Hand(*me.Hand), int8(me.Owes)
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

func (o Order) with(seat domain.Seat) bool {
	return o.Seats == 0 || o.Seats.has(int8(seat)) != o.Except
}

// trade answers an offer: accepts it if it gives what the order wants for every time it
// takes the order's cards; else makes a counter-offer, if that was said.
func (o Order) trade(seat domain.Seat, me *PlayerView, v *View) (Move, bool) {
	offer := v.offerTo(seat)
	if offer == nil || !o.with(seatOf(offer.By)) {
		return Move{}, false
	}
	if o.Kind == OrderDecline {
		return move(KindDecline), true
	}
	hand, gives, wants := Hand(*me.Hand), Hand(*offer.Give), Hand(*offer.Want)
	n := o.times(wants)
	if n > 0 && (o.Times == 0 || n <= o.Times) && gives.Covers(o.Want.times(n)) && hand.Covers(wants) {
		return move(KindAccept), true
	}
	if !o.Counter || !hand.Covers(o.Give) || !wants.meets(o.Give) {
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

func (h Hand) times(n int) Hand {
	for r := range h {
		h[r] = int8(min(int(h[r])*n, 100))
	}
	return h
}

// meets tells whether two hands have a kind in common.
func (h Hand) meets(o Hand) bool {
	for r := range h {
		if h[r] > 0 && o[r] > 0 {
			return true
		}
	}
	return false
}

// offerTo is the open offer of the seat in turn that awaits this seat's answer.
func (v *View) offerTo(seat domain.Seat) *OfferView {
	for i := range v.Offers {
		o := &v.Offers[i]
		if o.By == v.Active && o.Give != nil && o.Want != nil && has(o.To, seat) && !has(o.Yes, seat) && !has(o.No, seat) {
			return o
		}
	}
	return nil
}

func has(letters []string, seat domain.Seat) bool {
	for _, l := range letters {
		if l == seat.Letter() {
			return true
		}
	}
	return false
}

// knight is played if the robber stands at one's own building and a knight may be played.
func (o Order) knight(me *PlayerView, v *View) (Move, bool) {
	if me.Cards == nil || v.CardPlayed || v.Robber == nil {
		return Move{}, false
	}
	held := me.Cards[Knight]
	if me.Fresh != nil {
		held -= me.Fresh[Knight]
	}
	if held < 1 || !beside(me, *v.Robber) {
		return Move{}, false
	}
	return o.rob(KindKnight, me, v)
}

func beside(p *PlayerView, hex int) bool {
	for _, list := range [][]int{p.Settlements, p.Cities} {
		for _, at := range list {
			if isle.hexCorners[hex]>>at&1 != 0 {
				return true
			}
		}
	}
	return false
}

// rob moves the robber as ordered, if it can: to another hex where it may go, and from somebody
// who is there and has a card. Who was not named is chosen if there is one alone.
func (o Order) rob(k Kind, me *PlayerView, v *View) (Move, bool) {
	if v.Robber == nil || int(o.Hex) == *v.Robber || !v.robberMay(o.Hex) {
		return Move{}, false
	}
	var there []domain.Seat
	for i := range v.Players {
		p := &v.Players[i]
		if p.Seat != me.Seat && p.HandSize > 0 && beside(p, int(o.Hex)) {
			there = append(there, seatOf(p.Seat))
		}
	}
	switch {
	case o.Seat != domain.Nobody:
		return moveOn(k, o.Hex, int8(o.Seat)), slices.Contains(there, o.Seat)
	case len(there) == 1:
		return moveOn(k, o.Hex, int8(there[0])), true
	}
	return moveOn(k, o.Hex, int8(domain.Nobody)), len(there) == 0
}

// robberMay tells whether a friendly robber may go to a hex, as [State.robberMay] does.
func (v *View) robberMay(hex int8) bool {
	if !v.Friendly {
		return true
	}
	spares := func(h int) bool {
		for i := range v.Players {
			if p := &v.Players[i]; v.publicPoints(p) <= 2 && beside(p, h) {
				return true
			}
		}
		return false
	}
	if !spares(int(hex)) {
		return true
	}
	for h := range hexCount {
		if h != *v.Robber && !spares(h) {
			return false
		}
	}
	return true
}

// publicPoints are a seat's points as everybody counts them, whoever's view it is.
func (v *View) publicPoints(p *PlayerView) int {
	n := len(p.Settlements) + 2*len(p.Cities)
	for _, holder := range []*string{v.Longest, v.Army} {
		if holder != nil && *holder == p.Seat {
			n += 2
		}
	}
	return n
}
