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
			var a about
			looked := false
			for k := range uint8(4) {
				r := &sh.turned[k]
				if (r.edges^c.need)&c.mask != 0 || sh.set != Base && !s.riverFits(r, c) {
					continue
				}
				if !looked {
					a, looked = s.look(c), true
				}
				if !s.legalAt(sh, k, c, &a, yield) {
					return
				}
			}
		}
	}
}

// legalAt yields the moves that place the tile so; false if no more are wanted.
func (s *State) legalAt(sh *shape, quarter uint8, c *cell, a *about, yield func(domain.Move) bool) bool {
	r := &sh.turned[quarter]
	z := s.zonesOf(sh, r, c, a)
	m := Move{X: c.x, Y: c.y, Quarter: quarter}
	if s.solo {
		return s.legalSolo(sh, r, m, &z, yield)
	}
	if z.nobody && !yield(m) {
		return false
	}
	for p, free := 0, z.follower; free != 0; p, free = p+1, free>>1 {
		if free&1 == 0 {
			continue
		}
		m.Follower = r.choice[p]
		if !yield(m) {
			return false
		}
	}
	if m.Follower = OnCloister; z.shrine && !yield(m) {
		return false
	}
	if m.Follower = AbbotOnGarden; sh.shrine == Cloister {
		m.Follower = AbbotOnCloister
	}
	if z.abbot && !yield(m) {
		return false
	}
	m.Follower = Recall
	return !z.recall || yield(m)
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
