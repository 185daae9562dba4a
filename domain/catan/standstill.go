package catan

// standsStill tells whether no seat can ever win: the deck is empty, no knight is in any hand, none
// can be discarded that would bring the army to somebody else (which only Catan for two allows), no
// seat has a place for a road or a settlement, and the settlements that could still become cities
// bring nobody to the points that win and nobody past another. It goes by public knowledge alone:
// a hidden card counts as the point it may be.
//
// Once it is so it stays so. Two who are hemmed in by the neutrals come there, or more seats where
// fifteen points win; neither the base game nor Catan for two says what then, and the game would
// go on for ever, at the pleasure of whoever is behind and builds no city. When each seat has
// had a turn of it, and so the chance to win with what it hides, the game ends without a winner.
func (s *State) standsStill() bool {
	if s.deck != (Cards{}) {
		return false
	}
	knights := int8(0)
	for c := range s.seats {
		knights += s.knights[c] + s.spent[c][Knight]
		if s.two() && c != s.army && s.knights[c] >= 3 {
			return false
		}
	}
	if knights < fullDeck[Knight] {
		return false
	}
	for c := range s.seats {
		if s.canSpread(c) {
			return false
		}
	}
	return s.settled()
}

// upgrades is how many settlements of a seat may still become cities.
func (s *State) upgrades(c int8) int {
	return min(bitCount(s.settlements[c]), int(s.citiesLeft(c)))
}

// canSpread tells whether a seat has, or may get by building a city, a piece and a place for a road
// or a settlement, whatever it holds.
func (s *State) canSpread(c int8) bool {
	if (s.settlementsLeft(c) > 0 || s.upgrades(c) > 0) && s.openHomes(c) != 0 {
		return true
	}
	if s.roadsLeft(c) == 0 {
		return false
	}
	open := s.openPaths(c)
	return !open.empty()
}

// settled tells whether cities, the only thing left to build, can change neither who comes before
// whom nor that nobody wins.
func (s *State) settled() bool {
	for a := range s.seats {
		for b := range s.seats {
			up := s.upgrades(a) + s.upgrades(b)
			if a != b && up > 0 && (s.most(a) >= int(s.rules.target) || s.least(a) <= s.most(b) && s.least(b) <= s.most(a)) {
				return false
			}
		}
	}
	return true
}

// most is the points a seat may come to by cities and hidden cards, and least those it has for sure.
func (s *State) most(c int8) int {
	return s.publicPoints(c) + s.upgrades(c) + min(s.cards[c].Len(), int(fullDeck[Point]))
}

// least is the points a seat has for sure.
func (s *State) least(c int8) int {
	if s.two() && s.army == c {
		return s.publicPoints(c) - 2 // whose knights may be discarded
	}
	return s.publicPoints(c)
}
