package rivals

import "posthorn/domain"

// word is the card as an argument of a sentence.
func (c Card) word() domain.Say {
	if c == NoCard {
		return domain.S("card.unknown")
	}
	return domain.S("card." + c.Row().ID)
}
