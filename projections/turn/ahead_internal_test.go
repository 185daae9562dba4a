package turn

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// A place on the board that plays as soon as it is pressed is where only that move plays: whatever else its press could
// mean is asked first. Random games of every play, between players who make any legal move.
func TestAPlaceThatPlaysAtOnceIsOneMoves(t *testing.T) {
	t.Parallel()
	pressed := map[string]int{}
	for _, game := range []struct{ name, option, value string }{{name: "carcassonne"}, {name: "catan"},
		{"rivals", "play", "intro"}, {"rivals", "play", "duel"}, {"rivals", "play", "progress"}} {
		rb, _ := rulebooks.Named(game.name)
		book, err := words.New([]domain.Rulebook{rb})
		require.NoError(t, err)
		given := domain.Choices{}
		if game.option != "" {
			given[game.option] = game.value
		}
		choices, err := domain.Complete(rb, given)
		require.NoError(t, err)
		for seed := range uint64(2) {
			luck := domain.NewThrowaway(seed)
			line := domain.NewLine(rb, luck)
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
			require.NoError(t, err)
			line.Apply(&e)
			for n := 0; n < 300 && len(line.Awaited()) > 0; n++ {
				o := line.Awaited()[0]
				mod := &Model{Seat: o.Seat, Decision: &o, printer: book.Printer("en", game.name, nil), rulebook: rb}
				mod.choices(line)
				for _, a := range mod.Ahead(mod.Choose(nil)) {
					pressed[game.name]++
					var all []string
					for _, m := range mod.From("") {
						if slices.ContainsFunc(m.Path, func(step Option) bool { return step.Spot == a.Spot }) {
							all = append(all, m.Notation)
						}
					}
					require.Equal(t, []string{a.Plays}, all, "%s: %s", game.name, a.Label)
				}
				list := mod.List(false)
				drawn := luck.Begin()
				e, _, err := line.Decide(o.Seat, list[drawn.Draw("move", len(list))].Move)
				luck.Count(drawn.Used())
				require.NoError(t, err)
				line.Apply(&e)
			}
		}
	}
	require.Greater(t, pressed["catan"], 50)
	require.Greater(t, pressed["rivals"], 20)
}
