package catan

import "posthorn/domain"

// handSay lists cards for people: "2 wool, 1 ore".
func handSay(h Hand) []domain.Say {
	var list []domain.Say
	for r, n := range h {
		if n != 0 {
			list = append(list, domain.S("cards."+resourceWords[r], "n", int(n)))
		}
	}
	return list
}

// colourSay is a seat or, in Catan for two, a neutral.
func colourSay(c int8, seats int8) any {
	if c >= seats {
		return domain.S("neutral", "letter", neutralLetters[(c-2)&1])
	}
	return domain.Seat(c)
}

// seatsSay lists seats for people.
func seatsSay(set seatSet) (list []domain.Say) {
	for _, seat := range set.list() {
		list = append(list, domain.S("seat", "who", seat))
	}
	return list
}

// hexSay is what lies on a hex: its terrain and token, or the desert.
func (b *Board) hexSay(h int8) domain.Say {
	if b.Terrain[h] == Desert {
		return domain.S("hex.desert")
	}
	return domain.S("hex", "terrain_word", "terrain."+b.Terrain[h].String(), "token", int(b.Tokens[h]))
}
