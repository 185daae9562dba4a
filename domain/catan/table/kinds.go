package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
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

// The terrains that are not a resource.
const (
	// Desert yields nothing; the other terrains are numbered as their resources.
	Desert       Terrain = Kinds
	TerrainCount         = Kinds + 1
)

type terrains struct{}

func (terrains) Words() []string       { return terrainWords }
func (terrains) Named(word string) int { return slices.Index(terrainWords, word) }

// Harbour says what a harbour trades: a resource at 2:1, or anything at 3:1.
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

// HexWord returns the word of a hex: "ore10", "desert".
func HexWord(t Terrain, token int8) string {
	if t == Desert {
		return "desert"
	}
	return t.String() + strconv.Itoa(int(token))
}

var terrainNames = map[string]string{
	"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore", "deserto": "desert",
	"pustynia": "desert",
}

// What building and buying costs, Catan base game: building costs.
var (
	RoadCost       = Hand{Brick: 1, Lumber: 1}
	SettlementCost = Hand{Brick: 1, Lumber: 1, Wool: 1, Grain: 1}
	CityCost       = Hand{Grain: 2, Ore: 3}
	CardCost       = Hand{Wool: 1, Grain: 1, Ore: 1}
)

// How many are in the box: cards, and pieces of each colour.
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

// FullDeck is the full deck: 25 cards.
var FullDeck = Cards{Knight: 14, Point: 5, Roads: 2, Plenty: 2, Monopoly: 2}

// Word is a number written as a word of its list; -1 is none of them.
type Word[L List] int8

// List has the words of one sort, in order, and finds which of them a word means, synonyms included; -1 if none.
type List interface {
	Words() []string
	Named(word string) int
}

// String returns the word, or "none".
func (w Word[L]) String() string {
	if words := (*new(L)).Words(); w >= 0 && int(w) < len(words) {
		return words[w]
	}
	return "none"
}

// IsZero makes the codec leave out none.
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

// What people call the resources and the development cards, folded.
var (
	ResourceNames = kit.Meant(Typed.Words("resources"), oneOf[Resource](ResourceWords[:]))
	CardNames     = kit.Meant(Typed.Words("cards"), oneOf[Card](CardWords[:]))
)

// ResourceNamed finds a resource by what people call it.
func ResourceNamed(word string) (Resource, bool) {
	if r, ok := ResourceNames[domain.Fold(word)]; ok {
		return r, true
	}
	return NoResource, false
}

// CardNamed finds a development card by what people call it.
func CardNamed(word string) (Card, bool) {
	if c, ok := CardNames[domain.Fold(strings.ReplaceAll(strings.TrimSpace(word), " ", "-"))]; ok {
		return c, true
	}
	return NoCard, false
}

// oneOf finds which of some words a word is.
func oneOf[T ~int8](words []string) func(string) T {
	return func(word string) T { return T(slices.Index(words, word)) }
}

// Typed is what people type, in English, Portuguese and Polish.
var Typed = kit.ReadTyped(wordFiles, "catan")

// IsKind reports whether r is a resource.
func IsKind(r int8) bool { return r >= 0 && r < Kinds }

// IsCorner reports whether c is an intersection.
func IsCorner(c int8) bool { return c >= 0 && c < CornerCount }

// IsPath reports whether p is a path.
func IsPath(p int8) bool { return p >= 0 && p < PathCount }

// IsHex reports whether h is a hex.
func IsHex(h int8) bool { return h >= 0 && h < HexCount }

// NeutralLetters are the names of the neutrals of Catan for two.
var NeutralLetters = [2]string{"N", "M"}

// HandSay lists cards for people: "2 wool, 1 ore".
func HandSay[L List](cards Counts[L]) (list []domain.Say) {
	for k, n := range cards {
		if n != 0 {
			list = append(list, domain.S("cards."+Word[L](k).String(), "n", int(n)))
		}
	}
	return list
}

// ColourSay returns a seat or, in Catan for two, a neutral, as a Say's argument.
func ColourSay(c int8, seats int8) any {
	if c >= seats {
		return domain.S("neutral", "letter", NeutralLetters[(c-2)&1])
	}
	return domain.Seat(c)
}

// Case is the form of a place's name that a sentence needs, in languages that decline it.
type Case string

// The cases of a hex.
const (
	Plain Case = ""    // in a list, in brackets
	By    Case = ".by" // after "between"
	Of    Case = ".of" // after "on the coast"
	To    Case = ".to" // after "to"
)

// HexSay says what lies on a hex: its terrain and token, or the desert.
func (b *Board) HexSay(h int8, c Case) domain.Say {
	if b.Terrain[h] == Desert {
		return domain.S("hex.desert" + string(c))
	}
	return domain.S("hex", "terrain_word", "terrain."+b.Terrain[h].String()+string(c), "token", int(b.Tokens[h]))
}
