package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/mail"
)

// Given readers of each language, when they are mailed a board in characters, then it uses their words for resources
// and cards.
func TestTheBoardInCharactersIsInItsReadersLanguage(t *testing.T) {
	for lang, words := range map[string]map[string][]string{
		"en": {"catan": {"forest ", "desert"},
			"rivals": {"HI hills", "Toll Bridge", "S 0", "Stack 1 (basic set)", "events: "}},
		"pt-BR": {"catan": {"floresta", "deserto"},
			"rivals": {"CO colina", "Ponte com…", "A 0", "Pilha 1 (conjunto básico)", "eventos: "}},
		"pt-PT": {"catan": {"floresta", "deserto"},
			"rivals": {"CO colina", "Ponte com…", "A 0", "Pilha 1 (conjunto básico)", "eventos: "}},
		"pl": {"catan": {"las ", "pustynia"},
			"rivals": {"WZ wzgórza", "Most celny", "O 0", "Stos 1 (zestaw podstawowy)", "wydarzenia: "}},
	} {
		for game, given := range map[string]string{
			"catan": "", "rivals": `{"phase":"act","turn":1,"seats":[{"towns":["0 settlement above toll_bridge","1 settlement"],"hand":["lumber_ship"]},{"hand":["scout"]}]}`} {
			h := newHouse(t)
			ana, bo := h.person("Ana", lang), h.person("Bo", lang)
			table := h.started(game, given, ana, bo)
			text := strings.ReplaceAll(parts(t,
				h.compose(table, mail.KindTurn, []domain.PersonID{ana, bo}[h.awaited(table)])).Text, "\r", "")
			for _, w := range words[game] {
				require.Contains(t, text, w, "%s, %s", game, lang)
			}
			_, board, _ := strings.Cut(text, "https://")
			_, board, _ = strings.Cut(board, "\n")
			board, _, _ = strings.Cut(board, "\n - ")
			require.NotContains(t, board, "_", "%s, %s", game, lang)
			if lang != "en" {
				require.NotRegexp(t, `lumber|brick|wool|grain|desert\b|basic|tollbrid`, board, "%s, %s", game, lang)
			}
		}
	}
}

// Somebody who plays several seats is told for which of them it is their turn.
func TestWhoPlaysSeveralSeatsIsToldWhichIsAsked(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo, ana)
	h.play(table, 2, "keep")
	require.Contains(t, parts(t, h.compose(table, mail.KindTurn, ana)).Text, "You play Ana (A) now.")
	require.NotContains(t, parts(t, h.compose(table, mail.KindTurn, bo)).Text, "You play")
}
