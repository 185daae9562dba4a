package rules

import (
	"math/bits"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// zones is what may be done in the second step of a turn, a bit each, in the order in which
// Legal yields it.
type zones uint16

const (
	zoneNobody zones = 1 << 0                     // the step may be passed over
	zonePart   zones = 1 << 1                     // a follower may claim the tile's first part; the others follow
	zoneShrine zones = zonePart << table.MaxParts // a follower may go into the cloister
	zoneAbbot  zones = zoneShrine << 1            // the abbot may go into the cloister or garden
	zoneRecall zones = zoneShrine << 2            // the abbot may be called back
)

func (z zones) has(what zones) bool { return z&what != 0 }

// count is how many choices there are.
func (z zones) count() int { return bits.OnesCount16(uint16(z)) }

// figureStep is what is known of the second step of a turn before the place of the tile is.
type figureStep struct {
	s     *state.State
	sh    *table.Shape
	parts uint8 // bits of the parts to be looked at, whether they are free
	hand  bool  // there is a follower to claim them with
	fixed zones // what may be done wherever the tile goes
	out   int   // the tile of an abbot who may be called back if it stays incomplete, or -1
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
			t.fixed |= zoneRecall // no tile can complete what he stands in
		}
	case t.sh.Shrine != table.NoKind:
		t.fixed |= zoneAbbot
	}
	return t
}

// same is how many choices there are wherever the edges match, or 0 if that depends on the
// place.
func (t *figureStep) same() int {
	if t.parts != 0 || t.out >= 0 || t.s.Solo || t.sh.Set != table.Base {
		return 0
	}
	return t.fixed.count()
}

// zones works out the second step on a tile that lies so; a is what lies about it, and needs
// to be known only where parts are looked at. Stops tells that a solo game ends: a follower is
// due and there is none left (S0, placing a follower).
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

// choice is the first of the choices, and the part that a figure goes on, -1 for none.
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
