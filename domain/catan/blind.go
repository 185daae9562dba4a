package catan

import "posthorn/domain"

// Blind deals afresh what a viewer does not know: the others' hands, their development
// cards and what is left of the deck. What is public stays: how many cards each has, how
// many of each kind all hands have together, and that whoever promised cards has them.
func (rulesRoom) Blind(s *State, v domain.Viewer, luck *domain.Luck) domain.Event {
	dealt := *s
	if v != domain.Referee {
		dealt.dealHands(v, luck)
		dealt.dealCards(v, luck)
	}
	return domain.Event{Type: typeDealt, Seat: domain.Nobody, Body: &Dealt{}, Secrets: dealt.held()}
}

// promised is what a seat certainly holds, since it offered or accepted to give it.
func (s *State) promised(c int8) Hand {
	var h Hand
	raise := func(o Hand) {
		for r := range h {
			h[r] = max(h[r], o[r])
		}
	}
	if s.offers[c].Open {
		raise(s.offers[c].Give)
	}
	if o := &s.offers[s.active]; o.Open && o.Yes.has(c) {
		raise(o.Want)
	}
	return h
}

func (s *State) dealHands(v domain.Viewer, luck *domain.Luck) {
	var pool Hand
	var want [maxColours]int
	for c := range s.seats {
		if v.Seat() == domain.Seat(c) {
			continue
		}
		pool.add(s.hand[c])
		want[c] = int(s.size[c])
		s.hand[c] = s.promised(c)
		want[c] -= s.hand[c].Len()
	}
	for c := range s.seats {
		if v.Seat() != domain.Seat(c) {
			pool.sub(s.hand[c])
		}
	}
	deck := make([]Resource, 0, pool.Len())
	for r, n := range pool {
		for range n {
			deck = append(deck, Resource(r))
		}
	}
	deal(luck, deck)
	for c := range s.seats {
		for range want[c] {
			s.hand[c][deck[0]]++
			deck = deck[1:]
		}
	}
}

// dealCards deals development cards. A seat that has not won on its own turn does not hold
// the points for it; a deal that would say so is dealt again. Once the game is over the
// points are counted in the open, and stay where they are.
func (s *State) dealCards(v domain.Viewer, luck *domain.Luck) {
	pool := s.deck
	for c := range s.seats {
		if v.Seat() != domain.Seat(c) {
			pool.add(s.cards[c])
		}
	}
	left := s.deck[Point]
	if s.phase == PhaseOver {
		pool[Point] = 0
	}
	const tries = 20
	for range tries {
		s.dealCardsOnce(v, pool, luck)
		if s.phase == PhaseOver {
			s.deck[Point] = left
		}
		if s.phase == PhaseOver || s.points(s.active) < int(s.rules.target) {
			return
		}
	}
	s.unwin(v)
}

// unwin exchanges victory points that the seat in turn was dealt for other hidden cards until it
// has not won. There are enough of them: where the cards truly lie, it has not.
func (s *State) unwin(v domain.Viewer) {
	for k := range Card(cardKinds) {
		for k != Point && s.points(s.active) >= int(s.rules.target) && s.takeHidden(k, v) {
			s.exchange(s.active, Point, k)
		}
	}
}

// takeHidden puts a victory point where a card of a kind lies that the viewer does not know; it
// is the one in turn who gets that. False if there is none.
func (s *State) takeHidden(k Card, v domain.Viewer) bool {
	to := s.hider(k, v)
	switch {
	case s.deck[k] > 0:
		s.deck[k]--
		s.deck[Point]++
	case to >= 0:
		s.exchange(to, k, Point)
	default:
		return false
	}
	return true
}

// hider is a seat, neither the viewer's nor the one in turn, that holds a card of a kind; or -1.
func (s *State) hider(k Card, v domain.Viewer) int8 {
	for c := range s.seats {
		if c != s.active && v.Seat() != domain.Seat(c) && s.cards[c][k] > 0 {
			return c
		}
	}
	return noColour
}

// exchange gives a seat one card for another, which is as fresh as that was.
func (s *State) exchange(c int8, give, get Card) {
	if s.fresh[c][give] == s.cards[c][give] {
		s.fresh[c][give]--
		s.fresh[c][get]++
	}
	s.cards[c][give]--
	s.cards[c][get]++
}

func (s *State) dealCardsOnce(v domain.Viewer, pool Cards, luck *domain.Luck) {
	deck := make([]Card, 0, pool.Len())
	for k, n := range pool {
		for range n {
			deck = append(deck, Card(k))
		}
	}
	deal(luck, deck)
	for c := range s.seats {
		if v.Seat() == domain.Seat(c) {
			continue
		}
		shown, fresh := s.shown(c), s.fresh[c].Len()
		hidden := s.cards[c].Len() - int(shown)
		s.cards[c], s.fresh[c] = Cards{Point: shown}, Cards{}
		s.fresh[c][Point] = int8(max(0, fresh-hidden))
		for i := range hidden {
			s.cards[c][deck[0]]++
			if i < fresh {
				s.fresh[c][deck[0]]++
			}
			deck = deck[1:]
		}
	}
	s.deck = Cards{}
	for _, k := range deck {
		s.deck[k]++
	}
}

// shown is how many victory point cards of a seat everybody has seen.
func (s *State) shown(c int8) int8 {
	if s.phase == PhaseOver {
		return s.cards[c][Point]
	}
	return 0
}

// deal shuffles what nobody sees.
func deal[T any](luck *domain.Luck, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := luck.DrawUnseen("deal", i+1)
		list[i], list[j] = list[j], list[i]
	}
}
