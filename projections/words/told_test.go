package words_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/simulate"
	"posthorn/projections/words"
)

// typed matches what only notation looks like: coordinates, "0a", "1 above", "-1", names with underscores, a place that
// is just a number.
var typed = regexp.MustCompile(
	`-?\d+,-?\d+|\b\d+[ab]\b|(^|[(,;:] ?)-?\d+ (above|below)\b|(^|[\s(;:])-\d|_|(?i)\b(at|town|osad[ąęo]|localidade|miasto|cidade|aldeia) -?\d+([.,;:)]|$)`)

var bidi = strings.NewReplacer("\u2068", "", "\u2069", "")

// Events are told in words, in every language: whole random games of every kind.
func TestNothingIsToldInNotation(t *testing.T) {
	require.Regexp(t, typed, "Ana builds Abbey above town 0 (0 above).")
	require.Regexp(t, typed, "Bo buduje miasto w -1.")
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	for _, game := range []struct{ name, play string }{{"carcassonne", ""}, {"rivals", "intro"}, {"rivals", "gold"},
		{"rivals", "turmoil"}, {"rivals", "progress"}, {"rivals", "duel"}} {
		t.Run(game.name+game.play, func(t *testing.T) { tellsAGame(t, b, game.name, game.play) })
	}
}

func tellsAGame(t *testing.T, b *words.Book, name, play string) {
	rb, _ := rulebooks.Named(name)
	given := domain.Choices{}
	if play != "" {
		given["play"] = play
	}
	choices, err := domain.Complete(rb, given)
	require.NoError(t, err)
	least, _ := rb.Seats(choices)
	line := domain.NewLine(rb, domain.NewThrowaway(uint64(len(play))))
	rnd := rand.New(rand.NewPCG(7, uint64(len(play))))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: least})
	require.NoError(t, err)
	line.Apply(&e)
	for n := 0; n < simulate.DefaultCap && len(line.Awaited()) > 0; n++ {
		open := line.Awaited()
		seat := open[rnd.IntN(len(open))].Seat
		moves := slices.Collect(rb.Legal(line.State, seat))
		require.NotEmpty(t, moves)
		move := moves[rnd.IntN(len(moves))]
		e, _, err := line.Decide(seat, move)
		require.NoError(t, err)
		says := rb.Tell(&e, rb.View(line.State, domain.Spectator))
		if name == "rivals" { // the Rivals tell choices as they are: a place among them has its name next to it
			for _, s := range rb.Steps(line.State, move) {
				says = append(says, s.Label)
			}
		}
		line.Apply(&e)
		inWords(t, b, rb, says, rb.FormatMove(move, nil))
		if name == "rivals" && n%50 == 0 {
			d := rb.Describe(rb.View(line.State, domain.ViewOf(seat)))
			inWords(t, b, rb, append(d.Lines, d.Alt), "")
		}
	}
	require.Empty(t, line.Awaited(), "the game is not over")
}

// inWords checks that no sentence is notation, or quotes the move that it tells.
func inWords(t *testing.T, b *words.Book, rb domain.Rulebook, says []domain.Say, move string) {
	t.Helper()
	for _, lang := range words.Languages {
		for _, said := range b.Printer(lang, rb.Name(), []string{"Ana", "Bo"}).Lines(says) {
			said = bidi.Replace(said)
			require.NotRegexp(t, typed, said, lang)
			if len(strings.Fields(move)) > 2 {
				require.NotContains(t, said, move, lang)
			}
		}
	}
}
