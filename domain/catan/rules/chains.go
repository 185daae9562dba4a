package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Chains returns buying a card as the last move of a turn, since it cannot be played in that turn anyway, and neutral
// building that is in nobody's way: on its own, and as the last move of the turn.
func (*Room) Chains(s *state.State, seat domain.Seat) (list []domain.Chain) {
	if int8(seat) != s.Active {
		return nil
	}
	end := state.NewMove(state.KindEnd)
	switch s.Phase {
	case state.PhaseMain:
		if s.Hand[s.Active].Covers(table.CardCost) && s.Deck != (table.Cards{}) {
			list = append(list, domain.Chain{Moves: []domain.Move{state.NewMove(state.KindBuy), end},
				Label: domain.S("chain.buy-end"), Title: domain.S("chain.buy-end.title")})
		}
	case state.PhaseNeutral:
		m, ok := aside(s)
		if !ok {
			return nil
		}
		where := domain.S("chain.aside.title", "pieces", piecesSay(m.Neutral))
		list = append(list, domain.Chain{Moves: []domain.Move{m}, Label: domain.S("chain.aside"), Title: where})
		if s.DueRoads+s.DueHomes == 1 && s.Back == state.PhaseMain {
			list = append(list, domain.Chain{Moves: []domain.Move{m, end}, Label: domain.S("chain.aside-end"),
				Title: domain.S("chain.aside-end.title", "pieces", piecesSay(m.Neutral))})
		}
	}
	return list
}

// aside returns the first way to meet the duty to the neutrals that is in nobody's way: no player's road or building is
// at its place or, for a settlement, next to it.
func aside(s *state.State) (m state.Move, ok bool) {
	var near uint64 // intersections that a player's roads or buildings touch
	for c := range s.Seats {
		near |= s.Reach[c] | s.Buildings(c)
	}
	for _, p := range NeutralChoices(s) {
		clear := true
		for _, x := range p {
			switch x.Sort {
			case state.RoadPiece:
				clear = clear && near&table.EndsOf(x.At) == 0
			case state.SettlementPiece:
				for _, path := range table.Isle.PathList[x.At] {
					clear = clear && near&table.EndsOf(path) == 0
				}
			}
		}
		if clear {
			m = state.NewMove(state.KindNeutral)
			m.Neutral = p
			return m, true
		}
	}
	return m, false
}

// piecesSay says what the neutrals build.
func piecesSay(p [2]state.NeutralPiece) (list []domain.Say) {
	for i, x := range p {
		switch x.Sort {
		case state.RoadPiece:
			list = append(list, domain.S("step.neutral-road", "letter", table.NeutralLetters[i], "at", int(x.At)))
		case state.SettlementPiece:
			list = append(list, domain.S("step.neutral-settle", "letter", table.NeutralLetters[i], "at", int(x.At)))
		}
	}
	return list
}
