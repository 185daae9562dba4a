package table

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

// Board is what lies on the island: terrain, tokens (0 on the desert) and harbours, each in order of place number.
type Board struct {
	Terrain  [HexCount]Terrain
	Tokens   [HexCount]int8
	Harbours [HarbourCount]Harbour
}

// WrittenBoard is how a board is written.
type WrittenBoard struct {
	Hexes    []string  `json:"hexes"`    // 19 words, such as "ore10" and "desert"
	Harbours []Harbour `json:"harbours"` // nine words
}

// MarshalJSON writes {"hexes":["ore10",…],"harbours":["any",…]}.
func (b Board) MarshalJSON() ([]byte, error) { return json.Marshal(b.Written()) }

// Written returns a board in its written form.
func (b Board) Written() WrittenBoard {
	f := WrittenBoard{Harbours: b.Harbours[:]}
	for h, t := range b.Terrain {
		f.Hexes = append(f.Hexes, HexWord(t, b.Tokens[h]))
	}
	return f
}

// UnmarshalJSON reads what MarshalJSON wrote. Missing harbours are those of the printed frame. It accepts any terrain
// and tokens, so that people can make up positions.
func (b *Board) UnmarshalJSON(data []byte) error {
	var f WrittenBoard
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	return b.read(&f)
}

func (b *Board) read(f *WrittenBoard) error {
	if len(f.Hexes) != HexCount {
		return fmt.Errorf("board: %d hexes are wanted", HexCount)
	}
	for h, word := range f.Hexes {
		t, token, ok := ParseHex(word)
		if !ok {
			return fmt.Errorf("board: no hex %q", word)
		}
		b.Terrain[h], b.Tokens[h] = t, token
	}
	switch len(f.Harbours) {
	case 0:
		b.Harbours = Isle.Standard
	case HarbourCount:
		b.Harbours = [HarbourCount]Harbour(f.Harbours)
	default:
		return fmt.Errorf("board: %d harbours are wanted", HarbourCount)
	}
	return nil
}

// Complete reports whether the board consists of exactly what the box holds, like the beginner's board.
func (b *Board) Complete() bool { return b.sorted() == Isle.Beginner.sorted() }

// sorted returns the board's parts in sorted order, whatever their places.
func (b Board) sorted() Board {
	slices.Sort(b.Terrain[:])
	slices.Sort(b.Tokens[:])
	slices.Sort(b.Harbours[:])
	return b
}

// MakeBoard makes the board as the options say (Catan base game, 1 to 10). A script may dictate it:
// `chance board ore10 wool2 … [harbours any grain …]`.
func MakeBoard(c domain.Choices, luck *domain.Luck) Board {
	if c["board"] == "beginner" || c["founding"] == "beginner" {
		return Isle.Beginner
	}
	if o, ok := luck.Dictated("board"); ok {
		b, err := ParseBoard(o.Words)
		if err != nil {
			luck.Reject("board", o, err.Error())
			return Isle.Beginner
		}
		return b
	}
	b := Board{Terrain: Isle.box, Harbours: Isle.Standard}
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

// ParseBoard reads a dictated board: nineteen hexes and, after the word harbours, nine harbours; each piece in the box
// exactly once.
func ParseBoard(words string) (Board, error) {
	var b Board
	f := WrittenBoard{Hexes: strings.Fields(strings.NewReplacer(",", " ", "/", " ").Replace(words))}
	for i, w := range f.Hexes {
		if w = domain.Fold(w); w == "harbours" || w == "harbors" {
			f.Harbours = make([]Harbour, len(f.Hexes)-i-1)
			for k := range f.Harbours {
				var ok bool
				if f.Harbours[k], ok = ParseHarbour(f.Hexes[i+1+k]); !ok {
					return b, fmt.Errorf("board: no harbour %q", f.Hexes[i+1+k])
				}
			}
			f.Hexes = f.Hexes[:i]
			break
		}
	}
	if err := b.read(&f); err != nil {
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

// spiralTokens lays the letters A to R round the island from one of its corners (4): the sequence never puts two red
// numbers side by side (5).
func (b *Board) spiralTokens(corner int) {
	next := 0
	for _, h := range Isle.Spirals[corner] {
		b.Tokens[h] = 0
		if b.Terrain[h] != Desert {
			b.Tokens[h] = Isle.Tokens[next]
			next++
		}
	}
}

// randomTokens lays the tokens anywhere, sixes and eights never side by side (6): it first draws places for the four
// red ones, then for the rest.
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
	for _, n := range Isle.Tokens {
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

// apart lists the sets of n hexes of some land without neighbours among them.
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
