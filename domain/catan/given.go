package catan

import (
	"fmt"
	"strings"

	"posthorn/domain/kit"
)

// arrange sets a fresh state up as a position says, and refuses what cannot be.
func (s *State) arrange(v *Position) error {
	if err := s.arrangePieces(v); err != nil {
		return err
	}
	if err := s.arrangeCards(v); err != nil {
		return err
	}
	if err := s.arrangeTurn(v); err != nil {
		return err
	}
	s.length = s.allLengths()
	s.longest = longestHolder(s.length, noColour)
	s.army = armyHolder(s.knights, noColour)
	if err := s.arrangeHolder(v.Longest, &s.longest, s.length, 5, "longest"); err != nil {
		return err
	}
	if err := s.arrangeHolder(v.Army, &s.army, s.knights, 3, "army"); err != nil {
		return err
	}
	if err := s.arrangeOffers(v); err != nil {
		return err
	}
	if s.phase != PhaseFound && s.phase != PhaseOver && s.points(s.active) >= int(s.rules.target) {
		s.phase, s.winner = PhaseOver, s.active
		s.dueRoads, s.dueHomes = 0, 0
		s.offers = [maxColours]Offer{}
	}
	return s.arrangeRest(v)
}

// arrangeRest refuses what does not belong to the phase or follows otherwise from the rest.
func (s *State) arrangeRest(v *Position) error {
	switch {
	case v.Winner != "" && (s.phase != PhaseOver || !strings.EqualFold(v.Winner, letter(s.winner))):
		return kit.BadGiven("winner", v.Winner, "not-won")
	case v.Back != "" && s.phase != PhaseNeutral && s.phase != PhaseGive && s.phase != PhaseOver:
		return kit.BadGiven("back", v.Back, "back")
	case v.Due != nil && s.phase == PhaseFound:
		return kit.BadGiven("due", v.Due, "due")
	case v.Supply != nil && !s.two():
		return kit.BadGiven("supply", *v.Supply, "only-two")
	case v.Supply != nil && *v.Supply != int(s.tokensLeft()):
		return kit.BadGiven("supply", *v.Supply, "supply", "n", int(s.tokensLeft()))
	case v.Still > 0 && (!s.standsStill() || v.Still > int(s.seats) || v.Still == int(s.seats) && s.phase != PhaseOver):
		return kit.BadGiven("still", v.Still, "still")
	}
	return nil
}

func (s *State) arrangeHolder(word *string, holder *int8, count [maxColours]int8, least int8, what string) error {
	if word == nil {
		return nil
	}
	if *word == "" {
		*holder = noColour
		return nil
	}
	c, ok := s.colourNamed(*word)
	if !ok || count[c] < least {
		return kit.BadGiven(what, *word, "holder", "n", int(least))
	}
	for _, n := range count {
		if n > count[c] {
			return kit.BadGiven(what, *word, "holder", "n", int(least))
		}
	}
	*holder = c
	return nil
}

// colourNamed finds a seat by its letter, or a neutral.
func (s *State) colourNamed(word string) (int8, bool) {
	word = strings.ToUpper(word)
	for c := range s.colours {
		if s.colourWord(c) == word {
			return c, true
		}
	}
	return noColour, false
}

func (s *State) seatNamed(word string) (int8, bool) {
	c, ok := s.colourNamed(word)
	return c, ok && c < s.seats
}

// playerSeats are the seats of the players given, in their order: each its own, or the next.
func (s *State) playerSeats(v *Position) ([]int8, error) {
	var list []int8
	var seen seatSet
	for i := range v.Players {
		c := int8(i)
		if w := v.Players[i].Seat; w != "" {
			c, _ = s.seatNamed(w)
		}
		if seen.has(c) {
			return nil, kit.BadGiven(playerPath(i, "seat"), letter(c), "seat-twice")
		}
		seen = seen.with(c)
		list = append(list, c)
	}
	return list, nil
}

func (s *State) arrangePieces(v *Position) error {
	seats, err := s.playerSeats(v)
	if err != nil {
		return err
	}
	for i, c := range seats {
		p := &v.Players[i]
		if err := s.arrangeColour(c, fmt.Sprintf("players[%d]", i), p.Roads, p.Settlements, p.Cities); err != nil {
			return err
		}
	}
	return s.arrangeNeutrals(v)
}

// arrangeNeutrals places the neutrals of Catan for two: as given, or where they always begin.
func (s *State) arrangeNeutrals(v *Position) error {
	if !s.two() {
		if len(v.Neutrals) > 0 {
			return kit.BadGiven("neutrals", v.Neutrals, "only-two")
		}
		return nil
	}
	var seen seatSet
	for i, n := range v.Neutrals {
		c := int8(i) + 2
		if n.Name != "" {
			c, _ = s.colourNamed(n.Name)
		}
		if seen.has(c) {
			return kit.BadGiven(fmt.Sprintf("neutrals[%d].name", i), s.colourWord(c), "twice")
		}
		seen = seen.with(c)
		if err := s.arrangeColour(c, fmt.Sprintf("neutrals[%d]", i), n.Roads, n.Settlements, nil); err != nil {
			return err
		}
	}
	for i, at := range isle.neutral {
		c := int8(i) + 2
		if seen.has(c) {
			continue
		}
		if s.shut>>at&1 != 0 {
			return kit.BadGiven("neutrals", v.Neutrals, "neutral-place")
		}
		s.addSettlement(c, at)
	}
	return nil
}

func (s *State) arrangeColour(c int8, path string, roads, settlements, cities []int) error {
	for i, list := range [][]int{settlements, cities} {
		for k, at := range list {
			if at < 0 || at >= cornerCount || s.shut>>at&1 != 0 {
				return kit.BadGiven(fmt.Sprintf("%s.%s[%d]", path, [2]string{"settlements", "cities"}[i], k), at, "taken")
			}
			if i == 0 {
				s.addSettlement(c, int8(at))
			} else {
				s.addCity(c, int8(at))
			}
		}
	}
	for k, p := range roads {
		if p < 0 || p >= pathCount || s.laid.has(int8(p)) {
			return kit.BadGiven(fmt.Sprintf("%s.roads[%d]", path, k), p, "taken")
		}
		s.addRoad(c, int8(p))
	}
	for _, x := range []struct {
		key  string
		list []int
		left int
		all  int
	}{{"roads", roads, int(s.roadsLeft(c)), 15}, {"settlements", settlements, int(s.settlementsLeft(c)), 5}, {"cities", cities, int(s.citiesLeft(c)), 4}} {
		if x.left < 0 {
			return kit.BadGiven(path+"."+x.key, x.list, "pieces", "n", x.all)
		}
	}
	return nil
}

func (s *State) arrangeCards(v *Position) error {
	seats, err := s.playerSeats(v)
	if err != nil {
		return err
	}
	for i, c := range seats {
		p := &v.Players[i]
		if p.Hand != nil {
			s.hand[c] = Hand(*p.Hand)
		}
		if p.Cards != nil {
			s.cards[c] = Cards(*p.Cards)
		}
		if p.Fresh != nil {
			s.fresh[c] = Cards(*p.Fresh)
		}
		if p.Spent != nil {
			s.spent[c] = Cards(*p.Spent)
		}
		s.knights[c] = clip(p.Knights)
		s.owes[c] = clip(p.Owes)
		s.size[c] = int8(s.hand[c].Len())
		if int(s.owes[c]) > s.hand[c].Len() {
			return kit.BadGiven(playerPath(i, "owes"), p.Owes, "owes")
		}
		for k := range s.fresh[c] {
			if s.fresh[c][k] > s.cards[c][k] {
				return kit.BadGiven(playerPath(i, "fresh"), p.Fresh, "fresh")
			}
		}
		if p.Tokens != nil {
			if !s.two() {
				return kit.BadGiven(playerPath(i, "tokens"), *p.Tokens, "only-two")
			}
			s.tokens[c] = clip(*p.Tokens)
		}
	}
	if s.two() && s.tokensLeft() < 0 {
		return kit.BadGiven("players.tokens", int(s.tokens[0])+int(s.tokens[1]), "tokens")
	}
	return s.arrangeBank(v)
}

// clip keeps a count small enough for what follows; anything out of bounds is refused there.
func clip(n int) int8 {
	return int8(max(0, min(n, 100)))
}

// arrangeBank leaves in the bank and the deck what nobody holds, or what is said; there are
// never more cards than the box has.
func (s *State) arrangeBank(v *Position) error {
	var out [kinds]int
	var gone [cardKinds]int
	for c := range s.seats {
		for r := range out {
			out[r] += int(s.hand[c][r])
		}
		gone[Knight] += int(s.knights[c])
		for k := range gone {
			gone[k] += int(s.cards[c][k]) + int(s.spent[c][k])
		}
	}
	for r := range out {
		rest := cardsOfKind - out[r]
		if v.Bank != nil {
			rest = min(rest, int(v.Bank[r]))
			if rest < int(v.Bank[r]) {
				return kit.BadGiven("bank."+Resource(r).String(), int(v.Bank[r]), "cards", "n", cardsOfKind)
			}
		}
		if rest < 0 {
			return kit.BadGiven("players.hand."+Resource(r).String(), out[r], "cards", "n", cardsOfKind)
		}
		s.bank[r] = int8(rest)
	}
	for k := range gone {
		rest := int(fullDeck[k]) - gone[k]
		if v.DeckCards != nil && rest >= 0 {
			if int(v.DeckCards[k]) > rest {
				return kit.BadGiven("deck_cards."+Card(k).String(), int(v.DeckCards[k]), "deck-card", "n", rest)
			}
			rest = int(v.DeckCards[k])
		}
		if rest < 0 {
			return kit.BadGiven("players.cards."+Card(k).String(), gone[k], "cards", "n", int(fullDeck[k]))
		}
		s.deck[k] = int8(rest)
	}
	if v.Deck != nil && *v.Deck == 0 && v.DeckCards == nil {
		s.deck = Cards{}
	} else if v.Deck != nil && *v.Deck != s.deck.Len() {
		return kit.BadGiven("deck", *v.Deck, "deck", "n", s.deck.Len())
	}
	return nil
}
