package words_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Each line of the board in words stands alone, and so does each line in the list below it: whole random games of every
// kind.
func TestEachLineOfThePositionBeginsLikeASentence(t *testing.T) {
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	for _, game := range []struct {
		name  string
		given domain.Choices
	}{{"carcassonne", nil}, {"catan", nil}, {"rivals", nil}, {"rivals", domain.Choices{"play": "gold"}},
		{"rivals", domain.Choices{"play": "turmoil"}}, {"rivals", domain.Choices{"play": "progress"}},
		{"rivals", domain.Choices{"play": "duel"}}} {
		t.Run(game.name+game.given["play"], func(t *testing.T) {
			rb, _ := rulebooks.Named(game.name)
			choices, err := domain.Complete(rb, game.given)
			require.NoError(t, err)
			least, _ := rb.Seats(choices)
			line := domain.NewLine(rb, domain.NewThrowaway(11))
			rnd := rand.New(rand.NewPCG(11, 11))
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: least})
			require.NoError(t, err)
			line.Apply(&e)
			for n := 0; n < 1000 && len(line.Awaited()) > 0; n++ {
				open := line.Awaited()
				seat := open[rnd.IntN(len(open))].Seat
				moves := slices.Collect(rb.Legal(line.State, seat))
				e, _, err := line.Decide(seat, moves[rnd.IntN(len(moves))])
				require.NoError(t, err)
				line.Apply(&e)
				if n%30 == 0 {
					begins(t, b, rb, rb.View(line.State, domain.ViewOf(seat)))
				}
			}
		})
	}
}

// begins checks that all lines of a view begin with a capital letter, a number or a sign.
func begins(t *testing.T, b *words.Book, rb domain.Rulebook, view domain.View) {
	t.Helper()
	for _, lang := range words.Languages {
		p := b.Printer(lang, rb.Name(), []string{"Ana", "Bo", "Cyryl", "Dora", "Eva"})
		lines := p.Lines(rb.Describe(view).Lines)
		for _, panel := range rb.Draw(view, domain.Sketch{}) {
			lines = append(lines, p.Lines(panel.Lines)...)
		}
		for _, l := range lines {
			first, _ := utf8.DecodeRuneInString(l)
			require.False(t, unicode.IsLower(first), "%s: %s", lang, l)
		}
	}
}
