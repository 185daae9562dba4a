package rivals

func nameCardsIn(m map[string]Card) {}
