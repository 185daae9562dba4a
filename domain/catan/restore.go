package catan

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
	s.offerNumber, s.still = int32(v.OfferCount), int8(v.Still)
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
