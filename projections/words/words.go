// Package words turns the domain's values into sentences of a language. Each rulebook brings a catalogue; the other
// texts are in package languages.
package words

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"posthorn/domain"
	"posthorn/domain/languages"
)

// Languages are those that people may choose, see [languages.Offered].
var Languages = languages.Offered

// Book holds all texts in every known language. It is safe for concurrent use.
type Book struct {
	tongues map[string]*tongue // by tag
	first   *tongue            // of Languages
	matcher language.Matcher
}

// tongue is a language with its texts.
type tongue struct {
	languages.Language
	texts    map[string]wording // by key
	fallback *tongue            // nil if it is complete
	forms    []string           // that a plural needs
}

// wording is a text in one language: a single form, or plurals.
type wording struct {
	one     string
	counted map[string]string // by form; nil if it has no plurals
}

// files are the files of [languages.Language] that are no game's, and what their keys begin with here.
var files = [][2]string{{"house", ""}, {"rules", "rules."}, {"pages", ""}, {"mail", ""}}

// New reads the texts of the house and those of the rulebooks (it puts their keys under the rulebook's name), in all
// known languages. It returns an error for a text that is malformed, or missing in a language that is to be complete.
func New(rulebooks []domain.Rulebook) (*Book, error) { return In(languages.Known, rulebooks) }

// In is New for other languages. Those of Languages must be among them.
func In(known []languages.Language, rulebooks []domain.Rulebook) (*Book, error) {
	b := &Book{tongues: map[string]*tongue{}}
	for _, l := range known {
		t := &tongue{Language: l, texts: map[string]wording{}, forms: l.Forms()}
		for _, file := range files {
			if err := t.add(file[1], l.Texts[file[0]]); err != nil {
				return nil, fmt.Errorf("%s/%s.json: %w", l.Tag, file[0], err)
			}
		}
		for _, rb := range rulebooks {
			var texts map[string]json.RawMessage
			err := json.Unmarshal([]byte(cmp.Or(string(rb.Catalogue()[l.Tag]), "{}")), &texts)
			if err = cmp.Or(err, t.add(rb.Name()+".", texts)); err != nil {
				return nil, fmt.Errorf("words of %s, %s: %w", rb.Name(), l.Tag, err)
			}
		}
		b.tongues[l.Tag] = t
	}
	var tags []language.Tag
	for _, tag := range Languages {
		tags = append(tags, language.Make(tag))
	}
	b.first, b.matcher = b.tongues[Languages[0]], language.NewMatcher(tags)
	return b, b.complete()
}

func (t *tongue) add(prefix string, texts map[string]json.RawMessage) error {
	for key, text := range texts {
		var w wording
		err := json.Unmarshal(text, &w.one)
		if err != nil {
			err = json.Unmarshal(text, &w.counted)
		}
		if err = cmp.Or(err, t.wellFormed(w)); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		t.texts[prefix+key] = w
	}
	return nil
}

// wellFormed returns an error for a text with an unclosed argument, or a plural that lacks one of its language's forms.
func (t *tongue) wellFormed(w wording) error {
	forms := w.counted
	if forms == nil {
		forms = map[string]string{"other": w.one}
	} else if i := slices.IndexFunc(t.forms, func(f string) bool { return forms[f] == "" }); i >= 0 {
		return fmt.Errorf("a plural form is missing: %q", t.forms[i])
	}
	for _, text := range forms {
		if open := strings.LastIndex(text, "{"); open >= 0 && !strings.Contains(text[open:], "}") {
			return fmt.Errorf("%q: { without }", text)
		}
	}
	return nil
}

// complete finds the languages' fallbacks, and what is missing in those that have none, or is not in the first.
func (b *Book) complete() error {
	var wrong []string
	for tag, t := range b.tongues {
		if t.Fallback != "" {
			if t.fallback = b.tongues[t.Fallback]; t.fallback == nil || t.fallback.Fallback != "" {
				wrong = append(wrong, tag+": the fallback "+t.Fallback+" is no complete language")
			}
		}
		for key := range t.texts {
			if _, ok := b.first.texts[key]; !ok {
				wrong = append(wrong, b.first.Tag+": "+key)
			}
		}
		for key := range b.first.texts {
			if _, ok := t.texts[key]; !ok && t.Fallback == "" {
				wrong = append(wrong, tag+": "+key)
			}
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("catalogues lack %s", strings.Join(slices.Compact(wrong), "; "))
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
	_, ok := b.first.texts[key]
	return ok
}

// Printer writes sentences in one language, about one table.
type Printer struct {
	book     *Book
	own      *tongue
	rulebook string
	names    []string
}

// Printer returns a printer for a language (the first, for one that is not known). It looks keys up under the
// rulebook's name first, then in the house. A text that the language lacks is its fallback's. names are the seats' and
// may be nil.
func (b *Book) Printer(lang, rulebook string, names []string) Printer {
	return Printer{book: b, own: cmp.Or(b.tongues[lang], b.first), rulebook: rulebook, names: names}
}

// Lang returns the printer's language.
func (p Printer) Lang() string { return p.own.Tag }

// Text returns the sentence for a key; pairs alternate name and value.
func (p Printer) Text(key string, pairs ...any) string { return p.Say(domain.S(key, pairs...)) }

// Say writes a sentence. It returns a key that is in no catalogue unchanged, which the catalogue tests find.
func (p Printer) Say(s domain.Say) string {
	if s.Key == "" {
		return ""
	}
	w, in := p.find(s.Key)
	if w.counted != nil {
		w.one = w.counted["other"]
		if n, ok := whole(s.Args["n"]); ok {
			w.one = cmp.Or(w.counted[in.Form(n)], w.one)
		}
	}
	said := filled(w.one, func(name string) (string, bool) {
		v, ok := s.Args[name]
		if !ok {
			return "", false
		}
		return p.value(name, v), true
	})
	return cmp.Or(said, s.Key)
}

// Subject returns what a mail about something that is told is called: the text of "subject." before the first key that
// has one (without its "tell."); "" if none has. What has one is known to all.
func (p Printer) Subject(says []domain.Say) string {
	for _, s := range says {
		key := "subject." + strings.TrimPrefix(s.Key, "tell.")
		if w, _ := p.find(key); w.one != "" || w.counted != nil {
			return p.Say(domain.Say{Key: key, Args: s.Args})
		}
	}
	return ""
}

// LangOf returns the language in which the printer says a key: its own, or the fallback.
func (p Printer) LangOf(key string) string {
	_, in := p.find(key)
	return in.Tag
}

// find returns the text of a key, empty if there is none, and the language that it is in.
func (p Printer) find(id string) (wording, *tongue) {
	if p.rulebook != "" && p.book.Has(p.rulebook+"."+id) {
		id = p.rulebook + "." + id
	}
	if w, ok := p.own.texts[id]; ok || p.own.fallback == nil {
		return w, p.own
	}
	return p.own.fallback.texts[id], p.own.fallback
}

// whole returns what decides a form: any kind of integer as an int; false for anything else, which takes the form
// "other".
func whole(v any) (int, bool) {
	switch n := reflect.ValueOf(v); {
	case !n.IsValid():
	case n.CanInt():
		return int(n.Int()), true
	case n.CanUint():
		return int(n.Uint()), true
	}
	return 0, false
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
		if name == "n" {
			return domain.Number(v)
		}
		return strconv.Itoa(v)
	case time.Time:
		return p.Day(v)
	default:
		return fmt.Sprint(v)
	}
}

// filled returns a text with its arguments, written as {name}, filled in. A missing one stays visible.
func filled(text string, value func(name string) (string, bool)) string {
	before, after, open := strings.Cut(text, "{")
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
			if strings.HasSuffix(v, ".") && !strings.HasPrefix(rest, "..") { // a sentence ends once
				rest = strings.TrimPrefix(rest, ".")
			}
		} else {
			b.WriteString("{" + name + "}")
		}
		before, after, open = strings.Cut(rest, "{")
	}
}
