package rules

import (
	"iter"
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Legal yields every legal move from a closed choice; offers and counter-offers are forms. It reads only what is public
// or the seat's own.
func (*Room) Legal(s *state.State, seat domain.Seat) iter.Seq[state.Move] {
	return func(yield func(state.Move) bool) {
		if c := int8(seat); c >= 0 && c < s.Seats {
			l := lister{s: s, c: c, yield: yield}
			l.all()
		}
	}
}

// lister goes through the legal moves and yields each until told to stop; or, for PickLegal, it counts them and makes
// the wanted one.
type lister struct {
	s     *state.State
	c     int8
	yield func(state.Move) bool // nil: count
	done  bool

	n    int // counted so far
	want int // the number of the move to make, or -1
	got  state.Move
	some [someMoves]state.PlaceMove // the first moves, if of places and a seat; zero for others

	pairs []NeutralPair // what the neutrals may build
}

// someMoves is how many moves to keep while counting: most lists are shorter.
const someMoves = 32

// put lists a move of places and a seat, each -1 for none.
func (l *lister) put(k state.Kind, a, b, seat int8) {
	p := state.PlaceMove{Kind: k, A: a, B: b, Seat: domain.Seat(seat)}
	if l.want < 0 && l.yield == nil {
		if l.n < someMoves {
			l.some[l.n] = p
		}
		l.n++
		return
	}
	m := p.Move()
	l.putCards(&m)
}

// putCards lists a move that says more than places and a seat.
func (l *lister) putCards(m *state.Move) {
	switch {
	case l.yield != nil:
		l.done = l.done || !l.yield(*m)
	case l.n == l.want:
		l.got, l.done = *m, true
	}
	l.n++
}

// plain lists a move that says nothing but its kind.
func (l *lister) plain(k state.Kind) { l.put(k, table.NoPlace, table.NoPlace, state.NoColour) }

// PickLegal counts the legal moves of a seat, asks for a number and returns the move with it. If it did not keep that
// move while counting, it goes through the list again.
func (*Room) PickLegal(s *state.State, seat domain.Seat, pick func(n int) int) (domain.Move, int) {
	c := int8(seat)
	l := lister{s: s, c: c, want: -1}
	if c >= 0 && c < s.Seats {
		l.all()
	}
	n := l.n
	if n == 0 {
		return nil, 0
	}
	i := pick(n)
	if i < someMoves && l.some[i] != (state.PlaceMove{}) {
		return l.some[i].Boxed(), n
	}
	l.n, l.want = 0, i
	l.all()
	return l.got, n
}

func (l *lister) all() {
	s := l.s
	if s.Phase != state.PhaseDiscard && l.c != s.Active {
		l.answers()
		return
	}
	switch s.Phase {
	case state.PhaseFound:
		l.founding()
	case state.PhaseDiscard:
		if n := s.Owes[l.c]; n > 0 {
			l.hands(state.KindDiscard, n)
		}
	case state.PhaseRoll:
		l.plain(state.KindRoll)
		l.cards()
		l.tokens()
	case state.PhaseRobber:
		l.robber(state.KindRob)
	case state.PhaseMain:
		l.main()
	case state.PhaseNeutral:
		l.neutral()
	case state.PhaseGive:
		l.hands(state.KindGive, 2)
	}
}

// neutral lists what the neutrals may build. It works that out only once, even if it goes through the list twice.
func (l *lister) neutral() {
	if l.pairs == nil {
		l.pairs = NeutralChoices(l.s)
	}
	m := state.NewMove(state.KindNeutral)
	for _, m.Neutral = range l.pairs {
		l.putCards(&m)
	}
}

func (l *lister) founding() {
	s := l.s
	for free := ^s.Shut & (1<<table.CornerCount - 1); free != 0 && !l.done; {
		at := table.NextCorner(&free)
		for _, p := range table.Isle.PathList[at] {
			if !s.Laid.Has(p) {
				l.put(state.KindFound, at, p, state.NoColour)
			}
		}
	}
}

// main lists first what people look for first: answers, buildings, cards, trade.
func (l *lister) main() {
	s, c := l.s, l.c
	hand := &s.Hand[c]
	l.trades()
	if hand.Covers(table.CityCost) && s.CitiesLeft(c) > 0 {
		for own := s.Settlements[c]; own != 0; {
			l.put(state.KindCity, table.NextCorner(&own), table.NoPlace, state.NoColour)
		}
	}
	if hand.Covers(table.SettlementCost) && s.SettlementsLeft(c) > 0 {
		for open := s.OpenHomes(c); open != 0; {
			l.put(state.KindSettle, table.NextCorner(&open), table.NoPlace, state.NoColour)
		}
	}
	if hand.Covers(table.RoadCost) && s.RoadsLeft(c) > 0 {
		for open := s.OpenPaths(c); !open.Empty(); {
			l.put(state.KindRoad, open.Next(), table.NoPlace, state.NoColour)
		}
	}
	if hand.Covers(table.CardCost) && s.Deck != (table.Cards{}) {
		l.plain(state.KindBuy)
	}
	l.cards()
	l.bank()
	l.tokens()
	l.plain(state.KindEnd)
}

func (l *lister) bank() {
	s, c := l.s, l.c
	if tradeOver(s) {
		return
	}
	for give, n := range s.Hand[c] {
		if n < 2 || n < s.Rate(c, table.Resource(give)) {
			continue
		}
		for get, left := range s.Bank {
			if get != give && left > 0 {
				l.put(state.KindBank, int8(give), int8(get), state.NoColour)
			}
		}
	}
}

// trades lists the answers to counter-offers, and what the seat may do with its own offer. It looks only at the seat's
// own hand: an offer's maker can certainly pay, since an offer ends as soon as its maker parts with such cards.
func (l *lister) trades() {
	s := l.s
	if o := &s.Offers[l.c]; o.Open {
		l.plain(state.KindWithdraw)
		for with := range s.Seats {
			if o.Yes.Has(with) {
				l.put(state.KindConfirm, table.NoPlace, table.NoPlace, with)
			}
		}
	}
	for from := range s.Seats {
		o := &s.Offers[from]
		if from == l.c || !o.Open {
			continue
		}
		if s.Hand[l.c].Covers(o.Want) {
			l.put(state.KindAccept, table.NoPlace, table.NoPlace, from)
		}
		l.put(state.KindDecline, table.NoPlace, table.NoPlace, from)
	}
}

func (l *lister) answers() {
	s := l.s
	o := &s.Offers[s.Active]
	if !o.Unanswered().Has(l.c) {
		return
	}
	if s.Hand[l.c].Covers(o.Want) {
		l.plain(state.KindAccept)
	}
	l.plain(state.KindDecline)
}

func (l *lister) robber(k state.Kind) {
	s := l.s
	may, rich := robberMay(s), robbable(s, l.c)
	for h := range int8(table.HexCount) {
		if may>>h&1 == 0 {
			continue
		}
		victims := rich.at(h)
		if victims == 0 {
			l.put(k, h, table.NoPlace, state.NoColour)
		}
		for c := range s.Seats {
			if victims.Has(c) {
				l.put(k, h, table.NoPlace, c)
			}
		}
	}
}

// Awaited lists the decisions. It reads nothing hidden: everybody knows who owes discards and whom an offer names.
func (*Room) Awaited(s *state.State) []domain.Decision {
	if s.Seats == 0 {
		return nil
	}
	switch s.Phase {
	case state.PhaseOver:
		return nil
	case state.PhaseFound:
		return []domain.Decision{{Seat: domain.Seat(s.Active), Kind: "found", Serial: int(s.Founded)}}
	case state.PhaseDiscard:
		list := make([]domain.Decision, 0, state.MaxColours)
		for c, n := range s.Owes {
			if n > 0 {
				list = append(list, domain.Decision{Seat: domain.Seat(c), Kind: "discard", Serial: int(s.Turn)})
			}
		}
		return list
	}
	list := kit.OneTurn(domain.Seat(s.Active), int(s.Stint))
	if s.OfferNumber == 0 {
		return list
	}
	return awaitedTrades(s, slices.Clone(list))
}

func awaitedTrades(s *state.State, list []domain.Decision) []domain.Decision {
	mine := &s.Offers[s.Active]
	if mine.Yes != 0 {
		list = append(list, domain.Decision{Seat: domain.Seat(s.Active), Kind: "confirm", Serial: int(mine.Number)})
	}
	asked := mine.Unanswered()
	for c := range s.Seats {
		if asked.Has(c) {
			list = append(list, domain.Decision{Seat: domain.Seat(c), Kind: "answer", Serial: int(mine.Number)})
		}
		if o := &s.Offers[c]; c != s.Active && o.Open {
			list = append(list, domain.Decision{Seat: domain.Seat(s.Active), Kind: "counter", Serial: int(o.Number)})
		}
	}
	return list
}

// Forms returns the open-ended moves a seat may compose now: an offer in its own turn, a counter-offer when it is
// asked.
func (*Room) Forms(s *state.State, seat domain.Seat) []domain.Form {
	c := int8(seat)
	if c < 0 || c >= s.Seats || s.Phase == state.PhaseOver || tradeOver(s) {
		return nil
	}
	if c != s.Active {
		if !s.Offers[s.Active].Unanswered().Has(c) {
			return nil
		}
		return []domain.Form{{
			Key: "counter", Label: domain.S("form.counter"), Pattern: "counter {give} for {want}",
			Fields: tradeFields(&s.Hand[c]), Apiece: true, Typed: dearer(&s.Offers[s.Active], &s.Hand[c]),
		}}
	}
	if s.Phase != state.PhaseMain {
		return nil
	}
	fields := append(tradeFields(&s.Hand[c]),
		domain.Field{Name: "seats", Label: domain.S("form.seats"), Kind: domain.FieldSeats, Seats: others(s, seat)})
	list := []domain.Form{
		{Key: "offer", Label: domain.S("form.offer"), Apart: domain.S("form.offer-first"),
			Pattern: "offer {give} for {want} to {seats}", Fields: fields, Rates: rates(s, c), Apiece: true,
			Typed: typed("form.offer.typed", &s.Hand[c])},
		{Key: "offer-ask", Label: domain.S("form.offer-ask"), Apart: domain.S("form.offer-choose"),
			Pattern: "offer {give} for {want} ask to {seats}", Fields: fields, Rates: rates(s, c), Apiece: true},
	}
	if s.Seats == 2 { // there is only one possible partner
		return list[:1]
	}
	return list
}

// rates returns the bank's rates for what a seat holds.
func rates(s *state.State, c int8) (list []domain.Rate) {
	for r, n := range s.Hand[c] {
		if rate := s.Rate(c, table.Resource(r)); n > 0 {
			word := table.Resource(r).String()
			list = append(list, domain.Rate{Word: word, N: int(rate), Pattern: "bank " + word + " {word}"})
		}
	}
	return list
}

// tradeFields returns the fields for what a seat gives and wants; a nil hand is not known yet.
// typed returns an example of a trade that a hand can pay for, or nothing.
func typed(key string, hand *table.Hand) domain.Say {
	give := slices.IndexFunc(hand[:], func(n int8) bool { return n > 0 })
	if give < 0 {
		return domain.Say{}
	}
	want := table.Ore
	if give == int(table.Ore) {
		want = table.Wool
	}
	var gives, wants table.Hand
	gives[give], wants[want] = 1, 1
	return domain.S(key, "give", table.HandSay(gives), "want", table.HandSay(wants))
}

// dearer returns a line that asks for one card more than an offer gives, from whoever holds a hand; of what it wants
// they must have some.
func dearer(o *state.Offer, hand *table.Hand) domain.Say {
	first := func(h *table.Hand) int { return slices.IndexFunc(h[:], func(n int8) bool { return n > 0 }) }
	gives, wants := o.Want, o.Give
	if !hand.Covers(gives) || first(&wants) < 0 {
		return typed("form.counter.typed", hand)
	}
	wants[first(&wants)]++
	return domain.S("form.counter.typed", "give", table.HandSay(gives), "want", table.HandSay(wants))
}

func tradeFields(hand *table.Hand) []domain.Field {
	give := domain.Field{Name: "give", Label: domain.S("form.give"), Kind: domain.FieldAmounts, Max: table.CardsOfKind}
	want := give
	want.Name, want.Label = "want", domain.S("form.want")
	if hand != nil {
		for _, n := range hand {
			give.Have = append(give.Have, int(n))
		}
	}
	return []domain.Field{resources(give), resources(want)}
}
