// Package standin holds the computer players. A stand-in is given what its seat may know and
// the moves it may make, never the state of the game: where it looks ahead, it looks into
// states that were dealt afresh with a throw-away luck.
package standin

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"posthorn/domain"
)

// Standin chooses moves. It keeps nothing between them, so one serves any number of seats.
type Standin interface {
	// Name is its word: "random", "steady", "thoughtful".
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
	return nil, fmt.Errorf("no stand-in %q; there are random, steady and thoughtful", name)
}

// All lists the stand-ins, the strongest first.
func All() []Standin { return []Standin{Thoughtful{}, Steady{}, Random{}} }

// Sight is what a stand-in sees when it is to move.
type Sight struct {
	Seat  domain.Seat
	View  domain.View   // what the seat may know
	Moves []domain.Move // every legal move, in the rulebook's order

	// Between is asked now and then by a stand-in that thinks for long: it may make it wait, and reports whether
	// it may go on. If not it plays what it likes best so far. Nil never ends anything.
	Between func() bool

	rulebook domain.Rulebook
	luck     *domain.Source
	deal     func() domain.State
	scratch  domain.State   // what moves are tried on, one after the other; nil before the first
	trying   *domain.Source // the chance they meet
	said     domain.Event   // what came of the last of them
	rewriter domain.Rewriter
}

// Look makes the sight of a seat that is awaited. The state does not leave this function: what
// the sight holds of it is a closure that gives out fresh deals alone. The seed is throw-away,
// and so is every choice made with it; the same seed gives the same choice.
func Look(rb domain.Rulebook, state domain.State, seat domain.Seat, seed uint64) *Sight {
	s := &Sight{
		Seat: seat, View: rb.View(state, domain.ViewOf(seat)),
		rulebook: rb, luck: domain.NewThrowaway(seed), rewriter: rb.Extras().Rewriter,
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

// copied gives a copy of a state that is good until the next is asked for.
func (s *Sight) copied(of domain.State) domain.State {
	c := s.rulebook.Extras().Copier
	if c == nil || s.scratch == nil {
		s.scratch = s.rulebook.Clone(of)
	} else {
		c.CopyOver(s.scratch, of)
	}
	return s.scratch
}

// chance is the chance of one try, good until the next is asked for.
func (s *Sight) chance(seed uint64) *domain.Source {
	if s.trying == nil {
		s.trying = domain.NewThrowaway(seed)
	} else {
		s.trying.Again(seed)
	}
	return s.trying
}

func (s *Sight) between() bool { return s.Between == nil || s.Between() }

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

// Steady looks one move ahead: it tries every move on a fresh deal and plays the one after
// which its seat stands best, by the rulebook's own estimate. What depends on chance or on
// something hidden is tried several times, the better moves more often than the worse.
type Steady struct{}

// The work for one move is bounded by the number of moves tried, which keeps a choice the same
// on every machine; at the house's rulebooks' 10 to 100 µs a try, it is below 200 ms.
const (
	mostMoves  = 1_200 // of more legal moves, as many are drawn
	mostTries  = 1_800 // in all
	mostDeals  = 24    // tries of one move
	firstDeals = 2     // of each move, before the worse half is dropped
)

// Name is "steady".
func (Steady) Name() string { return "steady" }

// Choose tries the moves and picks the best; ties are drawn.
func (Steady) Choose(s *Sight) (domain.Move, bool) {
	switch len(s.Moves) {
	case 0:
		return nil, false
	case 1:
		return s.Moves[0], true
	}
	t := trial{sight: s, value: s.rulebook.Value}
	for _, m := range s.some(mostMoves) {
		t.tried = append(t.tried, tried{move: m, tie: s.pick(math.MaxInt32)})
	}
	t.round(1)
	if t.chance {
		for deals := firstDeals; len(t.tried) > 1 && t.deals < mostDeals; deals *= 2 {
			if t.tries+len(t.tried) > mostTries {
				t.keep((mostTries - t.tries) / firstDeals)
			}
			if len(t.tried) < 2 {
				break
			}
			t.round(min(deals, mostDeals-t.deals))
			t.keep((len(t.tried) + 1) / 2)
		}
	}
	t.sort()
	return t.tried[0].move, true
}

// Ranked lists the moves, or a thousand of them drawn, the best first by one try of each: what a person
// is shown first, not what the stand-in would play.
func (Steady) Ranked(s *Sight) []domain.Move {
	t := trial{sight: s, value: s.rulebook.Value}
	for _, m := range s.some(mostMoves) {
		t.tried = append(t.tried, tried{move: m})
	}
	t.round(1)
	t.sort()
	out := make([]domain.Move, len(t.tried))
	for i, m := range t.tried {
		out[i] = m.move
	}
	return out
}

// some gives the moves, or as many of them drawn without repetition.
func (s *Sight) some(most int) []domain.Move {
	if len(s.Moves) <= most {
		return s.Moves
	}
	moves := slices.Clone(s.Moves)
	for i := range most {
		j := i + s.pick(len(moves)-i)
		moves[i], moves[j] = moves[j], moves[i]
	}
	return moves[:most]
}

// trial is the work on one choice.
type trial struct {
	sight  *Sight
	value  func(domain.State, domain.Seat) float64
	tried  []tried
	deals  int  // every move still there was tried on so many deals
	tries  int  // in all
	chance bool // something other than the moves made a difference
}

type tried struct {
	move domain.Move
	sum  float64
	n    int
	tie  int // a drawn number that orders what is equal
}

func (t *tried) mean() float64 {
	if t.n == 0 {
		return math.Inf(-1)
	}
	return t.sum / float64(t.n)
}

// round tries every move on each of so many fresh deals. All moves meet the same deal and
// the same luck, so that they are compared by what they do.
func (t *trial) round(deals int) {
	s := t.sight
	for range deals {
		if t.deals > 0 && t.tries+len(t.tried) > mostTries {
			return
		}
		dealt, seed := s.Deal(), uint64(s.pick(math.MaxInt64))
		for i := range t.tried {
			if value, used, ok := s.try(dealt, t.tried[i].move, seed, t.value); ok {
				t.tried[i].sum += value
				t.tried[i].n++
				t.chance = t.chance || used
			}
			t.tries++
		}
		t.deals++
		if t.deals == 1 && !t.chance {
			t.chance = s.hides()
		}
	}
}

// hides reports whether two deals differ: whether the seat does not know something.
func (s *Sight) hides() bool {
	luck := s.luck.Begin()
	e := s.rulebook.Blind(s.Deal(), domain.ViewOf(s.Seat), luck)
	s.luck.Count(luck.Used())
	return len(luck.Used()) > 0 || len(e.Secrets) > 0
}

// try plays a move on a copy of a dealt state and values what comes of it.
func (s *Sight) try(dealt domain.State, m domain.Move, seed uint64, by func(domain.State, domain.Seat) float64) (value float64, chance, ok bool) {
	luck := s.chance(seed).Begin()
	after := s.copied(dealt)
	if !s.follow(after, dealt, s.Seat, m, luck) {
		return 0, false, false
	}
	return by(after, s.Seat), len(luck.Used()) > 0, true
}

// follow judges a move in a state and has another one, which is like it or itself, go on by it; false if it is refused.
func (s *Sight) follow(after, on domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) bool {
	e, err := &s.said, error(nil)
	if r := s.rewriter; r != nil {
		err = r.DecideOver(e, on, seat, m, luck)
	} else {
		*e, err = s.rulebook.Decide(on, seat, m, luck)
	}
	if err != nil || luck.Err() != nil {
		*e = domain.Event{}
		return false
	}
	e.Seat, e.Draws = seat, luck.Used() // no notation: a state does not change by how a move is written
	s.rulebook.Evolve(after, e)
	return true
}

func (t *trial) sort() {
	slices.SortStableFunc(t.tried, func(a, b tried) int {
		return cmp.Or(cmp.Compare(b.mean(), a.mean()), cmp.Compare(a.tie, b.tie))
	})
}

// keep drops all but the best.
func (t *trial) keep(n int) {
	t.sort()
	t.tried = t.tried[:max(1, min(n, len(t.tried)))]
}
