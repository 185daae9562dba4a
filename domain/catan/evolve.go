package catan

import (
	"math/bits"

	"posthorn/domain"
)

// Evolve applies an event. It runs no rules: what an outcome says is done.
func (stateRoom) Evolve(s *State, e *domain.Event) {
	switch b := e.Body.(type) {
	case *Played:
		if e.Seat >= 0 && int8(e.Seat) < s.seats { // else the log was altered: nobody is set up there
			s.apply(b, int8(e.Seat), e.Secrets)
		}
	case *SetUp:
		*s = newGame(b.Board, b.Choices, b.Seats, b.First)
		if b.Given != nil {
			b.Given.onto(s)
		}
		s.hold(e.Secrets)
	case *Dealt:
		s.hold(e.Secrets)
	}
}

// hold replaces what is hidden by what a deal says.
func (s *State) hold(parts []domain.Secret) {
	for _, part := range parts {
		h, ok := part.Body.(*Held)
		switch {
		case !ok:
		case h.Seat == domain.Nobody:
			s.deck = h.Cards
		case h.Seat >= 0 && int8(h.Seat) < s.seats:
			s.hand[h.Seat], s.cards[h.Seat], s.fresh[h.Seat] = h.Hand, h.Cards, h.Fresh
			s.size[h.Seat] = int8(h.Hand.Len())
		}
	}
}

func (s *State) apply(p *Played, by int8, secrets []domain.Secret) {
	if p.Rolled {
		s.dice[s.rolls&1] = p.Dice
		s.rolls++
		s.owes = p.Owes
	}
	s.applyHands(p)
	for _, x := range p.Pieces {
		s.place(x)
	}
	s.applyStep(p, by)
	if p.Roads {
		s.length = p.Lengths
	}
	if p.Cards {
		s.longest, s.army = p.Longest, p.Army
	}
	if p.Robber != noHex {
		s.robber = p.Robber
	}
	s.tokens[0] += p.Tokens[0]
	s.tokens[1] += p.Tokens[1]
	s.applyTrade(p, by)
	for _, part := range secrets {
		if u, ok := part.Body.(*Unseen); ok {
			s.applyUnseen(p, u, by)
		}
	}
	s.applyTurn(p)
}

func (s *State) applyHands(p *Played) {
	if p.Hands == ([maxColours]Hand{}) {
		return
	}
	for c := range s.seats {
		s.hand[c].add(p.Hands[c])
		s.bank.sub(p.Hands[c])
		s.size[c] = int8(s.hand[c].Len())
	}
}

// place puts a piece on the board.
func (s *State) place(x Piece) {
	switch x.Sort {
	case RoadPiece:
		s.addRoad(x.Colour, x.At)
	case SettlementPiece:
		s.addSettlement(x.Colour, x.At)
	case CityPiece:
		s.addCity(x.Colour, x.At)
	}
}

// applyStep is what a move of its kind always uses up.
func (s *State) applyStep(p *Played, by int8) {
	switch p.Did {
	case KindFound:
		s.founded++
	case KindDiscard:
		s.owes[by] = 0
	case KindRoad, KindSettle, KindCity, KindBuy:
		s.built = true
	}
	if p.Card != noCard {
		s.cardPlayed = true
		s.cards[by][p.Card]--
		if p.Card == Knight {
			s.knights[by]++
		} else {
			s.spent[by][p.Card]++
		}
	}
	if p.Discharged {
		s.refilled = true
		s.knights[by]--
		s.spent[by][Knight]++
	}
	s.tokenUsed = s.tokenUsed || p.TokenSpent
	if p.Phase != s.phase && (p.Phase == PhaseNeutral || p.Phase == PhaseGive) {
		s.back = s.phase
	}
	s.dueRoads, s.dueHomes = p.Due[0], p.Due[1]
}

func (s *State) applyTrade(p *Played, by int8) {
	if p.Answered > 0 {
		s.offers[s.active].Yes = s.offers[s.active].Yes.with(by)
	}
	if p.Answered < 0 {
		s.offers[s.active].No = s.offers[s.active].No.with(by)
	}
	for left := p.Closed; left != 0; left &= left - 1 {
		s.offers[bits.TrailingZeros8(uint8(left))&(maxColours-1)] = Offer{}
	}
	if p.Opened.Open {
		s.offers[by] = p.Opened
		s.offerNumber = p.Opened.Number
	}
}

func (s *State) applyUnseen(p *Played, u *Unseen, by int8) {
	if u.Card > 0 {
		card := u.Card - 1
		s.deck[card]--
		s.cards[by][card]++
		s.fresh[by][card]++
	}
	if p.From != noColour {
		s.hand[by].add(u.Took)
		s.hand[p.From].sub(u.Took)
		s.size[by] += p.Taken
		s.size[p.From] -= p.Taken
	}
}

func (s *State) applyTurn(p *Played) {
	s.phase = p.Phase
	if p.Stint {
		s.stint++
	}
	if p.Next != noColour {
		if s.founded >= 2*s.seats {
			s.turn++
			s.still = p.Still
			s.fresh[s.active] = Cards{}
			s.rolls, s.dice = 0, [2][2]int8{}
			s.cardPlayed, s.tokenUsed, s.refilled, s.built = false, false, false, false
		}
		s.active = p.Next
	}
	if p.Won != noColour {
		s.winner = p.Won
	}
}
