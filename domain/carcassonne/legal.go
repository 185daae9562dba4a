package carcassonne

import (
	"iter"
	"math/bits"

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
		l := s.lister(sh, yield)
		for i := range s.open[:s.nOpen] {
			c := &s.open[i]
			var a about
			looked := false
			for k := range uint8(4) {
				r := &sh.turned[k]
				if (r.edges^c.need)&c.mask != 0 || sh.set != Base && !s.riverFits(r, c, nil) {
					continue
				}
				if !looked {
					a, looked = s.look(c), true
				}
				if !l.legalAt(k, c, &a) {
					return
				}
			}
		}
	}
}

// lister is what stays the same while the moves of a turn are listed.
type lister struct {
	s      *State
	sh     *shape
	yield  func(domain.Move) bool
	boxes  *boxes
	claims uint8  // bits of the parts that a follower could claim if they are free
	shrine Choice // a follower in the cloister, or Nobody
	abbot  Choice // the abbot in the cloister or garden, or Nobody
	recall bool   // the abbot may be called back, if this tile does not surround him
	out    int    // the tile he stands on
}

func (s *State) lister(sh *shape, yield func(domain.Move) bool) (l lister) {
	l = lister{s: s, sh: sh, yield: yield, boxes: allBoxes()}
	if s.hand[s.toMove] > 0 {
		l.claims = sh.claims
		if !s.farmers {
			l.claims &^= sh.fields
		}
		if sh.shrine == Cloister {
			l.shrine = OnCloister
		}
	}
	if s.abbotsHome[s.toMove] > 0 {
		if sh.shrine != NoKind {
			l.abbot = Put(true, Place{Kind: sh.shrine})
		}
	} else if s.abbot {
		l.out, l.recall = s.abbotOut(s.toMove)
	}
	return l
}

// legalAt yields the moves that place the tile so; false if no more are wanted.
func (l *lister) legalAt(quarter uint8, c *cell, a *about) bool {
	r := &l.sh.turned[quarter]
	if l.s.solo {
		z := l.s.zonesOf(l.sh, r, c, a)
		return l.s.legalSolo(l.sh, r, Move{X: c.x, Y: c.y, Quarter: quarter}, &z, l.yield)
	}
	p := spot{row: l.boxes.of(c.x, c.y, quarter), x: c.x, y: c.y, quarter: quarter}
	if !l.yield(p.move(Nobody)) {
		return false
	}
	for free := l.claims & a.freeParts(l.sh, r); free != 0; free &= free - 1 {
		if !l.yield(p.move(r.choice[bits.TrailingZeros8(free)])) {
			return false
		}
	}
	if l.shrine != Nobody && !l.yield(p.move(l.shrine)) {
		return false
	}
	if l.abbot != Nobody && !l.yield(p.move(l.abbot)) {
		return false
	}
	return !l.recall || l.s.aroundWith(l.out, c) >= 8 || l.yield(p.move(Recall))
}

// legalSolo does the same for a solo game, where a move may also say in which order the
// features it completes are scored.
func (s *State) legalSolo(sh *shape, r *turned, m Move, z *zones, yield func(domain.Move) bool) bool {
	p := s.placing(s.current, m.Quarter, s.cellAt(m.X, m.Y))
	give := func(choice Choice, part int) bool {
		m.Follower = choice
		for _, o := range s.ordersFor(p, choice, part) {
			if !yield(m.with(o)) {
				return false
			}
		}
		return true
	}
	if z.nobody && !give(Nobody, -1) {
		return false
	}
	for part := range sh.n {
		if z.follower>>part&1 == 1 && !give(r.choice[part], part) {
			return false
		}
	}
	if z.shrine && !give(OnCloister, shrinePart) {
		return false
	}
	if z.abbot && !give(Put(true, Place{Kind: sh.shrine}), shrinePart) {
		return false
	}
	return !z.recall || give(Recall, -1)
}

var noOrder = []Order{0}

// ordersFor lists the orders to choose between once a figure stands on a part; only the
// empty one where the order changes nothing.
func (s *State) ordersFor(p placing, choice Choice, part int) []Order {
	if part >= 0 {
		p.claim(part, s.toMove)
	}
	from := points(s.scores)
	if choice == Recall {
		s.payRecall(&from, &p.cell)
	}
	d := p.due(choice)
	if list := s.orders(from, &d); len(list) > 0 {
		return list
	}
	return noOrder
}

func (s *State) placing(id TileID, quarter uint8, c cell) placing {
	sh := &shapes[id]
	return placing{
		s: s, id: id, sh: sh, r: &sh.turned[quarter], quarter: quarter, cell: c,
		j: s.join(id, quarter, &c),
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
