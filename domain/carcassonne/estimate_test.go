package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/simulate"
	"posthorn/domain/standin"
)

// estimated returns what the finer value gives seat A for a given position of two players.
func estimated(t *testing.T, o domain.Choices, given string) float64 {
	t.Helper()
	s, err := setUp(o, 2, given)
	require.NoError(t, err)
	return Rulebook.Extras().Estimate(s, 0)
}

func TestTheEstimateIsEvenHandedAndEndsInThePoints(t *testing.T) {
	e := Rulebook.Extras()
	for _, o := range []domain.Choices{nil, {"river": "on", "abbot": "on"}, {"farmers": "off"}} {
		for seed := range uint64(long(2, 20)) {
			p := newPlayout(t, o, 2, seed+700)
			for !p.over() {
				require.InDelta(t, 0, e.Estimate(p.state(), 0)+e.Estimate(p.state(), 1), 1e-6)
				p.random()
			}
			final := Rulebook.Standing(p.state(), domain.Referee).Final
			require.InDelta(t, final[0]-final[1], e.Estimate(p.state(), 0), 1e-9)
		}
	}
}

// The bag may have nothing left that ends a city, or a lot: everybody can count the tiles.
func TestTheEstimateCountsTheBag(t *testing.T) {
	city := func(remaining string) float64 {
		return estimated(t, nil, `{"tile":"V","tiles":[{"tile":"D","figures":[{"seat":"A","on":"city N"}]}],"remaining":`+remaining+`}`)
	}
	require.Greater(t, city(`{"E":4,"U":2}`), city(`{"E":1,"U":5}`))
	require.Greater(t, city(`{"E":1,"U":5}`), city(`{"U":6}`))
}

func TestTheEstimateKnowsWhatMatters(t *testing.T) {
	hand := func(followers string) float64 {
		return estimated(t, nil, `{"tile":"V","tiles":[{"tile":"D"}],"followers":`+followers+`}`)
	}
	require.Greater(t, hand(`[1,3]`), hand(`[0,3]`)+1, "somebody to send")
	require.Greater(t, hand(`[1,3]`)-hand(`[0,3]`), hand(`[7,3]`)-hand(`[6,3]`), "the last one most of all")

	alone := `{"tile":"V","tiles":[{"tile":"D","figures":[{"seat":"A","on":"city N"}]}]}`
	behind := `{"tile":"V","tiles":[{"tile":"D","figures":[{"seat":"A","on":"city N"}]},
		{"tile":"C","y":-1,"figures":[{"seat":"B","on":"city N"}]},{"tile":"E","y":-2,"turn":180,"figures":[{"seat":"B","on":"city S"}]}]}`
	require.Greater(t, estimated(t, nil, alone), estimated(t, nil, behind), "a city that another has")
	require.Greater(t,
		estimated(t, nil, `{"tile":"V","tiles":[{"tile":"D"},{"tile":"B","y":1,"figures":[{"seat":"A","on":"cloister"}]},{"tile":"V","y":2,"turn":270}]}`),
		estimated(t, nil, `{"tile":"V","tiles":[{"tile":"D"},{"tile":"B","y":1},{"tile":"V","y":2,"turn":270}],"followers":[6,7]}`), "a monk among tiles")
}

// Two games cannot show how often one wins, but the points are so far apart that they show who plays better.
func TestTheThoughtfulStandinBeatsTheSteadyOne(t *testing.T) {
	for _, c := range []struct {
		o     domain.Choices
		seats int
	}{{nil, 2}, {domain.Choices{"river": "on", "abbot": "on"}, 2}, {nil, 3}}[:long(1, 3)] {
		cfg := simulate.Config{Rulebook: Rulebook, Choices: withDefaults(c.o), Seats: c.seats, Seed: 5,
			Standins: []standin.Standin{standin.Thoughtful{}}}
		for len(cfg.Standins) < c.seats {
			cfg.Standins = append(cfg.Standins, standin.Steady{})
		}
		sum, p := simulate.NewTally(), simulate.NewPlayer(cfg)
		for i := range long(1, 60) {
			g, err := p.Play(i)
			require.NoError(t, err)
			require.Zero(t, g.Refused)
			sum.Add(g)
		}
		scores := sum.MeanScores()
		t.Logf("%v, %d seats: thoughtful wins %.3f, scores %v", c.o, c.seats, sum.WinRates()[0], scores)
		for _, other := range scores[1:] {
			require.Greater(t, scores[0], other)
		}
	}
}
