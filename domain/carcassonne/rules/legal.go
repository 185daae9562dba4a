package rules

import (
	"iter"
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Awaited returns the turn of the seat to move, and nothing once the game is over. A solo game has one seat, which
// moves every colour.
func (Room) Awaited(s *state.State) []domain.Decision {
	if !s.Ready || s.Over {
		return nil
	}
	if seat := SeatToMove(s); int(s.Turn) < len(turns[seat]) {
		return turns[seat][s.Turn:][:1:1]
	}
	return []domain.Decision{{Seat: SeatToMove(s), Kind: "turn", Serial: int(s.Turn)}}
}

// turns are the decisions of all games played from the start, by seat and turn.
var turns = func() (all [table.MaxOwners][table.MaxTiles + 1]domain.Decision) {
	for seat := range all {
		for turn := range all[seat] {
			all[seat][turn] = domain.Decision{Seat: domain.Seat(seat), Kind: "turn", Serial: turn}
		}
	}
	return all
}()

// SeatToMove returns the seat whose turn it is. A solo game has one seat, which moves every colour.
func SeatToMove(s *state.State) domain.Seat {
	if s.Solo {
		return 0
	}
	return s.ToMove.Seat()
}

// Legal yields every move: open places by rows, then turns clockwise, then the choices of the second step. Turns that
// look alike are separate moves.
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

// PickLegal counts the moves that Legal yields and returns one of them.
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

// awaits reports whether the game awaits a turn from a seat.
func awaits(s *state.State, seat domain.Seat) bool {
	return s.Ready && !s.Over && seat == SeatToMove(s)
}

// list yields the moves that place the tile there; it returns false if the caller wants no more.
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

// tally returns how many moves list yields, at each open place and in all.
func (t *figureStep) tally(counts *[state.MaxOpen]uint32) (n int) {
	s := t.s
	same, fitting := t.same(), &table.Fitting[s.Current]
	for i, o := range s.Open[:s.NOpen] {
		c := &s.Cells[o.Cell()]
		fit := fitting[c.Asks]
		k := same * bits.OnesCount8(fit) // branch-free: which places fit is unpredictable
		if same == 0 && fit != 0 {
			k = t.count(c)
		}
		counts[i] = uint32(k)
		n += k
	}
	return n
}

// count returns how many moves list yields.
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

// at returns the move that list yields after skipping this many.
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

// look returns what lies around an open place, if that matters for the second step.
func (t *figureStep) look(c *state.Cell) (a state.About) {
	if t.parts != 0 {
		a = t.s.Look(c)
	}
	return a
}

// zones are the possible second steps of a turn, one bit each, in the order in which Legal yields them.
type zones uint16

const (
	zoneNobody zones = 1 << 0                     // the player may skip the step
	zonePart   zones = 1 << 1                     // a follower may claim the tile's first part; the others follow
	zoneShrine zones = zonePart << table.MaxParts // a follower may go into the cloister
	zoneAbbot  zones = zoneShrine << 1            // the abbot may go into the cloister or garden
	zoneRecall zones = zoneShrine << 2            // the abbot may be recalled
)

func (z zones) has(what zones) bool { return z&what != 0 }

// count returns the number of choices.
func (z zones) count() int { return bits.OnesCount16(uint16(z)) }

// figureStep is what is known about the second step of a turn before the tile has a place.
type figureStep struct {
	s     *state.State
	sh    *table.Shape
	parts uint8 // bits of the parts that may be free and need checking
	hand  bool  // there is a follower to claim them with
	fixed zones // allowed wherever the tile goes
	out   int   // the tile of an abbot who may be recalled if it stays incomplete, or -1
}

func stepOf(s *state.State) figureStep {
	o := s.ToMove
	t := figureStep{s: s, sh: &table.Shapes[s.Current], hand: s.Hand[o] > 0, fixed: zoneNobody, out: -1}
	if t.hand || s.Solo {
		t.parts = t.sh.Claims
		if !s.Farmers {
			t.parts &^= t.sh.Fields
		}
	}
	if t.hand && t.sh.Shrine == table.Cloister {
		t.fixed |= zoneShrine
	}
	switch {
	case s.AbbotsHome[o] == 0:
		if tile, ok := s.AbbotOut(o); ok && (s.Solo || s.Tiles[tile].Around == 7) {
			t.out = tile
		} else if ok {
			t.fixed |= zoneRecall // no tile can complete his feature
		}
	case t.sh.Shrine != table.NoKind:
		t.fixed |= zoneAbbot
	}
	return t
}

// same returns how many choices there are wherever the edges match, or 0 if that depends on the place.
func (t *figureStep) same() int {
	if t.parts != 0 || t.out >= 0 || t.s.Solo || t.sh.Set != table.Base {
		return 0
	}
	return t.fixed.count()
}

// zones works out the second step for a tile turned like this; a is what lies around it, needed only where parts must
// be checked. Stops reports that a solo game ends: the player must place a follower and has none left (S0, placing a
// follower).
func (t *figureStep) zones(r *table.Turned, c *state.Cell, a *state.About) (z zones, stops bool) {
	z = t.fixed
	free := uint8(0)
	if t.parts != 0 {
		free = t.parts & a.FreeParts(t.sh, r)
	}
	if t.hand {
		z |= zones(free) * zonePart
	}
	if t.s.Solo {
		if z != zoneNobody {
			z &^= zoneNobody
		} else {
			stops = free != 0 || t.sh.Shrine == table.Cloister
		}
	}
	if t.out >= 0 && z.has(zoneNobody) && t.s.AroundWith(t.out, c) < 8 {
		z |= zoneRecall
	}
	return z, stops
}

// choice returns the first of the choices, and the part the figure goes on, -1 for none.
func (t *figureStep) choice(r *table.Turned, z zones) (table.Choice, int) {
	switch z & -z {
	case zoneNobody:
		return table.Nobody, -1
	case zoneShrine:
		return table.OnCloister, table.ShrinePart
	case zoneAbbot:
		return table.Put(true, table.Place{Kind: t.sh.Shrine}), table.ShrinePart
	case zoneRecall:
		return table.Recall, -1
	}
	part := bits.TrailingZeros16(uint16(z / zonePart))
	return r.Choice[part], part
}
