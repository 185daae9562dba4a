package state

import "posthorn/domain/carcassonne/table"

// Turns gives the bits of the quarter turns in which a tile matches every tile about an open
// place, rivers going on as rivers and not turning back. p is a tile that is being placed and
// does not lie on the board yet, or nil.
func (s *State) Turns(id table.TileID, c *Cell, p *Placing) uint8 {
	fit := table.Fitting[id][c.Asks]
	if fit != 0 && table.Shapes[id].Set != table.Base {
		fit = s.riverTurns(id, fit, c, p)
	}
	return fit
}

// riverTurns leaves of the turns of a river tile those that also carry the river on.
func (s *State) riverTurns(id table.TileID, fit uint8, c *Cell, p *Placing) uint8 {
	in, ok := RiverEdge(c)
	if !ok {
		return 0
	}
	for k := range 4 {
		if fit>>k&1 == 1 && s.TurnsBack(&table.Shapes[id].Turned[k], c, in, p) {
			fit &^= 1 << k
		}
	}
	return fit
}

// RiverEdge is the edge by which an open place touches the river.
func RiverEdge(c *Cell) (e int, ok bool) {
	for e := range 4 {
		if c.Asks.Edge(e) == table.River {
			return e, true
		}
	}
	return 0, false
}

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
