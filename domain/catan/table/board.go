package table

import (
	"encoding/json"
	"fmt"
	"strings"

	"posthorn/domain"
)

// Board is what lies on the island: terrain, tokens (0 on the desert) and harbours, each in
// the order of the places' numbers.
type Board struct {
	Terrain  [HexCount]Terrain
	Tokens   [HexCount]int8
	Harbours [HarbourCount]Harbour
}

type boardJSONForm struct {
	Hexes    []string `json:"hexes"`
	Harbours []string `json:"harbours"`
}

// MarshalJSON writes {"hexes":["ore10",…],"harbours":["any",…]}.
func (b Board) MarshalJSON() ([]byte, error) {
	var f boardJSONForm
	for h, t := range b.Terrain {
		f.Hexes = append(f.Hexes, HexWord(t, b.Tokens[h]))
	}
	for _, h := range b.Harbours {
		f.Harbours = append(f.Harbours, h.String())
	}
	out, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("board: %w", err)
	}
	return out, nil
}

// UnmarshalJSON reads what MarshalJSON wrote. Harbours left out are those of the printed
// frame. Any terrain and tokens will do, so that a position can be made up.
func (b *Board) UnmarshalJSON(data []byte) error {
	var f boardJSONForm
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	return b.read(f.Hexes, f.Harbours)
}

func (b *Board) read(hexes, harbours []string) error {
	if len(hexes) != HexCount {
		return fmt.Errorf("board: %d hexes are wanted", HexCount)
	}
	for h, word := range hexes {
		t, token, ok := ParseHex(word)
		if !ok {
			return fmt.Errorf("board: no hex %q", word)
		}
		b.Terrain[h], b.Tokens[h] = t, token
	}
	b.Harbours = Isle.standard
	if len(harbours) == 0 {
		return nil
	}
	if len(harbours) != HarbourCount {
		return fmt.Errorf("board: %d harbours are wanted", HarbourCount)
	}
	for i, word := range harbours {
		h, ok := ParseHarbour(word)
		if !ok {
			return fmt.Errorf("board: no harbour %q", word)
		}
		b.Harbours[i] = h
	}
	return nil
}

// Complete tells whether the board is made of exactly what the box holds.
func (b *Board) Complete() bool {
	var terrain, want [TerrainCount]int
	var tokens, wantTokens [13]int
	var harbours, wantHarbours [Kinds + 1]int
	for h := range HexCount {
		terrain[b.Terrain[h]]++
		want[Isle.terrain[h]]++
		tokens[b.Tokens[h]]++
	}
	wantTokens[0] = 1
	for _, n := range Isle.tokens {
		wantTokens[n]++
	}
	for i := range HarbourCount {
		harbours[b.Harbours[i]]++
		wantHarbours[Isle.standard[i]]++
	}
	return terrain == want && tokens == wantTokens && harbours == wantHarbours
}

// MakeBoard lays the board out as the options say (Catan base game, 1 to 10). A script may
// dictate it: `chance board ore10 wool2 … [harbours any grain …]`.
func MakeBoard(c domain.Choices, luck *domain.Luck) Board {
	if c["board"] == "beginner" || c["founding"] == "beginner" {
		return Isle.beginner
	}
	if o, ok := luck.Dictated("board"); ok {
		b, err := ParseBoard(o.Words)
		if err != nil {
			luck.Reject("board", o, err.Error())
			return Isle.beginner
		}
		return b
	}
	b := Board{Terrain: Isle.terrain, Harbours: Isle.standard}
	shuffle(luck, b.Terrain[:])
	if c["tokens"] == "random" {
		b.randomTokens(luck)
	} else {
		b.spiralTokens(luck.Draw("board", cornerHexes))
	}
	if c["harbours"] == "shuffled" {
		shuffle(luck, b.Harbours[:])
	}
	return b
}

// ParseBoard reads a dictated board: nineteen hexes and, after the word harbours, nine of
// those; all of what the box holds, once.
func ParseBoard(words string) (Board, error) {
	f := strings.Fields(strings.NewReplacer(",", " ", "/", " ").Replace(words))
	var harbours []string
	for i, w := range f {
		if w = domain.Fold(w); w == "harbours" || w == "harbors" {
			f, harbours = f[:i], f[i+1:]
			break
		}
	}
	var b Board
	if err := b.read(f, harbours); err != nil {
		return b, err
	}
	if !b.Complete() {
		return b, fmt.Errorf("board: not the hexes, tokens and harbours of the box")
	}
	return b, nil
}

func shuffle[T any](luck *domain.Luck, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := luck.Draw("board", i+1)
		list[i], list[j] = list[j], list[i]
	}
}

// spiralTokens lays the letters A to R round the island from one of its corners (4): the
// sequence never brings two red numbers together (5).
func (b *Board) spiralTokens(corner int) {
	next := 0
	for _, h := range Isle.spirals[corner] {
		b.Tokens[h] = 0
		if b.Terrain[h] != Desert {
			b.Tokens[h] = Isle.tokens[next]
			next++
		}
	}
}

// randomTokens lays the tokens anywhere, sixes and eights never side by side (6): first a
// draw among all places for the four red ones, then the rest.
func (b *Board) randomTokens(luck *domain.Luck) {
	var land uint32
	for h, t := range b.Terrain {
		b.Tokens[h] = 0
		if t != Desert {
			land |= 1 << h
		}
	}
	places := apart(land, 4)
	red := places[luck.Draw("board", len(places))]
	reds := []int8{6, 6, 8, 8}
	shuffle(luck, reds)
	var rest []int8
	for _, n := range Isle.tokens {
		if n != 6 && n != 8 {
			rest = append(rest, n)
		}
	}
	shuffle(luck, rest)
	for h := range HexCount {
		switch {
		case land>>h&1 == 0:
		case red>>h&1 != 0:
			b.Tokens[h], reds = reds[0], reds[1:]
		default:
			b.Tokens[h], rest = rest[0], rest[1:]
		}
	}
}

// apart lists the sets of n hexes of some land no two of which are neighbours.
func apart(land uint32, n int) []uint32 {
	if n == 0 {
		return []uint32{0}
	}
	var list []uint32
	for h := range HexCount {
		if land>>h&1 == 0 {
			continue
		}
		land &^= 1 << h
		for _, more := range apart(land&^Isle.hexBeside[h], n-1) {
			list = append(list, more|1<<h)
		}
	}
	return list
}
