package standin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThoughtfulKeepsAHighCardAndSwapsALowOne(t *testing.T) {
	for seed := range uint64(20) {
		require.Equal(t, "keep", chosen(t, Thoughtful{}, start(t, `{"hands":[23,9]}`), seed))
		require.Equal(t, "swap", chosen(t, Thoughtful{}, start(t, `{"hands":[2,9]}`), seed))
	}
}

func TestThoughtfulCannotBeToldApartByWhatItMayNotKnow(t *testing.T) {
	for seed := range uint64(40) {
		a := chosen(t, Thoughtful{}, start(t, `{"hands":[12,1],"stack":[24,23,22,21,2,3,4,5,6,9]}`), seed)
		b := chosen(t, Thoughtful{}, start(t, `{"hands":[12,24],"stack":[1,2,3,4,5,6,9,21,22,23]}`), seed)
		require.Equal(t, a, b)
	}
}

func TestThoughtfulAsksNowAndThenWhetherItMayGoOn(t *testing.T) {
	line := start(t, `{"hands":[13,9]}`)
	whole := Look(line.Rulebook, line.State, 0, 5)
	asked := 0
	whole.Between = func() bool { asked++; return true }
	m, ok := Thoughtful{}.Choose(whole)
	require.True(t, ok)
	require.Equal(t, chosen(t, Thoughtful{}, line, 5), line.Rulebook.FormatMove(m, nil), "being asked changes nothing")
	require.Greater(t, asked, 10)

	cut := Look(line.Rulebook, line.State, 0, 5)
	asked = 0
	cut.Between = func() bool { asked++; return false }
	_, ok = Thoughtful{}.Choose(cut)
	require.True(t, ok, "it plays what it likes best so far")
	require.LessOrEqual(t, asked, len(cut.Moves), "and thinks no longer")
}
