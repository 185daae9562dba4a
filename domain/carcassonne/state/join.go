package state

import (
	"math/bits"

	"posthorn/domain/carcassonne/table"
)

// Joined is what the features would be about a tile if it lay there: a group for each
// feature that the tile is part of. It is worked out beside the board, which stays as it is.
type Joined struct {
	Of    [table.MaxParts]uint8 // the group of each part
	Group [table.MaxParts]Group // by the lowest part in it; the others are dead
}

// Group is a feature made of some parts of the new tile and the features it touches.
type Group struct {
	Feature
	Feats  [table.MaxParts]uint16 // the features taken up
	NFeats uint8
	dead   bool // another group took it up
}

// work works out the features about a tile that would lie at an open place; j is empty.
//
// Tiles are counted once however often a feature enters them (point 21), which is why a
// feature knows its tiles and not their number.
func (j *Joined) work(s *State, id table.TileID, quarter uint8, c *Cell) {
	sh := &table.Shapes[id]
	r := &sh.Turned[quarter]
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

// link makes a feature part of the group of a part, and gives that group.
func (j *Joined) link(s *State, parts int, part uint8, f uint16) uint8 {
	g := j.Of[part]
	for h := range uint8(parts) {
		other := &j.Group[h]
		if other.dead {
			continue
		}
		for _, have := range other.Feats[:other.NFeats] {
			if have == f {
				return j.merge(parts, g, h)
			}
		}
	}
	grp := &j.Group[g]
	grp.add(&s.Features[f])
	grp.Feats[grp.NFeats] = f
	grp.NFeats++
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
	into.NFeats += uint8(copy(into.Feats[into.NFeats:], from.Feats[:from.NFeats]))
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

// Size is the number of tiles, each counted once.
func (f *Feature) Size() int {
	return bits.OnesCount64(f.tiles[0]) + bits.OnesCount64(f.tiles[1])
}

// Complete tells of a road or city whether it is finished. Fields never are (S1, farmers).
func (f *Feature) Complete() bool {
	return f.Ends == 0 && (f.Kind == table.Road || f.Kind == table.City)
}
