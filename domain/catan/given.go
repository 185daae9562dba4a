package catan

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"posthorn/domain"
)

// setup makes a line's first event: the board, and whatever stands on it at the start.
func setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	var given *View
	if len(g.Given) > 0 {
		v, err := readGiven(g.Given)
		if err != nil {
			return domain.Event{}, err
		}
		given = v
	}
	body := &SetUp{Choices: g.Choices, Seats: g.Seats, First: g.First}
	if given != nil && given.Board != nil {
		body.Board = *given.Board
	} else {
		body.Board = makeBoard(g.Choices, luck)
	}
	s := newGame(body.Board, g.Choices, g.Seats, g.First)
	e := domain.Event{Type: typeSetup, Seat: domain.Nobody, Body: body}
	switch {
	case given != nil:
		if err := s.arrange(given); err != nil {
			return domain.Event{}, err
		}
		body.Given, e.Secrets = s.view(domain.Spectator), s.held()
	case g.Choices["founding"] == "beginner" && !s.two():
		s.foundBeginner()
		body.Given, e.Secrets = s.view(domain.Spectator), s.held()
	case s.two():
		s.placeNeutrals()
		body.Given = s.view(domain.Spectator)
	}
	return e, nil
}

// placeNeutrals puts one settlement of each neutral on its intersection (Catan for two, 2 and 3).
func (s *State) placeNeutrals() {
	for i, at := range isle.neutral {
		s.addSettlement(int8(i)+2, at)
	}
}

// foundBeginner founds as the printed starting positions say (11); with three players the
// last position is left out. The second settlement pays.
func (s *State) foundBeginner() {
	for c := range s.seats {
		for i, x := range isle.founding[c] {
			s.addSettlement(c, x[0])
			s.addRoad(c, x[1])
			if i == 0 {
				continue
			}
			for _, h := range isle.hexesAt[x[0]] {
				if t := s.board.Terrain[h]; t != Desert {
					s.hand[c][t]++
					s.bank[t]--
				}
			}
		}
		s.size[c] = int8(s.hand[c].Len())
	}
	s.length = s.allLengths()
	s.founded, s.phase, s.turn = 2*s.seats, PhaseRoll, 1
}

// held is everything hidden, as the secret parts of a deal.
func (s *State) held() []domain.Secret {
	list := make([]domain.Secret, 0, s.seats+1)
	for c := range s.seats {
		seat := domain.Seat(c)
		list = append(list, domain.Secret{
			To: domain.To(seat), Body: &Held{Seat: seat, Hand: s.hand[c], Cards: s.cards[c], Fresh: s.fresh[c]},
		})
	}
	return append(list, domain.Secret{Body: &Held{Seat: domain.Nobody, Cards: s.deck}})
}

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

func (s *State) arrangeTurn(v *View) error {
	if v.Target != 0 && v.Target != int(s.rules.target) {
		return badGiven("target: it is the option points")
	}
	if v.Robber != nil {
		if *v.Robber < 0 || *v.Robber >= hexCount {
			return badGiven("robber")
		}
		s.robber = int8(*v.Robber)
	}
	for _, x := range []struct {
		word string
		to   *int8
	}{{v.First, &s.first}, {v.Active, &s.active}} {
		if x.word == "" {
			continue
		}
		c, ok := s.seatNamed(x.word)
		if !ok {
			return badGiven("seat " + x.word)
		}
		*x.to = c
	}
	return s.arrangePhase(v)
}

func (s *State) arrangePhase(v *View) error {
	s.phase = s.usualPhase()
	if v.Phase != "" {
		if s.phase = phaseNamed(v.Phase); s.phase < 0 {
			return badGiven("phase " + v.Phase)
		}
	}
	s.stint = int32(max(1, min(v.Stint, 1<<30)))
	s.rolls = clip(v.Rolls)
	if v.Rolls == 0 && s.phase > PhaseRoll && v.Back != PhaseRoll.String() {
		s.rolls = s.allRolls()
	}
	if s.rolls > s.allRolls() || len(v.Dice) > 2 || s.phase == PhaseRoll && s.rolls >= s.allRolls() {
		return badGiven("rolls")
	}
	for i, d := range v.Dice {
		if d[0] < 1 || d[0] > 6 || d[1] < 1 || d[1] > 6 {
			return badGiven("dice")
		}
		s.dice[i] = d
	}
	s.turn = int16(max(0, min(v.Turn, 1<<14)))
	s.cardPlayed, s.tokenUsed, s.refilled, s.built = v.CardPlayed, v.TokenUsed, v.Refilled, v.Built
	if s.phase == PhaseFound {
		return s.arrangeFounding(v)
	}
	s.founded = 2 * s.seats
	s.turn = max(s.turn, 1)
	return s.arrangeDuties(v)
}

func (s *State) allRolls() int8 {
	if s.two() {
		return 2
	}
	return 1
}

// usualPhase is the phase of a position that does not say: the founding while none of the
// seats has a piece, else before the roll, or the discards if any are owed.
func (s *State) usualPhase() Phase {
	phase := PhaseFound
	for c := range s.seats {
		if s.owes[c] > 0 {
			return PhaseDiscard
		}
		if s.buildings(c) != 0 || !s.roads[c].empty() || s.hand[c] != (Hand{}) || s.cards[c] != (Cards{}) {
			phase = PhaseRoll
		}
	}
	return phase
}

func (s *State) arrangeFounding(v *View) error {
	placed := 0
	for c := range s.seats {
		placed += bitCount(s.settlements[c])
	}
	if placed >= 2*int(s.seats) || v.Founded != 0 && v.Founded != placed {
		return badGiven("founded")
	}
	s.founded, s.turn, s.rolls = int8(placed), 0, 0
	s.active = s.founder(s.founded)
	if ^s.shut&(1<<cornerCount-1) == 0 {
		return badGiven("no place is left to found")
	}
	return nil
}

func (s *State) arrangeDuties(v *View) error {
	if s.phase == PhaseDiscard && s.owes == ([maxColours]int8{}) {
		for c := range s.seats {
			s.owes[c] = owed(s.size[c])
		}
	}
	owing := false
	for c := range s.seats {
		owing = owing || s.owes[c] > 0
	}
	if owing != (s.phase == PhaseDiscard) {
		return badGiven("owes")
	}
	if v.Due != nil {
		s.dueRoads, s.dueHomes = clip(v.Due.Roads), clip(v.Due.Settlements)
	}
	s.back = PhaseMain
	if v.Back != "" {
		if s.back = phaseNamed(v.Back); s.back != PhaseMain && s.back != PhaseRoll {
			return badGiven("back " + v.Back)
		}
	}
	due := s.dueRoads+s.dueHomes > 0
	switch {
	case due != (s.phase == PhaseNeutral) || due && (!s.two() || s.dueRoads > 2 || s.dueHomes > 1):
		return badGiven("due")
	case due && len(s.neutralChoices()) == 0:
		return badGiven("due")
	case s.phase == PhaseGive && (!s.two() || s.size[s.active] < 2):
		return badGiven("phase give")
	case s.phase == PhaseOver:
		c, ok := s.seatNamed(v.Winner)
		if !ok {
			return badGiven("winner")
		}
		s.winner = c
	}
	return nil
}

func (s *State) arrangeOffers(v *View) error {
	s.offerNumber = int32(max(0, min(v.OfferCount, 1<<30)))
	for _, x := range v.Offers {
		by, ok := s.seatNamed(x.By)
		if !ok || x.Give == nil || x.Want == nil || s.offers[by].Open || s.phase != PhaseMain && s.phase != PhaseNeutral {
			return badGiven("offers")
		}
		o := Offer{Open: true, Give: Hand(*x.Give), Want: Hand(*x.Want), Ask: x.Ask, Number: int32(max(0, min(x.Number, 1<<30)))}
		if o.Number == 0 {
			o.Number = s.offerNumber + 1
		}
		s.offerNumber = max(s.offerNumber, o.Number)
		for _, set := range []struct {
			words []string
			to    *seatSet
		}{{x.To, &o.To}, {x.Yes, &o.Yes}, {x.No, &o.No}} {
			for _, w := range set.words {
				c, ok := s.seatNamed(w)
				if !ok || c == by {
					return badGiven("offers")
				}
				*set.to = set.to.with(c)
			}
		}
		if !s.offerStands(by, &o) {
			return badGiven("offers")
		}
		s.offers[by] = o
	}
	return nil
}

// offerStands tells whether an open offer could have come about: its maker holds what it
// gives, those who would take it hold what it wants, and it is open to somebody.
func (s *State) offerStands(by int8, o *Offer) bool {
	if !s.hand[by].Covers(o.Give) || o.Give == (Hand{}) || o.Want == (Hand{}) || o.To == 0 || (o.Yes|o.No)&^o.To != 0 || o.Yes&o.No != 0 {
		return false
	}
	for r := range o.Give {
		if o.Give[r] > 0 && o.Want[r] > 0 {
			return false
		}
	}
	if by != s.active {
		return o.To == seatSet(0).with(s.active) && o.Yes == 0 && o.No == 0 && !o.Ask
	}
	for c := range s.seats {
		if o.Yes.has(c) && !s.hand[c].Covers(o.Want) {
			return false
		}
	}
	return o.To != o.No && (o.Ask || o.Yes == 0)
}

// onto applies the public part of a position that was judged before: what the set-up event
// carries. It runs no rules.
func (v *View) onto(s *State) {
	for i := range v.Players {
		p, c := &v.Players[i], int8(i)
		s.stand(c, p.Roads, p.Settlements, p.Cities)
		s.knights[c], s.length[c], s.owes[c] = clip(p.Knights), clip(p.RoadLength), clip(p.Owes)
		if p.Spent != nil {
			s.spent[c] = Cards(*p.Spent)
		}
		if p.Tokens != nil {
			s.tokens[c&1] = clip(*p.Tokens)
		}
	}
	for i, n := range v.Neutrals {
		s.stand(int8(i)+2, n.Roads, n.Settlements, nil)
		s.length[i+2] = clip(n.RoadLength)
	}
	if v.Bank != nil {
		s.bank = Hand(*v.Bank)
	}
	if v.Robber != nil {
		s.robber = int8(*v.Robber)
	}
	s.ontoTurn(v)
}

func (s *State) stand(c int8, roads, settlements, cities []int) {
	for _, at := range settlements {
		s.addSettlement(c, int8(at))
	}
	for _, at := range cities {
		s.addCity(c, int8(at))
	}
	for _, p := range roads {
		s.addRoad(c, int8(p))
	}
}

func (s *State) ontoTurn(v *View) {
	named := func(word *string) int8 {
		if word != nil && *word != "" {
			if c, ok := s.colourNamed(*word); ok {
				return c
			}
		}
		return noColour
	}
	s.phase, s.back = phaseNamed(v.Phase), PhaseMain
	if v.Back != "" {
		s.back = phaseNamed(v.Back)
	}
	s.first, s.active, s.winner = named(&v.First), named(&v.Active), named(&v.Winner)
	s.longest, s.army = named(v.Longest), named(v.Army)
	s.turn, s.stint, s.founded, s.rolls = int16(v.Turn), int32(v.Stint), int8(v.Founded), int8(v.Rolls)
	copy(s.dice[:], v.Dice)
	s.cardPlayed, s.tokenUsed, s.refilled, s.built = v.CardPlayed, v.TokenUsed, v.Refilled, v.Built
	if v.Due != nil {
		s.dueRoads, s.dueHomes = int8(v.Due.Roads), int8(v.Due.Settlements)
	}
	s.offerNumber = int32(v.OfferCount)
	set := func(words []string) (all seatSet) {
		for _, w := range words {
			if c := named(&w); c >= 0 {
				all = all.with(c)
			}
		}
		return all
	}
	for _, x := range v.Offers {
		if by := named(&x.By); by >= 0 {
			s.offers[by] = Offer{
				Open: true, Number: int32(x.Number), Give: Hand(*x.Give), Want: Hand(*x.Want),
				To: set(x.To), Yes: set(x.Yes), No: set(x.No), Ask: x.Ask,
			}
		}
	}
}
