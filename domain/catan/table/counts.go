package table

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// kind is what there are five kinds of, each with a word.
type kind[K any] interface {
	~int8
	String() string
	named(word string) (K, bool)
}

// Counts is how many cards there are of each kind.
type Counts[K kind[K]] [Kinds]int8

// Hand is a number of resource cards of each kind.
type Hand = Counts[Resource]

// Cards is a number of development cards of each kind.
type Cards = Counts[Card]

// Len is how many cards there are.
func (c Counts[K]) Len() int {
	return int(c[0]) + int(c[1]) + int(c[2]) + int(c[3]) + int(c[4])
}

// Covers tells whether there is at least as much of each kind.
func (c Counts[K]) Covers(cost Counts[K]) bool {
	return c[0] >= cost[0] && c[1] >= cost[1] && c[2] >= cost[2] && c[3] >= cost[3] && c[4] >= cost[4]
}

// Add puts cards there.
func (c *Counts[K]) Add(o Counts[K]) {
	for i := range c {
		c[i] += o[i]
	}
}

// Sub takes cards away.
func (c *Counts[K]) Sub(o Counts[K]) {
	for i := range c {
		c[i] -= o[i]
	}
}

// Times is so many times as many.
func (c Counts[K]) Times(n int) Counts[K] {
	for i := range c {
		c[i] = int8(min(int(c[i])*n, 100))
	}
	return c
}

// Meets tells whether two have a kind in common.
func (c Counts[K]) Meets(o Counts[K]) bool {
	for i := range c {
		if c[i] > 0 && o[i] > 0 {
			return true
		}
	}
	return false
}

// String lists the cards as in notation: "2 wool 1 ore".
func (c Counts[K]) String() string { return string(c.Append(nil)) }

// Append writes the cards as String does.
func (c Counts[K]) Append(dst []byte) []byte {
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
		dst = append(dst, K(k).String()...)
	}
	return dst
}

// One is a single card.
func One[K kind[K]](k K) (c Counts[K]) {
	c[k] = 1
	return c
}

// At is the kind of the card number i, the cards laid out by kind; -1 if there are not so many.
func (c Counts[K]) At(i int) K {
	for k, n := range c {
		if i < int(n) {
			return K(k)
		}
		i -= int(n)
	}
	return K(-1)
}

// List is the cards laid out by kind.
func (c Counts[K]) List() []K {
	list := make([]K, 0, c.Len())
	for k, n := range c {
		for range n {
			list = append(list, K(k))
		}
	}
	return list
}

// First is the number of the first card of a kind, as at counts them.
func (c Counts[K]) First(k K) (int, error) {
	if c[k] == 0 {
		return 0, fmt.Errorf("no %s there", k)
	}
	i := 0
	for j := range k {
		i += int(c[j])
	}
	return i, nil
}

// Named is cards as positions write them, by name: {"wool":2}, the kinds there are.
type Named[K kind[K]] Counts[K]

// ByName is cards as positions write them.
func ByName[K kind[K]](c Counts[K]) *Named[K] {
	n := Named[K](c)
	return &n
}

// MarshalJSON writes the kinds there are.
func (c Named[K]) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for k, n := range c {
		if n == 0 {
			continue
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = fmt.Appendf(dst, "%q:%d", K(k).String(), n)
	}
	return append(dst, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, under any name of a kind.
func (c *Named[K]) UnmarshalJSON(b []byte) error {
	var counts map[string]int8
	if err := json.Unmarshal(b, &counts); err != nil {
		return fmt.Errorf("counts: %w", err)
	}
	*c = Named[K]{}
	for word, n := range counts {
		k, ok := K.named(0, word)
		if !ok || n < 0 {
			return fmt.Errorf("counts: %q: %d", word, n)
		}
		c[k] += n
	}
	return nil
}
