package carcassonne

import "math/bits"

// joined is what the features would be about a tile if it lay there: a group for each
// feature that the tile is part of. It is worked out beside the board, which stays as it is.
type joined struct {
	of    [maxParts]uint8 // the group of each part
	group [maxParts]group // by the lowest part in it; the others are dead
}

// group is a feature made of some parts of the new tile and the features it touches.
type group struct {
	feature
	feats  [maxParts]uint16 // the features taken up
	nFeats uint8
	dead   bool // another group took it up
}

// work works out the features about a tile that would lie at an open place; j is empty.
//
// Tiles are counted once however often a feature enters them (point 21), which is why a
// feature knows its tiles and not their number.
func (j *joined) work(s *State, id TileID, quarter uint8, c *cell) {
	sh := &shapes[id]
	r := &sh.turned[quarter]
	n := s.nTiles
	for p := range sh.n {
		j.of[p] = uint8(p)
		g := &j.group[p]
		g.kind = sh.kind[p]
		g.pennants = sh.pennant[p]
		g.ends = sh.ends[p]
		g.tiles[n>>6] = 1 << (n & 63)
	}
	for rest := c.there; rest != 0; rest &= rest - 1 {
		link := bits.TrailingZeros16(rest)
		p := bits.TrailingZeros8(r.linkBit[link])
		g := j.link(s, sh.n, uint8(p), s.feature[c.node[link]])
		if link < 4 {
			j.group[g].ends -= 2
		}
	}
}

// link makes a feature part of the group of a part, and gives that group.
func (j *joined) link(s *State, parts int, part uint8, f uint16) uint8 {
	g := j.of[part]
	for h := range uint8(parts) {
		other := &j.group[h]
		if other.dead {
			continue
		}
		for _, have := range other.feats[:other.nFeats] {
			if have == f {
				return j.merge(parts, g, h)
			}
		}
	}
	grp := &j.group[g]
	grp.add(&s.features[f])
	grp.feats[grp.nFeats] = f
	grp.nFeats++
	return g
}

func (j *joined) merge(parts int, a, b uint8) uint8 {
	if a == b {
		return a
	}
	if b < a {
		a, b = b, a
	}
	into, from := &j.group[a], &j.group[b]
	into.add(&from.feature)
	into.nFeats += uint8(copy(into.feats[into.nFeats:], from.feats[:from.nFeats]))
	from.dead = true
	for p := range parts {
		if j.of[p] == b {
			j.of[p] = a
		}
	}
	return a
}

func (f *feature) add(o *feature) {
	f.tiles[0] |= o.tiles[0]
	f.tiles[1] |= o.tiles[1]
	f.pennants += o.pennants
	f.ends += o.ends
	f.all += o.all
	for i := range f.men {
		f.men[i] += o.men[i]
	}
}

// size is the number of tiles, each counted once.
func (f *feature) size() int {
	return bits.OnesCount64(f.tiles[0]) + bits.OnesCount64(f.tiles[1])
}

// complete tells of a road or city whether it is finished. Fields never are (S1, farmers).
func (f *feature) complete() bool { return f.ends == 0 && (f.kind == Road || f.kind == City) }
