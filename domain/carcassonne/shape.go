package carcassonne

const (
	maxParts = 8   // of one tile: the crossing has four roads and four fields
	maxTiles = 84  // 72 and 12
	maxNodes = 310 // the parts of all tiles together; a test holds it against the table
)

// shape is a kind of tile made ready for the board, with its four turns.
type shape struct {
	n       int // parts
	kind    [maxParts]Kind
	ends    [maxParts]uint8 // how many edges a part leaves by
	pennant [maxParts]uint8
	cities  [maxParts]uint8 // of a field: bits of the parts that are cities it touches
	twins   bool            // two parts of one kind: outside, they may be one feature
	all     uint8           // bits of all parts
	claims  uint8           // bits of the parts that a follower may claim: all but rivers
	fields  uint8           // bits of the fields among them
	shrine  Kind            // Cloister, Garden or NoKind
	set     Set
	turned  [4]turned
}

// turned is a kind of tile as it lies after so many quarter turns.
type turned struct {
	edges    uint16   // the kind of each edge, four bits each from N
	edgePart [4]int8  // which part leaves by an edge; -1 on a field edge
	halfPart [8]int8  // which field lies on a half-edge; -1 on a city edge
	label    [8]uint8 // of each part: its first edge or half-edge clockwise from the top

	// Links are the four edges and then the eight half-edges: which each part has, and the bit
	// of the part that has each.
	links   [maxParts]uint16
	linkBit [12]uint8
	choice  [maxParts]Choice // a follower on each part
}

var shapes = compileAll(tiles)

func compileAll(list []Tile) [tileKinds]shape {
	var out [tileKinds]shape
	for i := range list {
		out[i] = compile(&list[i])
	}
	return out
}

func compile(t *Tile) shape {
	s := shape{n: len(t.Parts), set: t.Set, all: 1<<len(t.Parts) - 1}
	switch {
	case t.Cloister:
		s.shrine = Cloister
	case t.Garden:
		s.shrine = Garden
	}
	seen := [8]bool{}
	for i, p := range t.Parts {
		s.twins = s.twins || seen[p.Kind]
		seen[p.Kind] = true
		s.kind[i] = p.Kind
		if p.Kind != Field {
			s.ends[i] = uint8(len(p.At))
		}
		if p.Pennant {
			s.pennant[i] = 1
		}
		if p.Kind != River {
			s.claims |= 1 << i
		}
		if p.Kind == Field {
			s.fields |= 1 << i
		}
		for _, c := range p.Cities {
			s.cities[i] |= 1 << c
		}
	}
	for k := range s.turned {
		s.turned[k] = turn(t, k)
	}
	return s
}

func turn(t *Tile, k int) turned {
	r := turned{edgePart: [4]int8{-1, -1, -1, -1}, halfPart: [8]int8{-1, -1, -1, -1, -1, -1, -1, -1}}
	for e, kind := range t.Edges {
		r.edges |= uint16(kind) << (4 * ((e + k) & 3))
	}
	for i, p := range t.Parts {
		for _, at := range p.At {
			if p.Kind == Field {
				r.halfPart[(int(at)+2*k)&7] = int8(i)
			} else {
				r.edgePart[(int(at)+k)&3] = int8(i)
			}
		}
	}
	for at := 7; at >= 0; at-- {
		if p := r.halfPart[at]; p >= 0 {
			r.label[p] = uint8(at)
		}
		if at < 4 && r.edgePart[at] >= 0 {
			r.label[r.edgePart[at]] = uint8(at)
		}
	}
	for link := range r.linkBit {
		p := int8(-1)
		if link < 4 {
			p = r.edgePart[link]
		} else {
			p = r.halfPart[link-4]
		}
		if p >= 0 {
			r.links[p] |= 1 << link
			r.linkBit[link] = 1 << p
		}
	}
	for i, p := range t.Parts {
		r.choice[i] = Put(false, Place{p.Kind, r.label[i]})
	}
	return r
}

func (r *turned) edge(e int) Kind { return Kind(r.edges >> (4 * e) & 0xF) }

// part finds the part that a place names; -1 if there is none of that kind there.
func (s *shape) part(r *turned, p Place) int8 {
	i := int8(-1)
	switch p.Kind {
	case Road, City, River:
		i = r.edgePart[p.At&3]
	case Field:
		i = r.halfPart[p.At&7]
	}
	if i >= 0 && s.kind[i] != p.Kind {
		return -1
	}
	return i
}

// place names a part as it lies.
func (s *shape) place(r *turned, part int) Place {
	if part == shrinePart {
		return Place{Kind: s.shrine}
	}
	return Place{Kind: s.kind[part], At: r.label[part]}
}

// shrinePart is what stands for the cloister or garden where a part is numbered.
const shrinePart = maxParts

// Across an edge e, the half-edge 2e meets the other tile's 2o+1, and 2e+1 its 2o.
func opposite(e int) int { return (e + 2) & 3 }

// The way to the eight places about one: across each edge from N, then across the corners.
var (
	stepX = [8]int16{0, 1, 0, -1, 1, 1, -1, -1}
	stepY = [8]int16{-1, 0, 1, 0, -1, 1, 1, -1}
)
