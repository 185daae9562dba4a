package state

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Evolve applies an event. It runs no rules: it does what an outcome says.
func (Room) Evolve(s *State, e *domain.Event) {
	switch b := e.Body.(type) {
	case *Played:
		if e.Seat >= 0 && int8(e.Seat) < s.Seats { // otherwise the log was altered: there is no such seat
			s.apply(b, int8(e.Seat), e.Secrets)
		}
	case *SetUp:
		*s = NewGame(b.Board, b.Choices, b.Seats, b.First)
		if v := b.Given; v != nil {
			for c, p := range v.Players {
				s.Stand(int8(c), p.Roads, p.Settlements, p.Cities)
			}
			for i, n := range v.Neutrals {
				s.Stand(int8(i)+2, n.Roads, n.Settlements, nil)
			}
			v.Onto(s)
		}
		s.hold(e.Secrets)
	case *Dealt:
		s.hold(e.Secrets)
	}
}

// hold replaces what is hidden with what a deal says.
func (s *State) hold(parts []domain.Secret) {
	for _, part := range parts {
		h, ok := part.Body.(*Held)
		switch {
		case !ok:
		case h.Seat == domain.Nobody:
			s.Deck = h.Cards
		case h.Seat >= 0 && int8(h.Seat) < s.Seats:
			s.Hand[h.Seat], s.Cards[h.Seat], s.Fresh[h.Seat] = h.Hand, h.Cards, h.Fresh
			s.Size[h.Seat] = int8(h.Hand.Len())
		}
	}
}

func (s *State) apply(p *Played, by int8, secrets []domain.Secret) {
	if p.Rolled() {
		s.Dice[s.Rolls&1] = p.Dice
		s.Rolls++
		s.Owes = p.Owes
	}
	for c := range s.Seats {
		if p.Hands[c] != (table.Hand{}) {
			s.Hand[c].Add(p.Hands[c])
			s.Bank.Sub(p.Hands[c])
			s.Size[c] = int8(s.Hand[c].Len())
		}
	}
	for _, x := range p.Pieces {
		s.Place(x)
	}
	s.applyStep(p, by)
	if p.Lengths != ([MaxColours]int8{}) {
		s.Length = p.Lengths
	}
	if p.Cards != nil {
		s.Longest, s.Army = p.Cards[0], p.Cards[1]
	}
	if p.Robber != None {
		s.Robber = int8(p.Robber)
	}
	s.Tokens[0] += p.Tokens[0]
	s.Tokens[1] += p.Tokens[1]
	s.applyTrade(p, by)
	for _, part := range secrets {
		if u, ok := part.Body.(*Unseen); ok {
			s.applyUnseen(p, u, by)
		}
	}
	s.applyTurn(p)
}

// applyStep applies what a move of its kind always uses up.
func (s *State) applyStep(p *Played, by int8) {
	switch p.Did {
	case KindFound:
		s.Founded++
	case KindDiscard:
		s.Owes[by] = 0
	case KindRoad, KindSettle, KindCity, KindBuy:
		s.Built = true
	}
	if p.Card != table.NoCard {
		s.CardPlayed = true
		s.Cards[by][p.Card]--
		if p.Card == table.Knight {
			s.Knights[by]++
		} else {
			s.Spent[by][p.Card]++
		}
	}
	if p.Discharged {
		s.Refilled = true
		s.Knights[by]--
		s.Spent[by][table.Knight]++
	}
	s.TokenUsed = s.TokenUsed || p.TokenSpent
	if p.Phase != s.Phase && (p.Phase == PhaseNeutral || p.Phase == PhaseGive) {
		s.Back = s.Phase
	}
	s.DueRoads, s.DueHomes = p.Due[0], p.Due[1]
}

func (s *State) applyTrade(p *Played, by int8) {
	switch o := &s.Offers[s.Active]; {
	case p.Answered > 0:
		o.Yes = o.Yes.With(by)
	case p.Answered < 0:
		o.No = o.No.With(by)
	}
	for left := p.Closed; left != 0; left &= left - 1 {
		s.Offers[bits.TrailingZeros8(uint8(left))&(MaxColours-1)] = Offer{}
	}
	if p.Opened != nil {
		s.Offers[by] = *p.Opened
		s.Offers[by].Open = true
		s.OfferNumber = p.Opened.Number
	}
}

func (s *State) applyUnseen(p *Played, u *Unseen, by int8) {
	if u.Card > 0 {
		card := u.Card - 1
		s.Deck[card]--
		s.Cards[by][card]++
		s.Fresh[by][card]++
	}
	if p.From != None {
		s.Hand[by].Add(u.Took)
		s.Hand[p.From].Sub(u.Took)
		s.Size[by] += p.Taken
		s.Size[p.From] -= p.Taken
	}
}

func (s *State) applyTurn(p *Played) {
	s.Phase = p.Phase
	if p.Stint {
		s.Stint++
	}
	if p.Next != None {
		if s.Founded >= 2*s.Seats {
			s.Turn++
			s.Still = p.Still
			s.Fresh[s.Active] = table.Cards{}
			s.Rolls, s.Dice = 0, [2][2]int8{}
			s.CardPlayed, s.TokenUsed, s.Refilled, s.Built = false, false, false, false
		}
		s.Active = int8(p.Next)
	}
	if p.Won[1] != 0 {
		s.Winner = p.Won[0]
	}
}
