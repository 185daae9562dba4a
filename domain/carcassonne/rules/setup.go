// Package rules judges Carcassonne: which moves are legal, what follows from them, who is awaited and how the game is
// scored.
package rules

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// Setup makes a line's first event: the start tile or the spring (S1, preparation and the river), or the given
// position, and the first tile drawn.
func (Room) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	o, err := domain.Complete(table.Room, g.Choices)
	if err != nil {
		return domain.Event{}, err
	}
	least, most := table.Room.Seats(o)
	if g.Seats < least || g.Seats > most {
		return domain.Event{}, domain.Refuse("seats", "least", least, "most", most, "n", g.Seats)
	}
	c := table.ChoicesOf(o, g.Seats)
	first := state.Owner(g.First)
	if c.Solo || first < 0 || first >= state.Owner(c.Owners) {
		first = 0
	}
	var s state.State
	if err := given(&s, &c, g.Given, first); err != nil {
		return domain.Event{}, err
	}
	if s.Current == table.NoTile && !s.Over {
		aside, next, by := s.Draw(&s, s.ToMove, luck, nil)
		s.NAside += uint8(copy(s.Aside[s.NAside:], aside))
		s.Current, s.ToMove, s.Over = next, by, next == table.NoTile
	}
	return domain.Event{Type: state.EventSetUp, Body: &state.SetUp{View: *s.View()}}, nil
}

// start is the position every game begins with: one tile, full hands, no points. In a solo game the colours get one
// to four points, in their order (S0, preparation; point 51).
func start(s *state.State, c *table.Choices) {
	s.Choices, s.Current, s.Turn, s.Ready = *c, table.NoTile, 1, true
	for o := range c.Owners {
		s.Hand[o] = c.Hand
		if c.Abbot {
			s.AbbotsHome[o] = 1
		}
		if c.Solo {
			s.Scores[o] = int32(o) + 1
		}
	}
	s.Bag = state.FullBag(c)
}

// firstTile lays the start tile, or the spring. With the river, the start tile stays in the box or goes into the bag
// with the others (point 43: people play both).
func firstTile(s *state.State) {
	id := state.StartTile
	if s.River {
		id = state.Spring
	}
	s.Put(id, 0, 0, 0)
	s.Bag[id]--
}

// deal divides the rest into piles as even as possible, starting with whoever draws next: 24, 24 and 23 of the 71
// tiles of a full game (S0, preparation; point 52), or 18, 18, 18 and 17.
func deal(s *state.State) {
	next := s.ToMove
	if s.Current != table.NoTile {
		next = s.After(next)
	}
	for i := range s.Owners {
		s.Piles[next] = (s.NLand + s.Owners - 1 - i) / s.Owners
		next = s.After(next)
	}
}

// Room is the rules, for kit.New.
type Room struct {
	kit.Defaults[*state.State, *state.View]
}
