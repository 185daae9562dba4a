package catan

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Resource is one of the five kinds of resource card.
type Resource int8

// The resources, in the order they are always listed.
const (
	Brick Resource = iota
	Lumber
	Wool
	Grain
	Ore
	kinds = 5
	// NoResource is no kind at all.
	NoResource Resource = -1
)

var resourceWords = [kinds]string{"brick", "lumber", "wool", "grain", "ore"}

// String is the resource's word in notation.
func (r Resource) String() string {
	if r < 0 || r >= kinds {
		return "none"
	}
	return resourceWords[r]
}

// Terrain is what a hex is: the resource it yields, or the desert.
type Terrain int8

const (
	// Desert yields nothing; the other terrains are numbered as their resources.
	Desert       Terrain = kinds
	terrainCount         = kinds + 1
)

// String is the word of what the terrain yields, or "desert".
func (t Terrain) String() string {
	if t == Desert {
		return "desert"
	}
	return Resource(t).String()
}

// Harbour is what a harbour trades: a resource at 2:1, or anything at 3:1.
type Harbour int8

// Anything is the harbour that takes three of any one kind.
const Anything Harbour = kinds

// String is the harbour's word: a resource, or "any".
func (h Harbour) String() string {
	if h == Anything {
		return "any"
	}
	return Resource(h).String()
}

func parseHarbour(word string) (Harbour, bool) {
	if word = domain.Fold(word); word == "any" || word == "3:1" || word == "3" {
		return Anything, true
	}
	r, ok := resourceNamed(word)
	return Harbour(r), ok
}

func mustHarbour(word string) Harbour {
	h, ok := parseHarbour(word)
	if !ok {
		panic("catan: board table: harbour " + word)
	}
	return h
}

// parseHex reads a hex's word: "ore10", "desert".
func parseHex(word string) (t Terrain, token int8, ok bool) {
	word = domain.Fold(word)
	name := strings.TrimRight(word, "0123456789")
	figure := word[len(name):]
	if n := terrainNames[name]; n != "" {
		name = n
	}
	if name == "desert" {
		return Desert, 0, figure == ""
	}
	r, ok := resourceNamed(name)
	n, err := strconv.Atoi(figure)
	if !ok || err != nil || n < 2 || n > 12 || n == 7 || figure[0] == '0' {
		return 0, 0, false
	}
	return Terrain(r), int8(n), true
}

func hexWord(t Terrain, token int8) string {
	if t == Desert {
		return "desert"
	}
	return t.String() + strconv.Itoa(int(token))
}

var terrainNames = map[string]string{
	"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore", "deserto": "desert", "pustynia": "desert",
}

// Hand is a number of cards of each resource.
type Hand [kinds]int8

// Len is how many cards there are.
func (h Hand) Len() int {
	return int(h[0]) + int(h[1]) + int(h[2]) + int(h[3]) + int(h[4])
}

// Covers tells whether there is at least as much of each kind.
func (h Hand) Covers(cost Hand) bool {
	return h[0] >= cost[0] && h[1] >= cost[1] && h[2] >= cost[2] && h[3] >= cost[3] && h[4] >= cost[4]
}

func (h *Hand) add(o Hand) {
	for i := range h {
		h[i] += o[i]
	}
}

func (h *Hand) sub(o Hand) {
	for i := range h {
		h[i] -= o[i]
	}
}

func (h Hand) negative() Hand {
	for i := range h {
		h[i] = -h[i]
	}
	return h
}

// String lists the cards as in notation: "2 wool 1 ore".
func (h Hand) String() string { return string(h.append(nil)) }

func (h Hand) append(dst []byte) []byte {
	first := true
	for r, n := range h {
		if n == 0 {
			continue
		}
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		dst = strconv.AppendInt(dst, int64(n), 10)
		dst = append(dst, ' ')
		dst = append(dst, resourceWords[r]...)
	}
	return dst
}

func one(r Resource) Hand {
	var h Hand
	h[r] = 1
	return h
}

// at is the kind of the card number i, the cards laid out by kind.
func (h Hand) at(i int) Resource {
	for r, n := range h {
		if i < int(n) {
			return Resource(r)
		}
		i -= int(n)
	}
	return NoResource
}

// first is the number of the first card of a kind, as at counts them.
func (h Hand) first(r Resource) (int, error) {
	if h[r] == 0 {
		return 0, fmt.Errorf("no %s there", r)
	}
	i := 0
	for k := range r {
		i += int(h[k])
	}
	return i, nil
}

// What is built and bought, Catan base game: building costs.
var (
	roadCost       = Hand{Brick: 1, Lumber: 1}
	settlementCost = Hand{Brick: 1, Lumber: 1, Wool: 1, Grain: 1}
	cityCost       = Hand{Grain: 2, Ore: 3}
	cardCost       = Hand{Wool: 1, Grain: 1, Ore: 1}
)

const (
	cardsOfKind     = 19 // resource cards of each kind
	roadPieces      = 15
	settlementCount = 5
	cityCount       = 4
)

// Card is a kind of development card.
type Card int8

// The development cards, in the order they are always listed.
const (
	Knight Card = iota
	Point
	Roads
	Plenty
	Monopoly
	cardKinds = 5
)

var cardWords = [cardKinds]string{"knight", "point", "roads", "plenty", "monopoly"}

// String is the card's word in notation.
func (c Card) String() string {
	if c < 0 || c >= cardKinds {
		return "none"
	}
	return cardWords[c]
}

// Cards is a number of development cards of each kind.
type Cards [cardKinds]int8

// fullDeck is the deck of the box: 25 cards.
var fullDeck = Cards{Knight: 14, Point: 5, Roads: 2, Plenty: 2, Monopoly: 2}

// Len is how many cards there are.
func (c Cards) Len() int {
	return int(c[0]) + int(c[1]) + int(c[2]) + int(c[3]) + int(c[4])
}

func (c *Cards) add(o Cards) {
	for i := range c {
		c[i] += o[i]
	}
}

func (c Cards) at(i int) Card {
	for k, n := range c {
		if i < int(n) {
			return Card(k)
		}
		i -= int(n)
	}
	return -1
}

func (c Cards) first(k Card) (int, error) {
	if c[k] == 0 {
		return 0, fmt.Errorf("no %s left", k)
	}
	i := 0
	for j := range k {
		i += int(c[j])
	}
	return i, nil
}
