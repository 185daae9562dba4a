package browser

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rulebooks"
)

// pressesOfRivals returns the most presses that a page of the Rivals needs for a move, or for several in one press. The
// touch test checks every move that it plays against it.
func pressesOfRivals(rb domain.Rulebook, s domain.State, seat domain.Seat, move domain.Move, played string) int {
	if n := chained(rb, s, seat, played); n > 0 {
		return n
	}
	if paysAlways(move) { // or, where that order stands, from another place
		return 2
	}
	steps, legal := rb.Steps(s, move), legalSteps(rb, s, seat)
	return levels(steps, legal)
}

// paysAlways reports whether a player who makes a move leaves such payments to the house for good: where the payment
// comes from, but neither whether to pay for Riots, nor where to store what it buys.
func paysAlways(move domain.Move) bool {
	m := move.(state.Move)
	return m.Verb == state.PayFrom && m.Pay[0] != 0 && m.Into[0] == 0
}

// An ordinary turn of the Rivals, from the dice to the exchange of a card, takes five presses, of which
// three are what the bar plays. That holds for half of
// all turns of whole games between players who look one move ahead, and who leave the dice and, once asked, the
// payments to the house for good. The games are always the same.
func TestAnOrdinaryTurnOfTheRivalsTakesFivePresses(t *testing.T) {
	t.Parallel()
	games := 1
	if os.Getenv("POSTHORN_LONG") == "1" {
		games = 60
	}
	rb, _ := rulebooks.Named("rivals")
	for _, play := range []string{"intro", "gold", "turmoil", "progress", "duel"} {
		var all []int
		sum := 0
		for game := range games {
			for _, n := range rivalsByTurn(t, rb, play, uint64(game)) {
				all, sum = append(all, n), sum+n
			}
		}
		t.Logf("%s: %d turns of %d games, median %d presses, mean %.1f, most %d, %d %% of them three at most", play,
			len(all), games, median(all), float64(sum)/float64(len(all)), slices.Max(all), share(all, 3))
		require.LessOrEqual(t, median(all), 5, play)
	}
}

// rivalsByTurn plays a game of the Rivals and counts the player's presses, turn by turn.
func rivalsByTurn(t *testing.T, rb domain.Rulebook, play string, game uint64) (list []int) {
	t.Helper()
	choices, err := domain.Complete(rb, domain.Choices{"play": play})
	require.NoError(t, err)
	line := domain.NewLine(rb, domain.NewThrowaway(game))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, First: domain.Seat(game % 2)})
	require.NoError(t, err)
	line.Apply(&e)
	orders := [2][]string{{"roll"}, {"roll"}}
	turn, left := "", []string(nil)
	for n := uint64(0); len(line.Awaited()) > 0; n++ {
		s, o := line.State.(*state.State), line.Awaited()[0]
		if now := fmt.Sprint("turn ", s.Turn); s.Turn > 0 && now != turn {
			turn, list = now, append(list, 0)
		}
		does, obeyed := rb.Extras().Orders.Obey(orders[o.Seat], o.Decision, rb.View(s, domain.ViewOf(o.Seat)))
		move := does.Move
		switch {
		case obeyed:
		case len(left) > 0:
			move, err = rb.ParseMove(left[0], nil)
			require.NoError(t, err)
			left = left[1:]
		default:
			p := onePress{t: t, rb: rb, seat: o.Seat, orders: orders[o.Seat], luck: game<<32 | n}
			var presses int
			move, left, presses = p.press(s, pressesOfRivals)
			if s.Turn > 0 && s.Active == o.Seat {
				list[len(list)-1] += presses
			}
			if paysAlways(move) { // at the first chance
				orders[o.Seat] = []string{"roll", "pay"}
			}
		}
		e, _, err := line.Decide(o.Seat, move)
		if _, refused := domain.AsRefusal(err); refused { // a payment came first: answer what is open
			left = nil
			continue
		}
		require.NoError(t, err)
		line.Apply(&e)
	}
	return list
}
