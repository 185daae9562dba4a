package show

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

func TestStepsThatAreKeptSayWhatFreshOnesDo(t *testing.T) {
	for range 2 {
		for _, at := range []int16{-near - 1, -near, 0, near, near + 1} {
			require.Equal(t, bareStep(at, -at), keptStep(at, -at))
		}
		for c := table.Nobody; c <= table.Recall; c++ {
			steps := Room{}.Steps(new(state.State), state.Move{X: 1, Y: -2, Quarter: 3, Follower: c})
			require.Len(t, steps, 3)
			require.Equal(t, "1,-2", steps[0].Place)
			require.Equal(t, domain.S("step.turn", "degrees", 270), steps[1].Label)
			figure := figureStep(c)
			require.Equal(t, figure.Key, steps[2].Key)
			require.Equal(t, figure.Label, steps[2].Label)
		}
	}
}

func TestWhatLiesAboutAnOpenPlaceIsSaidOfEachSide(t *testing.T) {
	for range 2 {
		for asks := range table.Asks(len(wheres)) {
			beside, _ := whereSay(asks).Args["list"].([]domain.Say)
			n := 0
			for e := range 4 {
				if k := asks.Edge(e); k != table.NoKind {
					require.Equal(t, domain.S("place."+k.String(), "at_word", state.SideKey(table.EdgeNames[e])),
						beside[n])
					n++
				}
			}
			require.Len(t, beside, n)
		}
	}
}
