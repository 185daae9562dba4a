package catan

// standsStill tells whether no seat's points can ever rise again: the deck is empty, no knight is
// in any hand, none can be discarded that would bring the army to somebody else (which only Catan
// for two allows), and no seat has a place to build. It goes by public knowledge alone.
//
// Once it is so it stays so. Two who are hemmed in by the neutrals come there, or more seats where
// fifteen points win; neither the base game nor Catan for two says what then, and the game would
// go on for ever. When each seat has
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
		if s.canBuild(c) {
			return false
		}
	}
	return true
}

// canBuild tells whether a seat has a piece and a place for it, whatever it holds.
func (s *State) canBuild(c int8) bool {
	if s.settlements[c] != 0 && s.citiesLeft(c) > 0 || s.settlementsLeft(c) > 0 && s.openHomes(c) != 0 {
		return true
	}
	if s.roadsLeft(c) == 0 {
		return false
	}
	open := s.openPaths(c)
	return !open.empty()
}
