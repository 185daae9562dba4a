package rules

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// arrange sets a fresh state up as a position says, and refuses what cannot be.
func arrange(s *state.State, v *state.Position) error {
	if err := arrangePieces(s, v); err != nil {
		return err
	}
	if err := arrangeCards(s, v); err != nil {
		return err
	}
	if err := arrangeTurn(s, v); err != nil {
		return err
	}
	s.Length = AllLengths(s)
	s.Longest = longestHolder(s.Length, state.NoColour)
	s.Army = armyHolder(s.Knights, state.NoColour)
	if err := arrangeHolder(s, v.Longest, &s.Longest, s.Length, 5, "longest"); err != nil {
		return err
	}
	if err := arrangeHolder(s, v.Army, &s.Army, s.Knights, 3, "army"); err != nil {
		return err
	}
	if err := arrangeOffers(s, v); err != nil {
		return err
	}
	if s.Phase != state.PhaseFound && s.Phase != state.PhaseOver && s.Points(s.Active) >= int(s.Rules.Target) {
		s.Phase, s.Winner = state.PhaseOver, s.Active
		s.DueRoads, s.DueHomes = 0, 0
		s.Offers = [state.MaxColours]state.Offer{}
	}
	return arrangeRest(s, v)
}

// arrangeRest refuses what does not belong to the phase or follows otherwise from the rest.
func arrangeRest(s *state.State, v *state.Position) error {
	switch {
	case v.Winner != "" && (s.Phase != state.PhaseOver || !strings.EqualFold(v.Winner, state.Letter(s.Winner))):
		return kit.BadGiven("winner", v.Winner, "not-won")
	case v.Back != "" && s.Phase != state.PhaseNeutral && s.Phase != state.PhaseGive && s.Phase != state.PhaseOver:
		return kit.BadGiven("back", v.Back, "back")
	case v.Due != nil && s.Phase == state.PhaseFound:
		return kit.BadGiven("due", v.Due, "due")
	case v.Supply != nil && !s.Two():
		return kit.BadGiven("supply", *v.Supply, "only-two")
	case v.Supply != nil && *v.Supply != int(s.TokensLeft()):
		return kit.BadGiven("supply", *v.Supply, "supply", "n", int(s.TokensLeft()))
	case v.Still > 0 && (!StandsStill(s) || v.Still > int(s.Seats) || v.Still == int(s.Seats) && s.Phase != state.PhaseOver):
		return kit.BadGiven("still", v.Still, "still")
	}
	return nil
}

func arrangeHolder(s *state.State, word *string, holder *int8, count [state.MaxColours]int8, least int8, what string) error {
	if word == nil {
		return nil
	}
	if *word == "" {
		*holder = state.NoColour
		return nil
	}
	c, ok := s.ColourNamed(*word)
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

func seatNamed(s *state.State, word string) (int8, bool) {
	c, ok := s.ColourNamed(word)
	return c, ok && c < s.Seats
}

// playerSeats are the seats of the players given, in their order: each its own, or the next.
func playerSeats(s *state.State, v *state.Position) ([]int8, error) {
	var list []int8
	var seen state.SeatSet
	for i := range v.Players {
		c := int8(i)
		if w := v.Players[i].Seat; w != "" {
			c, _ = seatNamed(s, w)
		}
		if seen.Has(c) {
			return nil, kit.BadGiven(playerPath(i, "seat"), state.Letter(c), "seat-twice")
		}
		seen = seen.With(c)
		list = append(list, c)
	}
	return list, nil
}

func arrangePieces(s *state.State, v *state.Position) error {
	seats, err := playerSeats(s, v)
	if err != nil {
		return err
	}
	for i, c := range seats {
		p := &v.Players[i]
		if err := arrangeColour(s, c, fmt.Sprintf("players[%d]", i), p.Roads, p.Settlements, p.Cities); err != nil {
			return err
		}
	}
	return arrangeNeutrals(s, v)
}

// arrangeNeutrals places the neutrals of Catan for two: as given, or where they always begin.
func arrangeNeutrals(s *state.State, v *state.Position) error {
	if !s.Two() {
		if len(v.Neutrals) > 0 {
			return kit.BadGiven("neutrals", v.Neutrals, "only-two")
		}
		return nil
	}
	var seen state.SeatSet
	for i, n := range v.Neutrals {
		c := int8(i) + 2
		if n.Name != "" {
			c, _ = s.ColourNamed(n.Name)
		}
		if seen.Has(c) {
			return kit.BadGiven(fmt.Sprintf("neutrals[%d].name", i), s.ColourWord(c), "twice")
		}
		seen = seen.With(c)
		if err := arrangeColour(s, c, fmt.Sprintf("neutrals[%d]", i), n.Roads, n.Settlements, nil); err != nil {
			return err
		}
	}
	for i, at := range table.Isle.Neutral {
		c := int8(i) + 2
		if seen.Has(c) {
			continue
		}
		if s.Shut>>at&1 != 0 {
			return kit.BadGiven("neutrals", v.Neutrals, "neutral-place")
		}
		s.AddSettlement(c, at)
	}
	return nil
}

func arrangeColour(s *state.State, c int8, path string, roads, settlements, cities []int) error {
	for i, list := range [][]int{settlements, cities} {
		for k, at := range list {
			if at < 0 || at >= table.CornerCount || s.Shut>>at&1 != 0 {
				return kit.BadGiven(fmt.Sprintf("%s.%s[%d]", path, [2]string{"settlements", "cities"}[i], k), at, "taken")
			}
			if i == 0 {
				s.AddSettlement(c, int8(at))
			} else {
				s.AddCity(c, int8(at))
			}
		}
	}
	for k, p := range roads {
		if p < 0 || p >= table.PathCount || s.Laid.Has(int8(p)) {
			return kit.BadGiven(fmt.Sprintf("%s.roads[%d]", path, k), p, "taken")
		}
		s.AddRoad(c, int8(p))
	}
	for _, x := range []struct {
		key  string
		list []int
		left int
		all  int
	}{{"roads", roads, int(s.RoadsLeft(c)), 15}, {"settlements", settlements, int(s.SettlementsLeft(c)), 5}, {"cities", cities, int(s.CitiesLeft(c)), 4}} {
		if x.left < 0 {
			return kit.BadGiven(path+"."+x.key, x.list, "pieces", "n", x.all)
		}
	}
	return nil
}

func arrangeCards(s *state.State, v *state.Position) error {
	seats, err := playerSeats(s, v)
	if err != nil {
		return err
	}
	for i, c := range seats {
		p := &v.Players[i]
		if p.Hand != nil {
			s.Hand[c] = table.Hand(*p.Hand)
		}
		if p.Cards != nil {
			s.Cards[c] = table.Cards(*p.Cards)
		}
		if p.Fresh != nil {
			s.Fresh[c] = table.Cards(*p.Fresh)
		}
		if p.Spent != nil {
			s.Spent[c] = table.Cards(*p.Spent)
		}
		s.Knights[c] = state.Clip(p.Knights)
		s.Owes[c] = state.Clip(p.Owes)
		s.Size[c] = int8(s.Hand[c].Len())
		if int(s.Owes[c]) > s.Hand[c].Len() {
			return kit.BadGiven(playerPath(i, "owes"), p.Owes, "owes")
		}
		for k := range s.Fresh[c] {
			if s.Fresh[c][k] > s.Cards[c][k] {
				return kit.BadGiven(playerPath(i, "fresh"), p.Fresh, "fresh")
			}
		}
		if p.Tokens != nil {
			if !s.Two() {
				return kit.BadGiven(playerPath(i, "tokens"), *p.Tokens, "only-two")
			}
			s.Tokens[c] = state.Clip(*p.Tokens)
		}
	}
	if s.Two() && s.TokensLeft() < 0 {
		return kit.BadGiven("players.tokens", int(s.Tokens[0])+int(s.Tokens[1]), "tokens")
	}
	return arrangeBank(s, v)
}

// arrangeBank leaves in the bank and the deck what nobody holds, or what is said; there are
// never more cards than the box has.
func arrangeBank(s *state.State, v *state.Position) error {
	var out [table.Kinds]int
	var gone [table.CardKinds]int
	for c := range s.Seats {
		for r := range out {
			out[r] += int(s.Hand[c][r])
		}
		gone[table.Knight] += int(s.Knights[c])
		for k := range gone {
			gone[k] += int(s.Cards[c][k]) + int(s.Spent[c][k])
		}
	}
	for r := range out {
		rest := table.CardsOfKind - out[r]
		if v.Bank != nil {
			rest = min(rest, int(v.Bank[r]))
			if rest < int(v.Bank[r]) {
				return kit.BadGiven("bank."+table.Resource(r).String(), int(v.Bank[r]), "cards", "n", table.CardsOfKind)
			}
		}
		if rest < 0 {
			return kit.BadGiven("players.hand."+table.Resource(r).String(), out[r], "cards", "n", table.CardsOfKind)
		}
		s.Bank[r] = int8(rest)
	}
	for k := range gone {
		rest := int(table.FullDeck[k]) - gone[k]
		if v.DeckCards != nil && rest >= 0 {
			if int(v.DeckCards[k]) > rest {
				return kit.BadGiven("deck_cards."+table.Card(k).String(), int(v.DeckCards[k]), "deck-card", "n", rest)
			}
			rest = int(v.DeckCards[k])
		}
		if rest < 0 {
			return kit.BadGiven("players.cards."+table.Card(k).String(), gone[k], "cards", "n", int(table.FullDeck[k]))
		}
		s.Deck[k] = int8(rest)
	}
	if v.Deck != nil && *v.Deck == 0 && v.DeckCards == nil {
		s.Deck = table.Cards{}
	} else if v.Deck != nil && *v.Deck != s.Deck.Len() {
		return kit.BadGiven("deck", *v.Deck, "deck", "n", s.Deck.Len())
	}
	return nil
}

// playerPath is where something of a player stands in a position.
func playerPath(i int, key string) string { return "players[" + strconv.Itoa(i) + "]." + key }
