package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Resource is one of the five kinds of resource card.
type Resource = Word[resources]

// The resources, in the order they are always listed.
const (
	Brick Resource = iota
	Lumber
	Wool
	Grain
	Ore
	Kinds = 5
	// NoResource is no kind at all.
	NoResource Resource = -1
)

// ResourceWords are the words of the resources.
var ResourceWords = [Kinds]string{"brick", "lumber", "wool", "grain", "ore"}

type resources struct{}

func (resources) Words() []string       { return ResourceWords[:] }
func (resources) Named(word string) int { r, _ := ResourceNamed(word); return int(r) }

// Terrain is what a hex is: the resource it yields, or the desert.
type Terrain = Word[terrains]

// The terrains that are no resource.
const (
	// Desert yields nothing; the other terrains are numbered as their resources.
	Desert       Terrain = Kinds
	TerrainCount         = Kinds + 1
)

type terrains struct{}

func (terrains) Words() []string       { return terrainWords }
func (terrains) Named(word string) int { return slices.Index(terrainWords, word) }

// Harbour is what a harbour trades: a resource at 2:1, or anything at 3:1.
type Harbour = Word[harbours]

// Anything is the harbour that takes three of any one kind.
const Anything Harbour = Kinds

type harbours struct{}

func (harbours) Words() []string       { return harbourWords }
func (harbours) Named(word string) int { h, _ := ParseHarbour(word); return int(h) }

// What terrains yield, and harbours trade.
var terrainWords, harbourWords = append(ResourceWords[:], "desert"), append(ResourceWords[:], "any")

// ParseHarbour reads the word of a harbour.
func ParseHarbour(word string) (Harbour, bool) {
	if word = domain.Fold(word); word == "any" || word == "3:1" || word == "3" {
		return Anything, true
	}
	r, ok := ResourceNamed(word)
	return Harbour(r), ok
}

// ParseHex reads a hex's word: "ore10", "desert".
func ParseHex(word string) (t Terrain, token int8, ok bool) {
	word = domain.Fold(word)
	name := strings.TrimRight(word, "0123456789")
	figure := word[len(name):]
	if n := terrainNames[name]; n != "" {
		name = n
	}
	if name == "desert" {
		return Desert, 0, figure == ""
	}
	r, ok := ResourceNamed(name)
	n, err := strconv.Atoi(figure)
	if !ok || err != nil || n < 2 || n > 12 || n == 7 || figure[0] == '0' {
		return 0, 0, false
	}
	return Terrain(r), int8(n), true
}

// HexWord is the word of a hex: "ore10", "desert".
func HexWord(t Terrain, token int8) string {
	if t == Desert {
		return "desert"
	}
	return t.String() + strconv.Itoa(int(token))
}

var terrainNames = map[string]string{
	"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore", "deserto": "desert", "pustynia": "desert",
}

// What is built and bought, Catan base game: building costs.
var (
	RoadCost       = Hand{Brick: 1, Lumber: 1}
	SettlementCost = Hand{Brick: 1, Lumber: 1, Wool: 1, Grain: 1}
	CityCost       = Hand{Grain: 2, Ore: 3}
	CardCost       = Hand{Wool: 1, Grain: 1, Ore: 1}
)

// How many there are in the box: cards, and pieces of a colour.
const (
	CardsOfKind     = 19 // resource cards of each kind
	RoadPieces      = 15
	SettlementCount = 5
	CityCount       = 4
)

// Card is a kind of development card.
type Card = Word[cards]

// The development cards, in the order they are always listed.
const (
	Knight Card = iota
	Point
	Roads
	Plenty
	Monopoly
	CardKinds = 5
)

// CardWords are the words of the development cards.
var CardWords = [CardKinds]string{"knight", "point", "roads", "plenty", "monopoly"}

// NoCard is no kind at all.
const NoCard Card = -1

type cards struct{}

func (cards) Words() []string       { return CardWords[:] }
func (cards) Named(word string) int { c, _ := CardNamed(word); return int(c) }

// FullDeck is the deck of the box: 25 cards.
var FullDeck = Cards{Knight: 14, Point: 5, Roads: 2, Plenty: 2, Monopoly: 2}

// Word is a number that is written as a word of its list; -1 is none of them.
type Word[L List] int8

// List is the words of one sort, in their order, and which of them a word is: any that means the same; or -1.
type List interface {
	Words() []string
	Named(word string) int
}

// String is the word, or "none".
func (w Word[L]) String() string {
	if words := (*new(L)).Words(); w >= 0 && int(w) < len(words) {
		return words[w]
	}
	return "none"
}

// IsZero leaves none out of what is written.
func (w Word[L]) IsZero() bool { return w == -1 }

// MarshalText writes the word of String.
func (w Word[L]) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads a word.
func (w *Word[L]) UnmarshalText(b []byte) error {
	*w = Word[L]((*new(L)).Named(string(b)))
	if *w < 0 {
		return fmt.Errorf("no word %q", b)
	}
	return nil
}
