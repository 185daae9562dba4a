package table

import "posthorn/domain"

// HandSay lists cards for people: "2 wool, 1 ore".
func HandSay(h Hand) []domain.Say {
	var list []domain.Say
	for r, n := range h {
		if n != 0 {
			list = append(list, domain.S("cards."+ResourceWords[r], "n", int(n)))
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
