package rivals

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// What a page offers for one press starts with a legal move and continues with legal ones, after paying for what is
// asked in between: up to the other's turn, the exchange of a card, or the stack chosen to look through.
func TestOnePressLeadsToWhatItSays(t *testing.T) {
	for _, play := range []string{"intro", "duel"} {
		led, whole := map[state.Verb]int{}, 0
		for seed := uint64(1); seed <= 4; seed++ {
			w := watch(t, play, seed, map[string]int{})
			luck := domain.NewThrowaway(seed)
			for range 300 {
				open := w.line.Awaited()
				if len(open) == 0 {
					break
				}
				s, seat := w.state(), open[0].Seat
				for _, c := range Rulebook.Extras().Chains(s, seat) {
					requireWords(t, c.Label)
					requireWords(t, c.Title)
					if c.Group.Key != "" {
						requireWords(t, c.Group)
					}
					if first := slices.Collect(Rulebook.Legal(s, seat)); len(c.Moves) > 1 {
						require.Contains(t, first, c.Moves[0])
					}
					var beside []domain.Move // where chains with the same first move lead
					for _, o := range Rulebook.Extras().Chains(s, seat) {
						if o.Whole && o.Moves[0] == c.Moves[0] {
							beside = append(beside, o.Moves[1])
						}
					}
					after := Rulebook.Clone(s).(*state.State)
					for _, m := range c.Moves {
						for m.(state.Move).Verb == state.Stack && after.Asked(seat) == state.TaskPay {
							made(t, after, seat, slices.Collect(Rulebook.Legal(after, seat))[0], seed)
						}
						if c.Whole && m.(state.Move).Verb == state.Stack {
							require.ElementsMatch(t, slices.Collect(Rulebook.Legal(after, seat)), beside,
								"all that %v leads to", c.Moves[0])
							whole++
						}
						made(t, after, seat, m, seed)
					}
					last := c.Moves[len(c.Moves)-1].(state.Move).Verb
					led[last]++
					switch last {
					case state.Pass:
						require.True(t, after.Phase == state.Over || after.Active != seat, "%v", c.Moves)
					case state.Stack:
						require.Equal(t, state.TaskPick, after.Asked(seat), "%v", c.Moves)
					case state.Bank:
						require.Zero(t, after.TasksN, "nothing is asked after %v", c.Moves)
					}
				}
				begun := luck.Begin()
				moves := slices.Collect(Rulebook.Legal(s, seat))
				m := moves[begun.Draw("move", len(moves))]
				luck.Count(begun.Used())
				e, _, err := w.line.Decide(seat, m)
				require.NoError(t, err)
				w.apply(&e)
			}
		}
		for _, last := range []state.Verb{state.Pass, state.Stack, state.Bank} {
			require.Greater(t, led[last], 50, "%s: %s", play, state.VerbNames[last])
		}
		// with one set of cards, a card may go under any of several stacks
		require.Equal(t, play == "duel", whole > 0, play)
	}
}

// made makes a move on a state.
func made(t *testing.T, s *state.State, seat domain.Seat, m domain.Move, seed uint64) {
	t.Helper()
	thrown := domain.NewThrowaway(seed).Begin()
	e, err := Rulebook.Decide(s, seat, m, thrown)
	require.NoError(t, err, "%v", m)
	e.Seat, e.Draws, e.Move = seat, thrown.Used(), Rulebook.FormatMove(m, nil)
	Rulebook.Evolve(s, &e)
}
