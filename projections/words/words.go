// Package words turns the domain's values into sentences of a language. Each rulebook brings a catalogue, each door its
// own; the house's is in house/.
package words

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"

	"posthorn/domain"
)

// Languages are the languages that everything is written in, see [domain.Languages].
var Languages = domain.Languages

//go:embed house
var house embed.FS

// Book holds all of the house's catalogues. It is safe for concurrent use.
type Book struct {
	printers map[string]*i18n.Localizer    // of the texts with plurals
	texts    map[string]map[string]wording // by language and key
	matcher  language.Matcher
}

// wording is a text in one language. Most have a single form, and then only that is kept.
type wording struct {
	one     string
	counted *i18n.Message // set if it has plurals
}

// read is a wording read from a catalogue; it may be malformed.
type read struct {
	wording
	malformed error
}

// UnmarshalJSON reads a text, or its plurals. It records anything else as malformed, for the caller to report with its
// key.
func (r *read) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &r.one) != nil {
		r.counted = &i18n.Message{}
		r.malformed = json.Unmarshal(text, r.counted)
	}
	return nil
}

// Read reads a catalogue from a folder of embedded files, one file per language. It panics if one is missing.
func Read(files fs.FS, folder string) map[string][]byte {
	out := map[string][]byte{}
	for _, lang := range Languages {
		text, err := fs.ReadFile(files, folder+"/"+lang+".json")
		if err != nil {
			panic("words: " + err.Error())
		}
		out[lang] = text
	}
	return out
}

// New reads the house's catalogue, those of the rulebooks (it puts their keys under the rulebook's name) and any
// others, such as those of the doors. It returns an error for a text that is malformed, or missing in one of the
// languages.
func New(rulebooks []domain.Rulebook, others ...map[string][]byte) (*Book, error) {
	b := &Book{printers: map[string]*i18n.Localizer{}, texts: map[string]map[string]wording{}}
	bundle := i18n.NewBundle(language.English)
	var tags []language.Tag
	own, rules := Read(house, "house"), Read(house, "house/rules")
	for _, lang := range Languages {
		tag := language.MustParse(lang)
		tags = append(tags, tag)
		b.texts[lang] = map[string]wording{}
		if err := b.add(bundle, lang, "", own[lang]); err != nil {
			return nil, fmt.Errorf("words of the house: %w", err)
		}
		if err := b.add(bundle, lang, "rules.", rules[lang]); err != nil {
			return nil, fmt.Errorf("rules of all tables: %w", err)
		}
		for _, rb := range rulebooks {
			if err := b.add(bundle, lang, rb.Name()+".", rb.Catalogue()[lang]); err != nil {
				return nil, fmt.Errorf("words of %s: %w", rb.Name(), err)
			}
		}
		for _, o := range others {
			if err := b.add(bundle, lang, "", o[lang]); err != nil {
				return nil, err
			}
		}
		b.printers[lang] = i18n.NewLocalizer(bundle, lang)
	}
	b.matcher = language.NewMatcher(tags)
	return b, b.complete()
}

func (b *Book) add(bundle *i18n.Bundle, lang, prefix string, text []byte) error {
	var entries map[string]read
	if err := json.Unmarshal(text, &entries); err != nil {
		return fmt.Errorf("catalogue %s: %w", lang, err)
	}
	for key, w := range entries {
		if err := cmp.Or(w.malformed, w.wellFormed(lang)); err != nil {
			return fmt.Errorf("catalogue %s, %s: %w", lang, key, err)
		}
		id := prefix + key
		if m := w.counted; m != nil {
			m.ID = id
			if err := bundle.AddMessages(language.MustParse(lang), m); err != nil {
				return fmt.Errorf("catalogue %s, %s: %w", lang, key, err)
			}
		}
		b.texts[lang][id] = w.wording
	}
	return nil
}

// wellFormed returns an error for a text with an unclosed argument, or a plural that lacks one of its language's forms.
func (w wording) wellFormed(lang string) error {
	forms := []string{w.one}
	m := w.counted
	if m != nil {
		forms = []string{m.Zero, m.One, m.Two, m.Few, m.Many, m.Other}
	}
	for _, text := range forms {
		if _, err := (parser{}).Parse(text, "", ""); err != nil {
			return err
		}
	}
	if m != nil && (m.One == "" || m.Other == "" || lang == "pl" && (m.Few == "" || m.Many == "")) {
		return fmt.Errorf("a plural form is missing")
	}
	return nil
}

func (b *Book) complete() error {
	var missing []string
	lacks := func(lang, has string) {
		for key := range b.texts[has] {
			if _, ok := b.texts[lang][key]; !ok {
				missing = append(missing, lang+": "+key)
			}
		}
	}
	for _, lang := range Languages[1:] {
		lacks(lang, Languages[0])
		lacks(Languages[0], lang)
	}
	if len(missing) > 0 {
		sort.Strings(missing)
		return fmt.Errorf("catalogues lack %s", strings.Join(missing, "; "))
	}
	return nil
}

// Match returns the best of Languages for a browser's preferences (Accept-Language); the first if they name none of
// them, or cannot be read.
func (b *Book) Match(accept string) string {
	tags, _, _ := language.ParseAcceptLanguage(accept)
	_, i, _ := b.matcher.Match(tags...)
	return Languages[i]
}

// Has reports whether a key exists.
func (b *Book) Has(key string) bool {
	_, ok := b.texts[Languages[0]][key]
	return ok
}

// Printer writes sentences in one language, about one table.
type Printer struct {
	book     *Book
	lang     string
	rulebook string
	names    []string
}

// Printer returns a printer for a language (one of Languages; any other falls back to the first). It looks keys up
// under the rulebook's name first, then in the house. names are the seats' and may be nil.
func (b *Book) Printer(lang, rulebook string, names []string) Printer {
	if b.printers[lang] == nil {
		lang = Languages[0]
	}
	return Printer{book: b, lang: lang, rulebook: rulebook, names: names}
}

// Lang returns the printer's language.
func (p Printer) Lang() string { return p.lang }

// Text returns the sentence for a key; pairs alternate name and value.
func (p Printer) Text(key string, pairs ...any) string { return p.Say(domain.S(key, pairs...)) }

// Say writes a sentence. It returns a key that is in no catalogue unchanged, which the catalogue tests find.
func (p Printer) Say(s domain.Say) string {
	if s.Key == "" {
		return ""
	}
	id := s.Key
	if p.rulebook != "" && p.book.Has(p.rulebook+"."+id) {
		id = p.rulebook + "." + id
	}
	said := ""
	if w, ok := p.book.texts[p.lang][id]; ok && w.counted == nil { // most have a single form
		said = text(w.one).filled(func(name string) (string, bool) {
			v, ok := s.Args[name]
			if !ok {
				return "", false
			}
			return p.value(name, v), true
		})
	} else {
		said = p.counted(id, s)
	}
	return cmp.Or(said, s.Key)
}

// counted writes a sentence in the form for its number; "" if there is none.
func (p Printer) counted(id string, s domain.Say) string {
	data := make(map[string]string, len(s.Args))
	cfg := &i18n.LocalizeConfig{MessageID: id, TemplateData: data, TemplateParser: parser{}}
	for name, v := range s.Args {
		if name == "n" {
			cfg.PluralCount = p.weighed(whole(v))
		}
		data[name] = p.value(name, v)
	}
	text, err := p.book.printers[p.lang].Localize(cfg)
	if err != nil {
		return ""
	}
	return text
}

// weighed returns the number that decides the form: Brazilians say "0 pontos", where CLDR puts zero in the form for
// one.
func (p Printer) weighed(n any) any {
	if p.lang == "pt-BR" && n == 0 {
		return 2
	}
	return n
}

// whole returns what decides a form: any kind of integer as an int; nil for anything else, which takes the form
// "other".
func whole(v any) any {
	switch n := reflect.ValueOf(v); {
	case !n.IsValid():
		return nil
	case n.CanInt():
		return int(n.Int())
	case n.CanUint():
		return int(n.Uint())
	}
	return nil
}

// Lines writes several sentences.
func (p Printer) Lines(says []domain.Say) []string {
	out := make([]string, len(says))
	for i, s := range says {
		out[i] = p.Say(s)
	}
	return out
}

// Name returns a seat's name, or its letter.
func (p Printer) Name(s domain.Seat) string {
	if s >= 0 && int(s) < len(p.names) && p.names[s] != "" {
		return p.names[s]
	}
	return s.Letter()
}

func (p Printer) value(name string, v any) string {
	switch v := v.(type) {
	case string:
		if name == "word" || strings.HasSuffix(name, "_word") {
			return p.Text(v)
		}
		return Isolated(v)
	case domain.Seat:
		return Isolated(p.Name(v))
	case domain.Say:
		return p.Say(v)
	case []domain.Say:
		return strings.Join(p.Lines(v), ", ")
	case []domain.Seat:
		names := make([]string, len(v))
		for i, s := range v {
			names[i] = p.Name(s)
		}
		return p.value(name, names)
	case []string:
		names := make([]string, len(v))
		for i, s := range v {
			names[i] = Isolated(s)
		}
		if last := len(names) - 1; last > 0 {
			return p.Text("list.and", "list", strings.Join(names[:last], ", "), "last", names[last])
		}
		return strings.Join(names, "")
	case int:
		return strconv.Itoa(v)
	case time.Time:
		return p.Day(v)
	default:
		return fmt.Sprint(v)
	}
}

// parser reads texts with arguments written as {name}.
type parser struct{}

func (parser) Cacheable() bool { return true }

func (parser) Parse(src, _, _ string) (template.ParsedTemplate, error) {
	for rest := src; ; {
		_, after, open := strings.Cut(rest, "{")
		if !open {
			return text(src), nil
		}
		_, after, closed := strings.Cut(after, "}")
		if !closed {
			return nil, fmt.Errorf("%q: { without }", src)
		}
		rest = after
	}
}

// text is a text whose arguments are all closed.
type text string

// Execute fills in the arguments.
func (t text) Execute(data any) (string, error) {
	args, _ := data.(map[string]string)
	return t.filled(func(name string) (string, bool) {
		v, ok := args[name]
		return v, ok
	}), nil
}

// filled returns the text with its arguments filled in. A missing one stays visible, as {name}.
func (t text) filled(value func(name string) (string, bool)) string {
	before, after, open := strings.Cut(string(t), "{")
	if !open {
		return before
	}
	var b strings.Builder
	for {
		b.WriteString(before)
		if !open {
			return b.String()
		}
		name, rest, _ := strings.Cut(after, "}")
		if v, ok := value(name); ok {
			b.WriteString(v)
		} else {
			b.WriteString("{" + name + "}")
		}
		before, after, open = strings.Cut(rest, "{")
	}
}
