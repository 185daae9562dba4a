package table

import "fmt"

// Kind is what a part of a tile is: a road, a city, a field, a river, a cloister, a garden.
type Kind uint8

// The kinds. Figure is no part of a tile: it is what the game for one person pays at its
// end (S0, end of the game: two points for each follower that still stands).
const (
	NoKind Kind = iota
	Road
	City
	Field
	River
	Cloister
	Garden
	Figure
)

var kindWords = [...]string{"", "road", "city", "field", "river", "cloister", "garden", "follower"}

// String is the kind's word in canonical notation: "road", "city", "field", …
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return "kind?"
}

// MarshalText writes the word of String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (k *Kind) UnmarshalText(b []byte) error {
	for i, w := range kindWords {
		if i > 0 && w == string(b) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("no kind of feature %q", b)
}

var (
	EdgeNames = [4]string{"N", "E", "S", "W"}
	HalfNames = [8]string{"Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn"}
)

// Place is a part of a tile as it lies on the board, named by the kind and one edge or half-edge.
type Place struct {
	Kind Kind
	// At is the edge of a road, city or river, N E S W = 0 … 3; the half-edge of a field,
	// Nw Ne En Es Se Sw Ws Wn = 0 … 7; 0 for a cloister and a garden.
	At uint8
}

// String is the place in canonical notation: "road N", "field Es", "cloister".
func (p Place) String() string { return string(p.Append(nil)) }

// Append writes the form of String.
func (p Place) Append(dst []byte) []byte {
	dst = append(dst, p.Kind.String()...)
	switch p.Kind {
	case Road, City, River:
		dst = append(dst, ' ')
		dst = append(dst, EdgeNames[p.At&3]...)
	case Field:
		dst = append(dst, ' ')
		dst = append(dst, HalfNames[p.At&7]...)
	}
	return dst
}

// AppendText appends the form of String.
func (p Place) AppendText(dst []byte) ([]byte, error) { return p.Append(dst), nil }

// MarshalText writes the form of String.
func (p Place) MarshalText() ([]byte, error) { return p.Append(nil), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *Place) UnmarshalText(b []byte) error {
	place, ok := placeNames[string(b)]
	if !ok {
		return fmt.Errorf("no place %q", b)
	}
	*p = place
	return nil
}

// placeNames are the places as they are written.
var placeNames = func() map[string]Place {
	m := map[string]Place{}
	for at := range uint8(8) {
		for k := Road; k <= Garden; k++ {
			if k == Field || at < 4 && (k < Cloister || at == 0) {
				m[Place{k, at}.String()] = Place{k, at}
			}
		}
	}
	return m
}()
