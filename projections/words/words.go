// Package words turns the values the domain speaks in into sentences of a language. Each
// rulebook brings a catalogue, each door its own, and the house's stands in house/.
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

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"

	"posthorn/domain"
)

// Languages are those everything is written in, see [domain.Languages].
var Languages = domain.Languages

//go:embed house
var house embed.FS

// Book is every catalogue of the house together. It is safe for concurrent use.
type Book struct {
	printers map[string]*i18n.Localizer    // of the texts that count
	texts    map[string]map[string]wording // by language and key
	matcher  language.Matcher
}

// wording is a text in one language: most have one form, which is all of them that is kept.
type wording struct {
	one     string
	counted *i18n.Message // where it has plurals; nil where it has none
}

// read is a wording as it comes out of a catalogue, where it may be none.
type read struct {
	wording
	malformed error
}

// UnmarshalJSON reads a text, or its plurals. What is neither is told with its key, by whoever knows that.
func (r *read) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &r.one) != nil {
		r.counted = &i18n.Message{}
		r.malformed = json.Unmarshal(text, r.counted)
	}
	return nil
}

// Read reads a catalogue from a folder of embedded files: a file a language, or the program is not
// whole.
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

// New reads the house's catalogue, those of the rulebooks (whose keys are put under the
// rulebook's name) and any others, such as those of the doors. A text that is malformed, or
// missing in one of the languages, is an error.
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

// wellFormed finds a text whose arguments do not close, and a plural that lacks one of the
// forms its language counts with.
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

// Match finds the best of Languages for what a browser prefers (Accept-Language), which is the first where that
// names none of them, or cannot be read.
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

// Printer writes in a language (one of Languages; any other falls back on the first).
// Keys are looked up under the rulebook's name first, then in the house; names are the
// seats' and may be nil.
func (b *Book) Printer(lang, rulebook string, names []string) Printer {
	if b.printers[lang] == nil {
		lang = Languages[0]
	}
	return Printer{book: b, lang: lang, rulebook: rulebook, names: names}
}

// Lang is the printer's language.
func (p Printer) Lang() string { return p.lang }

// Text is the sentence of a key; pairs alternate name and value.
func (p Printer) Text(key string, pairs ...any) string { return p.Say(domain.S(key, pairs...)) }

// Say writes a sentence. A key that no catalogue holds comes out as itself, which the
// catalogue tests find.
func (p Printer) Say(s domain.Say) string {
	if s.Key == "" {
		return ""
	}
	id := s.Key
	if p.rulebook != "" && p.book.Has(p.rulebook+"."+id) {
		id = p.rulebook + "." + id
	}
	said := ""
	if w, ok := p.book.texts[p.lang][id]; ok && w.counted == nil { // most have one form
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

// counted writes a sentence in the form that its number asks for; "" where there is none.
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

// weighed is the number whose form is taken: in Brazil one says "0 pontos", where CLDR gives nothing the form of one.
func (p Printer) weighed(n any) any {
	if p.lang == "pt-BR" && n == 0 {
		return 2
	}
	return n
}

// whole is what a form is chosen by: a number of any kind as an int; nil for what is no whole number, which takes the
// form for others.
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

// Name is a seat's name, or its letter.
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
			names[i] = Isolated(p.Name(s))
		}
		return strings.Join(names, ", ")
	case int:
		return strconv.Itoa(v)
	default:
		return fmt.Sprint(v)
	}
}

// parser reads texts whose arguments are written {name}.
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

// text is one whose arguments all close.
type text string

// Execute fills the arguments in.
func (t text) Execute(data any) (string, error) {
	args, _ := data.(map[string]string)
	return t.filled(func(name string) (string, bool) {
		v, ok := args[name]
		return v, ok
	}), nil
}

// filled is the text with its arguments. A missing one stays visible, as {name}.
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
