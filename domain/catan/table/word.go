package table

import "fmt"

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
