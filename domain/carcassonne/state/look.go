package state

import (
	"math/bits"

	"posthorn/domain/carcassonne/table"
)

// About is what lies about an open place, looked up once for all turns of a tile: which
// feature meets each edge (links 0 to 3) and each half-edge (links 4 to 11), and where somebody
// stands in it.
type About struct {
	feature [table.Links]uint16
	there   uint16 // bits of the links that meet something
	taken   uint16 // bits of the links whose feature somebody stands in
}

// Look tells what is about an open place.
func (s *State) Look(c *Cell) (a About) {
	a.there = c.there
	for rest := c.there; rest != 0; rest &= rest - 1 {
		link := bits.TrailingZeros16(rest)
		f := s.Feature[c.node[link]]
		a.feature[link] = f
		if s.Features[f].All > 0 {
			a.taken |= 1 << link
		}
	}
	return a
}

// FreeParts gives the bits of the parts that nobody stands in, over the whole feature that
// the tile would be part of (S1, placing a follower; point 13).
func (a *About) FreeParts(sh *table.Shape, r *table.Turned) uint8 {
	var taken uint8
	for rest := a.taken; rest != 0; rest &= rest - 1 {
		taken |= r.LinkBit[bits.TrailingZeros16(rest)]
	}
	if sh.Twins && taken != 0 && taken != sh.All {
		taken = a.spread(sh, r, taken)
	}
	return sh.All &^ taken
}

// spread takes up parts that meet a taken one outside: they are one feature with it.
func (a *About) spread(sh *table.Shape, r *table.Turned, taken uint8) uint8 {
	for {
		var mine uint16
		for p := range sh.N {
			if taken>>p&1 == 1 {
				mine |= r.Links[p]
			}
		}
		mine &= a.there
		before := taken
		for rest := a.there &^ mine; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros16(rest)
			for other := mine; other != 0; other &= other - 1 {
				if a.feature[bits.TrailingZeros16(other)] == a.feature[k] {
					taken |= r.LinkBit[k]
					break
				}
			}
		}
		if taken == before {
			return taken
		}
	}
}

// AbbotOut finds an owner's abbot on the board: the number of its tile.
func (s *State) AbbotOut(o Owner) (tile int, ok bool) {
	for _, f := range s.Figures[:s.NFigures] {
		if f.Abbot && f.Owner == o {
			return int(f.Tile), true
		}
	}
	return 0, false
}

// AroundWith is how many tiles lie about a tile once another lies at c.
func (s *State) AroundWith(tile int, c *Cell) int {
	t := &s.Tiles[tile]
	n := int(t.Around)
	if dx, dy := t.X-c.X, t.Y-c.Y; dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 {
		n++
	}
	return n
}
