package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// Given readers of each language, when they are mailed a board in characters, then it uses their words for resources
// and cards.
func TestTheBoardInCharactersIsInItsReadersLanguage(t *testing.T) {
	for lang, words := range map[string]map[string][]string{
		"en": {"catan": {"lumber ", "desert"},
			"rivals": {"HI hills", "Toll Bridge", "S 0", "Stack 1 (basic set)", "events: "}},
		"pt-BR": {"catan": {"madeira", "deserto"},
			"rivals": {"CO colina", "Ponte com p", "A 0", "Pilha 1 (conjunto básico)", "eventos: "}},
		"pt-PT": {"catan": {"madeira", "cereais", "deserto"},
			"rivals": {"CO colina", "Ponte com p", "A 0", "Pilha 1 (conjunto básico)", "eventos: "}},
		"pl": {"catan": {"drewno ", "pustynia"},
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
			board, _, _ := strings.Cut(text, "\n\nA: Ana")
			_, board, _ = strings.Cut(board, "https://")
			_, board, _ = strings.Cut(board, "\n")
			require.NotContains(t, board, "_", "%s, %s", game, lang)
			if lang != "en" {
				require.NotRegexp(t, `lumber|brick|wool|grain|desert\b|basic|tollbrid`, board, "%s, %s", game, lang)
			}
		}
	}
}

// A mail's picture shows first choices, so a card that people take only after another has no letter in it: the mail
// says so.
func TestAMailSaysWhatItsPictureShowsWithoutALetter(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	ans, err := h.Desk.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "rivals", Places: invited(ana, bo), Pace: "weekly",
			Choices: domain.Choices{"play": "duel"}})
	require.NoError(t, err)
	table := ans.Table
	h.join(ana, table)
	h.join(bo, table)
	letter := func() string {
		return parts(t, h.compose(table, mail.KindTurn, []domain.PersonID{ana, bo}[h.awaited(table)])).HTML
	}
	require.NotContains(t, letter(), "Only after another:", "of stacks one is chosen")
	seat := domain.Seat(h.awaited(table))
	h.play(table, seat, "stack 1")
	require.EqualValues(t, seat, h.awaited(table))
	require.Contains(t, letter(), "Only after another: Take ")
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
