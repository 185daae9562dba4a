package browser

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/rulebooks"
)

// pressesOf returns the most presses that a page of Catan needs for a move; the touch test checks every move that it
// plays against it. A place on the board is pressed before its purpose is chosen. If a place leaves only one choice,
// that choice is not asked. Once asked to, the house rolls the dice itself. Buying a card last ends the turn, too,
// and what the neutrals build takes one press where it is in nobody's way.
func pressesOf(rb domain.Rulebook, s domain.State, seat domain.Seat, move domain.Move, played string) int {
	if n := chained(rb, s, seat, played); n > 0 {
		return n
	}
	steps, legal := rb.Steps(s, move), legalSteps(rb, s, seat)
	switch {
	case strings.HasPrefix(rb.FormatMove(move, nil), "bank"): // behind what begins a trade
		return 3
	case ahead(steps, legal), len(legal) <= 15 && slices.ContainsFunc(legal, func(other []domain.Step) bool {
		return slices.ContainsFunc(other, func(s domain.Step) bool { return s.None })
	}):
		return 2
	}
	return levels(steps, legal)
}

// ahead reports whether a move's place is pressed before its purpose is chosen: no other purpose leads there.
func ahead(steps []domain.Step, legal [][]domain.Step) bool {
	last := steps[len(steps)-1]
	return last.Ahead && !slices.ContainsFunc(legal, func(other []domain.Step) bool {
		return len(other) > 1 && other[0].Key != steps[0].Key && other[1].Spot == last.Spot
	})
}

func legalSteps(rb domain.Rulebook, s domain.State, seat domain.Seat) (legal [][]domain.Step) {
	for m := range rb.Legal(s, seat) {
		legal = append(legal, rb.Steps(s, m))
	}
	return legal
}

// levels returns the number of presses of a move: its choices, and the one that plays it, which is all there is for
// what the bar plays.
func levels(steps []domain.Step, legal [][]domain.Step) (n int) {
	if press := steps[len(steps)-1].Press; len(steps) == 1 && (press == domain.PressOut ||
		press == domain.PressOnce && steps[0].Spot == "") {
		return 1
	}
	if steps[0].Any {
		return len(steps) + 1
	}
	for i := range steps {
		next := nextOf(steps[:i], legal)
		set := slices.MaxFunc(next, func(a, b domain.Step) int { return a.Preset - b.Preset })
		open := slices.ContainsFunc(next, func(s domain.Step) bool { return s.Preset == 0 })
		preset := set.Preset > 0 && (i > 0 || !open)
		if (i == 0 || len(next) > 1) && (!preset || set.Key != steps[i].Key) {
			n++
		}
	}
	return n + 1
}

// nextOf returns the choices after some steps, each once.
func nextOf(steps []domain.Step, legal [][]domain.Step) (next []domain.Step) {
	same := func(a, b domain.Step) bool { return a.Key == b.Key }
	for _, other := range legal {
		if len(other) > len(steps) && slices.EqualFunc(other[:len(steps)], steps, same) &&
			!slices.ContainsFunc(next, func(s domain.Step) bool { return s.Key == other[len(steps)].Key }) {
			next = append(next, other[len(steps)])
		}
	}
	return next
}

// An ordinary turn of Catan takes three presses at most, and four between two, who build for the neutrals, too. That
// holds for half of all turns of whole games between players who look one move ahead, for two, three and four
// players. The games are always the same.
func TestAnOrdinaryTurnOfCatanTakesThreePresses(t *testing.T) {
	t.Parallel()
	games := 3
	if os.Getenv("POSTHORN_LONG") == "1" {
		games = 100
	}
	for seats := 2; seats <= 4; seats++ {
		var all []int
		for game := range games {
			all = append(all, pressesByTurn(t, seats, uint64(game))...)
		}
		t.Logf("%d seats: %d turns of %d games, median %d presses, %d %% of them three at most", seats, len(all), games,
			median(all), share(all, 3))
		most := 3
		if seats == 2 {
			most = 4
		}
		require.LessOrEqual(t, median(all), most, "%d seats", seats)
	}
}

// share returns the percentage of values that are at most the given one.
func share(list []int, most int) int {
	n := 0
	for _, v := range list {
		if v <= most {
			n++
		}
	}
	return 100 * n / len(list)
}

// pressesByTurn plays a game of Catan and counts the player's presses, turn by turn.
func pressesByTurn(t *testing.T, seats int, game uint64) (list []int) {
	t.Helper()
	rb, _ := rulebooks.Named("catan")
	choices, err := domain.Complete(rb, nil)
	require.NoError(t, err)
	line := domain.NewLine(rb, domain.NewThrowaway(game))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: seats, First: domain.Seat(int(game) % seats)})
	require.NoError(t, err)
	line.Apply(&e)
	turn, left := "", []string(nil)
	for n := uint64(0); len(line.Awaited()) > 0; n++ {
		s, o := line.State.(*state.State), line.Awaited()[0]
		if now := fmt.Sprint(s.Active, s.Stint); now != turn && s.Phase != state.PhaseFound {
			turn, list = now, append(list, 0)
		}
		var move domain.Move
		if len(left) > 0 {
			move, err = rb.ParseMove(left[0], nil)
			require.NoError(t, err)
			left = left[1:]
		} else {
			var presses int
			move, left, presses = onePress{t: t, rb: rb, seat: o.Seat, luck: game<<32 | n}.press(s, pressesOf)
			if len(list) > 0 && rb.FormatMove(move, nil) != "roll" && o.Seat == domain.Seat(s.Active) {
				list[len(list)-1] += presses
			}
		}
		e, _, err := line.Decide(o.Seat, move)
		if _, refused := domain.AsRefusal(err); refused { // the game went another way: answer what is open
			left = nil
			continue
		}
		require.NoError(t, err)
		line.Apply(&e)
	}
	return list
}
