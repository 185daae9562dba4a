package catan

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"posthorn/domain"
)

func readGiven(raw json.RawMessage) (*View, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var v View
	if err := dec.Decode(&v); err != nil {
		return nil, domain.Refuse("given-bad", "text", err.Error())
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, domain.Refuse("given-bad", "text", "more than one value")
	}
	return &v, nil
}

func badGiven(text string) error { return domain.Refuse("given-bad", "text", text) }

// arrange sets a fresh state up as a position says, and refuses what cannot be.
func (s *State) arrange(v *View) error {
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
		return badGiven(what)
	}
	for _, n := range count {
		if n > count[c] {
			return badGiven(what)
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

func (s *State) arrangePieces(v *View) error {
	if len(v.Players) > int(s.seats) {
		return badGiven("players")
	}
	for i := range v.Players {
		p := &v.Players[i]
		c := int8(i)
		if p.Seat != "" {
			var ok bool
			if c, ok = s.seatNamed(p.Seat); !ok {
				return badGiven("seat " + p.Seat)
			}
		}
		if err := s.arrangeColour(c, p.Roads, p.Settlements, p.Cities); err != nil {
			return err
		}
	}
	if len(v.Neutrals) > 0 && !s.two() || len(v.Neutrals) > 2 {
		return badGiven("neutrals")
	}
	for i, n := range v.Neutrals {
		c := int8(i) + 2
		if n.Name != "" {
			var ok bool
			if c, ok = s.colourNamed(n.Name); !ok || c < s.seats {
				return badGiven("neutral " + n.Name)
			}
		}
		if err := s.arrangeColour(c, n.Roads, n.Settlements, nil); err != nil {
			return err
		}
	}
	if s.two() && v.Neutrals == nil {
		for i, at := range isle.neutral {
			if s.shut>>at&1 == 0 {
				s.addSettlement(int8(i)+2, at)
			}
		}
	}
	return nil
}

func (s *State) arrangeColour(c int8, roads, settlements, cities []int) error {
	for i, list := range [][]int{settlements, cities} {
		for _, at := range list {
			if at < 0 || at >= cornerCount || s.shut>>at&1 != 0 {
				return domain.Refuse("given-place", "at", at)
			}
			if i == 0 {
				s.addSettlement(c, int8(at))
			} else {
				s.addCity(c, int8(at))
			}
		}
	}
	for _, p := range roads {
		if p < 0 || p >= pathCount || s.laid.has(int8(p)) {
			return domain.Refuse("given-place", "at", p)
		}
		s.addRoad(c, int8(p))
	}
	if s.roadsLeft(c) < 0 || s.settlementsLeft(c) < 0 || s.citiesLeft(c) < 0 {
		return badGiven("too many pieces of " + s.colourWord(c))
	}
	return nil
}

func (s *State) arrangeCards(v *View) error {
	for i := range v.Players {
		p := &v.Players[i]
		c := int8(i)
		if p.Seat != "" {
			c, _ = s.seatNamed(p.Seat)
		}
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
			return badGiven("owes")
		}
		for k := range s.fresh[c] {
			if s.fresh[c][k] > s.cards[c][k] {
				return badGiven("fresh cards that are not held")
			}
		}
		if p.Tokens != nil {
			if !s.two() {
				return badGiven("tokens")
			}
			s.tokens[c] = clip(*p.Tokens)
		}
	}
	if s.two() && s.tokensLeft() < 0 {
		return badGiven("more than 20 tokens")
	}
	return s.arrangeBank(v)
}

// clip keeps a count small enough for what follows; anything out of bounds is refused there.
func clip(n int) int8 {
	return int8(max(0, min(n, 100)))
}

// arrangeBank leaves in the bank and the deck what nobody holds, or what is said; there are
// never more cards than the box has.
func (s *State) arrangeBank(v *View) error {
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
				return badGiven("more than 19 cards of " + Resource(r).String())
			}
		}
		if rest < 0 {
			return badGiven("more than 19 cards of " + Resource(r).String())
		}
		s.bank[r] = int8(rest)
	}
	for k := range gone {
		rest := int(fullDeck[k]) - gone[k]
		if v.DeckCards != nil && int(v.DeckCards[k]) <= rest {
			rest = int(v.DeckCards[k])
		} else if v.DeckCards != nil {
			rest = -1
		}
		if rest < 0 {
			return badGiven("too many cards: " + Card(k).String())
		}
		s.deck[k] = int8(rest)
	}
	if v.Deck != nil && *v.Deck == 0 && v.DeckCards == nil {
		s.deck = Cards{}
	} else if v.Deck != nil && *v.Deck != s.deck.Len() {
		return badGiven("deck")
	}
	return nil
}
