// Package standin holds the computer players. A stand-in gets what its seat may know and the moves it may make, never
// the state of the game: to look ahead, it uses states dealt afresh with throw-away luck.
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
	// Choose picks one of the sight's moves; it returns false if there are none.
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

// Sight is what a stand-in sees when it has to move.
type Sight struct {
	Seat  domain.Seat
	Moves []domain.Move // every legal move, in the rulebook's order

	// Between is called now and then by a stand-in that thinks for a long time: it may block, and reports whether the
	// stand-in may go on. If not, the stand-in plays the best move so far. Nil never stops it.
	Between func() bool

	rulebook domain.Rulebook
	luck     *domain.Source
	deal     func() domain.State
	scratch  domain.State   // the state on which moves are tried, one after another; nil before the first
	trying   *domain.Source // the chance they meet
	said     domain.Event   // the event of the last try
	rewrites func(e *domain.Event, s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) error
}

// Look makes the sight of an awaited seat. The state does not leave this function: the sight only holds a closure that
// hands out fresh deals. The seed is throw-away, and so is every choice made with it; the same seed gives the same
// choice.
func Look(rb domain.Rulebook, state domain.State, seat domain.Seat, seed uint64) *Sight {
	s := &Sight{
		Seat: seat, rulebook: rb, luck: domain.NewThrowaway(seed), rewrites: rb.Extras().DecideOver,
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

// Deal returns a state in which everything the seat does not know is dealt afresh.
func (s *Sight) Deal() domain.State { return s.deal() }

// copied returns a copy of a state, valid until the next call.
func (s *Sight) copied(of domain.State) domain.State {
	over := s.rulebook.Extras().CopyOver
	if over == nil || s.scratch == nil {
		s.scratch = s.rulebook.Clone(of)
	} else {
		over(s.scratch, of)
	}
	return s.scratch
}

// chance returns the chance for one try, valid until the next call.
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

// Random plays any legal move, all equally likely.
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

// Steady looks one move ahead: it tries every move on a fresh deal and plays the one after which its seat stands best,
// by the rulebook's own estimate. It tries moves that depend on chance or on something hidden several times, better
// moves more often than worse.
type Steady struct{}

// The number of moves tried bounds the work for one choice, so that it is the same on every machine; at 10 to 100 µs a
// try in the house's rulebooks, it takes less than 200 ms.
const (
	mostMoves  = 1_200 // if there are more legal moves, this many are drawn
	mostTries  = 1_800 // in all
	mostDeals  = 24    // tries of one move
	firstDeals = 2     // of each move, before the worse half is dropped
)

// Name is "steady".
func (Steady) Name() string { return "steady" }

// Choose tries the moves and picks the best; it breaks ties at random.
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

// Rated is a move with what one try of it is worth, in points.
type Rated struct {
	Move  domain.Move
	Value float64
}

// Ranked lists the moves, or a random thousand of them, the best first by one try of each: the order in which to show
// them to a person, not what the stand-in would play.
func (Steady) Ranked(s *Sight) []Rated {
	t := trial{sight: s, value: s.rulebook.Value}
	for _, m := range s.some(mostMoves) {
		t.tried = append(t.tried, tried{move: m})
	}
	t.round(1)
	t.sort()
	out := make([]Rated, len(t.tried))
	for i, m := range t.tried {
		out[i] = Rated{m.move, m.mean()}
	}
	return out
}

// Brings returns by how many points that everybody counts a move raises its seat's score at once (in a game that scores
// something other than seats, all scores); ok is false if that depends on chance or on something hidden.
func (s *Sight) Brings(m domain.Move) (points int, ok bool) {
	const deals = 2
	for i := range deals {
		dealt, seed := s.Deal(), uint64(s.pick(math.MaxInt64))
		before := s.points(dealt)
		after := s.copied(dealt)
		if !s.follow(after, dealt, s.Seat, m, s.chance(seed).Begin()) {
			return 0, false
		}
		gain := s.points(after) - before
		if i > 0 && gain != points {
			return 0, false
		}
		points = gain
	}
	return points, true
}

// points returns the seat's score as everybody counts it.
func (s *Sight) points(of domain.State) (sum int) {
	standing := s.rulebook.Standing(of, domain.Spectator)
	if standing.Labels == nil && int(s.Seat) < len(standing.Scores) {
		return standing.Scores[s.Seat]
	}
	for _, n := range standing.Scores {
		sum += n
	}
	return sum
}

// some returns the moves, or at most that many of them, drawn without repetition.
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
	deals  int  // how many deals every remaining move was tried on
	tries  int  // in all
	chance bool // something other than the moves made a difference
}

type tried struct {
	move domain.Move
	sum  float64
	n    int
	tie  int // a random number that breaks ties
}

func (t *tried) mean() float64 {
	if t.n == 0 {
		return math.Inf(-1)
	}
	return t.sum / float64(t.n)
}

// round tries every move on that many fresh deals. All moves meet the same deals and the same luck, so that only their
// effects differ.
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

// hides reports whether two deals differ, that is, whether anything is hidden from the seat.
func (s *Sight) hides() bool {
	luck := s.luck.Begin()
	e := s.rulebook.Blind(s.Deal(), domain.ViewOf(s.Seat), luck)
	s.luck.Count(luck.Used())
	return len(luck.Used()) > 0 || len(e.Secrets) > 0
}

// try plays a move on a copy of a dealt state and values the result.
func (s *Sight) try(dealt domain.State, m domain.Move, seed uint64,
	by func(domain.State, domain.Seat) float64) (value float64, chance, ok bool) {
	luck := s.chance(seed).Begin()
	after := s.copied(dealt)
	if !s.follow(after, dealt, s.Seat, m, luck) {
		return 0, false, false
	}
	return by(after, s.Seat), len(luck.Used()) > 0, true
}

// follow judges a move in one state and applies it to another, which is equal to it or the same; it returns false if
// the move is refused.
func (s *Sight) follow(after, on domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) bool {
	e, err := &s.said, error(nil)
	if s.rewrites != nil {
		err = s.rewrites(e, on, seat, m, luck)
	} else {
		*e, err = s.rulebook.Decide(on, seat, m, luck)
	}
	if err != nil || luck.Err() != nil {
		*e = domain.Event{}
		return false
	}
	e.Seat, e.Draws = seat, luck.Used() // no notation: how a move is written does not affect a state
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
