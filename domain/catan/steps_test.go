package catan

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// asked returns the question of a seat's first choice, the same for all of its choices.
func (g *game) asked(name string) domain.Say {
	g.t.Helper()
	var ask domain.Say
	n := 0
	for m := range g.line.Rulebook.Legal(g.line.State, domain.Seat(seatNo(name))) {
		steps := g.line.Rulebook.Steps(g.line.State, m)
		if n++; n == 1 {
			ask = steps[0].Ask
		}
		require.Equal(g.t, ask, steps[0].Ask)
	}
	require.NotZero(g.t, n)
	return ask
}

func TestAChoiceAsksWhatItIsAbout(t *testing.T) {
	g := given(t, 4, market)
	require.Equal(t, domain.S("ask.main"), g.asked("Ana"))
	g.play("Ana: offer 1 wool for 1 ore to Bo Di")
	for _, name := range []string{"Bo", "Di"} { // whether or not they can pay
		require.Equal(t, domain.S("ask.answer", "who", domain.Seat(0), "give", table.HandSay(table.Hand{table.Wool: 1}),
			"want", table.HandSay(table.Hand{table.Ore: 1})), g.asked(name))
	}
	require.Equal(t, "ask.found", given(t, 3, `{}`).asked("Ana").Key)
}

// The question at a point on the way to a move depends only on the choices before it.
func TestWhatIsAskedIsTheSameForAllThatMayBeChosen(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for seats := 2; seats <= 4; seats++ {
		playOut(t, seats, uint64(seats), rng, func(s *state.State) {
			for _, d := range Rulebook.Awaited(s) {
				asks := map[string]string{}
				for m := range Rulebook.Legal(s, d.Seat) {
					way := ""
					for _, step := range Rulebook.Steps(s, m) {
						before, seen := asks[way]
						require.True(t, !seen || before == step.Ask.Key, "%v after %q: %s, %s", d, way, before,
							step.Ask.Key)
						asks[way] = step.Ask.Key
						way += " " + step.Key
					}
				}
			}
		})
	}
}
