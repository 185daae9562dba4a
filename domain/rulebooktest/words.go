package rulebooktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
)

// entry is the text of a key: one form under "other", or one for each plural category.
type entry map[string]string

var argument = regexp.MustCompile(`\{([A-Za-z_]+)\}`)

// arguments returns the argument names that any form of the text uses.
func (e entry) arguments() []string {
	names := map[string]bool{}
	for _, text := range e {
		for _, m := range argument.FindAllStringSubmatch(text, -1) {
			names[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (e entry) plural() bool { return len(e) > 1 }

// lexicon is a rulebook's catalogues, parsed independently.
type lexicon struct {
	langs  map[string]map[string]entry
	house  map[string]bool
	faults map[string]string // what is wrong, and where it was first found
}

func newLexicon(t T, rb domain.Rulebook, house []string) *lexicon {
	t.Helper()
	l := &lexicon{langs: map[string]map[string]entry{}, house: map[string]bool{"on": true, "off": true},
		faults: map[string]string{}}
	for _, k := range house {
		l.house[k] = true
	}
	for lang, text := range rb.Catalogue() {
		var raw map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(text, &raw), "catalogue %s", lang)
		l.langs[lang] = map[string]entry{}
		for key, r := range raw {
			var one string
			e := entry{}
			if json.Unmarshal(r, &one) == nil {
				e["other"] = one
			} else {
				require.NoError(t, json.Unmarshal(r, &e), "catalogue %s, %s", lang, key)
			}
			l.langs[lang][key] = e
		}
	}
	require.NotEmpty(t, l.langs["en"], "there is an English catalogue")
	return l
}

// complete checks that every complete language has every key, that every language has the same arguments as English and
// all the plural forms it needs, and that every option has its words.
func (l *lexicon) complete(t T, rb domain.Rulebook) {
	for _, known := range languages.Known {
		lang, forms := known.Tag, known.Forms()
		got, ok := l.langs[lang]
		require.True(t, ok || known.Fallback != "", "there is no catalogue for %s", lang)
		for key, en := range l.langs["en"] {
			e, ok := got[key]
			if !ok && known.Fallback != "" {
				continue
			}
			require.True(t, ok, "%s lacks %s", lang, key)
			require.Equal(t, en.arguments(), e.arguments(), "%s, %s: the same arguments as in English", lang, key)
			if en.plural() || e.plural() {
				for _, f := range forms {
					require.NotEmpty(t, e[f], "%s, %s: the plural needs %q", lang, key, f)
				}
			}
			for f, text := range e {
				require.NotEmpty(t, strings.TrimSpace(text), "%s, %s, %s is empty", lang, key, f)
				require.NotContains(t, argument.ReplaceAllString(text, ""), "{", "%s, %s: a broken argument", lang, key)
			}
		}
		for key := range got {
			require.Contains(t, l.langs["en"], key, "%s has a key that English lacks", lang)
		}
	}
	for _, o := range rb.Options() {
		l.has("option."+o.Key, "options")
		l.has("option."+o.Key+".help", "options")
		for _, v := range o.Values {
			if v != "on" && v != "off" {
				l.has("option."+o.Key+"."+v, "options")
			}
		}
	}
}

// wrong notes a fault. Faults in words are collected, so that one run reports them all.
func (l *lexicon) wrong(where, format string, args ...any) {
	fault := fmt.Sprintf(format, args...)
	if _, known := l.faults[fault]; !known {
		l.faults[fault] = where
	}
}

// report fails with all the faults noted.
func (l *lexicon) report(t T) {
	for _, fault := range slices.Sorted(maps.Keys(l.faults)) {
		t.Errorf("%s; first in: %s", fault, l.faults[fault])
	}
}

// has notes a fault if a key has no text.
func (l *lexicon) has(key, where string) bool {
	_, ok := l.langs["en"][key]
	if !ok && !l.house[key] {
		l.wrong(where, "no words for %q", key)
	}
	return ok
}

func (l *lexicon) hold(says []domain.Say, where string) {
	for _, s := range says {
		l.holds(s, where)
	}
}

// holds checks a Say: its key has a text, and it brings every argument the text uses; and so for everything inside it.
func (l *lexicon) holds(s domain.Say, where string) {
	if l.has(s.Key, where) {
		e := l.langs["en"][s.Key]
		for _, name := range e.arguments() {
			if _, ok := s.Args[name]; !ok {
				l.wrong(where, "%q is said without {%s}", s.Key, name)
			}
		}
		if _, ok := s.Args["n"].(int); e.plural() && !ok {
			l.wrong(where, "%q has plural forms, so its {n} is an int, not a %T", s.Key, s.Args["n"])
		}
	}
	for name, a := range s.Args {
		switch a := a.(type) {
		case domain.Say:
			l.holds(a, where)
		case []domain.Say:
			l.hold(a, where)
		case string:
			if name == "word" || strings.HasSuffix(name, "_word") {
				l.has(a, where+", "+s.Key+"."+name)
			}
		case int, domain.Seat, []domain.Seat:
		default:
			l.wrong(where, "nobody can render %s.%s, which is a %T", s.Key, name, a)
		}
	}
}
