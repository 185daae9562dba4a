package rules

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// arrange sets a fresh state up as a position says, and refuses what cannot be. It puts the position's
// players and neutrals in their order.
func arrange(s *state.State, v *state.Position) error {
	from, err := arrangePieces(s, v)
	if err != nil {
		return err
	}
	v.Onto(s)
	if err := arrangeCards(s, v, from); err != nil {
		return err
	}
	for _, arrange := range []func(*state.State, *state.Position) error{arrangeBank, arrangePhase, arrangeHolders, arrangeOffers} {
		if err := arrange(s, v); err != nil {
			return err
		}
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

// arrangeHolders gives the special cards to whom the counts do, or to those of the longest, or of the
// most knights, that are named.
func arrangeHolders(s *state.State, v *state.Position) error {
	s.Length = AllLengths(s)
	s.Longest, s.Army = leader(s.Length, state.NoColour, leastRoad), leader(s.Knights, state.NoColour, leastArmy)
	for _, x := range []struct {
		card   string
		word   *string
		holder *int8
		count  [state.MaxColours]int8
		least  int8
	}{{"longest", v.Longest, &s.Longest, s.Length, leastRoad}, {"army", v.Army, &s.Army, s.Knights, leastArmy}} {
		if x.word == nil {
			continue
		}
		*x.holder = s.ColourNamed(*x.word)
		if c := *x.holder; *x.word != "" && (c < 0 || x.count[c] < max(x.least, slices.Max(x.count[:]))) {
			return kit.BadGiven(x.card, *x.word, "holder", "n", int(x.least))
		}
	}
	return nil
}

// entries tells which entry of a list says something of a colour, or -1.
type entries [state.MaxColours]int

// inOrder puts what is said of the colours from first to before end in their order: each at its own place, or
// the next.
func inOrder[T any](s *state.State, list []T, first, end int8, path, why string, word func(T) string) ([]T, entries, error) {
	out, from := make([]T, end-first), entries{-1, -1, -1, -1}
	for i, x := range list {
		c := first + int8(i)
		if w := word(x); w != "" {
			c = s.ColourNamed(w)
		}
		if from[c] >= 0 {
			return nil, from, kit.BadGiven(fmt.Sprintf(path, i), s.ColourWord(c), why)
		}
		out[c-first], from[c] = x, i
	}
	return out, from, nil
}

func arrangePieces(s *state.State, v *state.Position) (from entries, err error) {
	v.Players, from, err = inOrder(s, v.Players, 0, s.Seats, "players[%d].seat", "seat-twice", func(p state.PlayerView) string { return p.Seat })
	if err != nil {
		return from, err
	}
	for c, p := range v.Players {
		if err := stand(s, int8(c), fmt.Sprintf("players[%d].", from[c]), p.Roads, p.Settlements, p.Cities); err != nil {
			return from, err
		}
	}
	if s.Two() {
		return from, arrangeNeutrals(s, v)
	}
	if len(v.Neutrals) > 0 {
		return from, kit.BadGiven("neutrals", v.Neutrals, "only-two")
	}
	return from, nil
}

// arrangeNeutrals places the neutrals of Catan for two: as given, or where they always begin.
func arrangeNeutrals(s *state.State, v *state.Position) error {
	list, from, err := inOrder(s, v.Neutrals, s.Seats, s.Colours, "neutrals[%d].name", "twice", func(n state.NeutralView) string { return n.Name })
	if err != nil {
		return err
	}
	for c := s.Seats; c < s.Colours; c++ {
		if n := list[c-s.Seats]; from[c] >= 0 {
			err = stand(s, c, fmt.Sprintf("neutrals[%d].", from[c]), n.Roads, n.Settlements, nil)
		}
		if err != nil {
			return err
		}
	}
	for i, at := range table.Isle.Neutral {
		if c := s.Seats + int8(i); from[c] >= 0 {
			continue
		} else if s.Shut>>at&1 != 0 {
			return kit.BadGiven("neutrals", v.Neutrals, "neutral-place")
		} else {
			s.Place(state.Piece{Colour: c, Sort: state.SettlementPiece, At: at})
		}
	}
	v.Neutrals = list
	return nil
}

// stand puts a colour's pieces on the board, or refuses them.
func stand(s *state.State, c int8, path string, roads, settlements, cities []int) error {
	list, k, at := s.Stand(c, roads, settlements, cities)
	switch {
	case list != "":
		return kit.BadGiven(fmt.Sprintf("%s%s[%d]", path, list, k), at, "taken")
	case s.RoadsLeft(c) < 0:
		return kit.BadGiven(path+"roads", roads, "pieces", "n", table.RoadPieces)
	case s.SettlementsLeft(c) < 0:
		return kit.BadGiven(path+"settlements", settlements, "pieces", "n", table.SettlementCount)
	case s.CitiesLeft(c) < 0:
		return kit.BadGiven(path+"cities", cities, "pieces", "n", table.CityCount)
	}
	return nil
}

func arrangeCards(s *state.State, v *state.Position, from entries) error {
	for c, p := range v.Players {
		path := fmt.Sprintf("players[%d].", from[c])
		switch {
		case int(s.Owes[c]) > s.Hand[c].Len():
			return kit.BadGiven(path+"owes", p.Owes, "owes")
		case !s.Cards[c].Covers(s.Fresh[c]):
			return kit.BadGiven(path+"fresh", p.Fresh, "fresh")
		case p.Tokens != nil && !s.Two():
			return kit.BadGiven(path+"tokens", *p.Tokens, "only-two")
		}
	}
	if s.Two() && s.TokensLeft() < 0 {
		return kit.BadGiven("players.tokens", int(s.Tokens[0])+int(s.Tokens[1]), "tokens")
	}
	return nil
}

// arrangeBank leaves in the bank and the deck what nobody holds, or what is said; there are
// never more cards than the box has.
func arrangeBank(s *state.State, v *state.Position) error {
	for r := range s.Bank {
		rest := table.CardsOfKind
		for _, h := range s.Hand {
			rest -= int(h[r])
		}
		word := table.ResourceWords[r]
		switch {
		case v.Bank != nil && int(v.Bank[r]) > rest:
			return kit.BadGiven("bank."+word, int(v.Bank[r]), "cards", "n", table.CardsOfKind)
		case v.Bank != nil:
			rest = int(v.Bank[r])
		case rest < 0:
			return kit.BadGiven("players.hand."+word, table.CardsOfKind-rest, "cards", "n", table.CardsOfKind)
		}
		s.Bank[r] = int8(rest)
	}
	for k, all := range table.FullDeck {
		rest := int(all)
		for c := range s.Seats {
			rest -= int(s.Cards[c][k]) + int(s.Spent[c][k])
			if table.Card(k) == table.Knight {
				rest -= int(s.Knights[c])
			}
		}
		word := table.CardWords[k]
		switch {
		case rest < 0:
			return kit.BadGiven("players.cards."+word, int(all)-rest, "cards", "n", int(all))
		case v.DeckCards != nil && int(v.DeckCards[k]) > rest:
			return kit.BadGiven("deck_cards."+word, int(v.DeckCards[k]), "deck-card", "n", rest)
		case v.DeckCards != nil:
			rest = int(v.DeckCards[k])
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
