package rules

import (
	"fmt"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// pickCard draws one of the cards, or the one that a script dictates by name.
func pickCard[L table.List](luck *domain.Luck, purpose, what string, from table.Counts[L],
	named func(word string) (table.Word[L], bool)) table.Word[L] {
	return from.At(luck.Pick(purpose, from.Len(), func(words string) (int, error) {
		k, ok := named(words)
		if !ok {
			return 0, fmt.Errorf("no %s %q", what, words)
		}
		return from.First(k)
	}))
}

// conceal adds a secret part for what a move takes unseen.
func (d *decision) conceal(to domain.Audience, u *state.Unseen) {
	d.secrets = append(d.secrets, domain.Secret{To: to, Body: u})
}

// buy draws a development card from the rest of the deck (Catan base game, 37).
func (d *decision) buy() error {
	if d.s.Deck.Len() == 0 {
		return domain.Refuse("deck-empty")
	}
	if err := d.pays(table.CardCost, "cannot-pay"); err != nil {
		return err
	}
	card := pickCard(d.luck, "card", "development card", d.s.Deck, table.CardNamed)
	d.out.Bought, d.drawn = true, int8(is(card == table.Point))
	d.conceal(domain.To(domain.Seat(d.by)), &state.Unseen{Card: int8(card) + 1})
	return nil
}

// playable reports whether a seat holds a card that it may play now: one per turn, and none bought in the same turn
// (Catan base game, 38).
func playable(s *state.State, c int8, card table.Card) bool {
	return !s.CardPlayed && s.Cards[c][card] > s.Fresh[c][card]
}

func (d *decision) playCard(card table.Card) error {
	s := d.s
	switch {
	case s.Cards[d.by][card] == 0:
		return domain.Refuse("no-card", "card_word", "card."+card.String())
	case s.CardPlayed:
		return domain.Refuse("card-played")
	case !playable(s, d.by, card):
		return domain.Refuse("card-fresh")
	}
	d.out.Card = card
	return nil
}

// roads places two free roads, or one if there is a piece or place for only one (Catan base game, 40). The second may
// continue the first.
func (d *decision) roads() error {
	if err := d.playCard(table.Roads); err != nil {
		return err
	}
	s, a, b := d.s, d.m.A, d.m.B
	switch {
	case b == table.NoPlace:
	case s.RoadsLeft(d.by) == 1:
		return domain.Refuse("one-road-left")
	case a == b:
		return domain.Refuse("two-roads")
	case roadFits(s, d.by, a) != nil || !table.IsPath(b) || !secondRoads(s, d.by, a).Has(b):
		a, b = b, a
	}
	if err := roadFits(s, d.by, a); err != nil {
		return err
	}
	second := secondRoads(s, d.by, a)
	switch {
	case b == table.NoPlace && !second.Empty():
		return domain.Refuse("two-roads")
	case b == table.NoPlace:
	case !table.IsPath(b):
		return domain.Refuse("no-such-path", "path", int(b))
	case s.Laid.Has(b):
		return domain.Refuse("path-taken", "path", int(b))
	case !second.Has(b):
		return domain.Refuse("not-connected", "path", int(b))
	}
	built := state.Pieces{{Colour: d.by, Sort: state.RoadPiece, At: a}, {Colour: d.by, Sort: state.RoadPiece, At: b}}
	if b == table.NoPlace {
		built[1] = state.Piece{}
	}
	d.out.Pieces = built
	d.build(int8(1+is(b != table.NoPlace)), 0)
	return nil
}

// secondRoads returns where a second free road may go once the first is on a path.
func secondRoads(s *state.State, c, first int8) table.PathSet {
	if s.RoadsLeft(c) < 2 {
		return table.PathSet{}
	}
	open := s.OpenPaths(c)
	on := table.EndsOf(first) &^ s.Others(c)
	for on != 0 {
		open = open.Or(table.Isle.PathsAt[table.NextCorner(&on)])
	}
	open = open.AndNot(s.Laid)
	open.Remove(first)
	return open
}

// plenty takes any two cards from the bank (Catan base game, 41; ambiguity 8.1: it refuses a pair the bank cannot pay,
// but allows taking its very last card alone).
func (d *decision) plenty() error {
	if err := d.playCard(table.Plenty); err != nil {
		return err
	}
	s, a, b := d.s, d.m.A, d.m.B
	switch {
	case !table.IsKind(a) || b != table.NoPlace && !table.IsKind(b):
		return domain.Refuse("unreadable")
	case b == table.NoPlace && s.Bank.Len() > 1:
		return domain.Refuse("plenty-two")
	}
	want := table.One(table.Resource(a))
	if b != table.NoPlace {
		want[b]++
	}
	if !s.Bank.Covers(want) {
		return domain.Refuse("plenty-short", "cards", table.HandSay(want))
	}
	d.out.Hands[d.by] = want
	return nil
}

// monopoly takes all cards of a kind from everybody (Catan base game, 42).
func (d *decision) monopoly() error {
	if err := d.playCard(table.Monopoly); err != nil {
		return err
	}
	s, r := d.s, d.m.A
	if !table.IsKind(r) {
		return domain.Refuse("unreadable")
	}
	d.out.Named = table.Resource(r)
	for c := range s.Seats {
		d.out.Hands[c][r] -= s.Hand[c][r]
		d.out.Hands[d.by][r] += s.Hand[c][r] // the mover gets their own back
	}
	d.out.Closed |= allOffers(s)
	return nil
}

// bank trades with the bank at the seat's best rate (Catan base game, 32).
func (d *decision) bank() error {
	s, give, get := d.s, d.m.A, d.m.B
	switch {
	case !table.IsKind(give) || !table.IsKind(get):
		return domain.Refuse("unreadable")
	case give == get:
		return domain.Refuse("bank-same")
	case tradeOver(s):
		return domain.Refuse("trade-over")
	case s.Bank[get] == 0:
		return domain.Refuse("bank-short", "cards", table.HandSay(table.One(table.Resource(get))))
	}
	var cost table.Hand
	cost[give] = s.Rate(d.by, table.Resource(give))
	if said := d.m.Give[give]; said != 0 && said != cost[give] {
		return domain.Refuse("bank-rate", "n", int(cost[give]), "resource_word",
			"resource."+table.Resource(give).String())
	}
	if err := d.pays(cost, "bank-pay"); err != nil {
		return err
	}
	d.out.Hands[d.by][get]++
	return nil
}

// tradeOver reports whether the seat has built and the game separates trading from building (Catan base game, 22: the
// booklet's separate phases).
func tradeOver(s *state.State) bool { return s.Rules.Apart && s.Built }

// The legal moves that name cards: development cards, token actions, cards from the hand.

func (l *lister) cards() {
	s, c := l.s, l.c
	if s.CardPlayed || s.Cards[c] == (table.Cards{}) {
		return
	}
	if playable(s, c, table.Knight) {
		l.robber(state.KindKnight)
	}
	if playable(s, c, table.Roads) {
		l.freeRoads()
	}
	if playable(s, c, table.Plenty) {
		l.plenty()
	}
	if playable(s, c, table.Monopoly) {
		for r := range int8(table.Kinds) {
			l.put(state.KindMonopoly, r, table.NoPlace, state.NoColour)
		}
	}
}

func (l *lister) freeRoads() {
	s, c := l.s, l.c
	if s.RoadsLeft(c) == 0 {
		return
	}
	firsts := s.OpenPaths(c)
	for left := firsts; !left.Empty() && !l.done; {
		a := left.Next()
		second := secondRoads(s, c, a)
		if second.Empty() {
			l.put(state.KindRoads, a, table.NoPlace, state.NoColour)
			continue
		}
		for !second.Empty() {
			b := second.Next()
			if b > a {
				l.put(state.KindRoads, a, b, state.NoColour)
			} else if !firsts.Has(b) {
				l.put(state.KindRoads, b, a, state.NoColour) // b is built second but comes first in the notation
			}
		}
	}
}

func (l *lister) plenty() {
	s := l.s
	for a := range int8(table.Kinds) {
		if s.Bank[a] == 0 {
			continue
		}
		if s.Bank.Len() == 1 {
			l.put(state.KindPlenty, a, table.NoPlace, state.NoColour)
			return
		}
		for b := a; b < table.Kinds; b++ {
			if b != a && s.Bank[b] > 0 || s.Bank[a] > 1 && b == a {
				l.put(state.KindPlenty, a, b, state.NoColour)
			}
		}
	}
}

func (l *lister) tokens() {
	s, c := l.s, l.c
	if !s.Two() {
		return
	}
	if tokenReady(s, c) {
		if mayForce(s, c) {
			l.plain(state.KindTokenTrade)
		}
		if s.Lay.Desert >= 0 && s.Robber != s.Lay.Desert {
			l.plain(state.KindTokenDesert)
		}
	}
	if !s.Refilled && s.Knights[c] > 0 {
		l.plain(state.KindRefill)
	}
}

// hands yields every way to take n cards from the seat's hand.
func (l *lister) hands(k state.Kind, n int8) {
	m := state.NewMove(k)
	l.choose(&m, 0, n, int8(l.s.Hand[l.c].Len()))
}

// choose takes n more cards, of the kinds from r on; the hand has that many of those.
func (l *lister) choose(m *state.Move, r table.Resource, n, has int8) {
	if n == 0 {
		l.putCards(m)
		return
	}
	have := l.s.Hand[l.c][r]
	has -= have
	for take := max(0, n-has); take <= min(have, n) && !l.done; take++ {
		m.Give[r] = take
		l.choose(m, r+1, n-take, has)
	}
	m.Give[r] = 0
}
