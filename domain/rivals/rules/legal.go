package rules

import (
	"iter"
	"math/bits"
	"slices"
	"sync"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Legal yields every legal move of an awaited seat. It lists moves without `pay` and `into`, and an exchange without
// what it brings: where that matters, the next question asks it, for all resources at once. Writing it into the move
// itself (`bank 3 ore wool pay 1a 1a 2b`) saves the questions and means the same, so the list stays short enough to
// read in a mail. Taking away a card of one's own (`remove`) is a form, see Forms.
func (*Room) Legal(s *state.State, seat domain.Seat) iter.Seq[state.Move] {
	return func(yield func(state.Move) bool) {
		l := listers.Get().(*lister)
		defer l.close()
		l.list(s, seat)
		slices.Values(l.all)(yield)
	}
}

// PickLegal returns one of the legal moves by its number, without making the others values.
func (*Room) PickLegal(s *state.State, seat domain.Seat, pick func(n int) int) (domain.Move, int) {
	if k := &kinds[s.Asked(seat)]; k.ways > 0 {
		return k.nth(pick(k.ways)), k.ways
	}
	l := listers.Get().(*lister)
	defer l.close()
	l.list(s, seat)
	if len(l.all) == 0 {
		return nil, 0
	}
	return notation.Value(&l.all[pick(len(l.all))]), len(l.all)
}

// lister collects the legal moves of a seat. Listers are reused, to keep the memory of their lists.
type lister struct {
	s    *state.State
	r    *state.Realm
	seat domain.Seat
	all  []state.Move
	x    spread
}

var listers = sync.Pool{New: func() any { return &lister{} }}

func (l *lister) close() {
	l.s, l.r = nil, nil
	listers.Put(l)
}

func (l *lister) list(s *state.State, seat domain.Seat) {
	l.all = l.all[:0]
	if seat < 0 || seat > 1 || !s.Awaits(seat) {
		return
	}
	l.s, l.r, l.seat = s, &s.Realms[seat], seat
	if s.Asked(seat) != state.NoTask {
		l.task(&s.Tasks[0])
		return
	}
	switch s.Phase {
	case state.Rolling:
		l.rolling()
	case state.Acting:
		l.acting()
	case state.Drawing:
		l.drawing()
	case state.Exchanging:
		l.exchanging()
	}
}

func (l *lister) add(m state.Move) { l.all = append(l.all, m) }

// next adds a move with this verb; the caller sets the rest in place, which takes half the time of making it
// elsewhere and copying it.
func (l *lister) next(v state.Verb) *state.Move {
	n := len(l.all)
	l.all = slices.Grow(l.all, 1)[:n+1]
	m := &l.all[n]
	*m = state.Move{}
	m.Verb = v
	return m
}

// hand yields every distinct card of the hand, in order; equal cards are neighbours.
func (l *lister) hand() iter.Seq[table.Card] {
	return func(yield func(table.Card) bool) {
		for i, slot := range l.r.Held() {
			if i > 0 && slot.Card == l.r.Hand[i-1].Card {
				continue
			}
			if !yield(slot.Card) {
				return
			}
		}
	}
}

func (l *lister) rolling() {
	l.next(state.RollDice)
	for c := range l.hand() {
		row := c.Row()
		if !row.Fixes {
			continue
		}
		if row.Effects[0].Do != "die" {
			l.add(state.Move{Verb: state.PlayCard, Card: c})
			continue
		}
		with := []table.Card{table.NoCard}
		for also := range l.hand() {
			if also.Row().Fixes && !also.Same(c) {
				with = append(with, also)
			}
		}
		for _, also := range with {
			for n := range uint8(6) {
				l.add(state.Move{Verb: state.PlayCard, Card: c, Card2: also, N: n + 1})
				l.all[len(l.all)-1].Tidy()
			}
		}
	}
}

func (l *lister) acting() {
	s, seat := l.s, l.seat
	stock := l.r.Stock()
	for _, right := range [2]bool{false, true} {
		if _, wrong := roadGap(s, seat, right); wrong == "" && covers(stock, table.RoadCost) {
			l.add(state.Move{Verb: state.Road, Right: right})
		}
		if _, wrong := settleTown(s, seat, right); wrong == "" && covers(stock, table.SettlementCost) {
			l.add(state.Move{Verb: state.Settle, Right: right})
			for c := range l.hand() {
				if c.Same(table.Scout) {
					l.add(state.Move{Verb: state.Settle, Right: right, Card: c})
				}
			}
		}
	}
	if covers(stock, table.CityCost) {
		for t := int(l.r.Left); t <= int(l.r.Right); t++ {
			if mayCity(s, seat, t) == "" {
				l.add(state.Move{Verb: state.City, At: int8(t - table.Origin)})
			}
		}
	}
	for c := range l.hand() {
		if c.Row().Kind == table.ActionCard {
			l.play(c)
		} else {
			l.build(c, stock)
		}
	}
	if s.OpenN > 0 {
		l.build(s.Open, stock)
	}
	l.bank(stock)
	l.next(state.End)
	if s.StandsStill() {
		l.add(state.Move{Verb: state.Close})
	}
}

func (l *lister) build(c table.Card, stock table.Goods) {
	if row := c.Row(); !affords(stock, row.Cost, discount(l.s, l.seat, row)) || mayBuild(l.s, l.seat, c, stock) != "" {
		return // most cards cannot be paid for, so check that first
	}
	if c.Same(table.GoldCache) {
		for p := range table.Place(table.RegionsN) {
			if l.r.Regions[p].Number != 0 {
				l.add(state.Move{Verb: state.Build, Card: c, At: int8(p.Gap() - table.Origin),
					Side: uint8(p.Side()) + 1})
			}
		}
		return
	}
	for at := range table.In[table.Site](freeSites(l.r, c)) {
		m := l.next(state.Build)
		m.Card, m.At, m.Side = c, int8(at.Town()-table.Origin), uint8(at.Side())+1
	}
}

func (l *lister) play(c table.Card) {
	if mayPlay(l.s, l.seat, c) != "" {
		return
	}
	e := &c.Row().Play[0]
	switch {
	case e.Do == "demand" && e.What == "region":
		for p := range table.In[table.Place](brigandPlaces(l.s, l.seat)) {
			m := state.Move{Verb: state.PlayCard, Card: c, Place: state.WordPlace(p)}
			l.add(m)
			if most := brigandMost(l.s, l.seat, p); mayTakeFewer(l.s) && most > 1 {
				m.Res = state.WordRes(l.r.Yields(p))
				l.add(m)
				if m.Res2 = m.Res; most > 2 {
					l.add(m)
				}
			}
		}
	case e.Do == "demand" && e.What != "gold":
		d := demandOf(l.s, l.seat, e)
		for a := range table.Res(table.Resources) {
			for b := range table.Resources - a + 1 { // none, or a resource from a on
				m := state.Move{Verb: state.PlayCard, Card: c, Res: state.WordRes(a)}
				if b > 0 {
					m.Res2 = state.WordRes(a + b - 1)
				}
				if d.wrong(m.Goods()) == "" {
					l.add(m)
				}
			}
		}
	case e.Do == "heal" && bits.OnesCount64(bathHouses(l.r)) > 1:
		m := bathHouses(l.r)
		for at := range table.In[table.Site](m &^ (m & sitesNear << 1)) { // one on each side
			l.add(state.Move{Verb: state.PlayCard, Card: c, At: int8(at.Town() - table.Origin),
				Side: uint8(at.Side()) + 1})
		}
	default:
		l.add(state.Move{Verb: state.PlayCard, Card: c})
	}
}

// bank lists the exchanges; the game asks next what they bring.
func (l *lister) bank(stock table.Goods) {
	mints, ships, near := rates(l.s, l.seat)
	for give := range table.Res(table.Resources) {
		if stock[give] == 0 {
			continue
		}
		if give == table.GoldRes && mints > l.s.Mints {
			l.rate(1, give)
		}
		if stock[give] >= 2 && (ships.Has(give) || near[give] != 0) {
			l.rate(2, give)
		}
		if stock[give] >= 3 {
			l.rate(3, give)
		}
	}
}

func (l *lister) rate(n uint8, give table.Res) {
	m := l.next(state.Bank)
	m.N, m.Res = n, state.WordRes(give)
}

// named lists cards in play by town and side, each once.
func (l *lister) named(v state.Verb, owner domain.Seat, allowed uint64, under bool) {
	r := &l.s.Realms[owner]
	for at, c := range r.Cards() {
		if first := at &^ 1; allowed&(1<<at) == 0 || at != first && allowed&(1<<first) != 0 && r.At(first).Same(c) {
			continue
		}
		m := state.Move{Verb: v, Card: c, At: int8(at.Town() - table.Origin), Side: uint8(at.Side()) + 1}
		if under && !goesOpen(l.s, c) {
			for k := range stacksFor(l.s, c) {
				m.N = k
				l.add(m)
			}
		} else {
			l.add(m)
		}
	}
}

// drawing lists the stacks to draw from, or the hand's cards with the stacks they may go under.
func (l *lister) drawing() {
	if int(l.r.HandN) < l.s.HandLimit(l.seat) {
		for k := range l.s.DecksN {
			if l.s.Decks[k].N > 0 {
				l.next(state.Draw).N = k + 1
			}
		}
		return
	}
	for c := range l.hand() {
		for k := range stacksFor(l.s, c) {
			m := l.next(state.LayOff)
			m.Card, m.N = c, k
		}
	}
}

// exchanging lists what one card of the hand may be exchanged for: the top of a stack, or a card chosen from one.
func (l *lister) exchanging() {
	l.next(state.Pass)
	can := l.r.Stock().Total() >= searchPrice(l.r)
	filled := uint(0)
	var backs [table.Sets]uint // the stacks of each back
	for k := range l.s.DecksN {
		d := &l.s.Decks[k]
		filled |= uint(table.BoolInt(d.N > 0)) << k
		backs[d.Set] |= 1 << k
	}
	for c := range l.hand() {
		for stacks := backs[c.Set()]; stacks != 0; stacks &= stacks - 1 {
			under := uint8(bits.TrailingZeros(stacks))
			for from := filled | 1<<under; from != 0; from &= from - 1 {
				m := l.next(state.Swap)
				m.Card, m.N, m.N2 = c, under+1, uint8(bits.TrailingZeros(from))+1
			}
			if can {
				m := l.next(state.Search)
				m.Card, m.N = c, under+1
			}
		}
	}
}

// Awaited lists the decisions awaited now.
func (*Room) Awaited(s *state.State) []domain.Decision {
	if a, b := s.Asks[0], s.Asks[1]; a.Kind == state.AskTurn && b.Kind == state.AskNothing {
		return kit.OneTurn(0, int(a.Serial))
	} else if b.Kind == state.AskTurn && a.Kind == state.AskNothing {
		return kit.OneTurn(1, int(b.Serial))
	}
	var list []domain.Decision
	for seat, a := range s.Asks {
		if a.Kind != state.AskNothing {
			list = append(list, domain.Decision{Seat: domain.Seat(seat), Kind: state.AskNames[a.Kind],
				Serial: int(a.Serial)})
		}
	}
	return list
}

// Forms returns what a seat may do at any time in its action phase but will rarely want: take away a building or unit
// of its own. It is not a move of the list, so that no mail has a link that tears something down.
func (*Room) Forms(s *state.State, seat domain.Seat) []domain.Form {
	if s.Phase != state.Acting || s.Active != seat || s.TasksN > 0 || mayRemove(s) != "" {
		return nil
	}
	field := domain.Field{Name: "card", Label: domain.S("form.card"), Kind: domain.FieldChoice}
	l := &lister{s: s, r: &s.Realms[seat], seat: seat}
	l.named(state.Remove, seat, ^uint64(0), false)
	for i := range l.all {
		m := &l.all[i]
		var w notation.Writer
		w.Card(m.Card)
		w.Site(m.At, m.Side)
		field.Words = append(field.Words, string(w[1:]))
		field.Labels = append(field.Labels,
			domain.S("form.remove-card", "card", m.Card.Word(), "where",
				table.SiteSay(table.SiteAt(int(m.At)+table.Origin, int(m.Side)-1, 0))))
	}
	if field.Words == nil {
		return nil
	}
	return []domain.Form{{Key: "remove", Label: domain.S("form.remove"), Pattern: "remove {card}",
		Fields: []domain.Field{field}}}
}

// mayRemove: players may take cards away in the theme games and the duel, not in the introduction.
func mayRemove(s *state.State) check {
	switch {
	case s.Play == table.Intro:
		return "no-removal"
	case s.Rules&table.OneRemoval != 0 && s.Removals > 0:
		return "one-removal"
	}
	return ""
}
