package rivals

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
	resources
	noRes Res = 255
)

var (
	resNames     = [resources]string{"brick", "grain", "lumber", "wool", "ore", "gold"}
	terrainNames = [resources]string{"hills", "fields", "forest", "pasture", "mountains", "gold_field"}
)

// String is the resource's word in notation; "" if it is none.
func (r Res) String() string {
	if r >= resources {
		return ""
	}
	return resNames[r]
}

func (r Res) say() domain.Say { return domain.S("res." + r.String()) }

// Terrain is the word of the land that yields the resource.
func (r Res) Terrain() string { return terrainNames[r] }

func resNamed(name string) (Res, bool) {
	for i, n := range resNames {
		if n == name {
			return Res(i), true
		}
	}
	return noRes, false
}

func terrainNamed(name string) (Res, bool) {
	for i, n := range terrainNames {
		if n == name {
			return Res(i), true
		}
	}
	return noRes, false
}

// index finds a word in a list; 0 if it is not there.
func index(list []string, word string) int { return max(0, slices.Index(list, word)) }

// Goods is an amount of each resource.
type Goods [resources]uint8

func goodsOf(m map[Res]uint8) (g Goods) {
	for r, n := range m {
		g[r] = n
	}
	return g
}

func (g Goods) total() (n int) {
	for _, x := range g {
		n += int(x)
	}
	return n
}

// with is one more of a resource.
func (g Goods) with(r Res) Goods {
	g[r]++
	return g
}

// just is an amount of one resource.
func just(r Res, n uint8) (g Goods) {
	g[r] = n
	return g
}

// resMask is a set of resources.
type resMask uint8

const (
	anyRes  resMask = 1<<resources - 1
	notGold resMask = anyRes &^ (1 << GoldRes)
)

func only(r Res) resMask { return 1 << r }

func (m resMask) has(r Res) bool { return r < resources && m&(1<<r) != 0 }

// first is the first resource of a set that is not empty.
func (m resMask) first() Res { return Res(bits.TrailingZeros8(uint8(m))) }

// maskOf are the resources of which there is some.
func maskOf(g Goods) (m resMask) {
	for res, n := range g {
		if n > 0 {
			m |= only(Res(res))
		}
	}
	return m
}

// in yields the places or sites of a set.
func in[T Place | Site](m uint64) iter.Seq[T] {
	return func(yield func(T) bool) {
		for ; m != 0; m &= m - 1 {
			if !yield(T(bits.TrailingZeros64(m))) {
				return
			}
		}
	}
}

// lowest is the first place of a set.
func lowest(m uint64) Place { return Place(bits.TrailingZeros64(m)) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
