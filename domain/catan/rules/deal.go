package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Blind deals afresh what a viewer does not know: the others' hands, their development cards and what is left of the
// deck. What is public stays: how many cards each seat has, how many of each kind all hands have together, and that a
// seat which promised cards has them.
func (*Room) Blind(s *state.State, v domain.Viewer, luck *domain.Luck) domain.Event {
	dealt := *s
	if v != domain.Referee {
		dealHands(&dealt, v, luck)
		dealCards(&dealt, v, luck)
	}
	return domain.Event{Type: state.TypeDealt, Seat: domain.Nobody, Body: &state.Dealt{}, Secrets: held(&dealt)}
}

// Promised returns what a seat certainly holds, since it offered or agreed to give it.
func Promised(s *state.State, c int8) table.Hand {
	var h table.Hand
	raise := func(o table.Hand) {
		for r := range h {
			h[r] = max(h[r], o[r])
		}
	}
	if s.Offers[c].Open {
		raise(s.Offers[c].Give)
	}
	if o := &s.Offers[s.Active]; o.Open && o.Yes.Has(c) {
		raise(o.Want)
	}
	return h
}

func dealHands(s *state.State, v domain.Viewer, luck *domain.Luck) {
	var pool table.Hand
	var want [state.MaxColours]int
	for c := range s.Seats {
		if v.Seat() != domain.Seat(c) {
			pool.Add(s.Hand[c])
			s.Hand[c] = Promised(s, c)
			pool.Sub(s.Hand[c])
			want[c] = int(s.Size[c]) - s.Hand[c].Len()
		}
	}
	deck := kit.Shuffled(luck, "deal", pool.List())
	for c := range s.Seats {
		for range want[c] {
			s.Hand[c][deck[0]]++
			deck = deck[1:]
		}
	}
}

// dealCards deals development cards. A seat that has not won on its own turn does not hold the points for it; a deal
// that would give it those is dealt again. Once the game is over the points are counted in the open, and stay where
// they are.
func dealCards(s *state.State, v domain.Viewer, luck *domain.Luck) {
	pool := s.Deck
	for c := range s.Seats {
		if v.Seat() != domain.Seat(c) {
			pool.Add(s.Cards[c])
		}
	}
	left := s.Deck[table.Point]
	if s.Phase == state.PhaseOver {
		pool[table.Point] = 0
	}
	const tries = 20
	for range tries {
		dealCardsOnce(s, v, pool, luck)
		if s.Phase == state.PhaseOver {
			s.Deck[table.Point] = left
		}
		if s.Phase == state.PhaseOver || s.Points(s.Active) < int(s.Rules.Target) {
			return
		}
	}
	unwin(s, v)
}

// unwin exchanges victory points dealt to the seat in turn for other hidden cards until it has not won. There are
// enough of them, since it has not won with the true cards.
func unwin(s *state.State, v domain.Viewer) {
	for k := range table.Card(table.CardKinds) {
		for k != table.Point && s.Points(s.Active) >= int(s.Rules.Target) && takeHidden(s, k, v) {
			Exchange(s, s.Active, table.Point, k)
		}
	}
}

// takeHidden replaces a card of a kind that the viewer does not know, in the deck or with a seat not in turn, by a
// victory point; the seat in turn gets that card. It returns false if there is none.
func takeHidden(s *state.State, k table.Card, v domain.Viewer) bool {
	if s.Deck[k] > 0 {
		s.Deck[k]--
		s.Deck[table.Point]++
		return true
	}
	for c := range s.Seats {
		if c != s.Active && v.Seat() != domain.Seat(c) && s.Cards[c][k] > 0 {
			Exchange(s, c, k, table.Point)
			return true
		}
	}
	return false
}

// Exchange gives a seat one card for another, which is then as fresh as the old one.
func Exchange(s *state.State, c int8, give, get table.Card) {
	if s.Fresh[c][give] == s.Cards[c][give] {
		s.Fresh[c][give]--
		s.Fresh[c][get]++
	}
	s.Cards[c][give]--
	s.Cards[c][get]++
}

func dealCardsOnce(s *state.State, v domain.Viewer, pool table.Cards, luck *domain.Luck) {
	deck := kit.Shuffled(luck, "deal", pool.List())
	for c := range s.Seats {
		if v.Seat() == domain.Seat(c) {
			continue
		}
		shown, fresh := shown(s, c), s.Fresh[c].Len()
		hidden := s.Cards[c].Len() - int(shown)
		s.Cards[c], s.Fresh[c] = table.Cards{table.Point: shown}, table.Cards{}
		s.Fresh[c][table.Point] = int8(max(0, fresh-hidden))
		for i := range hidden {
			s.Cards[c][deck[0]]++
			if i < fresh {
				s.Fresh[c][deck[0]]++
			}
			deck = deck[1:]
		}
	}
	s.Deck = table.Cards{}
	for _, k := range deck {
		s.Deck[k]++
	}
}

// shown returns how many victory point cards of a seat everybody has seen.
func shown(s *state.State, c int8) int8 {
	if s.Phase == state.PhaseOver {
		return s.Cards[c][table.Point]
	}
	return 0
}
