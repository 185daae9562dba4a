package codec

import (
	"encoding/binary"
	"math/bits"
)

// Meanings says what words mean, without the cost of a map: it looks at both ends of a word, and compares once.
type Meanings[T any] struct {
	slots []meaning[T] // a power of two; the first free slot from where a word belongs is its own
}

type meaning[T any] struct {
	word  string
	means T
	taken bool
}

// MeaningsOf returns the meanings of words.
func MeaningsOf[T any](words map[string]T) Meanings[T] {
	const room = 4 // slots for each word, so that hardly any two want the same
	m := Meanings[T]{make([]meaning[T], 1<<bits.Len(uint(room*len(words))))}
	for word, means := range words {
		*m.slot([]byte(word)) = meaning[T]{word, means, true}
	}
	return m
}

// Of returns what a word means, and whether it means anything.
func (m *Meanings[T]) Of(word []byte) (means T, ok bool) {
	s := m.slot(word)
	return s.means, s.taken
}

func (m *Meanings[T]) slot(word []byte) *meaning[T] {
	for at := mixed(word); ; at++ {
		if s := &m.slots[at&uint64(len(m.slots)-1)]; !s.taken || s.word == string(word) {
			return s
		}
	}
}

// mixed returns a number for a word, of its length and up to eight bytes at either end.
func mixed(word []byte) uint64 {
	var first, last uint64
	switch n := len(word); {
	case n >= 8:
		first, last = binary.LittleEndian.Uint64(word), binary.LittleEndian.Uint64(word[n-8:])
	case n >= 4:
		first, last = uint64(binary.LittleEndian.Uint32(word)), uint64(binary.LittleEndian.Uint32(word[n-4:]))
	case n > 0:
		first, last = uint64(word[0]), uint64(word[n/2])<<8|uint64(word[n-1])
	}
	const spread = 0x9e3779b97f4a7c15
	h := (first*spread ^ bits.RotateLeft64(last, 29) ^ uint64(len(word))) * spread
	return h ^ h>>32
}
