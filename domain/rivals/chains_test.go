package rivals

import (
	"fmt"
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
		led, whole, ended := map[state.Verb]int{}, 0, 0
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
					if last == state.Stack && c.Moves[0].(state.Move).Verb == state.End {
						ended++
					}
					switch last {
					case state.Pass:
						require.True(t, after.Phase == state.Over || after.Active != seat, "%v", c.Moves)
					case state.Draw:
						require.Equal(t, state.Exchanging, after.Phase, "%v", c.Moves)
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
		for _, last := range []state.Verb{state.Pass, state.Draw, state.Stack, state.Bank} {
			require.Greater(t, led[last], 50, "%s: %s", play, state.VerbNames[last])
		}
		// with one set of cards, a card may go under any of several stacks
		require.Equal(t, play == "duel", whole > 0, play)
		require.Greater(t, ended, 50, "%s: the end of a turn that looks through a stack", play)
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

// With a full hand, the press that ends the turn exchanges a card for one out of each stack: nothing is revealed
// between the two. A hand that is filled first shows what was drawn.
func TestAFullHandIsExchangedByThePressThatEndsTheTurn(t *testing.T) {
	for _, c := range []struct {
		hand          string
		stored, cards int
	}{
		{`"goldsmith","brigitta_the_wise_woman","weavers_shop"`, 2, 3},
		{`"merchant_caravan","merchant_caravan","weavers_shop"`, 2, 2}, // each kind once
		{`"goldsmith","brigitta_the_wise_woman","weavers_shop"`, 1, 0},
		{`"goldsmith","weavers_shop"`, 3, 0},
	} {
		line, err := setUpGiven("intro",
			fmt.Sprintf(`{"phase":"act","active":"A","seats":[{"hand":[%s],"stores":{"0a":%d,"0b":0,"1a":0,"1b":0,"2a":0,"2b":0}},{}]}`, c.hand, c.stored))
		require.NoError(t, err)
		ways := map[domain.Move][]domain.Move{} // by the card given: the stacks
		for _, chain := range Rulebook.Extras().Chains(line.State, 0) {
			if len(chain.Moves) == 3 && chain.Moves[2].(state.Move).Verb == state.Stack {
				require.Equal(t, state.End, chain.Moves[0].(state.Move).Verb)
				card := state.Move{Verb: state.Search, Card: chain.Moves[1].(state.Move).Card}
				ways[card] = append(ways[card], chain.Moves[2])
			}
		}
		require.Len(t, ways, c.cards, c.hand)
		for _, stacks := range ways {
			require.Len(t, stacks, int(line.State.(*state.State).DecksN))
		}
	}
}
