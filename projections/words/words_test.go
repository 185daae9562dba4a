package words_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/projections/words"
)

func book(t *testing.T, known ...languages.Language) *words.Book {
	t.Helper()
	if known == nil {
		known = languages.Known
	}
	b, err := words.In(known, append([]domain.Rulebook{tiny.Rulebook}, rulebooks.All()...))
	require.NoError(t, err)
	return b
}

// saying returns all languages, with other texts for pages.
func saying(t *testing.T, text func(tag string) string) (known []languages.Language) {
	t.Helper()
	for _, l := range languages.Known {
		var pages map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(text(l.Tag)), &pages))
		l.Texts = maps.Clone(l.Texts)
		l.Texts["pages"] = pages
		known = append(known, l)
	}
	return known
}

// everywhere returns all languages, with the same texts for pages.
func everywhere(t *testing.T, text string) []languages.Language {
	t.Helper()
	return saying(t, func(string) string { return text })
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
	b := book(t, everywhere(t, `{"x.one":"<{a}>","x.seats":"{who} of {n}","x.nested":"({inner})","x.list":"[{all}]","x.word":"{what_word}","x.plain":"no arguments","x.missing":"{gone} stays","x.end":"Won by {a}."}`)...)
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
		"Won by Bo S.":   domain.S("x.end", "a", "Bo S."),
		"no.such.key":    domain.S("no.such.key", "a", 1),
		"":               {},
	} {
		require.Equal(t, want, p.Say(say))
	}
	require.Equal(t, []string{"<1>", "no arguments"},
		p.Lines([]domain.Say{domain.S("x.one", "a", 1), domain.S("x.plain")}))
}

func TestANumberBelowZeroIsCountedAsItIsRead(t *testing.T) {
	for lang, want := range map[string]string{"en": "never peeked: −2 points", "pl": "bez podglądania: −2 punkty"} {
		require.Equal(t, want, book(t).Printer(lang, "tiny", nil).Say(domain.S("cause.honest", "n", -2)))
	}
	place := domain.S("step.place", "x", -1, "y", 2)
	require.Equal(t, "place -1,2", book(t).Printer("en", "carcassonne", nil).Say(place), "as it is typed")
}

func TestAGamesOwnWordsComeBeforeTheHouses(t *testing.T) {
	b := book(t, everywhere(t, `{"name":"the house's","only.house":"here"}`)...)
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
		"tlh,ja;q=0.9":               "en",
		"tlh, pl;q=0.4":              "pl",
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
		in   map[string]string // a language's texts; the others have a text for x.key
		says string
	}{
		"a language lacks a key":     {map[string]string{"pl": `{}`}, "pl: x.key"},
		"a language has one more":    {map[string]string{"pt-PT": `{"x.key":"a","x.more":"b"}`}, "en: x.more"},
		"a text is a number":         {map[string]string{"en": `{"x.key":7}`}, "x.key"},
		"a plural lacks a form":      {map[string]string{"pl": `{"x.key":{"one":"a","other":"b"}}`}, `missing: "few"`},
		"an argument does not close": {map[string]string{"en": `{"x.key":"{who"}`}, "without"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := words.In(saying(t, func(tag string) string { return cmp.Or(c.in[tag], `{"x.key":"a"}`) }), nil)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// What a language says is checked, whether it is complete or not.
func TestEveryTextHasTheArgumentsThatItHasInEnglish(t *testing.T) {
	arguments := func(forms []words.Form) []string {
		var all []string
		for _, f := range forms {
			require.NotEmpty(t, strings.TrimSpace(f.Text))
			all = append(all, regexp.MustCompile(`\{[^}]*}`).FindAllString(f.Text, -1)...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	for _, s := range book(t).Sentences() {
		for lang, forms := range s.In {
			require.Equal(t, arguments(s.In["en"]), arguments(forms), "%s: %s", lang, s.Key)
		}
	}
}

// A file that is called after no file would be read by nobody.
func TestEveryFileOfALanguageIsRead(t *testing.T) {
	names := []string{"house", "rules", "pages", "mail", "kit", "typed"}
	for _, rb := range rulebooks.All() {
		names = append(names, rb.Name())
	}
	for _, l := range languages.Known {
		for file := range l.Texts {
			require.Contains(t, names, file, "%s/%s.json", l.Tag, file)
		}
		for file := range l.Texts["typed"] {
			require.Contains(t, names, file, "%s/typed.json", l.Tag)
		}
	}
}

// partly returns all languages and a German in part, with the facts in its language.json and texts by file.
func partly(facts string, names map[string]string) (known []languages.Language, err error) {
	files := fstest.MapFS{"gsw/language.json": {Data: []byte(facts)}}
	for file, texts := range names {
		files["gsw/"+file+".json"] = &fstest.MapFile{Data: []byte(texts)}
	}
	known, err = languages.Read(files)
	return slices.Concat(languages.Known, known), err
}

// translated is a rulebook with texts in German.
type translated struct{ domain.Rulebook }

func (r translated) Catalogue() map[string][]byte {
	all := maps.Clone(r.Rulebook.Catalogue())
	all["gsw"] = []byte(`{"name": "Winzig"}`)
	return all
}

func TestAMissingTextIsShownInTheFallback(t *testing.T) {
	for fallback, want := range map[string]struct{ holds, counted, second string }{
		"en": {"Ana holds card 3.", "never peeked: 0 points", "2nd"},
		"pl": {"Ana ma kartę 3.", "bez podglądania: 0 punktów", "2."},
	} {
		known, err := partly(`{"name": "Deutsch", "fallback": "`+fallback+`"}`, map[string]string{
			"house": `{"list.and": "{list} und {last}", "weekday.1": "Montag"}`,
			"pages": `{"page.hooks.waiting": {"one": "einer wartet", "other": "{n} warten"}}`})
		require.NoError(t, err)
		b, err := words.In(known, []domain.Rulebook{translated{tiny.Rulebook}})
		require.NoError(t, err)
		p := b.Printer("gsw", "tiny", []string{"Ana", "Bo"})
		require.Equal(t, "gsw", p.Lang())
		require.Equal(t, "Montag", p.Text("weekday.1"))
		require.Equal(t, "Winzig", p.Text("name"))
		require.Equal(t, []string{"0 warten", "einer wartet", "2 warten"},
			[]string{p.Text("page.hooks.waiting", "n", 0), p.Text("page.hooks.waiting", "n", 1),
				p.Text("page.hooks.waiting", "n", 2)})
		require.Equal(t, want.holds, p.Text("holds", "seat", domain.Seat(0), "card", 3))
		require.Equal(t, want.counted, p.Text("cause.honest", "n", 0), "counted as the fallback counts")
		require.Contains(t, p.Text("holds", "seat", []string{"Ana", "Bo"}, "card", 3), "Ana und Bo ")
		require.Equal(t, want.second, p.Place(2), "and so are places")
		require.Equal(t, "no.such.key", p.Text("no.such.key"))
		require.NotEqual(t, "gsw", b.Match("gsw"), "it is not offered")
	}
}

func TestALanguageInPartIsCheckedInWhatItHas(t *testing.T) {
	for says, texts := range map[string]string{
		"en: page.no-such": `{"page.no-such": "Gibt es nicht"}`,
		`missing: "one"`:   `{"page.hooks.waiting": {"other": "{n} warten"}}`,
		"without":          `{"page.rules.of": "Regeln: {game"}`,
	} {
		known, err := partly(`{"name": "Deutsch", "fallback": "en"}`, map[string]string{"pages": texts})
		require.NoError(t, err)
		_, err = words.In(known, nil)
		require.ErrorContains(t, err, says)
	}
	for _, fallback := range []string{"gsw", "tlh"} {
		known, err := partly(`{"fallback": "`+fallback+`"}`, nil)
		require.NoError(t, err)
		_, err = words.In(known, nil)
		require.ErrorContains(t, err, "is no complete language")
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
