package rules

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// arrange sets a fresh state up as a position says, and refuses what is impossible. It puts the position's players and
// neutrals in order.
func arrange(s *state.State, v *state.Position) error {
	from, err := arrangePieces(s, v)
	if err != nil {
		return err
	}
	v.Onto(s)
	if err := arrangeCards(s, v, from); err != nil {
		return err
	}
	for _, arrange := range []func(*state.State, *state.Position) error{arrangeBank, arrangePhase, arrangeHolders,
		arrangeOffers} {
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

// arrangeRest refuses what does not belong to the phase or contradicts the rest.
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
	case v.Still > 0 && (!StandsStill(s) || v.Still > int(s.Seats) || v.Still == int(s.Seats) &&
		s.Phase != state.PhaseOver):
		return kit.BadGiven("still", v.Still, "still")
	}
	return nil
}

// arrangeHolders gives the special cards to the seats with the highest counts or, among equals for the longest road or
// the most knights, to the named one.
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

// entries holds, by colour, which entry of a list is about it, or -1.
type entries [state.MaxColours]int

// inOrder sorts the entries about the colours from first to before end: each at its own place, or the next.
func inOrder[T any](s *state.State, list []T, first, end int8, path, why string, word func(T) string) ([]T, entries,
	error) {
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
	v.Players, from, err = inOrder(s, v.Players, 0, s.Seats, "players[%d].seat", "seat-twice",
		func(p state.PlayerView) string { return p.Seat })
	if err != nil {
		return from, err
	}
	for c, p := range v.Players {
		if err := stand(s, int8(c), fmt.Sprintf("players[%d].", from[c]), p.Roads, p.Settlements,
			p.Cities); err != nil {
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

// arrangeNeutrals places the neutrals of Catan for two: as given, or where they always start.
func arrangeNeutrals(s *state.State, v *state.Position) error {
	list, from, err := inOrder(s, v.Neutrals, s.Seats, s.Colours, "neutrals[%d].name", "twice",
		func(n state.NeutralView) string { return n.Name })
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

// stand puts a colour's pieces on the board or refuses them.
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

// arrangeBank leaves in the bank and the deck what nobody holds, or what the position says; there are never more cards
// than in the box.
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

func arrangePhase(s *state.State, v *state.Position) error {
	if v.Phase == "" {
		s.Phase = usualPhase(s)
	}
	all := int8(1)
	if s.Two() {
		all = 2
	}
	if v.Rolls == 0 && s.Phase > state.PhaseRoll && s.Phase != state.PhaseOver && v.Back != state.PhaseRoll.String() {
		s.Rolls = all
	}
	switch {
	case v.Target != 0 && v.Target != int(s.Rules.Target):
		return kit.BadGiven("target", v.Target, "option", "option", "points")
	case v.Friendly && !s.Rules.Friendly:
		return kit.BadGiven("friendly", true, "option", "option", "friendly-robber")
	case s.Rolls > all || s.Phase == state.PhaseRoll && s.Rolls >= all:
		return kit.BadGiven("rolls", v.Rolls, "rolls")
	case len(v.Dice) > int(all):
		return kit.BadGiven(fmt.Sprintf("dice[%d]", all), v.Dice[all], "long", "most", int(all))
	}
	for i, d := range v.Dice {
		if d[0] == 0 || d[1] == 0 {
			return kit.BadGiven(fmt.Sprintf("dice[%d]", i), d, "number", "least", 1, "most", 6)
		}
	}
	s.Stint = max(s.Stint, 1)
	if s.Phase == state.PhaseFound {
		return arrangeFounding(s, v)
	}
	s.Founded, s.Turn = 2*s.Seats, max(s.Turn, 1)
	return arrangeDuties(s, v)
}

// usualPhase returns the phase of a position that does not give one: the founding while no seat has a piece, otherwise
// before the roll, or the discards if any are owed.
func usualPhase(s *state.State) state.Phase {
	if owing(s) {
		return state.PhaseDiscard
	}
	for c := range s.Seats {
		if s.Buildings(c) != 0 || !s.Roads[c].Empty() || s.Hand[c] != (table.Hand{}) || s.Cards[c] != (table.Cards{}) {
			return state.PhaseRoll
		}
	}
	return state.PhaseFound
}

func owing(s *state.State) bool { return s.Owes != [state.MaxColours]int8{} }

func arrangeFounding(s *state.State, v *state.Position) error {
	placed := 0
	for c := range s.Seats {
		placed += table.BitCount(s.Settlements[c])
	}
	s.Founded, s.Turn, s.Rolls = int8(placed), 0, 0
	s.Active = s.Founder(s.Founded)
	switch {
	case placed >= 2*int(s.Seats) || v.Founded != 0 && v.Founded != placed:
		return kit.BadGiven("founded", v.Founded, "founded", "n", 2*int(s.Seats))
	case v.Active != "" && !strings.EqualFold(v.Active, state.Letter(s.Active)):
		return kit.BadGiven("active", v.Active, "founder", "letter", state.Letter(s.Active))
	case ^s.Shut&(1<<table.CornerCount-1) == 0:
		return kit.BadGiven("phase", s.Phase.String(), "full")
	}
	return nil
}

func arrangeDuties(s *state.State, v *state.Position) error {
	if s.Phase == state.PhaseDiscard && !owing(s) {
		for c := range s.Seats {
			s.Owes[c] = owed(s.Size[c])
		}
	}
	due := s.DueRoads+s.DueHomes > 0
	switch {
	case owing(s) != (s.Phase == state.PhaseDiscard):
		return kit.BadGiven("phase", s.Phase.String(), "owes")
	case due != (s.Phase == state.PhaseNeutral) || due &&
		(!s.Two() || s.DueRoads > 2 || s.DueHomes > 1 || len(NeutralChoices(s)) == 0):
		return kit.BadGiven("due", v.Due, "due")
	case s.Phase == state.PhaseGive && (!s.Two() || s.Size[s.Active] < 2):
		return kit.BadGiven("phase", v.Phase, "give")
	case s.Phase == state.PhaseOver && s.Winner == state.NoColour && s.Still < s.Seats:
		return kit.BadGiven("winner", v.Winner, "winner")
	}
	return nil
}

func arrangeOffers(s *state.State, v *state.Position) error {
	var seen state.SeatSet
	for i, x := range v.Offers {
		by := s.ColourNamed(x.By)
		if by < 0 || x.Give == nil || x.Want == nil || seen.Has(by) || s.Phase != state.PhaseMain &&
			s.Phase != state.PhaseNeutral || slices.Contains(slices.Concat(x.To, x.Yes, x.No), "") {
			return kit.BadGiven(fmt.Sprintf("offers[%d]", i), x.By, "offer")
		}
		seen = seen.With(by)
		o := &s.Offers[by]
		if o.Number == 0 {
			o.Number = s.OfferNumber + 1
		}
		s.OfferNumber = max(s.OfferNumber, o.Number)
		if !OfferStands(s, by, o) {
			return kit.BadGiven(fmt.Sprintf("offers[%d]", i), x.By, "offer")
		}
	}
	return nil
}

// OfferStands reports whether an open offer could have come about: its maker holds what it
// gives, those who would take it hold what it wants, and it is open to somebody.
func OfferStands(s *state.State, by int8, o *state.Offer) bool {
	if !s.Hand[by].Covers(o.Give) || o.Give == (table.Hand{}) || o.Want == (table.Hand{}) || o.To == 0 ||
		o.To.Has(by) ||
		(o.Yes|o.No)&^o.To != 0 || o.Yes&o.No != 0 || o.Give.Meets(o.Want) {
		return false
	}
	if by != s.Active {
		return o.To == state.SeatSet(0).With(s.Active) && o.Yes == 0 && o.No == 0 && !o.Ask
	}
	for c := range s.Seats {
		if o.Yes.Has(c) && !s.Hand[c].Covers(o.Want) {
			return false
		}
	}
	return o.To != o.No && (o.Ask || o.Yes == 0)
}
