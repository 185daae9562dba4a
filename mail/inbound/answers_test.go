package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

// Help says what is true of the mail that it comes in: the best moves stand there, and the page has them all.
func TestHelpSaysWhereAllMovesAre(t *testing.T) {
	for lang, c := range map[string][2]string{"en": {"help", "the page has them all"},
		"pl":    {"pomoc", "wszystkie są na stronie"},
		"pt-BR": {"ajuda", "na página estão todas"}, "pt-PT": {"ajuda", "na página estão todas"},
	} {
		require.Contains(t, says(t, "catan", "main", lang, c[0]).answer, c[1], lang)
	}
}

// Whoever writes that they want no more mails gets the link for that at once.
func TestTheAnswerToStopHasTheLinkThatStops(t *testing.T) {
	for lang, word := range map[string]string{"en": "stop", "pl": "wypisz mnie", "pt-BR": "parar", "pt-PT": "parar"} {
		s := says(t, "catan", "main", lang, word)
		require.Empty(t, s.moves)
		require.Contains(t, s.mail, "https://games.example.org/u/", lang)
	}
	require.NotContains(t, says(t, "catan", "main", "en", "help").mail, "https://games.example.org/u/", "nobody asked")
}

// Of several people the answer makes a list that plays when it is sent back.
func TestNamesInAnAnswerAreAList(t *testing.T) {
	s := says(t, "catan", "rich", "en", "swap 4 wool for 1 brick")
	require.Contains(t, s.answer, "to Bo and Cid")
	for _, text := range []string{"offer 4 wool for 1 brick to Bo, Cid", "offer 4 wool for 1 brick to Bo and Cid"} {
		require.Equal(t, []string{"offer 4 wool for 1 brick to B C"}, says(t, "catan", "rich", "en", text).moves, text)
	}
}

// What an answer quotes stands in quotation marks, so that its own marks are no part of the sentence.
func TestWhatWasNotPlayedIsQuoted(t *testing.T) {
	for lang, want := range map[string]string{"en": "Not played: “road 99?”.", "pl": "Nie zagrano: „road 99?”.",
		"pt-BR": "Não jogado: “road 99?”.", "pt-PT": "Não jogado: «road 99?»."} {
		s := says(t, "catan", "main", lang, "road 44\nroad 99?")
		require.Contains(t, unmarked.Replace(s.answer), want)
	}
}

// The counter-offer that an answer gives as an example is read when it comes back, in each language.
func TestTheExampleOfACounterOfferPlays(t *testing.T) {
	no := map[string]string{"en": "no, that is far too cheap for me", "pl": "nie, to dla mnie o wiele za tanio",
		"pt-BR": "não, isso é barato demais para mim", "pt-PT": "não, isso é barato demais para mim"}
	for _, lang := range languages.Offered {
		for _, scene := range []string{"asked-kasia", "asked-rafael", "offered"} {
			s := says(t, "catan", scene, lang, no[lang])
			require.Equal(t, "outcome: asked", s.outcome)
			at := strings.LastIndex(s.answer, ": ")
			for _, word := range []string{"example: ", "przykład: ", "exemplo: "} {
				if i := strings.Index(s.answer, word); i >= 0 {
					at = i + len(word) - 2
				}
			}
			example := s.answer[at+2:]
			back := says(t, "catan", scene, lang, example)
			require.Len(t, back.moves, 1, "%q: %s", example, back.answer)
			require.Contains(t, back.moves[0], "counter ", example)
		}
	}
}
