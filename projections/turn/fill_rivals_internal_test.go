package turn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Whatever a game of the Rivals lets somebody pay or store, pressing the places of it in any order leads there, and
// nowhere else.
func TestEveryPaymentOfTheRivalsCanBePressed(t *testing.T) {
	t.Parallel()
	rb, _ := rulebooks.Named("rivals")
	book, err := words.New([]domain.Rulebook{rb})
	require.NoError(t, err)
	tried, several := 0, 0
	for game := range uint64(12) {
		rnd := rand.New(rand.NewPCG(game, 1))
		choices, err := domain.Complete(rb, domain.Choices{"play": []string{"intro", "gold", "duel"}[game%3]})
		require.NoError(t, err)
		line := domain.NewLine(rb, domain.NewThrowaway(game))
		e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
		require.NoError(t, err)
		line.Apply(&e)
		for n := 0; len(line.Awaited()) > 0 && n < 600; n++ {
			seat := line.Awaited()[0].Seat
			moves := slices.Collect(rb.Legal(line.State, seat))
			if fills(moves) {
				mod := &Model{Seat: seat, rulebook: rb, printer: book.Printer("en", "rivals", nil)}
				mod.choices(line)
				for _, m := range moves {
					presses(t, mod, rnd, line, m)
					tried++
				}
				several++
			}
			e, _, err := line.Decide(seat, moves[rnd.IntN(len(moves))])
			require.NoError(t, err)
			line.Apply(&e)
		}
	}
	t.Logf("%d moves of %d questions", tried, several)
	require.Greater(t, several, 100)
}

// fills reports whether a question is where a payment comes from or goods go.
func fills(moves []domain.Move) bool {
	return len(moves) > 1 && !slices.ContainsFunc(moves, func(m domain.Move) bool {
		verb := m.(state.Move).Verb
		return verb != state.PayFrom && verb != state.Into
	})
}

// presses presses the places of a move in some order.
func presses(t *testing.T, mod *Model, rnd *rand.Rand, line *domain.Line, m domain.Move) {
	t.Helper()
	want := mod.rulebook.FormatMove(m, nil)
	var things []string
	for _, s := range mod.rulebook.Steps(line.State, m) {
		things = append(things, unnumbered(s.Key))
	}
	rnd.Shuffle(len(things), func(i, j int) { things[i], things[j] = things[j], things[i] })
	slices.SortStableFunc(things, func(a, b string) int { return -cmpVerb(a, b) }) // what is paid before what is stored
	var keys []string
	for _, thing := range things {
		c, ok := mod.Fill(keys)
		require.True(t, ok, "%s: %q", want, things)
		i := slices.IndexFunc(mod.Others(c), func(o Other) bool { return unnumbered(o.Key) == thing })
		require.GreaterOrEqual(t, i, 0, "%s: no %s after %q", want, thing, keys)
		keys = mod.Others(c)[i].Keys
	}
	c, _ := mod.Fill(keys)
	require.Equal(t, want, c.Notation, "%q", things)
}

func cmpVerb(a, b string) int {
	switch {
	case a[0] == b[0]:
		return 0
	case a[0] == 'p':
		return 1
	}
	return -1
}
