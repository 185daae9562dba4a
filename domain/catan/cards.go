package catan

import (
	"fmt"

	"posthorn/domain"
)

func dictatedResource(words string) (Resource, error) {
	r, ok := resourceNamed(words)
	if !ok {
		return NoResource, fmt.Errorf("no resource %q", words)
	}
	return r, nil
}

// buy draws a development card from what is left of the deck (Catan base game, 37).
func (d *decision) buy() error {
	left := d.s.deck
	if left.Len() == 0 {
		return domain.Refuse("deck-empty")
	}
	if err := d.pay(cardCost); err != nil {
		return err
	}
	i := d.luck.Pick("card", left.Len(), func(words string) (int, error) {
		c, ok := cardNamed(words)
		if !ok {
			return 0, fmt.Errorf("no development card %q", words)
		}
		return left.first(c)
	})
	d.out.Bought = true
	d.secrets = append(d.secrets, domain.Secret{To: domain.To(domain.Seat(d.by)), Body: &Unseen{Card: left.at(i) + 1}})
	return nil
}

// playable tells whether a seat holds a card that it may play now: one a turn, and none
// bought in the same turn (Catan base game, 38).
func (s *State) playable(c int8, card Card) bool {
	return !s.cardPlayed && s.cards[c][card] > s.fresh[c][card]
}

func (d *decision) playCard(card Card) error {
	s := d.s
	switch {
	case s.cards[d.by][card] == 0:
		return domain.Refuse("no-card", "card_word", "card."+card.String())
	case s.cardPlayed:
		return domain.Refuse("card-played")
	case !s.playable(d.by, card):
		return domain.Refuse("card-fresh")
	}
	d.out.Card = card
	return nil
}

// roads places two free roads, or the only one there is a piece or a place for (Catan
// base game, 40). The second may go on from the first.
func (d *decision) roads() error {
	if err := d.playCard(Roads); err != nil {
		return err
	}
	s, a, b := d.s, d.m.A, d.m.B
	if b == noPlace {
		if err := s.roadFits(d.by, a); err != nil {
			return err
		}
		if s.secondRoads(d.by, a) != (pathSet{}) {
			return domain.Refuse("two-roads")
		}
	} else {
		if s.roadsLeft(d.by) == 1 {
			return domain.Refuse("one-road-left")
		}
		if a == b || s.roadFits(d.by, a) != nil || !isPath(b) || !s.secondRoads(d.by, a).has(b) {
			a, b = b, a
		}
		if a == b {
			return domain.Refuse("two-roads")
		}
		if err := s.roadFits(d.by, a); err != nil {
			return err
		}
		if !isPath(b) {
			return domain.Refuse("no-such-path", "path", int(b))
		}
		if s.laid.has(b) {
			return domain.Refuse("path-taken", "path", int(b))
		}
		if !s.secondRoads(d.by, a).has(b) {
			return domain.Refuse("not-connected", "path", int(b))
		}
	}
	roads := s.roads[d.by].or(onePath(a))
	d.out.Pieces[0] = Piece{d.by, RoadPiece, a}
	if b != noPlace {
		roads.add(b)
		d.out.Pieces[1] = Piece{d.by, RoadPiece, b}
	}
	d.recount(s.lengthsAfterRoad(d.by, roads))
	d.duty(int8(1+is(b != noPlace)), 0)
	return nil
}

// secondRoads is where a second free road may go once the first lies on a path.
func (s *State) secondRoads(c, first int8) pathSet {
	if s.roadsLeft(c) < 2 {
		return pathSet{}
	}
	open := s.openPaths(c)
	on := endsOf(first) &^ s.others(c)
	for on != 0 {
		open = open.or(isle.pathsAt[nextCorner(&on)])
	}
	open = open.andNot(s.laid)
	open.remove(first)
	return open
}

// plenty takes any two cards from the bank (Catan base game, 41; ambiguity 8.1: a pair the
// bank cannot pay is refused, and its very last card may be taken alone).
func (d *decision) plenty() error {
	if err := d.playCard(Plenty); err != nil {
		return err
	}
	s, a, b := d.s, d.m.A, d.m.B
	if !isKind(a) || b != noPlace && !isKind(b) {
		return domain.Refuse("unreadable")
	}
	want := one(Resource(a))
	if b == noPlace {
		if s.bank.Len() != 1 {
			return domain.Refuse("plenty-two")
		}
	} else {
		want[b]++
	}
	if !s.bank.Covers(want) {
		return domain.Refuse("bank-short", "cards", handSay(want))
	}
	d.out.Hands[d.by] = want
	return nil
}

// isKind tells whether there is such a resource.
func isKind(r int8) bool { return r >= 0 && r < kinds }

// monopoly takes all cards of a kind from everybody (Catan base game, 42).
func (d *decision) monopoly() error {
	if err := d.playCard(Monopoly); err != nil {
		return err
	}
	s, r := d.s, d.m.A
	if !isKind(r) {
		return domain.Refuse("unreadable")
	}
	d.out.Named = Resource(r)
	for c := range s.seats {
		if c != d.by {
			n := s.hand[c][r]
			d.out.Hands[c][r] -= n
			d.out.Hands[d.by][r] += n
		}
	}
	d.out.Closed |= s.allOffers()
	return nil
}

// bank trades with the bank at the best rate the seat has (Catan base game, 32).
func (d *decision) bank() error {
	s, give, get := d.s, d.m.A, d.m.B
	if !isKind(give) || !isKind(get) {
		return domain.Refuse("unreadable")
	}
	if give == get {
		return domain.Refuse("trade-same")
	}
	if err := s.mayTrade(); err != nil {
		return err
	}
	if s.bank[get] == 0 {
		return domain.Refuse("bank-short", "cards", handSay(one(Resource(get))))
	}
	var cost Hand
	cost[give] = s.rate(d.by, Resource(give))
	if said := d.m.Give[give]; said != 0 && said != cost[give] {
		return domain.Refuse("bank-rate", "n", int(cost[give]), "resource_word", "resource."+Resource(give).String())
	}
	if err := d.pay(cost); err != nil {
		return err
	}
	d.out.Hands[d.by][get]++
	return nil
}

// mayTrade refuses to trade after building where the game keeps the two apart (Catan base
// game, 22: the booklet's separate phases).
func (s *State) mayTrade() error {
	if s.rules.apart && s.built {
		return domain.Refuse("trade-over")
	}
	return nil
}
