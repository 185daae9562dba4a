package carcassonne

import (
	"iter"

	"posthorn/domain"
)

// Awaited is the turn of whoever is to move, and nothing once the game is over. A solo game
// has one seat, which moves every colour.
func (Rules) Awaited(st domain.State) []domain.Decision {
	s := st.(*State)
	if !s.ready || s.over {
		return nil
	}
	return []domain.Decision{{Seat: s.seatToMove(), Kind: "turn", Serial: int(s.turn)}}
}

func (s *State) seatToMove() domain.Seat {
	if s.solo {
		return 0
	}
	return s.toMove.Seat()
}

// Forms is none: every move of the game is a closed choice.
func (Rules) Forms(domain.State, domain.Seat) []domain.Form { return nil }

// Legal yields every move: open places by rows, turns clockwise, then the second step's
// choices. Turns that look alike count each for itself.
func (Rules) Legal(st domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	s := st.(*State)
	return func(yield func(domain.Move) bool) {
		if !s.ready || s.over || seat != s.seatToMove() {
			return
		}
		sh := &shapes[s.current]
		for i := range s.open[:s.nOpen] {
			c := &s.open[i]
			for k := range uint8(4) {
				if s.fits(s.current, k, c) && !s.legalAt(sh, k, c, yield) {
					return
				}
			}
		}
	}
}

// legalAt yields the moves that place the tile so; false if no more are wanted.
func (s *State) legalAt(sh *shape, quarter uint8, c *cell, yield func(domain.Move) bool) bool {
	r := &sh.turned[quarter]
	z := s.zonesOf(sh, r, c)
	l := lister{s: s, sh: sh, r: r, m: Move{X: c.x, Y: c.y, Quarter: quarter}, c: c, yield: yield}
	if z.nobody && !l.give(Nobody, -1) {
		return false
	}
	for p := range sh.n {
		if z.follower>>p&1 == 1 && !l.give(Put(false, Place{sh.kind[p], r.label[p]}), p) {
			return false
		}
	}
	if z.shrine && !l.give(OnCloister, shrinePart) {
		return false
	}
	if z.abbot && !l.give(Put(true, Place{Kind: sh.shrine}), shrinePart) {
		return false
	}
	return !z.recall || l.give(Recall, -1)
}

// lister yields the moves of one placing.
type lister struct {
	s     *State
	sh    *shape
	r     *turned
	m     Move
	c     *cell
	yield func(domain.Move) bool
	p     *placing // worked out once it is needed, in solo games alone
}

func (l *lister) give(choice Choice, part int) bool {
	m := l.m
	m.Follower = choice
	if !l.s.solo {
		return l.yield(m)
	}
	if l.p == nil {
		l.p = l.s.placing(l.s.current, m.Quarter, *l.c)
	}
	p := *l.p
	if part >= 0 {
		p.claim(part, l.s.toMove)
	}
	from := points(l.s.scores)
	if choice == Recall {
		l.s.payRecall(&from, l.c)
	}
	d := p.due(choice)
	orders := l.s.orders(from, &d)
	if len(orders) == 0 {
		return l.yield(m)
	}
	for _, o := range orders {
		m.Order = o
		if !l.yield(m) {
			return false
		}
	}
	return true
}

func (s *State) placing(id TileID, quarter uint8, c cell) *placing {
	sh := &shapes[id]
	return &placing{
		s: s, id: id, sh: sh, r: &sh.turned[quarter], quarter: quarter, cell: c,
		j: s.join(id, quarter, c.x, c.y),
	}
}

// payRecall pays for an abbot called back: its tile and those about it (S1, the abbot).
func (s *State) payRecall(to *points, c *cell) (tile, worth int, paid uint8) {
	t, ok := s.abbotOut(s.toMove)
	if !ok {
		return -1, 0, 0
	}
	var men [maxOwners]uint8
	men[s.toMove] = 1
	worth = 1 + s.aroundWith(t, c)
	return t, worth, s.pay(to, &men, worth)
}
