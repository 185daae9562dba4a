package show

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// A gain asks for what is open: which resource, if it offers regions of several kinds; only the place, if it offers
// one.
func TestAGainAsksWhatIsChosen(t *testing.T) {
	left, right := table.PlaceAt(table.Origin, 0), table.PlaceAt(table.Origin, 1)
	asked := func(task state.Task, into ...table.Place) (keys []string) {
		var s state.State
		s.Realms[0].Regions[left], s.Realms[0].Regions[right] = state.Region{Number: 2, Terrain: 0},
			state.Region{Number: 3, Terrain: 1}
		task.Kind = state.TaskGain
		s.Tasks[0], s.TasksN = task, 1
		m := state.Move{Verb: state.Into}
		for i, p := range into {
			m.Into[i] = state.WordPlace(p)
		}
		for _, step := range (Room{}).Steps(&s, m) {
			keys = append(keys, step.Ask.Key)
		}
		return keys
	}
	require.Equal(t, []string{"ask.gain-kind"}, asked(state.Task{N: 1, Res: table.AnyRes}, left))
	require.Equal(t, []string{"ask.gain-kind", "ask.gain-kind-more"},
		asked(state.Task{N: 2, Res: table.AnyRes}, left, right))
	require.Equal(t, []string{"ask.gain"}, asked(state.Task{N: 1, Res: table.Only(0)}, left), "one kind")
	require.Equal(t, []string{"ask.gain"}, asked(state.Task{N: 1, Res: table.AnyRes, Mask: 1 << right}, right),
		"one place")
	require.Equal(t, []string{"ask.gain", "ask.gain-more"}, asked(state.Task{Need: table.Goods{1, 1}}, left, right),
		"what is gained is settled")
}

// Only a player with a card to play before the roll is asked for more than the roll.
func TestARollIsAskedForAloneWithNoCardToPlayBefore(t *testing.T) {
	for name, asks := range map[string]string{"": "ask.roll-only", "goldsmith": "ask.roll-only",
		"brigitta_the_wise_woman": "ask.roll"} {
		s := state.State{Phase: state.Rolling}
		if r := &s.Realms[0]; name != "" {
			r.Hand[0], r.HandN = state.Slot{Card: table.CardNamed[name]}, 1
		}
		require.Equal(t, asks, Room{}.Steps(&s, state.Move{Verb: state.RollDice})[0].Ask.Key, name)
	}
}
