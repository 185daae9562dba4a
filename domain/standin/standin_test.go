package standin

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

// start returns a line of the tiny game from a position.
func start(t *testing.T, given string) *domain.Line {
	t.Helper()
	choices, err := domain.Complete(tiny.Rulebook, nil)
	require.NoError(t, err)
	line := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: json.RawMessage(given)})
	require.NoError(t, err)
	line.Apply(&e)
	return line
}

func chosen(t *testing.T, s Standin, line *domain.Line, seed uint64) string {
	t.Helper()
	m, ok := s.Choose(Look(line.Rulebook, line.State, 0, seed))
	require.True(t, ok)
	return line.Rulebook.FormatMove(m, nil)
}

func TestRandomPlaysEveryMoveAsOften(t *testing.T) {
	line := start(t, `{}`)
	counts := map[string]int{}
	for seed := range uint64(3000) {
		counts[chosen(t, Random{}, line, seed)]++
	}
	require.Len(t, counts, 3)
	for m, n := range counts {
		require.InDelta(t, 1000, n, 130, m)
	}
}

func TestSteadyKeepsAHighCardAndSwapsALowOne(t *testing.T) {
	for seed := range uint64(20) {
		require.Equal(t, "keep", chosen(t, Steady{}, start(t, `{"hands":[23,9]}`), seed))
		require.Equal(t, "swap", chosen(t, Steady{}, start(t, `{"hands":[2,9]}`), seed))
	}
}

func TestTheSameSightGivesTheSameChoice(t *testing.T) {
	for _, s := range All() {
		line := start(t, `{"hands":[13,9]}`)
		require.Equal(t, chosen(t, s, line, 5), chosen(t, s, line, 5))
	}
}

func TestAStandinCannotBeToldApartByWhatItMayNotKnow(t *testing.T) {
	// Given positions that differ only in the other's card and the stack, steady makes the same choice.
	for seed := range uint64(40) {
		a := chosen(t, Steady{}, start(t, `{"hands":[12,1],"stack":[24,23,22,21,2,3,4,5,6,9]}`), seed)
		b := chosen(t, Steady{}, start(t, `{"hands":[12,24],"stack":[1,2,3,4,5,6,9,21,22,23]}`), seed)
		require.Equal(t, a, b)
	}
}

func TestChoosingLeavesTheGameAsItWas(t *testing.T) {
	line := start(t, `{}`)
	before, err := json.Marshal(line.Rulebook.View(line.State, domain.Referee))
	require.NoError(t, err)
	for _, s := range All() {
		chosen(t, s, line, 3)
	}
	after, err := json.Marshal(line.Rulebook.View(line.State, domain.Referee))
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(after))
}

func TestASeatWithoutMovesChoosesNone(t *testing.T) {
	line := start(t, `{"over":true}`)
	for _, s := range All() {
		_, ok := s.Choose(Look(line.Rulebook, line.State, 0, 1))
		require.False(t, ok)
	}
}

func TestStandinsAreFoundByName(t *testing.T) {
	for _, s := range All() {
		found, err := Named(s.Name())
		require.NoError(t, err)
		require.Equal(t, s, found)
	}
	_, err := Named("clever")
	require.ErrorContains(t, err, "steady")
}
