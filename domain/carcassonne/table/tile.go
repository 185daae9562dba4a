package table

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

//go:embed tiles.txt
var tileTable string

// TileID numbers the kinds of tile in the order of the table; see [Tiles]. In JSON it is the collectors' letter, "V",
// "Eg", "RA"; NoTile is "".
type TileID uint8

// NoTile is the absence of a tile.
const NoTile TileID = 255

// Set is the part of the game a tile belongs to.
type Set uint8

// The sets: the 72 tiles of the base game, and the twelve of the river with its two ends.
const (
	Base Set = iota
	Spring
	Middle
	Lake
)

// Tile is a kind of tile as drawn in the table, not turned.
type Tile struct {
	Letter string // "V", "Eg", "RA"
	Set    Set
	Copies int
	Edges  [4]Kind // N E S W: Road, City, Field or River
	Parts  []Part  // roads, cities, rivers and fields, in the table's order
	Shrine Kind    // Cloister or Garden, which stands in the middle of the tile, or NoKind
}

// Part is one road, city, river or field of a tile.
type Part struct {
	Kind    Kind
	At      []uint8 // edges 0 … 3, or half-edges 0 … 7 for a field, as in [Place]
	Pennant bool    // of a city
	Cities  []int   // of a field: the indexes in the tile's Parts of the cities that it touches
}

// Tiles is every kind of tile, by TileID, read once from the embedded table, which a test validates. Do not change
// the list.
var Tiles = func() []Tile {
	list, err := ReadTiles(tileTable)
	if err != nil {
		panic("carcassonne: the embedded table of tiles: " + err.Error())
	}
	return list
}()

// Tile returns the tile with this number. It panics on NoTile.
func (id TileID) Tile() *Tile { return &Tiles[id] }

// String returns the tile's letter, "" for NoTile.
func (id TileID) String() string {
	if int(id) < len(Tiles) {
		return Tiles[id].Letter
	}
	return ""
}

// TileNamed finds a tile by its letter. Case matters only between Rg, a city with a garden, and RG, a river's bend;
// ok is false if there is no such tile or the letter is ambiguous.
func TileNamed(letter string) (id TileID, ok bool) {
	alike := TilesLike(letter)
	if len(alike) != 1 {
		return 0, false
	}
	i := slices.IndexFunc(Tiles[:], func(t Tile) bool { return t.Letter == alike[0] })
	return TileID(i), true
}

// TilesLike lists the letters of the tiles that a letter may mean: the one written like that, or all that differ in
// case alone.
func TilesLike(letter string) (alike []string) {
	for _, t := range Tiles {
		if t.Letter == letter {
			return []string{letter}
		}
		if strings.EqualFold(t.Letter, letter) {
			alike = append(alike, t.Letter)
		}
	}
	return alike
}

// MarshalJSON writes the letter.
func (id TileID) MarshalJSON() ([]byte, error) { return []byte(`"` + id.String() + `"`), nil }

// UnmarshalJSON reads a letter. An empty string or null gives NoTile.
func (id *TileID) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("tile: %w", err)
	}
	found, ok := TileNamed(s)
	if !ok && s != "" {
		return fmt.Errorf("no tile %q", s)
	}
	if *id = found; !ok {
		*id = NoTile
	}
	return nil
}

// ReadTiles reads the table of tiles.
func ReadTiles(table string) ([]Tile, error) {
	var list []Tile
	for n, line := range strings.Split(table, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		t, err := readTile(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		list = append(list, t)
	}
	return list, nil
}

func readTile(line string) (Tile, error) {
	fields := strings.Split(line, "|")
	head := strings.Fields(fields[0])
	if len(head) != 3 {
		return Tile{}, fmt.Errorf("head %q", fields[0])
	}
	t := Tile{Letter: head[0], Edges: [4]Kind{Field, Field, Field, Field}}
	var ok bool
	if t.Set, ok = map[string]Set{"base": Base, "spring": Spring, "river": Middle, "lake": Lake}[head[1]]; !ok {
		return Tile{}, fmt.Errorf("set %q", head[1])
	}
	var err error
	if t.Copies, err = strconv.Atoi(head[2]); err != nil {
		return Tile{}, fmt.Errorf("copies: %w", err)
	}
	for _, f := range fields[1:] {
		if err := t.readPart(strings.Fields(f)); err != nil {
			return Tile{}, fmt.Errorf("part %q: %w", f, err)
		}
	}
	return t, nil
}

func (t *Tile) readPart(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("empty")
	}
	var p Part
	if err := p.Kind.UnmarshalText([]byte(words[0])); err != nil {
		return err
	}
	if p.Kind.Shrine() {
		t.Shrine = p.Kind
		return nil
	}
	var cities []int
	for i, q := range t.Parts {
		if q.Kind == City {
			cities = append(cities, i)
		}
	}
	touching := false
	for _, w := range words[1:] {
		var at Place
		switch {
		case w == "+":
			p.Pennant = true
		case w == "/":
			touching = true
		case touching:
			n, err := strconv.Atoi(w)
			if err != nil || n < 0 || n >= len(cities) {
				return fmt.Errorf("no city %q", w)
			}
			p.Cities = append(p.Cities, cities[n])
		default:
			if err := at.UnmarshalText([]byte(words[0] + " " + w)); err != nil {
				return err
			}
			p.At = append(p.At, at.At)
			if p.Kind != Field {
				t.Edges[at.At] = p.Kind
			}
		}
	}
	t.Parts = append(t.Parts, p)
	return nil
}

const (
	MaxParts = 8   // of one tile: the crossing has four roads and four fields
	MaxTiles = 84  // 72 and 12
	MaxNodes = 310 // the parts of all tiles together; a test checks it against the table
)

// Shape is a kind of tile prepared for the board, with its four turns.
type Shape struct {
	N       int // parts
	Kind    [MaxParts]Kind
	Ends    [MaxParts]uint8 // how many edges a part leaves by
	Pennant [MaxParts]uint8
	Cities  [MaxParts]uint8 // of a field: bits of the parts that are cities it touches
	Twins   bool            // two parts are of one kind: outside the tile they may be one feature
	All     uint8           // bits of all parts
	Claims  uint8           // bits of the parts that a follower may claim: all but rivers
	Fields  uint8           // bits of the fields among them
	Shrine  Kind            // Cloister, Garden or NoKind
	Set     Set
	Turned  [4]Turned
}

// Turned is a kind of tile after this many quarter turns.
type Turned struct {
	edges   uint16 // the kind of each edge, four bits each from N
	label   [MaxParts]uint8
	PartOf  [Links]int8      // which part has a link; -1 for a field's edge and a city's half-edges
	Links   [MaxParts]uint16 // bits of the links that each part has
	LinkBit [Links]uint8     // the bit of the part that each link belongs to
	Choice  [MaxParts]Choice // a follower on each part
}

// Shapes are the tiles as the rules use them, by TileID.
var Shapes = func() (all [TileKinds]Shape) {
	for i := range Tiles {
		all[i] = shapeOf(&Tiles[i])
	}
	return all
}()

func shapeOf(t *Tile) Shape {
	s := Shape{N: len(t.Parts), Set: t.Set, Shrine: t.Shrine, All: 1<<len(t.Parts) - 1, Claims: 1<<len(t.Parts) - 1}
	for i, p := range t.Parts {
		s.Twins = s.Twins || slices.ContainsFunc(t.Parts[:i], func(q Part) bool { return q.Kind == p.Kind })
		s.Kind[i] = p.Kind
		s.Ends[i] = uint8(len(p.At))
		if p.Pennant {
			s.Pennant[i] = 1
		}
		switch p.Kind {
		case River:
			s.Claims &^= 1 << i
		case Field:
			s.Fields |= 1 << i
			s.Ends[i] = 0
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

func turn(t *Tile, k int) (r Turned) {
	r.PartOf = [Links]int8{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}
	for e, kind := range t.Edges {
		r.edges |= uint16(kind) << (4 * ((e + k) & 3))
	}
	for i, p := range t.Parts {
		for _, at := range p.At {
			link := Place{p.Kind, at}.turned(k).Link()
			r.PartOf[link], r.LinkBit[link] = int8(i), 1<<i
			r.Links[i] |= 1 << link
		}
		r.label[i] = uint8(bits.TrailingZeros16(r.Links[i]))
		if p.Kind == Field {
			r.label[i] -= HalfLinks
		}
		r.Choice[i] = Put(false, Place{p.Kind, r.label[i]})
	}
	return r
}

// Edge returns the kind of an edge of the tile, as it lies.
func (r *Turned) Edge(e int) Kind { return Kind(r.edges >> (4 * e) & 0xF) }

// Part returns the part that a place names; -1 if there is none of that kind there.
func (s *Shape) Part(r *Turned, p Place) int8 {
	if p.Kind.Shrine() && p.Kind == s.Shrine {
		return ShrinePart
	}
	i := r.PartOf[p.Link()]
	if i >= 0 && s.Kind[i] != p.Kind {
		return -1
	}
	return i
}

// Place returns the name of a part as it lies.
func (s *Shape) Place(r *Turned, part int) Place {
	if part == ShrinePart {
		return Place{Kind: s.Shrine}
	}
	return Place{Kind: s.Kind[part], At: r.label[part]}
}

// ShrinePart stands for the cloister or garden where parts are numbered.
const ShrinePart = MaxParts

// Opposite returns the edge of the neighbouring tile that meets edge e. Across e, half-edge 2e meets the neighbour's
// 2o+1, and 2e+1 its 2o.
func Opposite(e int) int { return (e + 2) & 3 }

// The steps to the eight surrounding places: across each edge from N, then across the corners.
var (
	StepX = [8]int16{0, 1, 0, -1, 1, 1, -1, -1}
	StepY = [8]int16{-1, 0, 1, 0, -1, 1, 1, -1}
)

// Asks is what the tiles around an open place require of its edges: for each edge from N a base-5 digit, the Kind it
// must be, or 0 where anything goes. There are so few values that a table can say which turns of which tile fit.
type Asks uint16

const asksMost = 5 * 5 * 5 * 5

var asksDigit = [4]Asks{1, 5, 25, 125}

// AsksOf returns what a neighbour with such a part across an edge requires of a place.
func AsksOf(e int, k Kind) Asks { return Asks(k) * asksDigit[e] }

// Edge returns what is required of an edge, or NoKind.
func (a Asks) Edge(e int) Kind { return Kind(a / asksDigit[e] % 5) }

// Fitting holds, for a kind of tile and what is required, the bits of the quarter turns in which all edges match (S1,
// placing a tile; point 7).
var Fitting = func() (fit [TileKinds][asksMost]uint8) {
	for id := range Shapes {
		for k := range 4 {
			r := &Shapes[id].Turned[k]
			for edges := range 16 { // those with a requirement
				var a Asks
				for e := range 4 {
					if edges>>e&1 == 1 {
						a += AsksOf(e, r.Edge(e))
					}
				}
				fit[id][a] |= 1 << k
			}
		}
	}
	return fit
}()
