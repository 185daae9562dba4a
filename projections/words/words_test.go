package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/projections/words"
)

func book(t *testing.T, others ...map[string][]byte) *words.Book {
	t.Helper()
	b, err := words.New(append([]domain.Rulebook{tiny.Rulebook}, rulebooks.All()...), others...)
	require.NoError(t, err)
	return b
}

// everywhere returns a catalogue with the same text in every language.
func everywhere(text string) map[string][]byte {
	out := map[string][]byte{}
	for _, lang := range words.Languages {
		out[lang] = []byte(text)
	}
	return out
}

func TestEachLanguageCountsInItsOwnWay(t *testing.T) {
	b := book(t)
	says := func(lang string, n int) string {
		return b.Printer(lang, "tiny", []string{"Ana"}).Text("house.revealed", "who", domain.Seat(0), "n", n)
	}
	forms := func(lang string, ns ...int) map[string]bool {
		out := map[string]bool{}
		for _, n := range ns {
			out[regexp.MustCompile(`\d+`).ReplaceAllString(says(lang, n), "N")] = true
		}
		return out
	}
	require.Equal(t, "Ana's moves revealed 1 random result (dice, tile or card).", says("en", 1))
	require.Equal(t, "Ana's moves revealed 0 random results (dice, tiles or cards).", says("en", 0))
	for _, lang := range []string{"en", "pt-BR", "pt-PT"} {
		require.Len(t, forms(lang, 1), 1)
		require.Len(t, forms(lang, 1, 2, 5, 22), 2, lang)
		require.NotEqual(t, forms(lang, 1), forms(lang, 2))
	}
	require.Equal(t, forms("pl", 2), forms("pl", 2, 3, 4, 22, 34, 102), "few")
	require.Equal(t, forms("pl", 5), forms("pl", 0, 5, 11, 12, 14, 21, 25, 111, 112), "many")
	require.Len(t, forms("pl", 1, 2, 5), 3)
	require.NotEqual(t, says("pt-BR", 1), "")
	for _, lang := range []string{"en", "pt-BR", "pt-PT"} {
		require.Equal(t, forms(lang, 2), forms(lang, 0), "%s: nothing is counted as many", lang)
	}
	for _, n := range []any{12, uint64(12), int8(12), uint8(12)} {
		require.Equal(t, says("pl", 12),
			b.Printer("pl", "tiny", []string{"Ana"}).Text("house.revealed", "who", domain.Seat(0), "n", n), "%T", n)
	}
}

func TestArgumentsAreFilledIn(t *testing.T) {
	b := book(t, everywhere(`{"x.one":"<{a}>","x.seats":"{who} of {n}","x.nested":"({inner})","x.list":"[{all}]","x.word":"{what_word}","x.plain":"no arguments","x.missing":"{gone} stays"}`))
	p := b.Printer("en", "tiny", []string{"Ana", ""})
	for want, say := range map[string]domain.Say{
		"<text>":         domain.S("x.one", "a", "text"),
		"<7>":            domain.S("x.one", "a", 7),
		"<Ana>":          domain.S("x.one", "a", domain.Seat(0)),
		"<B>":            domain.S("x.one", "a", domain.Seat(1)),
		"<C>":            domain.S("x.one", "a", domain.Seat(2)),
		"<->":            domain.S("x.one", "a", domain.Nobody),
		"Ana and B of 2": domain.S("x.seats", "who", []domain.Seat{0, 1}, "n", 2),
		"(<in>)":         domain.S("x.nested", "inner", domain.S("x.one", "a", "in")),
		"[<1>, <2>]":     domain.S("x.list", "all", []domain.Say{domain.S("x.one", "a", 1), domain.S("x.one", "a", 2)}),
		"on":             domain.S("x.word", "what_word", "on"),
		"roll":           domain.S("x.word", "what_word", "step.roll"),
		"no arguments":   domain.S("x.plain", "a", "unused"),
		"{gone} stays":   domain.S("x.missing"),
		"<{a}{{.}}>":     domain.S("x.one", "a", "{a}{{.}}"),
		"no.such.key":    domain.S("no.such.key", "a", 1),
		"":               {},
	} {
		require.Equal(t, want, p.Say(say))
	}
	require.Equal(t, []string{"<1>", "no arguments"},
		p.Lines([]domain.Say{domain.S("x.one", "a", 1), domain.S("x.plain")}))
}

func TestAGamesOwnWordsComeBeforeTheHouses(t *testing.T) {
	b := book(t, everywhere(`{"name":"the house's","only.house":"here"}`))
	require.Equal(t, "Tiny", b.Printer("en", "tiny", nil).Text("name"))
	require.Equal(t, "the house's", b.Printer("en", "", nil).Text("name"))
	require.Equal(t, "here", b.Printer("en", "tiny", nil).Text("only.house"))
	require.True(t, b.Has("tiny.name"))
	require.False(t, b.Has("no.such.key"))
}

func TestTheReadersLanguageIsFound(t *testing.T) {
	b := book(t)
	for accept, want := range map[string]string{
		"":                           "en",
		"pl":                         "pl",
		"pl-PL,pl;q=0.9,en;q=0.8":    "pl",
		"pt-BR":                      "pt-BR",
		"pt-PT,pt;q=0.9":             "pt-PT",
		"pt-AO":                      "pt-PT",
		"pt":                         "pt-BR",
		"en-GB,en;q=0.5":             "en",
		"de,fr;q=0.9":                "en",
		"de, pl;q=0.4":               "pl",
		"ja;q=0.9, pt-PT;q=0.1":      "pt-PT",
		"*":                          "en",
		";;;q=what":                  "en",
		strings.Repeat("x-", 10_000): "en",
	} {
		require.Equal(t, want, b.Match(accept), "%.40q", accept)
	}
	require.Equal(t, "en", b.Printer("klingon", "", nil).Lang())
}

func TestACatalogueMustBeWholeAndWellFormed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(map[string][]byte)
		says   string
	}{
		"a language lacks a key": {func(c map[string][]byte) { c["pl"] = []byte(`{}`) }, "pl: x.key"},
		"a language has one more": {func(c map[string][]byte) { c["pt-PT"] = []byte(`{"x.key":"a","x.more":"b"}`) },
			"en: x.more"},
		"a language is missing": {func(c map[string][]byte) { delete(c, "pt-BR") }, "catalogue pt-BR"},
		"it is no JSON":         {func(c map[string][]byte) { c["en"] = []byte(`{"x.key":`) }, "catalogue en"},
		"a text is a number":    {func(c map[string][]byte) { c["en"] = []byte(`{"x.key":7}`) }, "x.key"},
		"a plural lacks a form": {func(c map[string][]byte) {
			c["pl"] = []byte(`{"x.key":{"one":"a","other":"b"}}`)
		}, "plural form"},
		"an argument does not close": {func(c map[string][]byte) { c["en"] = []byte(`{"x.key":"{who"}`) }, "without"},
	} {
		t.Run(name, func(t *testing.T) {
			catalogue := everywhere(`{"x.key":"a"}`)
			c.change(catalogue)
			_, err := words.New(nil, catalogue)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// Every key that the projections name as a literal is in the house's catalogue.
func TestTheProjectionsNameKnownKeys(t *testing.T) {
	b, err := words.New(nil)
	require.NoError(t, err)
	found := 0
	files, err := filepath.Glob("../turn/*.go")
	require.NoError(t, err)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`"((?:table|status|house)\.[a-z.-]*[a-z])"`).FindAllSubmatch(text, -1) {
			require.True(t, b.Has(string(m[1])), "%s: %s", f, m[1])
			found++
		}
	}
	require.Greater(t, found, 25)
	for _, r := range []domain.EndReason{domain.EndFinished, domain.EndAgreed, domain.EndResigned, domain.EndAbandoned,
		domain.EndHanded} {
		require.True(t, b.Has("table.ended."+string(r)), r)
	}
	for _, k := range []domain.ProposalKind{domain.ProposeRewind, domain.ProposeEnd} {
		require.True(t, b.Has("table."+string(k)+"-proposed"), k)
	}
}
