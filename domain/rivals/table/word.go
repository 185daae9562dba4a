package table

import (
	"fmt"
	"slices"
)

// Word is a number that is written as a word of its table: a phase, a set.
type Word[T wordTable] uint8

// wordTable lists words in the order of their numbers.
type wordTable interface{ Words() []string }

// String is the word; "" of a number that has none.
func (w Word[T]) String() string {
	if words := (*new(T)).Words(); int(w) < len(words) {
		return words[w]
	}
	return ""
}

// MarshalText writes the word.
func (w Word[T]) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word.
func (w *Word[T]) UnmarshalText(text []byte) error {
	i := slices.Index((*new(T)).Words(), string(text))
	if i < 0 {
		return fmt.Errorf("there is no %q", text)
	}
	*w = Word[T](i)
	return nil
}

type (
	playWords    struct{}
	faceWords    struct{}
	setWords     struct{}
	kindWords    struct{}
	terrainWords struct{}
)

func (playWords) Words() []string    { return PlayNames[:] }
func (faceWords) Words() []string    { return FaceNames[:] }
func (setWords) Words() []string     { return SetNames[:] }
func (kindWords) Words() []string    { return kindNames[:] }
func (terrainWords) Words() []string { return TerrainNames[:] }

// Terrain is a resource, written as the land that yields it.
type Terrain = Word[terrainWords]

// MarshalText writes the resource's word.
func (r Res) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the resource's word.
func (r *Res) UnmarshalText(text []byte) error {
	res, ok := resNamed(string(text))
	*r = res
	return Found(ok, text)
}

// Found is the error of a word that there is not, unless it is ok.
func Found(ok bool, text []byte) error {
	if !ok {
		return fmt.Errorf("there is no %q", text)
	}
	return nil
}
