package standin

import (
	"math"
	"slices"

	"posthorn/domain"
)

// Thoughtful plays on in its head: it takes the moves that look best one move ahead and plays on from each, on fresh
// deals and with fresh chance, each seat making the move that looks best at once, until its own seat's next turn
// begins. It plays the move after which it stands best then.
//
// Counts bound its work, so that it plays the same on every machine. A caller that cannot wait sets [Sight.Between].
type Thoughtful struct{}

// Name is "thoughtful".
func (Thoughtful) Name() string { return "thoughtful" }

// effort bounds the work for one choice.
type effort struct {
	first    int // moves that get a second look
	again    int // on how many deals
	short    int // moves to play on from
	playouts int // in all
	moves    int // the most moves of a playout, all seats together
	wide     int // roughly the most moves tried at one decision within a playout
}

var usual = effort{first: 16, again: 5, short: 6, playouts: 240, moves: 60, wide: 40}

// Choose plays on from the best moves.
func (Thoughtful) Choose(s *Sight) (domain.Move, bool) {
	switch len(s.Moves) {
	case 0:
		return nil, false
	case 1:
		return s.Moves[0], true
	}
	quick := s.rulebook.Value
	final := quick
	if more := s.rulebook.Extras(); more.Estimate != nil {
		if final = more.Estimate; more.EstimatesTurns {
			quick = final
		}
	}
	t := trial{sight: s, value: quick}
	for _, m := range s.some(mostMoves) {
		t.tried = append(t.tried, tried{move: m, tie: s.pick(math.MaxInt32)})
	}
	t.round(1)
	t.keep(usual.first)
	t.round(usual.again)
	t.keep(usual.short)
	p := playing{sight: s, effort: usual, choice: quick, value: final}
	for i := range t.tried {
		p.from = append(p.from, tried{move: t.tried[i].move, tie: i})
	}
	return p.best(), true
}

// playing is the work of playing on.
type playing struct {
	effort
	sight  *Sight
	choice func(domain.State, domain.Seat) float64 // on the way
	value  func(domain.State, domain.Seat) float64 // where a playout ends
	from   []tried
}

// best distributes the playouts by halving: it drops the worse half of the moves each time, and plays on from the rest
// twice as often. All meet the same deals and the same chance.
func (p *playing) best() domain.Move {
	halvings := 0
	for n := len(p.from); n > 1; n = (n + 1) / 2 {
		halvings++
	}
	for ; len(p.from) > 1; halvings-- {
		each := max(1, p.playouts/halvings/len(p.from))
		p.playouts -= each * len(p.from)
		more := true
		for n := 0; n < each && more; n++ {
			more = p.deal()
		}
		t := trial{tried: p.from}
		if !more {
			t.keep(1)
		}
		t.keep((len(p.from) + 1) / 2)
		p.from = t.tried
	}
	return p.from[0].move
}

// deal plays on from every move on one fresh deal; it returns false if there is no more time.
func (p *playing) deal() bool {
	dealt, seed := p.sight.Deal(), uint64(p.sight.pick(math.MaxInt64))
	more := true
	for i := range p.from {
		if v, ok := p.on(dealt, p.from[i].move, seed); ok {
			p.from[i].sum += v
			p.from[i].n++
		}
		more = p.sight.between() && more
	}
	return more
}

// on plays a move on a dealt state and plays on from there, and returns how the seat stands then.
func (p *playing) on(dealt domain.State, m domain.Move, seed uint64) (float64, bool) {
	rb, me := p.sight.rulebook, p.sight.Seat
	luck := domain.NewThrowaway(seed)
	s := rb.Clone(dealt)
	back := p.sight.comesBack(s)
	if !p.step(s, me, m, luck) {
		return 0, false
	}
	for range p.moves {
		open := rb.Awaited(s)
		if len(open) == 0 {
			break
		}
		seat := open[0].Seat
		if back(seat) {
			break
		}
		next, ok := p.quick(s, seat, luck)
		if !ok || !p.step(s, seat, next, luck) {
			break
		}
	}
	return squash(p.value(s, me)), true
}

// comesBack returns a function to call before each move on a state. It reports whether the seat's next turn has begun
// or, in a game whose turns are single moves, whether it is the seat's move again.
func (s *Sight) comesBack(on domain.State) func(awaited domain.Seat) bool {
	turn := s.rulebook.Extras().Turn
	if turn == nil {
		mine := true
		return func(awaited domain.Seat) bool {
			was := mine
			mine = awaited == s.Seat
			return mine && !was
		}
	}
	last, _ := turn(on)
	return func(domain.Seat) bool {
		n, whose := turn(on)
		return n > last && whose == s.Seat
	}
}

// step plays a move on a state; it returns false if the move is refused.
func (p *playing) step(s domain.State, seat domain.Seat, m domain.Move, from *domain.Source) bool {
	luck := from.Begin()
	if !p.sight.follow(s, s, seat, m, luck) {
		return false
	}
	from.Count(luck.Used())
	return true
}

// quick returns the move that looks best to a seat at once, by one try of each.
func (p *playing) quick(s domain.State, seat domain.Seat, from *domain.Source) (best domain.Move, ok bool) {
	rb := p.sight.rulebook
	moves := slices.Collect(rb.Legal(s, seat))
	if len(moves) == 1 {
		return moves[0], true
	}
	luck := from.Begin()
	seed := uint64(luck.DrawUnseen("try", math.MaxInt32))
	stride, at := max(1, len(moves)/p.wide), 0
	if stride > 1 {
		at = luck.DrawUnseen("some", stride)
	}
	from.Count(luck.Used())
	most := math.Inf(-1)
	for ; at < len(moves); at += stride {
		try := p.sight.copied(s)
		if !p.step(try, seat, moves[at], p.sight.chance(seed)) {
			continue
		}
		if v := p.choice(try, seat); v > most {
			best, most, ok = moves[at], v, true
		}
	}
	return best, ok
}

// squash dampens large leads, so that a win in one playout does not drown out the others.
func squash(v float64) float64 { return v / (1 + math.Abs(v)/10) }
