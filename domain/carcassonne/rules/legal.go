package rules

import (
	"iter"
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Awaited is the turn of whoever is to move, and nothing once the game is over. A solo game
// has one seat, which moves every colour.
func (Room) Awaited(s *state.State) []domain.Decision {
	if !s.Ready || s.Over {
		return nil
	}
	if seat := SeatToMove(s); int(s.Turn) < len(turns[seat]) {
		return turns[seat][s.Turn:][:1:1]
	}
	return []domain.Decision{{Seat: SeatToMove(s), Kind: "turn", Serial: int(s.Turn)}}
}

// turns are the decisions of all games that begin at the beginning, by seat and turn.
var turns = func() (all [table.MaxOwners][table.MaxTiles + 1]domain.Decision) {
	for seat := range all {
		for turn := range all[seat] {
			all[seat][turn] = domain.Decision{Seat: domain.Seat(seat), Kind: "turn", Serial: turn}
		}
	}
	return all
}()

// SeatToMove is the seat whose turn it is; a solo game has one, which moves every colour.
func SeatToMove(s *state.State) domain.Seat {
	if s.Solo {
		return 0
	}
	return s.ToMove.Seat()
}

// Legal yields every move: open places by rows, turns clockwise, then the second step's
// choices. Turns that look alike count each for itself.
func (Room) Legal(s *state.State, seat domain.Seat) iter.Seq[state.Move] {
	return func(yield func(state.Move) bool) {
		if !awaits(s, seat) {
			return
		}
		t := stepOf(s)
		for _, o := range s.Open[:s.NOpen] {
			if !t.list(&s.Cells[o.Cell()], yield) {
				return
			}
		}
	}
}

// PickLegal counts the moves that Legal yields and gives one of them.
func (Room) PickLegal(s *state.State, seat domain.Seat, pick func(n int) int) (m domain.Move, n int) {
	if !awaits(s, seat) {
		return nil, 0
	}
	t := stepOf(s)
	var counts [state.MaxOpen]uint32
	if n = t.tally(&counts); n == 0 {
		return nil, 0
	}
	i, left := 0, pick(n)
	for ; left >= int(counts[i]); i++ {
		left -= int(counts[i])
	}
	return t.at(&s.Cells[s.Open[i].Cell()], left), n
}

// awaits tells whether a turn is awaited of a seat.
func awaits(s *state.State, seat domain.Seat) bool {
	return s.Ready && !s.Over && seat == SeatToMove(s)
}

// list yields the moves that place the tile there; false if no more are wanted.
func (t *figureStep) list(c *state.Cell, yield func(state.Move) bool) bool {
	fit := t.s.Turns(t.s.Current, c, nil)
	if fit == 0 {
		return true
	}
	a := t.look(c)
	for ; fit != 0; fit &= fit - 1 {
		m := state.Move{X: c.X, Y: c.Y, Quarter: uint8(bits.TrailingZeros8(fit))}
		r := &t.sh.Turned[m.Quarter]
		for z, _ := t.zones(r, c, &a); z != 0; z &= z - 1 {
			choice, part := t.choice(r, z)
			m.Follower = choice
			orders := noOrder
			if t.s.Solo {
				orders = ordersFor(t.s, m, c, part)
			}
			for _, m.Order = range orders {
				if !yield(m) {
					return false
				}
			}
		}
	}
	return true
}

// tally is how many moves list yields at each open place, and in all.
func (t *figureStep) tally(counts *[state.MaxOpen]uint32) (n int) {
	s := t.s
	same, fitting := t.same(), &table.Fitting[s.Current]
	for i, o := range s.Open[:s.NOpen] {
		c := &s.Cells[o.Cell()]
		fit := fitting[c.Asks]
		k := same * bits.OnesCount8(fit) // no branch: which places fit cannot be foreseen
		if same == 0 && fit != 0 {
			k = t.count(c)
		}
		counts[i] = uint32(k)
		n += k
	}
	return n
}

// count is how many moves list yields.
func (t *figureStep) count(c *state.Cell) (n int) {
	if t.s.Solo {
		t.list(c, func(state.Move) bool { n++; return true })
		return n
	}
	fit := t.s.Turns(t.s.Current, c, nil)
	if fit == 0 {
		return 0
	}
	a := t.look(c)
	for ; fit != 0; fit &= fit - 1 {
		z, _ := t.zones(&t.sh.Turned[bits.TrailingZeros8(fit)], c, &a)
		n += z.count()
	}
	return n
}

// at is the move that list yields after so many others.
func (t *figureStep) at(c *state.Cell, others int) (m state.Move) {
	if t.s.Solo {
		t.list(c, func(next state.Move) bool {
			m = next
			others--
			return others >= 0
		})
		return m
	}
	a := t.look(c)
	for fit := t.s.Turns(t.s.Current, c, nil); ; fit &= fit - 1 {
		quarter := uint8(bits.TrailingZeros8(fit))
		r := &t.sh.Turned[quarter]
		z, _ := t.zones(r, c, &a)
		if n := z.count(); n <= others {
			others -= n
			continue
		}
		for range others {
			z &= z - 1
		}
		choice, _ := t.choice(r, z)
		return state.Move{X: c.X, Y: c.Y, Quarter: quarter, Follower: choice}
	}
}

// look is what lies about an open place, if that matters for the second step.
func (t *figureStep) look(c *state.Cell) (a state.About) {
	if t.parts != 0 {
		a = t.s.Look(c)
	}
	return a
}
