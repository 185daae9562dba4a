package inbound_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// moveLine is a line of a mail's list: a move's name, and what it does.
var moveLine = regexp.MustCompile(`(?m)^ +\S+( \S+)?  \S`)

// Who asks for all moves has them in the answer, in words that play as they stand.
func TestAllMovesAreShownToWhoAsks(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, text string }{
		{"catan", "main", "en", "moves"}, {"catan", "main", "en", "Show me all moves please"},
		{"catan", "main", "pl", "Pokaż wszystkie ruchy, proszę"}, {"catan", "main", "pt-PT", "todas as jogadas"},
		{"catan", "main", "pt-BR", "me mostra todas as jogadas"}, {"carcassonne", "first", "en", "what are my moves?"},
	} {
		t.Run(c.text, func(t *testing.T) {
			few := says(t, c.game, c.scene, c.lang, "?").mail
			s := says(t, c.game, c.scene, c.lang, c.text)
			require.Empty(t, s.moves)
			require.Greater(t, len(moveLine.FindAllString(s.mail, -1)), len(moveLine.FindAllString(few, -1)))
		})
	}
	require.Contains(t, says(t, "catan", "main", "en", "moves").mail, "a 30  build a city")
	require.Contains(t, says(t, "catan", "main", "en", "moves").mail, "c 36  build a road")
	require.Contains(t, says(t, "catan", "found", "en", "all moves").mail, "The best 60 of your")
	require.Contains(t, says(t, "catan", "main", "en", "help").answer, "a reply of “moves” lists them")
}

// What something costs and is good for is told out of the game's own tables, and of hands what their owners may know.
func TestWhatSomethingCostsIsTold(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, text, want string }{
		{"catan", "main", "en", "What does a road cost?", "Road: 1 brick, 1 lumber."},
		{"catan", "main", "en", "prices?", "City: 2 grain, 3 ore."},
		{"catan", "main", "pl", "Ile kosztuje droga?", "Droga: 1 glina, 1 drewno."},
		{"catan", "main", "pt-BR", "Quanto custa uma cidade?", "Cidade: 2 trigos, 3 minérios."},
		{"catan", "main", "pt-PT", "Quanto custa uma cidade?", "Cidade: "},
		{"catan", "main", "en", "What is a knight good for?", "Knight: move the robber"},
		{"catan", "main", "pl", "Co robi monopol?", "Monopol: nazwij surowiec"},
		{"catan", "main", "en", "who has brick?",
			"Only each player sees which cards they hold. cards: Ana 10, Bo 3, Cid 2."},
		{"rivals", "act", "en", "what is Siglind good for?", "Siglind (settlement expansion, cost"},
		{"rivals", "act", "pl", "ile kosztuje osada?", "Osada: 1 glina, 1 zboże, 1 drewno, 1 wełna."},
		{"rivals", "act", "en", "who has brick?", "brick: Ana 2, Bo 1."},
		{"carcassonne", "first", "en", "What does a road cost?", "Nothing is paid for in this game."},
	} {
		t.Run(c.text, func(t *testing.T) {
			s := says(t, c.game, c.scene, c.lang, c.text)
			require.Empty(t, s.moves)
			require.Contains(t, strings.ReplaceAll(s.answer, "\u00a0", " "), c.want)
		})
	}
	for _, text := range []string{"road 44\nWhat does a city cost?", "Road 44. What does a city cost?",
		"What does a city cost? Road 44, please."} {
		s := says(t, "catan", "main", "en", text)
		require.Equal(t, []string{"road 44"}, s.moves, text)
		require.Contains(t, strings.ReplaceAll(s.answer, "\u00a0", " "), "City: 2 grain, 3 ore.")
	}
}

// What is no card and has no price is told in the words of the rules, with the place where they stand.
func TestWhatTheRulesSayIsTold(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, text, want, at string }{
		{"catan", "main", "en", `what does "trade with the bank" mean?`, "Four cards of one resource buy one", "bank"},
		{"catan", "main", "en", `What does "force a trade with tokens" mean?`, "Forced trade: you take two", "tokens"},
		{"catan", "main", "en", "what is the longest road?", "at least five connected pieces", "longest"},
		{"catan", "main", "pl", "jak działa wymuszona wymiana?", "Wymuszona wymiana: ", "tokens"},
		{"carcassonne", "cloister", "en", "how does a farmer score?", "A farmer lies in a field", "field"},
		{"rivals", "act", "en", "what is a brigand attack?", "Brigand attack: a player who stores", "dice"},
		{"rivals", "act", "pl", "co znaczy napad zbójców?", "Napad zbójców: kto przechowuje", "dice"},
		{"rivals", "act", "en", "what is the trade advantage?", "advantage", ""},
	} {
		s := says(t, c.game, c.scene, c.lang, c.text)
		require.Empty(t, s.moves)
		require.Contains(t, onOneLine(s.answer), c.want, c.text)
		require.Contains(t, s.mail, "/rules/"+c.game+"?lang="+c.lang+"#"+c.at, c.text)
	}
}
