package state

import (
	"math/bits"
	"slices"

	"posthorn/domain/carcassonne/table"
)

// Joined is what the features around a tile would become if it lay there: a group for each feature that the tile is
// part of. Working it out does not change the board.
type Joined struct {
	Of    [table.MaxParts]uint8 // the group of each part
	Group [table.MaxParts]Group // by the lowest part in it; the others are dead
}

// Group is a feature made of some parts of the new tile and the features it touches.
type Group struct {
	Feature
	feats  [table.MaxParts]uint16 // the features absorbed
	nFeats uint8
	dead   bool // another group absorbed it
}

// Taken returns the features that the group absorbs.
func (g *Group) Taken() []uint16 { return g.feats[:g.nFeats] }

// Placing is a tile about to be laid, with the consequences for the features around it.
type Placing struct {
	S    *State
	Sh   *table.Shape
	R    *table.Turned
	Cell Cell
	J    Joined
}

// Lay makes an empty placing that of a tile at an open place.
func (p *Placing) Lay(s *State, id table.TileID, quarter uint8, c *Cell) {
	p.S, p.Sh, p.Cell = s, &table.Shapes[id], *c
	p.R = &p.Sh.Turned[quarter]
	p.J.work(s, p.Sh, p.R, c)
}

// work works out the features around a tile that would lie at an open place; j is empty.
//
// A tile counts once however often a feature enters it (point 21), so a feature keeps its set of tiles, not their
// number.
func (j *Joined) work(s *State, sh *table.Shape, r *table.Turned, c *Cell) {
	n := s.NTiles
	for p := range sh.N {
		j.Of[p] = uint8(p)
		g := &j.Group[p]
		g.Kind = sh.Kind[p]
		g.Pennants = sh.Pennant[p]
		g.Ends = sh.Ends[p]
		g.tiles[n>>6] = 1 << (n & 63)
	}
	for rest := c.there; rest != 0; rest &= rest - 1 {
		link := bits.TrailingZeros16(rest)
		p := bits.TrailingZeros8(r.LinkBit[link])
		g := j.link(s, sh.N, uint8(p), s.Feature[c.node[link]])
		if link < 4 {
			j.Group[g].Ends -= 2
		}
	}
}

// link adds a feature to the group of a part, and returns that group.
func (j *Joined) link(s *State, parts int, part uint8, f uint16) uint8 {
	g := j.Of[part]
	for h := range uint8(parts) {
		other := &j.Group[h]
		if other.dead {
			continue
		}
		if slices.Contains(other.Taken(), f) {
			return j.merge(parts, g, h)
		}
	}
	grp := &j.Group[g]
	grp.add(&s.Features[f])
	grp.feats[grp.nFeats] = f
	grp.nFeats++
	return g
}

func (j *Joined) merge(parts int, a, b uint8) uint8 {
	if a == b {
		return a
	}
	if b < a {
		a, b = b, a
	}
	into, from := &j.Group[a], &j.Group[b]
	into.add(&from.Feature)
	into.nFeats += uint8(copy(into.feats[into.nFeats:], from.Taken()))
	from.dead = true
	for p := range parts {
		if j.Of[p] == b {
			j.Of[p] = a
		}
	}
	return a
}

func (f *Feature) add(o *Feature) {
	f.tiles[0] |= o.tiles[0]
	f.tiles[1] |= o.tiles[1]
	f.Pennants += o.Pennants
	f.Ends += o.Ends
	f.All += o.All
	for i := range f.Men {
		f.Men[i] += o.Men[i]
	}
}

// Size returns the number of tiles, each counted once.
func (f *Feature) Size() int {
	return bits.OnesCount64(f.tiles[0]) + bits.OnesCount64(f.tiles[1])
}

// Complete reports whether a road or city is finished. Fields never are (S1, farmers).
func (f *Feature) Complete() bool {
	return f.Ends == 0 && (f.Kind == table.Road || f.Kind == table.City)
}

// About is what lies around an open place, looked up once for all turns of a tile: which feature meets each edge
// (links 0 to 3) and each half-edge (links 4 to 11), and where somebody stands in it.
type About struct {
	feature [table.Links]uint16
	there   uint16 // bits of the links that meet something
	taken   uint16 // bits of the links whose feature somebody stands in
}

// At returns the feature that meets a link, if there is one.
func (a *About) At(link int) (feature uint16, ok bool) { return a.feature[link], a.there>>link&1 == 1 }

// Look returns what lies around an open place.
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

// FreeParts returns the bits of the parts that nobody stands in, over the whole feature that the tile would be part
// of (S1, placing a follower; point 13).
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

// spread adds parts that meet a taken one outside the tile: they are one feature with it.
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

// AbbotOut returns the number of the tile on which an owner's abbot stands.
func (s *State) AbbotOut(o Owner) (tile int, ok bool) {
	for _, f := range s.Figures[:s.NFigures] {
		if f.Abbot && f.Owner == o {
			return int(f.Tile), true
		}
	}
	return 0, false
}

// AroundWith returns how many tiles surround a tile once another lies at c.
func (s *State) AroundWith(tile int, c *Cell) int {
	t := &s.Tiles[tile]
	n := int(t.Around)
	if dx, dy := t.X-c.X, t.Y-c.Y; dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 {
		n++
	}
	return n
}

// Turns returns the bits of the quarter turns in which a tile matches every tile around an open place, with rivers
// continuing as rivers and not turning back. p is a tile being placed that is not on the board yet, or nil.
func (s *State) Turns(id table.TileID, c *Cell, p *Placing) uint8 {
	fit := table.Fitting[id][c.Asks]
	if fit != 0 && table.Shapes[id].Set != table.Base {
		fit = s.riverTurns(id, fit, c, p)
	}
	return fit
}

// riverTurns keeps only those turns of a river tile that also carry the river on.
func (s *State) riverTurns(id table.TileID, fit uint8, c *Cell, p *Placing) uint8 {
	in, ok := RiverEdge(c)
	if !ok {
		return 0
	}
	for k := range 4 {
		if fit>>k&1 == 1 && s.turnsBack(&table.Shapes[id].Turned[k], c, in, p) {
			fit &^= 1 << k
		}
	}
	return fit
}

// RiverEdge returns the edge by which an open place touches the river.
func RiverEdge(c *Cell) (e int, ok bool) {
	for e := range 4 {
		if c.Asks.Edge(e) == table.River {
			return e, true
		}
	}
	return 0, false
}

// bend returns how a river tile turns when entered by an edge: 0 straight, or an end; 1 to the left, 3 to the right,
// as quarter turns from the way in.
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

// turnsBack reports whether a river tile turns the same way as the river tile before it,
// which S1 (the river) forbids. With TurnsAny the last curve counts even across straights.
func (s *State) turnsBack(r *table.Turned, c *Cell, in int, p *Placing) bool {
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

// turnedAt returns the tile at a place, including the one being placed; nil if there is none.
func (s *State) turnedAt(x, y int16, p *Placing) *table.Turned {
	if p != nil && x == p.Cell.X && y == p.Cell.Y {
		return p.R
	}
	if m := s.TileAt(x, y); m >= 0 {
		return s.Tiles[m].Turned()
	}
	return nil
}

// FitsAnywhere reports whether a tile could be placed somewhere on the board, with the tile being placed if there is
// one.
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

// fitsOpen checks the open places except one and those beside it.
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
