package table

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Res is a resource; it is also the terrain that yields it.
type Res uint8

// The resources, in the order in which costs list them.
const (
	Brick Res = iota
	Grain
	Lumber
	Wool
	Ore
	GoldRes
	Resources
	NoRes Res = 255
)

// The resources' words, and those of the lands that yield them.
var (
	ResNames     = [Resources]string{"brick", "grain", "lumber", "wool", "ore", "gold"}
	TerrainNames = [Resources]string{"hills", "fields", "forest", "pasture", "mountains", "gold_field"}
)

// String returns the resource's word in notation; "" if it is not a resource.
func (r Res) String() string {
	if r >= Resources {
		return ""
	}
	return ResNames[r]
}

// Say returns the resource as an argument of a sentence.
func (r Res) Say() domain.Say { return domain.S("res." + r.String()) }

// Count returns this much of the resource, in words.
func (r Res) Count(n int) domain.Say { return domain.S("goods."+r.String(), "n", n) }

// Terrain returns the word of the land that yields the resource.
func (r Res) Terrain() string { return TerrainNames[r] }

func resNamed(name string) (Res, bool) { return indexed[Res](ResNames[:], name) }

// TerrainNamed returns the resource that a land yields.
func TerrainNamed(name string) (Res, bool) { return indexed[Res](TerrainNames[:], name) }

// Index finds a word in a list; it returns 0 if it is not there.
func Index(list []string, word string) int { return max(0, slices.Index(list, word)) }

// Goods is an amount of each resource.
type Goods [Resources]uint8

func goodsOf(m map[Res]uint8) (g Goods) {
	for r, n := range m {
		g[r] = n
	}
	return g
}

// Total returns the sum over all resources.
func (g Goods) Total() (n int) {
	for _, x := range g {
		n += int(x)
	}
	return n
}

// Least returns the smaller amount of each resource.
func (g Goods) Least(of Goods) Goods {
	for i := range g {
		g[i] = min(g[i], of[i])
	}
	return g
}

// Just returns an amount of one resource.
func Just(r Res, n uint8) (g Goods) {
	g[r] = n
	return g
}

// ResMask is a set of resources.
type ResMask uint8

// Sets of resources.
const (
	AnyRes  ResMask = 1<<Resources - 1
	NotGold ResMask = AnyRes &^ (1 << GoldRes)
)

// Only returns the set of one resource.
func Only(r Res) ResMask { return 1 << r }

// Has reports whether a resource is in the set.
func (m ResMask) Has(r Res) bool { return r < Resources && m&(1<<r) != 0 }

// First returns the first resource of a set, which must not be empty.
func (m ResMask) First() Res { return Res(bits.TrailingZeros8(uint8(m))) }

// MaskOf returns the resources of which there are some.
func MaskOf(g Goods) (m ResMask) {
	for res, n := range g {
		m |= ResMask(min(n, 1)) << res
	}
	return m
}

// In yields the places or sites of a set.
func In[T Place | Site](m uint64) iter.Seq[T] {
	return func(yield func(T) bool) {
		for ; m != 0; m &= m - 1 {
			if !yield(T(bits.TrailingZeros64(m))) {
				return
			}
		}
	}
}

// BoolInt returns 1 for true, 0 for false.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// LastIndex returns the index of the last element for which is holds, or -1.
func LastIndex[T any](list []T, is func(T) bool) int {
	for i, v := range slices.Backward(list) {
		if is(v) {
			return i
		}
	}
	return -1
}

// The words of the sides of a town, and of the ways a principality grows.
var (
	SideNames = [3]string{"", "above", "below"}
	WayNames  = [2]string{"left", "right"}
)

// The size of a principality: towns (settlements and cities) stand in columns; a gap lies left of each, and one more
// right of the last. The notation's column and gap 0 have index Origin, so that five settlements fit on either side.
const (
	Columns  = 12
	Gaps     = Columns + 1
	Origin   = 5
	RegionsN = Gaps * 2
	MaxHand  = 24
	MaxDeck  = 40
	MaxSpare = 16
	DecksN   = 6
)

// Place is where goods lie: a region (its gap and side) or the Gold Cache.
type Place uint8

// Places that are not regions.
const (
	CachePlace Place = RegionsN
	Places           = RegionsN + 1
	LostPlace  Place = Places // in a move: where goods go that a full region would hold
	NoPlace    Place = 255
)

// PlaceAt returns the region in a gap, above (0) or below (1) the centre line.
func PlaceAt(gap, side int) Place { return Place(gap*2 + side) }

// Gap returns the region's gap, counted from 0.
func (p Place) Gap() int { return int(p) / 2 }

// Side returns 0 above the centre line, 1 below.
func (p Place) Side() int { return int(p) % 2 }

// Name returns the place's word in notation: "0a" above, "-1b" below, "cache".
func (p Place) Name() string {
	switch {
	case p == LostPlace:
		return "lost"
	case p >= CachePlace:
		return "cache"
	}
	return strconv.Itoa(p.Gap()-Origin) + "ab"[p.Side():p.Side()+1]
}

// PlaceNamed reads "0a", "-1b", "cache".
func PlaceNamed(text string) (Place, bool) {
	if text == "cache" {
		return CachePlace, true
	}
	if len(text) < 2 {
		return NoPlace, false
	}
	side := strings.IndexByte("ab", text[len(text)-1])
	gap, err := strconv.Atoi(text[:len(text)-1])
	if side < 0 || err != nil || gap+Origin < 0 || gap+Origin >= Gaps {
		return NoPlace, false
	}
	return PlaceAt(gap+Origin, side), true
}

// Site is a building site: its town's column, its side, and which of the side's two.
type Site uint8

// NoSite is no site.
const NoSite Site = 255

// SiteAt returns the site with a town's column, side and slot.
func SiteAt(town, side, slot int) Site { return Site(town*4 + side*2 + slot) }

// Town returns the column of the site's town.
func (s Site) Town() int { return int(s) / 4 }

// Side returns 0 above the town, 1 below.
func (s Site) Side() int { return int(s) / 2 % 2 }

// Slot returns 0 beside the town, 1 beyond.
func (s Site) Slot() int { return int(s) % 2 }

// Name returns the side of a town in notation: "0 above".
func (s Site) Name() string { return strconv.Itoa(s.Town()-Origin) + " " + SideNames[s.Side()+1] }

// Spot returns where a card of a seat lies in its principality's picture.
func (s Site) Spot(seat domain.Seat) string {
	return "c-" + seat.Letter() + "-" + s.Key() + strconv.Itoa(s.Slot())
}

// Key returns the side of a town: "0a" above, "-1b" below.
func (s Site) Key() string { return strconv.Itoa(s.Town()-Origin) + "ab"[s.Side():s.Side()+1] }

// Land is a region card in the stack: terrain and number in one.
type Land uint8

// LandOf returns the region card with a terrain and a number.
func LandOf(t Res, number uint8) Land { return Land(uint8(t)<<3 | number) }

// Terrain returns what the region yields.
func (l Land) Terrain() Res { return Res(l >> 3) }

// Number returns the production number.
func (l Land) Number() uint8 { return uint8(l & 7) }

// LandNamed reads "forest2".
func LandNamed(text string) (Land, bool) {
	if len(text) < 2 {
		return 0, false
	}
	n := text[len(text)-1]
	t, ok := TerrainNamed(text[:len(text)-1])
	if !ok || n < '1' || n > '6' {
		return 0, false
	}
	return LandOf(t, n-'0'), true
}

// Name returns the region card's word in notation: "forest2"; "?" for an unknown one.
func (l Land) Name() string {
	if l == 0 {
		return "?"
	}
	return l.Terrain().Terrain() + strconv.Itoa(int(l.Number()))
}

// Capacity of every region and of the Gold Cache.
const Capacity = 3

// Neighbours returns the two regions beside a card: left and right, on its own side.
func Neighbours(s Site) [2]Place {
	return [2]Place{PlaceAt(s.Town(), s.Side()), PlaceAt(s.Town()+1, s.Side())}
}

// MarshalText writes the place's name.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.Name()), nil }

// UnmarshalText reads the place's name.
func (p *Place) UnmarshalText(text []byte) error { return Named(p, text, PlaceNamed) }

// MarshalText writes the region card's name.
func (l Land) MarshalText() ([]byte, error) {
	if l.Terrain() >= Resources {
		return nil, fmt.Errorf("there is no region %d", l)
	}
	return []byte(l.Name()), nil
}

// UnmarshalText reads the region card's name; "?" is an unknown one.
func (l *Land) UnmarshalText(text []byte) error {
	return Named(l, text, func(name string) (Land, bool) {
		land, ok := LandNamed(Fold(name))
		return land, ok || name == "?"
	})
}
