package table

const (
	MaxParts = 8   // of one tile: the crossing has four roads and four fields
	MaxTiles = 84  // 72 and 12
	MaxNodes = 310 // the parts of all tiles together; a test holds it against the table
)

// Shape is a kind of tile made ready for the board, with its four turns.
type Shape struct {
	N       int // parts
	Kind    [MaxParts]Kind
	Ends    [MaxParts]uint8 // how many edges a part leaves by
	Pennant [MaxParts]uint8
	Cities  [MaxParts]uint8 // of a field: bits of the parts that are cities it touches
	Twins   bool            // two parts of one kind: outside, they may be one feature
	All     uint8           // bits of all parts
	Claims  uint8           // bits of the parts that a follower may claim: all but rivers
	Fields  uint8           // bits of the fields among them
	Shrine  Kind            // Cloister, Garden or NoKind
	Set     Set
	Turned  [4]Turned
}

// Turned is a kind of tile as it lies after so many quarter turns.
type Turned struct {
	edges    uint16   // the kind of each edge, four bits each from N
	EdgePart [4]int8  // which part leaves by an edge; -1 on a field edge
	HalfPart [8]int8  // which field lies on a half-edge; -1 on a city edge
	label    [8]uint8 // of each part: its first edge or half-edge clockwise from the top

	// Links are the four edges and then the eight half-edges: which each part has, and the bit
	// of the part that has each.
	Links   [MaxParts]uint16
	LinkBit [12]uint8
	Choice  [MaxParts]Choice // a follower on each part
}

// Shapes are the tiles as the rules use them, by TileID.
var Shapes = compileAll(AllTiles)

func compileAll(list []Tile) [TileKinds]Shape {
	var out [TileKinds]Shape
	for i := range list {
		out[i] = compile(&list[i])
	}
	return out
}

func compile(t *Tile) Shape {
	s := Shape{N: len(t.Parts), Set: t.Set, All: 1<<len(t.Parts) - 1}
	switch {
	case t.Cloister:
		s.Shrine = Cloister
	case t.Garden:
		s.Shrine = Garden
	}
	seen := [8]bool{}
	for i, p := range t.Parts {
		s.Twins = s.Twins || seen[p.Kind]
		seen[p.Kind] = true
		s.Kind[i] = p.Kind
		if p.Kind != Field {
			s.Ends[i] = uint8(len(p.At))
		}
		if p.Pennant {
			s.Pennant[i] = 1
		}
		if p.Kind != River {
			s.Claims |= 1 << i
		}
		if p.Kind == Field {
			s.Fields |= 1 << i
		}
		for _, c := range p.Cities {
			s.Cities[i] |= 1 << c
		}
	}
	for k := range s.Turned {
		s.Turned[k] = turn(t, k)
	}
	return s
}

func turn(t *Tile, k int) Turned {
	r := Turned{EdgePart: [4]int8{-1, -1, -1, -1}, HalfPart: [8]int8{-1, -1, -1, -1, -1, -1, -1, -1}}
	for e, kind := range t.Edges {
		r.edges |= uint16(kind) << (4 * ((e + k) & 3))
	}
	for i, p := range t.Parts {
		for _, at := range p.At {
			if p.Kind == Field {
				r.HalfPart[(int(at)+2*k)&7] = int8(i)
			} else {
				r.EdgePart[(int(at)+k)&3] = int8(i)
			}
		}
	}
	for at := 7; at >= 0; at-- {
		if p := r.HalfPart[at]; p >= 0 {
			r.label[p] = uint8(at)
		}
		if at < 4 && r.EdgePart[at] >= 0 {
			r.label[r.EdgePart[at]] = uint8(at)
		}
	}
	for link := range r.LinkBit {
		p := int8(-1)
		if link < 4 {
			p = r.EdgePart[link]
		} else {
			p = r.HalfPart[link-4]
		}
		if p >= 0 {
			r.Links[p] |= 1 << link
			r.LinkBit[link] = 1 << p
		}
	}
	for i, p := range t.Parts {
		r.Choice[i] = Put(false, Place{p.Kind, r.label[i]})
	}
	return r
}

// Edge is what an edge of the tile is, as it lies.
func (r *Turned) Edge(e int) Kind { return Kind(r.edges >> (4 * e) & 0xF) }

// Part finds the part that a place names; -1 if there is none of that kind there.
func (s *Shape) Part(r *Turned, p Place) int8 {
	i := int8(-1)
	switch p.Kind {
	case Road, City, River:
		i = r.EdgePart[p.At&3]
	case Field:
		i = r.HalfPart[p.At&7]
	}
	if i >= 0 && s.Kind[i] != p.Kind {
		return -1
	}
	return i
}

// Place names a part as it lies.
func (s *Shape) Place(r *Turned, part int) Place {
	if part == ShrinePart {
		return Place{Kind: s.Shrine}
	}
	return Place{Kind: s.Kind[part], At: r.label[part]}
}

// ShrinePart is what stands for the cloister or garden where a part is numbered.
const ShrinePart = MaxParts

// Across an edge e, the half-edge 2e meets the other tile's 2o+1, and 2e+1 its 2o.
func Opposite(e int) int { return (e + 2) & 3 }

// The way to the eight places about one: across each edge from N, then across the corners.
var (
	StepX = [8]int16{0, 1, 0, -1, 1, 1, -1, -1}
	StepY = [8]int16{-1, 0, 1, 0, -1, 1, 1, -1}
)
