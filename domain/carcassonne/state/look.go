package state

import (
	"math/bits"

	"posthorn/domain/carcassonne/table"
)

// bend is how a river tile turns for who comes in by an edge: 0 straight, or an end; 1 to
// the left, 3 to the right, as quarter turns from the way in.
func bend(r *table.Turned, in int) int {
	for e := range 4 {
		if e != in && r.Edge(e) == table.River {
			if d := (e - in) & 3; d != 2 {
				return d
			}
		}
	}
	return 0
}

// TurnsBack tells whether a river tile turns the same way as the river tile before it,
// which S1 (the river) forbids. With TurnsAny the last curve counts even across straights.
func (s *State) TurnsBack(r *table.Turned, c *Cell, in int, p *Placing) bool {
	d := bend(r, in)
	if d == 0 {
		return false
	}
	x, y := c.X, c.Y
	for range table.MaxTiles {
		x, y = x+table.StepX[in], y+table.StepY[in]
		r, out := s.turnedAt(x, y, p), table.Opposite(in)
		if r == nil {
			return false
		}
		in = -1
		for e := range 4 {
			if e != out && r.Edge(e) == table.River {
				in = e
			}
		}
		if in < 0 {
			return false // the spring
		}
		if before := bend(r, in); before != 0 {
			return before == d
		}
		if !s.TurnsAny {
			return false
		}
	}
	return false
}

// turnedAt is the tile at a place, the one that is being placed too; nil if there is none.
func (s *State) turnedAt(x, y int16, p *Placing) *table.Turned {
	if p != nil && x == p.Cell.X && y == p.Cell.Y {
		return p.R
	}
	if m := s.TileAt(x, y); m >= 0 {
		return s.Tiles[m].Turned()
	}
	return nil
}

// FitsAnywhere tells whether a tile could be placed somewhere on the board with the tile that
// is being placed, or on the board as it is.
func (s *State) FitsAnywhere(id table.TileID, p *Placing) bool {
	if p == nil {
		return s.fitsOpen(id, nil)
	}
	if s.fitsOpen(id, &p.Cell) {
		return true
	}
	for e := range 4 {
		x, y := p.Cell.X+table.StepX[e], p.Cell.Y+table.StepY[e]
		if s.TileAt(x, y) >= 0 {
			continue
		}
		c := s.CellAt(x, y)
		c.touch(p.R, e, 0)
		if s.Turns(id, &c, p) != 0 {
			return true
		}
	}
	return false
}

// fitsOpen looks at the open places, but for one and those beside it.
func (s *State) fitsOpen(id table.TileID, but *Cell) bool {
	for _, o := range s.Open[:s.NOpen] {
		c := &s.Cells[o.Cell()]
		if s.Turns(id, c, nil) == 0 {
			continue
		}
		if but == nil {
			return true
		}
		if dx, dy := c.X-but.X, c.Y-but.Y; dx*dx+dy*dy > 1 {
			return true
		}
	}
	return false
}

// About is what lies about an open place, looked up once for all turns of a tile: which
// feature meets each edge (links 0 to 3) and each half-edge (links 4 to 11), and where somebody
// stands in it.
type About struct {
	feature [12]uint16
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
