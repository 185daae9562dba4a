package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// laid returns a scene in which Ana places a tile beside a cloister in a meadow.
func laid(tile string) string {
	return "game carcassonne\nseat Ana\nseat Bo\n" +
		`given {"to_move":"A","tile":"` + tile + `","tiles":[{"tile":"B","x":0,"y":0,"turn":0}]}`
}

// What an answer offers instead of a line keeps to what was written: the place, the turn that the described sides have,
// nobody where nobody was to stand. Where nothing there does, it lists what can be played there. All of it plays as it
// stands.
func TestAnAnswerOffersWhatWasDescribed(t *testing.T) {
	const there = "What you can play there:\n"
	for _, c := range []struct{ tile, lang, text, want string }{
		{"N", "en", "0,1 city south and west, gloop, no follower",
			"for example: place 0,1, turned 270°, no follower"},
		{"N", "en", "0,1 gloop, city to the east and south, nobody",
			"for example: place 0,1, turned 180°, no follower"},
		{"N", "pl", "0,1 miasto na południe i zachód, bez nikogo gloop",
			"przykład: miejsce 0,1, obrót 270°, bez podwładnego"},
		{"N", "pt-BR", "0,1 cidade ao sul e oeste, sem ninguém gloop",
			"exemplo: lugar 0,1, girada 270°, nenhum seguidor"},
		{"N", "pt-PT", "0,1 cidade a sul e oeste, sem ninguém gloop",
			"exemplo: lugar 0,1, peça rodada 270°, nenhum seguidor"},
		{"V", "en", "0,1 gloop road south and west, nobody", "for example: place 0,1, turned 0°, no follower"},
		{"V", "en", "0,1 gloop road west, field south, nobody", "for example: place 0,1, turned 0°, no follower"},
		{"V", "en", "1,0 gloop road north and west, nobody",
			there + "place 1,0, turned 180°, no follower\nplace 1,0, turned 270°, no follower"},
		{"N", "en", "0,1 turned 0, no follower, gloop",
			there + "place 0,1, turned 180°, no follower\nplace 0,1, turned 270°, no follower"},
		{"N", "en", "0,1 turned 90, knight in the gloop city",
			there + "place 0,1, turned 180°, knight: city (east)\nplace 0,1, turned 270°, knight: city (south)\n"},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			s := answered(t, laid(c.tile), c.lang, c.text)
			require.Empty(t, s.moves)
			s.answer = strings.ReplaceAll(s.answer, "\u00a0", " ")
			require.Contains(t, s.answer, c.want)
			line := s.answer[strings.LastIndex(s.answer, "\n")+1:]
			if _, example, _ := strings.Cut(line, ": "); !strings.HasPrefix(c.want, there) {
				line = example
			}
			require.Equal(t, "outcome: played", answered(t, laid(c.tile), c.lang, line).outcome, line)
		})
	}
}

// It offers nothing rather than another place, what the line does not want, or what it is not about.
func TestAnAnswerOffersNothingElse(t *testing.T) {
	for _, c := range []struct{ scene, text string }{
		{laid("V"), "7,1 gloop road to the west"},
		{scenesOf(t, "rivals")["act"], "Settlement on the right without gloop"},
		{scenesOf(t, "rivals")["exchange"], "keep gloop, exchange nothing"},
	} {
		s := answered(t, c.scene, "en", c.text)
		require.Empty(t, s.moves)
		require.NotContains(t, s.answer, "for example", c.text)
		require.NotContains(t, s.answer, "there:", c.text)
	}
	s := says(t, "rivals", "exchange", "en", "keep them all. What is Siglind good for?")
	require.Equal(t, []string{"pass"}, s.moves)
	require.Contains(t, s.answer, "Siglind (settlement expansion, cost")
}
