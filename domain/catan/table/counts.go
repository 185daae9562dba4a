package table

import (
	"fmt"
	"strconv"

	"posthorn/domain/codec"
)

// Counts is how many cards there are of each of five kinds.
type Counts[L List] [Kinds]int8

// Hand is a number of resource cards of each kind.
type Hand = Counts[resources]

// Cards is a number of development cards of each kind.
type Cards = Counts[cards]

// Len returns how many cards there are.
func (c Counts[L]) Len() int {
	return int(c[0]) + int(c[1]) + int(c[2]) + int(c[3]) + int(c[4])
}

// Covers reports whether there are at least as many of each kind.
func (c Counts[L]) Covers(cost Counts[L]) bool {
	left := 0 // negative if any is: comparing kind by kind would cost a branch prediction each time
	for i := range c {
		left |= int(c[i]) - int(cost[i])
	}
	return left >= 0
}

// Lacks returns what is missing for a cost.
func (c Counts[L]) Lacks(cost Counts[L]) (missing Counts[L]) {
	for i := range c {
		missing[i] = max(0, cost[i]-c[i])
	}
	return missing
}

// Add adds cards.
func (c *Counts[L]) Add(o Counts[L]) {
	for i := range c {
		c[i] += o[i]
	}
}

// Sub takes cards away.
func (c *Counts[L]) Sub(o Counts[L]) {
	for i := range c {
		c[i] -= o[i]
	}
}

// Times returns n times as many.
func (c Counts[L]) Times(n int) Counts[L] {
	for i := range c {
		c[i] = int8(min(int(c[i])*n, 100))
	}
	return c
}

// Meets reports whether the two have a kind in common.
func (c Counts[L]) Meets(o Counts[L]) bool {
	for i := range c {
		if c[i] > 0 && o[i] > 0 {
			return true
		}
	}
	return false
}

// String lists the cards as in notation: "2 wool 1 ore".
func (c Counts[L]) String() string { return string(c.Append(nil)) }

// Append appends the cards as String writes them.
func (c Counts[L]) Append(dst []byte) []byte {
	first := true
	for k, n := range c {
		if n == 0 {
			continue
		}
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		dst = append(strconv.AppendInt(dst, int64(n), 10), ' ')
		dst = append(dst, Word[L](k).String()...)
	}
	return dst
}

// One is a single card.
func One[L List](k Word[L]) (c Counts[L]) {
	c[k] = 1
	return c
}

// At returns the kind of card number i, with the cards laid out by kind; -1 if there are not that many.
func (c Counts[L]) At(i int) Word[L] {
	for k, n := range c {
		if i < int(n) {
			return Word[L](k)
		}
		i -= int(n)
	}
	return -1
}

// List returns the cards laid out by kind.
func (c Counts[L]) List() []Word[L] {
	list := make([]Word[L], 0, c.Len())
	for k, n := range c {
		for range n {
			list = append(list, Word[L](k))
		}
	}
	return list
}

// First returns the number of the first card of a kind, as At counts them.
func (c Counts[L]) First(k Word[L]) (int, error) {
	if c[k] == 0 {
		return 0, fmt.Errorf("no %s there", k)
	}
	i := 0
	for j := range k {
		i += int(c[j])
	}
	return i, nil
}

// Named is cards as positions write them, by name, only the kinds there are: {"wool":2}.
type Named[L List] Counts[L]

// NamedHand is resource cards by name.
type NamedHand = Named[resources]

// NamedCards is development cards by name.
type NamedCards = Named[cards]

// ByName returns cards in the form that positions write.
func ByName[L List](c Counts[L]) *Named[L] { return (*Named[L])(&c) }

// Words returns the names.
func (*Named[L]) Words() []string { return (*new(L)).Words() }

// MarshalJSON writes the kinds there are.
func (c Named[L]) MarshalJSON() ([]byte, error) { return codec.Marshal(&c) }

// UnmarshalJSON reads what MarshalJSON wrote, under any name of a kind.
func (c *Named[L]) UnmarshalJSON(b []byte) error {
	return codec.UnmarshalCounts(b, c[:], func(word string) (int, bool) {
		k := (*new(L)).Named(word)
		return k, k >= 0
	})
}
