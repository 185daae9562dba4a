// Package standin holds the computer players. A stand-in is given what its seat may know and
// the moves it may make, never the state of the game: where it looks ahead, it looks into
// states that were dealt afresh with a throw-away luck.
package standin

import (
	"fmt"
	"slices"

	"posthorn/domain"
)

// Standin chooses moves. It keeps nothing between them, so one serves any number of seats.
type Standin interface {
	// Name is its word: "random", "steady".
	Name() string
	// Choose picks one of the sight's moves; false if there are none.
	Choose(s *Sight) (domain.Move, bool)
}

// Named finds a stand-in by its word.
func Named(name string) (Standin, error) {
	for _, s := range All() {
		if s.Name() == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no stand-in %q; there are random and steady", name)
}

// All lists the stand-ins, the strongest first.
func All() []Standin { return []Standin{Steady{}, Random{}} }

// Sight is what a stand-in sees when it is to move.
type Sight struct {
	Seat  domain.Seat
	View  domain.View   // what the seat may know
	Moves []domain.Move // every legal move, in the rulebook's order

	rulebook domain.Rulebook
	luck     *domain.Source
	deal     func() domain.State
}

// Look makes the sight of a seat that is awaited. The state does not leave this function: what
// the sight holds of it is a closure that gives out fresh deals alone. The seed is throw-away,
// and so is every choice made with it; the same seed gives the same choice.
func Look(rb domain.Rulebook, state domain.State, seat domain.Seat, seed uint64) *Sight {
	s := &Sight{
		Seat: seat, View: rb.View(state, domain.ViewOf(seat)),
		rulebook: rb, luck: domain.NewThrowaway(seed),
	}
	s.Moves = slices.Collect(rb.Legal(state, seat))
	s.deal = func() domain.State {
		luck := s.luck.Begin()
		e := rb.Blind(state, domain.ViewOf(seat), luck)
		e.Seat, e.Draws = domain.Nobody, luck.Used()
		s.luck.Count(e.Draws)
		dealt := rb.Clone(state)
		rb.Evolve(dealt, &e)
		return dealt
	}
	return s
}

// Deal gives a state in which everything that the seat does not know was dealt afresh.
func (s *Sight) Deal() domain.State { return s.deal() }

// pick draws one of n things.
func (s *Sight) pick(n int) int {
	luck := s.luck.Begin()
	i := luck.Draw("stand-in", n)
	s.luck.Count(luck.Used())
	return i
}

// Random plays any legal move, each as likely.
type Random struct{}

// Name is "random".
func (Random) Name() string { return "random" }

// Choose draws one of the moves.
func (Random) Choose(s *Sight) (domain.Move, bool) {
	if len(s.Moves) == 0 {
		return nil, false
	}
	return s.Moves[s.pick(len(s.Moves))], true
}
