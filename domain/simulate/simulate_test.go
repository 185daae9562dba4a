package simulate

import (
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/domain/standin"
)

func config(t testing.TB, seed uint64) Config {
	choices, err := domain.Complete(tiny.Rulebook, nil)
	require.NoError(t, err)
	return Config{Rulebook: tiny.Rulebook, Choices: choices, Seats: 3, Seed: seed}
}

func tally(t testing.TB, cfg Config, order []int) (*Tally, []Game) {
	games := make([]Game, len(order))
	p := NewPlayer(cfg)
	for _, i := range order {
		g, err := p.Play(i)
		require.NoError(t, err)
		games[i] = g
	}
	sum := NewTally()
	for _, g := range games {
		sum.Add(g)
	}
	return sum, games
}

func TestTheSameSeedGivesTheSameGamesInWhateverOrder(t *testing.T) {
	a, _ := tally(t, config(t, 1), []int{0, 1, 2, 3, 4})
	b, _ := tally(t, config(t, 1), []int{4, 2, 0, 3, 1})
	c, _ := tally(t, config(t, 2), []int{0, 1, 2, 3, 4})
	require.Equal(t, a.Digest(), b.Digest())
	require.Equal(t, a.MeanScores(), b.MeanScores())
	require.NotEqual(t, a.Digest(), c.Digest())
}

func TestTheDigestIsTheSameOnEveryMachine(t *testing.T) {
	cfg := config(t, 1)
	sum, _ := tally(t, cfg, []int{0, 1, 2})
	require.Equal(t, "e09ffd596686ace13f43d987e4f62fe486cacbe29554c3445fe74b36bab52350", sum.Digest())
	cfg.Events = true
	sum, _ = tally(t, cfg, []int{0, 1, 2})
	require.Equal(t, "af1548d6c9b3723fe5dcba39655c5bad258f669ac9b11446a32671d20cceb0a3", sum.Digest())
}

// late draws one more outcome than the rules say, after a move has been decided.
type late struct{ domain.Rulebook }

func (late) Extras() domain.Extras { return domain.Extras{} }

func (l late) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	e, err := l.Rulebook.Decide(s, seat, m, luck)
	luck.Draw("late", 6)
	return e, err
}

// backward lists the moves in another order.
type backward struct{ domain.Rulebook }

func (backward) Extras() domain.Extras { return domain.Extras{} }

func (b backward) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	list := slices.Collect(b.Rulebook.Legal(s, seat))
	slices.Reverse(list)
	return slices.Values(list)
}

func TestGamesThatWentAnotherWayHaveAnotherDigest(t *testing.T) {
	for _, events := range []bool{false, true} {
		cfg := config(t, 1)
		cfg.Events = events
		digests := map[string]bool{}
		for _, rb := range []domain.Rulebook{tiny.Rulebook, late{tiny.Rulebook}, backward{tiny.Rulebook}} {
			cfg.Rulebook = rb
			sum, _ := tally(t, cfg, []int{0, 1, 2})
			digests[sum.Digest()] = true
		}
		cfg.Rulebook, cfg.Standins = tiny.Rulebook, []standin.Standin{standin.Random{}, nil, standin.Random{}}
		sum, _ := tally(t, cfg, []int{0, 1, 2})
		digests[sum.Digest()] = true
		require.Len(t, digests, 4, "events %t", events)
	}
}

func TestGamesAreDifferentAndFinished(t *testing.T) {
	sum, games := tally(t, config(t, 1), []int{0, 1, 2, 3, 4, 5, 6, 7})
	seen := map[[32]byte]bool{}
	for _, g := range games {
		require.True(t, g.Finished)
		require.Equal(t, 12, g.Moves, "three rounds of three choices and a roll")
		require.False(t, seen[g.Digest])
		seen[g.Digest] = true
	}
	require.Equal(t, 8, sum.Games)
	require.Equal(t, 96, sum.Moves)
	require.Zero(t, sum.Refused)
	require.Zero(t, sum.Unfinished)
	require.Greater(t, sum.MeanChoices(), 2.0)
	require.Len(t, sum.MeanScores(), 3)
}

func TestAGameLongerThanTheCapIsUnfinished(t *testing.T) {
	cfg := config(t, 1)
	cfg.Cap = 11
	sum, games := tally(t, cfg, []int{0})
	require.Equal(t, 1, sum.Unfinished)
	require.Equal(t, 11, games[0].Moves)
	require.Zero(t, sum.WinRates()[0], "nobody has won it")
}

// stubborn refuses what it listed as legal.
type stubborn struct{ domain.Rulebook }

func (stubborn) Decide(domain.State, domain.Seat, domain.Move, *domain.Luck) (domain.Event, error) {
	return domain.Event{}, domain.Refuse("over")
}

func TestRefusedLegalMovesAreCountedAndEndAtTheCap(t *testing.T) {
	cfg := config(t, 1)
	cfg.Rulebook, cfg.Cap = stubborn{tiny.Rulebook}, 5
	sum, _ := tally(t, cfg, []int{0})
	require.Equal(t, 5, sum.Refused)
	require.Equal(t, 1, sum.Unfinished)
}

func TestEveryLegalMoveIsAsLikely(t *testing.T) {
	counts := map[domain.Move]int{}
	cfg := config(t, 1)
	p := NewPlayer(cfg)
	line := domain.NewLine(cfg.Rulebook, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: cfg.Choices, Seats: 3})
	require.NoError(t, err)
	line.Apply(&e)
	p.rng = newDice(1, 1)
	const draws = 40_000
	for range draws {
		m, n := p.choose(line, 0)
		require.Equal(t, 4, n, "keep, swap, and two to peek at")
		counts[m]++
	}
	for m, c := range counts {
		require.InDelta(t, draws/4, c, 400, "%v", m) // more than four standard deviations
	}
}

func TestAPickAmongManyFavoursNone(t *testing.T) {
	const moves, draws = 61, 122_000
	counts := make([]int, moves)
	rng := newDice(3, 4)
	var s sieve
	s.ready(&rng)
	for range draws {
		counts[s.pick(moves)]++
	}
	for i, c := range counts {
		require.InDelta(t, draws/moves, c, 225, "the %d-th; five standard deviations", i)
	}
}

func TestAPickByNumberIsThePickFromTheList(t *testing.T) {
	byNumber, byList := newDice(5, 6), newDice(5, 6)
	var a, b sieve
	a.ready(&byNumber)
	b.ready(&byList)
	for n := 1; n < 400; n++ {
		picked, listed := b.sift(func(yield func(domain.Move) bool) {
			for i := range n {
				yield(i)
			}
		})
		require.Equal(t, n, listed)
		require.Equal(t, picked, a.pick(n))
	}
	m, n := b.sift(func(func(domain.Move) bool) {})
	require.Nil(t, m)
	require.Zero(t, n)
}

func TestStandinsTakeTheirSeats(t *testing.T) {
	cfg := config(t, 1)
	cfg.Standins = []standin.Standin{standin.Steady{}, standin.Random{}}
	require.Error(t, cfg.Check(), "two for three seats")
	cfg.Standins = append(cfg.Standins, standin.Random{})
	require.NoError(t, cfg.Check())

	order := make([]int, 200)
	for i := range order {
		order[i] = i
	}
	sum, _ := tally(t, cfg, order)
	rates := sum.WinRates()
	require.Greater(t, rates[0], 0.5, "steady wins far more than its third: %v", rates)
	require.InDelta(t, 1, rates[0]+rates[1]+rates[2], 1e-9)
}

func TestSeatsOutsideTheGamesLimitsAreRefused(t *testing.T) {
	cfg := config(t, 1)
	for seats, ok := range map[int]bool{1: false, 2: true, 4: true, 5: false} {
		cfg.Seats = seats
		require.Equal(t, ok, cfg.Check() == nil, seats)
	}
}

func BenchmarkGame(b *testing.B) {
	b.ReportAllocs()
	p := NewPlayer(config(b, 1))
	moves := 0
	for i := range b.N {
		g, err := p.Play(i)
		require.NoError(b, err)
		moves += g.Moves
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/move")
}
