package carcassonne

import (
	"iter"
	"math/bits"

	"posthorn/domain"
)

// Awaited is the turn of whoever is to move, and nothing once the game is over. A solo game
// has one seat, which moves every colour.
func (rulesRoom) Awaited(s *State) []domain.Decision {
	if !s.ready || s.over {
		return nil
	}
	if seat := s.seatToMove(); int(s.turn) < len(turns[seat]) {
		return turns[seat][s.turn:][:1:1]
	}
	return []domain.Decision{{Seat: s.seatToMove(), Kind: "turn", Serial: int(s.turn)}}
}

// turns are the decisions of all games that begin at the beginning, by seat and turn.
var turns = func() (all [maxOwners][maxTiles + 1]domain.Decision) {
	for seat := range all {
		for turn := range all[seat] {
			all[seat][turn] = domain.Decision{Seat: domain.Seat(seat), Kind: "turn", Serial: turn}
		}
	}
	return all
}()

func (s *State) seatToMove() domain.Seat {
	if s.solo {
		return 0
	}
	return s.toMove.Seat()
}

// Legal yields every move: open places by rows, turns clockwise, then the second step's
// choices. Turns that look alike count each for itself.
func (rulesRoom) Legal(s *State, seat domain.Seat) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		if !s.awaits(seat) {
			return
		}
		t := s.second()
		for _, o := range s.open[:s.nOpen] {
			if !t.list(&s.cells[o.cell()], yield) {
				return
			}
		}
	}
}

// PickLegal counts the moves that Legal yields and gives one of them.
func (rulesRoom) PickLegal(s *State, seat domain.Seat, pick func(n int) int) (m domain.Move, n int) {
	if !s.awaits(seat) {
		return nil, 0
	}
	t := s.second()
	var counts [maxOpen]uint32
	if n = t.tally(&counts); n == 0 {
		return nil, 0
	}
	i, left := 0, pick(n)
	for ; left >= int(counts[i]); i++ {
		left -= int(counts[i])
	}
	return t.at(&s.cells[s.open[i].cell()], left), n
}

// awaits tells whether a turn is awaited of a seat.
func (s *State) awaits(seat domain.Seat) bool { return s.ready && !s.over && seat == s.seatToMove() }

// list yields the moves that place the tile there; false if no more are wanted.
func (t *second) list(c *cell, yield func(Move) bool) bool {
	fit := t.s.turns(t.s.current, c, nil)
	if fit == 0 {
		return true
	}
	a := t.look(c)
	for ; fit != 0; fit &= fit - 1 {
		m := Move{X: c.x, Y: c.y, Quarter: uint8(bits.TrailingZeros8(fit))}
		r := &t.sh.turned[m.Quarter]
		for z, _ := t.zones(r, c, &a); z != 0; z &= z - 1 {
			choice, part := t.choice(r, z)
			m.Follower = choice
			if !t.s.listOrders(m, part, yield) {
				return false
			}
		}
	}
	return true
}

// listOrders yields a move, in a solo game with each order of scoring that makes a difference.
func (s *State) listOrders(m Move, part int, yield func(Move) bool) bool {
	if !s.solo {
		return yield(m)
	}
	for _, m.Order = range s.ordersFor(m, part) {
		if !yield(m) {
			return false
		}
	}
	return true
}

// tally is how many moves list yields at each open place, and in all.
func (t *second) tally(counts *[maxOpen]uint32) (n int) {
	s := t.s
	same, fitting := t.same(), &fitting[s.current]
	for i, o := range s.open[:s.nOpen] {
		c := &s.cells[o.cell()]
		k := same * bits.OnesCount8(fitting[c.asks]) // no branch: which places fit cannot be foreseen
		if same == 0 {
			k = t.count(c)
		}
		counts[i] = uint32(k)
		n += k
	}
	return n
}

// count is how many moves list yields.
func (t *second) count(c *cell) (n int) {
	if t.s.solo {
		t.list(c, func(Move) bool { n++; return true })
		return n
	}
	fit := t.s.turns(t.s.current, c, nil)
	if fit == 0 {
		return 0
	}
	a := t.look(c)
	for ; fit != 0; fit &= fit - 1 {
		z, _ := t.zones(&t.sh.turned[bits.TrailingZeros8(fit)], c, &a)
		n += z.count()
	}
	return n
}

// at is the move that list yields after so many others.
func (t *second) at(c *cell, others int) (m Move) {
	if t.s.solo {
		t.list(c, func(next Move) bool {
			m = next
			others--
			return others >= 0
		})
		return m
	}
	a := t.look(c)
	for fit := t.s.turns(t.s.current, c, nil); ; fit &= fit - 1 {
		quarter := uint8(bits.TrailingZeros8(fit))
		r := &t.sh.turned[quarter]
		z, _ := t.zones(r, c, &a)
		if n := z.count(); n <= others {
			others -= n
			continue
		}
		for range others {
			z &= z - 1
		}
		choice, _ := t.choice(r, z)
		return Move{X: c.x, Y: c.y, Quarter: quarter, Follower: choice}
	}
}

// look is what lies about an open place, if that matters for the second step.
func (t *second) look(c *cell) (a about) {
	if t.parts != 0 {
		a = t.s.look(c)
	}
	return a
}

var noOrder = []Order{0}

// ordersFor lists the orders to choose between once a figure stands on a part; only the
// empty one where the order changes nothing.
func (s *State) ordersFor(m Move, part int) []Order {
	var p placing
	p.lay(s, s.current, m.Quarter, m.X, m.Y)
	if part >= 0 {
		p.claim(part, s.toMove)
	}
	from := points(s.scores)
	if m.Follower == Recall {
		s.payRecall(&from, &p.cell)
	}
	var d dues
	d.find(&p, m.Follower)
	if list := s.orders(from, &d); len(list) > 0 {
		return list
	}
	return noOrder
}

// lay makes a placing, empty until then, that of a tile at an open place or one beside none.
func (p *placing) lay(s *State, id TileID, quarter uint8, x, y int16) {
	p.s, p.id, p.sh, p.quarter, p.cell = s, id, &shapes[id], quarter, s.cellAt(x, y)
	p.r = &p.sh.turned[quarter]
	p.j.work(s, id, quarter, &p.cell)
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
