package catan

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/table"
	"posthorn/domain/simulate"
	"posthorn/domain/standin"
)

// The steady stand-in, which looks one move ahead by Value, beats random ones.
func TestSteadyBeatsRandom(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		players := make([]standin.Standin, seats)
		for i := range players {
			players[i] = standin.Random{}
		}
		players[1] = standin.Steady{}
		p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices(t), Seats: seats, Seed: 7,
			Standins: players})
		const games = 6
		won := 0
		for i := range games {
			g, err := p.Play(i)
			require.NoError(t, err)
			require.True(t, g.Finished)
			require.Zero(t, g.Refused)
			won += oneIf(g.Ranks[1] == 1)
		}
		require.GreaterOrEqual(t, won, games-1, "%d seats", seats)
	}
}

// A stand-in answers offers by what they are worth to it.
func TestSteadyAnswersOffers(t *testing.T) {
	answer := func(bo, offer string) string {
		g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"brick":3,"ore":3,"wool":3}},{"settlements":[30],"roads":[44,43],"hand":`+bo+`}]}`)
		g.play("Ana: offer " + offer + " to Bo")
		m, ok := standin.Steady{}.Choose(standin.Look(g.line.Rulebook, g.line.State, 1, 1))
		require.True(t, ok)
		return g.line.Rulebook.FormatMove(m, testNames)
	}
	require.Equal(t, "accept", answer(`{"lumber":1,"wool":1,"grain":2}`, "1 brick for 1 grain"),
		"the brick makes a settlement")
	require.Equal(t, "decline", answer(`{"brick":1,"lumber":1,"wool":1,"grain":1}`, "1 ore for 1 brick"),
		"the brick is needed")
}

func TestValueKnowsWhatMatters(t *testing.T) {
	worth := func(seat string) float64 {
		return Rulebook.Value(given(t, 3, `{"phase":"main","players":[`+seat+`,{"settlements":[40]}]}`).state(), 0)
	}
	require.Greater(t, worth(`{"cities":[8]}`), worth(`{"settlements":[8]}`))
	require.Greater(t, worth(`{"settlements":[18]}`), worth(`{"settlements":[1]}`), "more ways to earn")
	require.Greater(t, worth(`{"settlements":[8],"hand":{"ore":3,"grain":2}}`),
		worth(`{"settlements":[8],"hand":{"wool":5}}`))
	robbed := Rulebook.Value(given(t, 3, `{"robber":4,"players":[{"settlements":[8]}]}`).state(), 0)
	free := Rulebook.Value(given(t, 3, `{"robber":9,"players":[{"settlements":[8]}]}`).state(), 0)
	require.Less(t, robbed, free)
	over := given(t, 3, `{"phase":"over","winner":"A"}`).state()
	require.Greater(t, Rulebook.Value(over, 0), Rulebook.Value(over, 1))
}

func TestBlindKeepsWhatEverybodySees(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"wool":2},"cards":{"point":1}},{"hand":{"ore":3,"brick":2},"cards":{"knight":2},"fresh":{"knight":1}},{"hand":{"grain":4}}]}`)
	differs := false
	for seed := range uint64(20) {
		dealt := *g.state()
		e := g.line.Rulebook.Blind(g.line.State, 0, domain.NewThrowaway(seed).Begin())
		Rulebook.Evolve(&dealt, &e)
		conserved(t, &dealt)
		require.Equal(t, g.state().Hand[0], dealt.Hand[0])
		require.Equal(t, g.state().Cards[0], dealt.Cards[0])
		require.Equal(t, g.state().Size, dealt.Size)
		require.Equal(t, g.state().Bank, dealt.Bank)
		require.Equal(t, 1, dealt.Fresh[1].Len())
		differs = differs || dealt.Hand != g.state().Hand
	}
	require.True(t, differs)
}

// Even if nearly everything hidden is victory points, a deal does not make the seat in turn one that should have won.
func TestBlindDealsNoVictoryThatHasNotBeen(t *testing.T) {
	g := given(t, 3, `{"phase":"main","deck_cards":{"point":1},"players":[{"cities":[8,30,40,51],"roads":[0],"cards":{"knight":1,"plenty":1}},
		{"settlements":[2],"cards":{"point":3,"monopoly":1}},{"cards":{"point":1}}]}`, "points", "9")
	for seed := range uint64(300) {
		for _, v := range []domain.Viewer{domain.Spectator, 1, 2} {
			dealt := *g.state()
			e := g.line.Rulebook.Blind(g.line.State, v, domain.NewThrowaway(seed).Begin())
			Rulebook.Evolve(&dealt, &e)
			require.Less(t, dealt.Points(0), 9)
			require.Equal(t, g.state().Cards[0].Len(), dealt.Cards[0].Len())
			sum := dealt.Deck
			for c := range dealt.Seats {
				sum.Add(dealt.Cards[c])
			}
			require.Equal(t, table.Cards{table.Knight: 1, table.Plenty: 1, table.Monopoly: 1, table.Point: 5}, sum)
		}
	}
}

// The estimate knows more than points: what is earned, and who holds what others may take.
func TestTheEstimateKnowsWhatMatters(t *testing.T) {
	e := Rulebook.Extras()
	for _, seats := range []int{2, 3, 4} {
		likely := func(seat string) float64 {
			neutrals := ""
			if seats == 2 {
				neutrals = `,"neutrals":[{"name":"M","settlements":[50]},{"name":"N","settlements":[22]}]`
			}
			return e.Estimate(given(t, seats, `{"phase":"main","players":[`+seat+`,{"settlements":[40]}]`+neutrals+`}`).
				state(), 0)
		}
		require.Greater(t, likely(`{"cities":[8]}`), likely(`{"settlements":[8]}`), "%d seats", seats)
		require.Greater(t, likely(`{"settlements":[8],"hand":{"ore":3,"grain":2}}`),
			likely(`{"settlements":[8],"hand":{"wool":5}}`), "%d seats", seats)
		require.Greater(t, likely(`{"settlements":[8],"cards":{"knight":1}}`), likely(`{"settlements":[8]}`),
			"%d seats", seats)
	}
	over := given(t, 3, `{"phase":"over","winner":"A"}`).state()
	require.Greater(t, e.Estimate(over, 0), e.Estimate(over, 1))
}

// In Catan for two, what one seat's chances gain the other's lose, and a turn belongs to its seat once nothing else is
// asked.
func TestTheEstimateOfTwoIsEvenHanded(t *testing.T) {
	e := Rulebook.Extras()
	line := domain.NewLine(Rulebook, domain.NewThrowaway(3))
	setup, _, err := line.Setup(domain.Game{Choices: choices(t), Seats: 2})
	require.NoError(t, err)
	line.Apply(&setup)
	luck, last, own := domain.NewThrowaway(4), 0, 0
	for range 400 {
		open := line.Awaited()
		if len(open) == 0 {
			break
		}
		require.InDelta(t, 0, e.Estimate(line.State, 0)+e.Estimate(line.State, 1), 1e-6)
		n, whose := e.Turn(line.State)
		require.GreaterOrEqual(t, n, last)
		last = n
		if whose != domain.Nobody {
			require.Equal(t, whose, open[0].Seat)
			own++
		}
		moves := slices.Collect(Rulebook.Legal(line.State, open[0].Seat))
		pick := luck.Begin()
		m := moves[pick.Draw("move", len(moves))]
		luck.Count(pick.Used())
		next, _, err := line.Decide(open[0].Seat, m)
		require.NoError(t, err)
		line.Apply(&next)
	}
	require.Greater(t, last, 3)
	require.Greater(t, own, 10)
}

// The short form plays too few games to measure how often, but enough to check that nothing is refused and all games
// end.
func TestTheThoughtfulStandinBeatsTheSteadyOnes(t *testing.T) {
	for _, c := range []struct {
		seats, games int
		least        float64
	}{{2, 200, 0.7}, {3, 60, 0.5}, {4, 60, 0.3}} {
		players := []standin.Standin{standin.Thoughtful{}}
		for len(players) < c.seats {
			players = append(players, standin.Steady{})
		}
		p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices(t), Seats: c.seats, Seed: 5,
			Standins: players})
		games, full := 1, os.Getenv("POSTHORN_LONG") == "1"
		if full {
			games = c.games
		}
		sum := simulate.NewTally()
		for i := range games {
			g, err := p.Play(i)
			require.NoError(t, err)
			require.True(t, g.Finished)
			require.Zero(t, g.Refused)
			sum.Add(g)
		}
		t.Logf("%d seats: thoughtful wins %v, scores %v", c.seats, sum.WinRates()[0], sum.MeanScores())
		if full {
			require.GreaterOrEqual(t, sum.WinRates()[0], c.least)
		}
	}
}
