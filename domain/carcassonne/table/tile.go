package table

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

//go:embed tiles.txt
var tileTable string

// TileID numbers the kinds of tile in the order of the table; see [Tiles]. In JSON it is
// the collectors' letter, "V", "Eg", "RA"; NoTile is "".
type TileID uint8

// NoTile is the absence of a tile.
const NoTile TileID = 255

// Set says in which part of the game a tile comes.
type Set uint8

// The sets: the 72 tiles of the base game, and the twelve of the river with its two ends.
const (
	Base Set = iota
	Spring
	Middle
	Lake
)

// Tile is a kind of tile as it is drawn in the table, not turned.
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
	At      []uint8 // edges 0 … 3, or half-edges 0 … 7 of a field, as in [Place]
	Pennant bool    // of a city
	Cities  []int   // of a field: which of the tile's Parts are cities that it touches
}

// Tiles are every kind of tile, by TileID, read once from the embedded table, which a test
// validates. The list must not be changed.
var Tiles = func() []Tile {
	list, err := ReadTiles(tileTable)
	if err != nil {
		panic("carcassonne: the embedded table of tiles: " + err.Error())
	}
	return list
}()

// Tile is the tile of this number. It panics on NoTile.
func (id TileID) Tile() *Tile { return &Tiles[id] }

// String is the letter of the tile, "" for NoTile.
func (id TileID) String() string {
	if int(id) < len(Tiles) {
		return Tiles[id].Letter
	}
	return ""
}

// TileNamed finds a tile by its letter. Case matters only between Rg, a city with a garden,
// and RG, a river's bend; ok is false if there is no such tile, or it could be either.
func TileNamed(letter string) (id TileID, ok bool) {
	found := 0
	for i := range Tiles {
		switch own := Tiles[i].Letter; {
		case own == letter:
			return TileID(i), true
		case strings.EqualFold(own, letter):
			id = TileID(i)
			found++
		}
	}
	return id, found == 1
}

// MarshalJSON writes the letter.
func (id TileID) MarshalJSON() ([]byte, error) { return []byte(`"` + id.String() + `"`), nil }

// UnmarshalJSON reads a letter. No word, and null, is NoTile.
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
