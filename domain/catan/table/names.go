package table

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// What people call the resources and the development cards, folded.
var (
	ResourceNames = kit.Meant(Typed.Words("resources"), oneOf[Resource](ResourceWords[:]))
	CardNames     = kit.Meant(Typed.Words("cards"), oneOf[Card](CardWords[:]))
)

// ResourceNamed finds a resource by what people call it.
func ResourceNamed(word string) (Resource, bool) {
	if r, ok := ResourceNames[domain.Fold(word)]; ok {
		return r, true
	}
	return NoResource, false
}

// CardNamed finds a development card by what people call it.
func CardNamed(word string) (Card, bool) {
	if c, ok := CardNames[domain.Fold(strings.ReplaceAll(strings.TrimSpace(word), " ", "-"))]; ok {
		return c, true
	}
	return NoCard, false
}

// oneOf finds which of some words a word is.
func oneOf[T ~int8](words []string) func(string) T {
	return func(word string) T { return T(slices.Index(words, word)) }
}

// Typed is what people type, in English, Portuguese and Polish.
var Typed = kit.ReadTyped(wordFiles)

// IsKind tells whether there is such a resource.
func IsKind(r int8) bool { return r >= 0 && r < Kinds }

// IsCorner tells whether there is such an intersection.
func IsCorner(c int8) bool { return c >= 0 && c < CornerCount }

// IsPath tells whether there is such a path.
func IsPath(p int8) bool { return p >= 0 && p < PathCount }

// IsHex tells whether there is such a hex.
func IsHex(h int8) bool { return h >= 0 && h < HexCount }

// NeutralLetters are the names of the neutrals of Catan for two.
var NeutralLetters = [2]string{"N", "M"}

// HandSay lists cards for people: "2 wool, 1 ore".
func HandSay[L List](cards Counts[L]) (list []domain.Say) {
	for k, n := range cards {
		if n != 0 {
			list = append(list, domain.S("cards."+Word[L](k).String(), "n", int(n)))
		}
	}
	return list
}

// ColourSay is a seat or, in Catan for two, a neutral.
func ColourSay(c int8, seats int8) any {
	if c >= seats {
		return domain.S("neutral", "letter", NeutralLetters[(c-2)&1])
	}
	return domain.Seat(c)
}

// HexSay is what lies on a hex: its terrain and token, or the desert.
func (b *Board) HexSay(h int8) domain.Say {
	if b.Terrain[h] == Desert {
		return domain.S("hex.desert")
	}
	return domain.S("hex", "terrain_word", "terrain."+b.Terrain[h].String(), "token", int(b.Tokens[h]))
}
