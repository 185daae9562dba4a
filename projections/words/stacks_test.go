package words_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// The names of the Rivals' stacks are readable on a phone, in every language: letters there are at least eleven points
// high.
func TestTheNamesOfStacksAreReadOnAPhone(t *testing.T) {
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	rb, _ := rulebooks.Named("rivals")
	for _, play := range []string{"intro", "gold", "turmoil", "progress", "duel"} {
		choices, err := domain.Complete(rb, domain.Choices{"play": play})
		require.NoError(t, err)
		line := domain.NewLine(rb, domain.NewThrowaway(11))
		e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
		require.NoError(t, err)
		line.Apply(&e)
		for _, lang := range words.Languages {
			p := b.Printer(lang, "rivals", []string{"Ana", "Bo"})
			for _, panel := range rb.Draw(rb.View(line.State, domain.Spectator), domain.Sketch{}) {
				if panel.Name != "middle" {
					continue
				}
				scene, names := panel.Scene.Said(p.Say), ""
				for _, key := range []string{"back.basic", "back.gold", "back.turmoil", "back.progress",
					"pile.events"} {
					names += p.Text(key) + "|"
				}
				read := 0
				var look func(list []domain.Shape)
				look = func(list []domain.Shape) {
					for _, s := range list {
						look(s.Group)
						if s.Text != "" && strings.Contains(names, s.Text) && len(s.Text) > 2 {
							read++
							require.GreaterOrEqual(t, s.Size*390/scene.W, 11.0, "%s, %s: %s", play, lang, s.Text)
						}
					}
				}
				look(scene.Shapes)
				require.GreaterOrEqual(t, read, 2, play)
			}
		}
	}
}
