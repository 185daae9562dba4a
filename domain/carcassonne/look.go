package carcassonne

import "math/bits"

// riverEdge is the edge by which an open place touches the river.
func riverEdge(c *cell) (e int, ok bool) {
	for e := range 4 {
		if c.asks.edge(e) == River {
			return e, true
		}
	}
	return 0, false
}

// bend is how a river tile turns for who comes in by an edge: 0 straight, or an end; 1 to
// the left, 3 to the right, as quarter turns from the way in.
func bend(r *turned, in int) int {
	for e := range 4 {
		if e != in && r.edge(e) == River {
			if d := (e - in) & 3; d != 2 {
				return d
			}
		}
	}
	return 0
}

// turnsBack tells whether a river tile turns the same way as the river tile before it,
// which S1 (the river) forbids. With turnsAny the last curve counts even across straights.
func (s *State) turnsBack(r *turned, c *cell, in int, p *placing) bool {
	d := bend(r, in)
	if d == 0 {
		return false
	}
	x, y := c.x, c.y
	for range maxTiles {
		x, y = x+stepX[in], y+stepY[in]
		r, out := s.turnedAt(x, y, p), opposite(in)
		if r == nil {
			return false
		}
		in = -1
		for e := range 4 {
			if e != out && r.edge(e) == River {
				in = e
			}
		}
		if in < 0 {
			return false // the spring
		}
		if before := bend(r, in); before != 0 {
			return before == d
		}
		if !s.turnsAny {
			return false
		}
	}
	return false
}

// turnedAt is the tile at a place, the one that is being placed too; nil if there is none.
func (s *State) turnedAt(x, y int16, p *placing) *turned {
	if p != nil && x == p.cell.x && y == p.cell.y {
		return p.r
	}
	if m := s.tileAt(x, y); m >= 0 {
		return s.tiles[m].turned()
	}
	return nil
}

// fitsAnywhere tells whether a tile could be placed somewhere on the board with the tile that
// is being placed, or on the board as it is.
func (s *State) fitsAnywhere(id TileID, p *placing) bool {
	if p == nil {
		return s.fitsOpen(id, nil)
	}
	if s.fitsOpen(id, &p.cell) {
		return true
	}
	for e := range 4 {
		x, y := p.cell.x+stepX[e], p.cell.y+stepY[e]
		if s.tileAt(x, y) >= 0 {
			continue
		}
		c := s.cellAt(x, y)
		c.touch(p.r, e, 0)
		if s.turns(id, &c, p) != 0 {
			return true
		}
	}
	return false
}

// fitsOpen looks at the open places, but for one and those beside it.
func (s *State) fitsOpen(id TileID, but *cell) bool {
	for _, o := range s.open[:s.nOpen] {
		c := &s.cells[o.cell()]
		if s.turns(id, c, nil) == 0 {
			continue
		}
		if but == nil {
			return true
		}
		if dx, dy := c.x-but.x, c.y-but.y; dx*dx+dy*dy > 1 {
			return true
		}
	}
	return false
}

// about is what lies about an open place, looked up once for all turns of a tile: which
// feature meets each edge (links 0 to 3) and each half-edge (links 4 to 11), and where somebody
// stands in it.
type about struct {
	feature [12]uint16
	there   uint16 // bits of the links that meet something
	taken   uint16 // bits of the links whose feature somebody stands in
}

func (s *State) look(c *cell) (a about) {
	a.there = c.there
	for rest := c.there; rest != 0; rest &= rest - 1 {
		link := bits.TrailingZeros16(rest)
		f := s.feature[c.node[link]]
		a.feature[link] = f
		if s.features[f].all > 0 {
			a.taken |= 1 << link
		}
	}
	return a
}

// freeParts gives the bits of the parts that nobody stands in, over the whole feature that
// the tile would be part of (S1, placing a follower; point 13).
func (a *about) freeParts(sh *shape, r *turned) uint8 {
	var taken uint8
	for rest := a.taken; rest != 0; rest &= rest - 1 {
		taken |= r.linkBit[bits.TrailingZeros16(rest)]
	}
	if sh.twins && taken != 0 && taken != sh.all {
		taken = a.spread(sh, r, taken)
	}
	return sh.all &^ taken
}

// spread takes up parts that meet a taken one outside: they are one feature with it.
func (a *about) spread(sh *shape, r *turned, taken uint8) uint8 {
	for {
		var mine uint16
		for p := range sh.n {
			if taken>>p&1 == 1 {
				mine |= r.links[p]
			}
		}
		mine &= a.there
		before := taken
		for rest := a.there &^ mine; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros16(rest)
			for other := mine; other != 0; other &= other - 1 {
				if a.feature[bits.TrailingZeros16(other)] == a.feature[k] {
					taken |= r.linkBit[k]
					break
				}
			}
		}
		if taken == before {
			return taken
		}
	}
}

// abbotOut finds an owner's abbot on the board: the number of its tile.
func (s *State) abbotOut(o Owner) (tile int, ok bool) {
	for _, f := range s.figures[:s.nFigures] {
		if f.abbot && f.owner == o {
			return int(f.tile), true
		}
	}
	return 0, false
}

// aroundWith is how many tiles lie about a tile once another lies at c.
func (s *State) aroundWith(tile int, c *cell) int {
	t := &s.tiles[tile]
	n := int(t.around)
	if dx, dy := t.x-c.x, t.y-c.y; dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 {
		n++
	}
	return n
}
