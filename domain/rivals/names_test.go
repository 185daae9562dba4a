package rivals

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// shown returns a card's name as people read it anywhere: in each language, and in notation.
func shown(c table.Card) map[string]string {
	names := map[string]string{"notation": c.Name()}
	for lang, texts := range allWords {
		names[lang] = texts["card."+c.Row().ID]
	}
	return names
}

// typed returns the ways in which people may type a name they see.
func typed(name string) map[string]string {
	swap := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(name) }
	plainMarks := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(swap("ł", "l", "Ł", "L")))
	ways := map[string]string{
		"as shown": name, "upper case": strings.ToUpper(name), "lower case": strings.ToLower(name),
		"title":           strings.ToTitle(name),
		"without accents": plainMarks, "accents apart": norm.NFD.String(name),
		"underscores": swap(" ", "_"), "wide spaces": swap(" ", "\u00a0"), "thin spaces": swap(" ", "\u202f"),
		"two spaces":        swap(" ", "  "),
		"curly apostrophes": swap("'", "’"), "no apostrophes": swap("'", "", "’", ""),
		"other apostrophes": swap("'", "ʼ", "’", "`"),
		"no commas":         swap(",", ""), "no brackets": swap("(", "", ")", ""),
	}
	for way, dash := range map[string]string{"hyphen": "-", "en dash": "–", "em dash": "—", "minus": "−",
		"hard hyphen": "\u2011", "dash with spaces": " – "} {
		ways[way] = swap("-", dash, "–", dash)
	}
	return ways
}

// forms are the moves that name a card; NAME stands for it.
var forms = []string{
	"hand NAME scout goldsmith", "hand scout NAME goldsmith", "hand scout goldsmith NAME",
	"play NAME", "play NAME pay 1a 2b into 0a", "play NAME wool", "play NAME wool ore", "play NAME 1b",
	"settle right NAME", "settle left NAME pay 1a",
	"build NAME 0 above", "build NAME -1b", "build NAME 1 below pay 1a",
	"remove NAME 0 above", "discard NAME 1", "swap NAME 1 2", "search NAME 1", "search 3 NAME", "take NAME",
	"react NAME", "bury NAME 1", "bury NAME 1 scout 2", "bury scout 2 NAME 1", "name NAME 0 above",
	"lose NAME 0 above", "lose NAME -1 above 3", "move NAME 0 above harald 1 below", "move harald 1 below NAME 0 above",
}

func parsedForm(form, name string) (state.Move, error) {
	m, err := Rulebook.ParseMove(strings.Replace(form, "NAME", name, 1), nil)
	if err != nil {
		return state.Move{}, err
	}
	return m.(state.Move), nil
}

func TestEveryCardsShownNameCanBeTypedInEveryMove(t *testing.T) {
	for i := 1; i < len(table.Printings); i++ {
		c := table.Card(i)
		for lang, name := range shown(c) {
			require.NotEmpty(t, name)
			for way, text := range typed(name) {
				for _, form := range forms {
					if c.Row().Fixes && (strings.Contains(form, "NAME wool") || strings.Contains(form, "NAME 1b")) {
						continue // it fixes a die, and has no other target
					}
					m, err := parsedForm(form, text)
					require.NoError(t, err, "%s, %s: %s", lang, way, strings.Replace(form, "NAME", text, 1))
					want, err := parsedForm(form, c.Name())
					require.NoError(t, err, "%s of %s", form, c.Name())
					sameCards(t, want, m, lang+", "+way+": "+strings.Replace(form, "NAME", text, 1))
				}
			}
		}
	}
}

// sameCards checks that two moves are the same except for the backs of their cards, which names in a language do not
// give.
func sameCards(t *testing.T, want, got state.Move, where string) {
	t.Helper()
	plain := func(m state.Move) state.Move {
		for _, c := range []*table.Card{&m.Card, &m.Card2, &m.Card3} {
			if *c != table.NoCard {
				*c = table.MustCard(c.Row().ID)
			}
		}
		m.Tidy()
		return m
	}
	require.Equal(t, plain(want), plain(got), where)
}

func TestNamesInOrdersAndChanceAreReadAsTheyAreShown(t *testing.T) {
	for i := 1; i < len(table.Printings); i++ {
		c := table.Card(i)
		for lang, name := range shown(c) {
			for way, text := range typed(name) {
				r := &notation.Reader{Words: table.Tokens(text)}
				got := r.Card()
				require.False(t, r.Bad || r.More(), "%s, %s: %s", lang, way, text)
				require.True(t, got.Same(c), "%s, %s: %s", lang, way, text)
				if c.Row().Kind == table.EventCard {
					got, ok := table.CardWords[table.Fold(text)]
					require.True(t, ok, "%s, %s: %s", lang, way, text)
					require.True(t, got.Same(c))
				}
			}
		}
	}
}
