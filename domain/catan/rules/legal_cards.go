package rules

import (
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The legal moves that name cards: development cards, token actions, cards out of the hand.

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
				l.put(state.KindRoads, b, a, state.NoColour) // b comes second on the board, first in the notation
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

// hands yields every way to take n cards out of the seat's hand.
func (l *lister) hands(k state.Kind, n int8) {
	m := state.NewMove(k)
	l.choose(&m, 0, n, int8(l.s.Hand[l.c].Len()))
}

// choose takes n more cards, of the kinds from r on; the hand has so many of those.
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
