package table

import (
	"fmt"
	"slices"
)

// Kind is the kind of a tile's part: a road, a city, a field, a river, a cloister, a garden.
type Kind uint8

// The kinds. Figure is not a part of a tile: it is what the game for one person pays for at its end (S0, end of the
// game: two points for each follower still standing).
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

var kindWords = []string{"", "road", "city", "field", "river", "cloister", "garden", "follower"}

// String returns the kind's word in canonical notation: "road", "city", "field", …
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return "kind?"
}

// MarshalText writes what String returns.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (k *Kind) UnmarshalText(b []byte) error {
	i := slices.Index(kindWords, string(b))
	if i <= 0 {
		return fmt.Errorf("no kind of feature %q", b)
	}
	*k = Kind(i)
	return nil
}

// Shrine reports whether it is a cloister or garden, which lies in the middle of its tile.
func (k Kind) Shrine() bool { return k == Cloister || k == Garden }

// Sides returns the names of the edges or half-edges on which a part of the kind may lie; none for a cloister or
// garden.
func (k Kind) Sides() []string {
	switch k {
	case Road, City, River:
		return EdgeNames[:]
	case Field:
		return HalfNames[:]
	}
	return nil
}

// The edges and half-edges, clockwise from the north.
var (
	EdgeNames = [4]string{"N", "E", "S", "W"}
	HalfNames = [8]string{"Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn"}
)

// Place is a part of a tile as it lies on the board, named by the kind and one edge or half-edge.
type Place struct {
	Kind Kind
	At   uint8 // of Kind.Sides; 0 for a cloister or garden
}

// turned returns the place after its tile turned by this many more clockwise quarter turns.
func (p Place) turned(quarters int) Place {
	if n := len(p.Kind.Sides()); n > 0 {
		p.At = uint8((int(p.At) + quarters*n/4) & (n - 1))
	}
	return p
}

// A tile's rim has links: the four edges and then the eight half-edges.
const (
	HalfLinks = 4
	Links     = HalfLinks + 8
)

// Link returns the link of a place of a road, city, river or field.
func (p Place) Link() int {
	if p.Kind == Field {
		return HalfLinks + int(p.At&7)
	}
	return int(p.At & 3)
}

// Side returns the name of the edge or half-edge, "" for a cloister or garden.
func (p Place) Side() string {
	if names := p.Kind.Sides(); names != nil {
		return names[int(p.At)%len(names)]
	}
	return ""
}

// String returns the place in canonical notation: "road N", "field Es", "cloister".
func (p Place) String() string {
	text, _ := p.MarshalText()
	return string(text)
}

// AppendText appends what String returns.
func (p Place) AppendText(dst []byte) ([]byte, error) {
	dst = append(dst, p.Kind.String()...)
	if side := p.Side(); side != "" {
		dst = append(append(dst, ' '), side...)
	}
	return dst, nil
}

// MarshalText writes what String returns.
func (p Place) MarshalText() ([]byte, error) { return p.AppendText(nil) }

// UnmarshalText reads what MarshalText wrote.
func (p *Place) UnmarshalText(b []byte) error {
	place, ok := placeNames[string(b)]
	if !ok {
		return fmt.Errorf("no place %q", b)
	}
	*p = place
	return nil
}

// placeNames maps the written names to the places.
var placeNames = func() map[string]Place {
	m := map[string]Place{}
	for k := Road; k <= Garden; k++ {
		for at := range max(1, len(k.Sides())) {
			p := Place{k, uint8(at)}
			m[p.String()] = p
		}
	}
	return m
}()

// Choice is the second step of a turn: nobody, a follower or abbot on a place, or a recall.
type Choice uint8

// The choices that are not a place of a road, city, field or river.
const (
	Nobody          Choice = 0
	OnCloister      Choice = 21
	OnGarden        Choice = 22 // never legal: only the abbot may go there, not a follower (point 35)
	AbbotOnCloister Choice = 23
	AbbotOnGarden   Choice = 24
	Recall          Choice = 25
)

// onKind is a follower on the first place of a kind; those on its other edges or half-edges follow. One on a river is
// never legal, but it can be written.
var onKind = [...]Choice{Road: 1, City: 5, Field: 9, River: 17, Cloister: OnCloister, Garden: OnGarden}

// Put returns the choice of a figure on a place. An abbot on a road, city or field counts as a follower.
func Put(abbot bool, p Place) Choice {
	switch {
	case p.Kind < Road || p.Kind > Garden:
		return Nobody
	case abbot && p.Kind.Shrine():
		return onKind[p.Kind] + AbbotOnCloister - OnCloister
	}
	return onKind[p.Kind] + Choice(p.At)
}

// Shrine reports whether the choice puts a figure in a cloister or garden.
func (c Choice) Shrine() bool { return c >= OnCloister && c <= AbbotOnGarden }

// Place returns where the choice puts a figure, and whether it is the abbot; ok is false for nobody and a recall.
func (c Choice) Place() (p Place, abbot, ok bool) {
	if c == Nobody || c >= Recall {
		return Place{}, false, false
	}
	if abbot = c >= AbbotOnCloister; abbot {
		c -= AbbotOnCloister - OnCloister
	}
	for p.Kind = Garden; c < onKind[p.Kind]; p.Kind-- {
	}
	p.At = uint8(c - onKind[p.Kind])
	return p, abbot, true
}
