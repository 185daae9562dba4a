// Package languages holds the texts of the program, a folder a language, and what must be known of a language to count
// in it. Only the games' texts in the languages of [Offered] lie elsewhere: with the games.
package languages

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Offered are the languages that people may choose, in the order in which they are shown; the first is for whoever has
// chosen none.
var Offered = []string{"en", "pt-BR", "pt-PT", "pl"}

// Language is a language, as its folder has it.
type Language struct {
	Tag      string `json:"-"`        // BCP 47: the folder's name
	Name     string `json:"name"`     // in the language itself
	Fallback string `json:"fallback"` // the complete language whose text is shown where one is missing; "" if complete
	Zero     string `json:"zero"`     // the plural form of 0, if people say another than CLDR has

	// What people must not call themselves, as they would be taken for the program or those who run it, not even after
	// words of Lead, such as "the" and "our". What one language has, another need not repeat.
	Ours []string `json:"ours"`
	Lead []string `json:"lead"`

	// Texts holds its texts by file and key. A file is a game's, "house" (for all doors), "rules" (of all tables),
	// "pages", "mail" or "kit" (for every game). In "typed" are the words that people may type, by file.
	Texts map[string]map[string]json.RawMessage `json:"-"`

	tag language.Tag
}

//go:embed */*.json
var files embed.FS

// Known are all the languages there are texts in, in the order of their tags.
var Known = func() []Language {
	known, err := Read(files)
	if err != nil {
		panic("languages: " + err.Error())
	}
	return known
}()

// Files are embedded files, or a test's. E is an entry of a folder.
type Files[E interface{ Name() string }] interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]E, error)
}

// Read reads languages from folders of that name; what has no language.json is none. In a folder, language.json has the
// facts, and every other file texts. Read leaves out texts whose key begins with "?": nobody has translated them yet.
func Read[E interface{ Name() string }](files Files[E]) (known []Language, err error) {
	folders, err := files.ReadDir(".")
	for _, folder := range folders {
		inside, _ := files.ReadDir(folder.Name())
		if !slices.ContainsFunc(inside, func(e E) bool { return e.Name() == facts }) {
			continue
		}
		l := Language{Tag: folder.Name(), Texts: map[string]map[string]json.RawMessage{}}
		if l.tag, err = language.Parse(l.Tag); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Tag, err)
		}
		if err = decode(files.ReadFile, path.Join(l.Tag, facts), &l); err != nil {
			return nil, err
		}
		for _, file := range inside {
			name, found := strings.CutSuffix(file.Name(), ".json")
			if !found || file.Name() == facts {
				continue
			}
			texts := map[string]json.RawMessage{}
			if err = decode(files.ReadFile, path.Join(l.Tag, file.Name()), &texts); err != nil {
				return nil, err
			}
			maps.DeleteFunc(texts, func(key string, _ json.RawMessage) bool { return strings.HasPrefix(key, "?") })
			l.Texts[name] = texts
		}
		known = append(known, l)
	}
	return known, err
}

// facts is the file of a language's facts.
const facts = "language.json"

func decode(read func(string) ([]byte, error), name string, into any) error {
	text, err := read(name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Of returns the language of a tag; false if it is not known.
func Of(tag string) (Language, bool) {
	i := slices.IndexFunc(Known, func(l Language) bool { return l.Tag == tag })
	if i < 0 {
		return Language{}, false
	}
	return Known[i], true
}

// Complete lists the tags of the languages that have every text.
func Complete() (tags []string) {
	for _, l := range Known {
		if l.Fallback == "" {
			tags = append(tags, l.Tag)
		}
	}
	return tags
}

// Typed returns what people may type in a file, in each language that has words for it.
func Typed(file string) (words []json.RawMessage) {
	for _, l := range Known {
		if w, ok := l.Texts["typed"][file]; ok {
			words = append(words, w)
		}
	}
	return words
}

// forms are the plural forms, as CLDR names them.
var forms = [...]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two",
	plural.Few: "few", plural.Many: "many"}

// Form returns the plural form in which the language counts n things.
func (l Language) Form(n int) string {
	if n == 0 && l.Zero != "" {
		return l.Zero
	}
	return forms[plural.Cardinal.MatchPlural(l.tag, max(n, -n), 0, 0, 0, 0)]
}

// Ordinal returns the plural form in which the language says "nth".
func (l Language) Ordinal(n int) string {
	return forms[plural.Ordinal.MatchPlural(l.tag, n, 0, 0, 0, 0)]
}

// everyForm is a number up to which every language has counted in each of its forms.
const everyForm = 120

// Forms lists the plural forms that the language needs, with that for what is no whole number ("other") last.
func (l Language) Forms() (all []string) {
	for _, form := range forms[1:] {
		for n := range everyForm {
			if l.Form(n) == form {
				all = append(all, form)
				break
			}
		}
	}
	return append(all, forms[plural.Other])
}
