package table

import (
	"iter"
	"math/bits"
	"slices"

	"posthorn/domain"
)

// Res is a resource; it is also the terrain that yields it.
type Res uint8

// The resources, in the order in which costs are told.
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

// String is the resource's word in notation; "" if it is none.
func (r Res) String() string {
	if r >= Resources {
		return ""
	}
	return ResNames[r]
}

// Say is the resource as an argument of a sentence.
func (r Res) Say() domain.Say { return domain.S("res." + r.String()) }

// Terrain is the word of the land that yields the resource.
func (r Res) Terrain() string { return TerrainNames[r] }

func resNamed(name string) (Res, bool) {
	i := slices.Index(ResNames[:], name)
	return Res(i), i >= 0
}

// TerrainNamed is the resource that a land yields.
func TerrainNamed(name string) (Res, bool) {
	i := slices.Index(TerrainNames[:], name)
	return Res(i), i >= 0
}

// Index finds a word in a list; 0 if it is not there.
func Index(list []string, word string) int { return max(0, slices.Index(list, word)) }

// Goods is an amount of each resource.
type Goods [Resources]uint8

func goodsOf(m map[Res]uint8) (g Goods) {
	for r, n := range m {
		g[r] = n
	}
	return g
}

// Total is how many there are of all resources.
func (g Goods) Total() (n int) {
	for _, x := range g {
		n += int(x)
	}
	return n
}

// Least is the smaller amount of each resource.
func (g Goods) Least(of Goods) Goods {
	for i := range g {
		g[i] = min(g[i], of[i])
	}
	return g
}

// Just is an amount of one resource.
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

// Only is the set of one resource.
func Only(r Res) ResMask { return 1 << r }

// Has tells whether a resource is in the set.
func (m ResMask) Has(r Res) bool { return r < Resources && m&(1<<r) != 0 }

// First is the first resource of a set that is not empty.
func (m ResMask) First() Res { return Res(bits.TrailingZeros8(uint8(m))) }

// MaskOf are the resources of which there is some.
func MaskOf(g Goods) (m ResMask) {
	for res, n := range g {
		if n > 0 {
			m |= Only(Res(res))
		}
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

// BoolInt is 1 for true.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// LastIndex is where the last of a list is that is so, or -1.
func LastIndex[T any](list []T, is func(T) bool) int {
	for i, v := range slices.Backward(list) {
		if is(v) {
			return i
		}
	}
	return -1
}
