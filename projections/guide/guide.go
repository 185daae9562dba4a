// Package guide makes the rules that people read: each game's from its rulebook, and those common to all tables. Pages
// show them, and every refusal links to the section about it.
package guide

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"posthorn/domain"
	"posthorn/projections/words"
)

// Tables is the key of the rules that all tables share: seats, time, agreements.
const Tables = "tables"

//go:embed tables.json
var tables []byte

// house holds the rules of all tables. Plain lists the refusals that no rule is about: something was already played, is
// gone, or is badly written.
var house = func() (all struct {
	domain.Guide
	Plain []string `json:"plain"`
}) {
	if err := json.Unmarshal(tables, &all); err != nil {
		panic(fmt.Sprintf("guide: tables.json: %v", err))
	}
	return all
}()

// Plain reports whether one of the house's refusals is about no rule, so that none is shown with it.
func Plain(code string) bool { return slices.Contains(house.Plain, code) }

// Path returns the path, on this server, of the rule about a refusal: "/rules/catan#robber". rb is the game that the
// refusal is about, or nil. Path returns "" if no rule is about it.
func Path(rb domain.Rulebook, code string) string {
	if rb != nil {
		if s := rb.Extras().Guide.Section(code); s != "" {
			return "/rules/" + rb.Name() + "#" + s
		}
	}
	if s := house.Section(code); s != "" {
		return "/rules/" + Tables + "#" + s
	}
	return ""
}

// In returns the path with a language added: it shows the rules in that language in any browser.
func In(path, lang string) string {
	page, section, _ := strings.Cut(path, "#")
	return page + "?lang=" + lang + "#" + section
}

// Page holds the rules of a game, or of all tables, in one language.
type Page struct {
	Key      string // the game's name, or [Tables]
	Name     string
	Sections []Section
}

// Section is the text below one title.
type Section struct {
	Key, Title string
	Parts      []Part
	Figures    []Figure
	Variants   []Variant
	Cards      []Card
}

// Part is a paragraph, or the items of a list.
type Part struct {
	Line
	List []Line
}

// Line is a paragraph or an item, with the readings of a rulebook that it follows from.
type Line struct {
	Text     string
	Readings []Link
}

// Figure is a picture with a description, a caption, and its drawn width and height.
type Figure struct {
	Key, Alt, Caption string
	W, H              int
}

// Variant is an option of a table, with its values; the usual one comes first.
type Variant struct {
	Label, Help   string
	Usual, Others string // its values: the one that holds unless the table chooses, and what it may choose
}

// Card is a card with its text.
type Card struct {
	Key, Name string
	Lines     []string
}

// Of returns the rules of a game; false if it has no written rules.
func Of(book *words.Book, rb domain.Rulebook, lang string) (Page, bool) {
	g := rb.Extras().Guide
	if g == nil {
		return Page{}, false
	}
	w := writer{print: book.Printer(lang, rb.Name(), nil), rb: rb}
	return Page{Key: rb.Name(), Name: w.text("name"), Sections: w.sections(g)}, true
}

// OfTables returns the rules that all tables share.
func OfTables(book *words.Book, lang string) Page {
	w := writer{print: book.Printer(lang, "", nil)}
	return Page{Key: Tables, Name: w.text("rules.tables"), Sections: w.sections(&house.Guide)}
}

type writer struct {
	print words.Printer
	rb    domain.Rulebook // nil for all tables
}

func (w writer) text(key string) string { return w.print.Text(key) }

func (w writer) sections(g *domain.Guide) []Section {
	out := make([]Section, len(g.Sections))
	for i, s := range g.Sections {
		key := "rules." + s.Key
		one := Section{Key: s.Key, Title: w.text(key)}
		for n := range s.Paragraphs {
			number := "." + strconv.Itoa(n+1)
			one.add(Line{w.text(key + number), w.readings(g, s.Key+number)})
		}
		for _, p := range s.Pictures {
			size := w.size(p)
			one.Figures = append(one.Figures,
				Figure{p.Key, w.text("rules." + p.Key + ".alt"), w.text("rules." + p.Key + ".caption"), size.W, size.H})
		}
		for _, o := range s.Options {
			one.Variants = append(one.Variants, w.variant(o))
		}
		if g.Cards != nil {
			one.Cards = w.cards(g.Cards(s.Key))
		}
		out[i] = one
	}
	return out
}

// sizes caches measured pictures, by game and key.
var sizes sync.Map

// size returns a picture's size, so that a page can reserve room before it loads; nothing if it cannot be drawn.
func (w writer) size(p domain.Illustration) (f Figure) {
	name := w.rb.Name() + " " + p.Key
	if known, ok := sizes.Load(name); ok {
		return known.(Figure)
	}
	scene, err := p.Scene(w.rb)
	if err != nil {
		return f
	}
	f.W, f.H = int(scene.W), int(scene.H)
	sizes.Store(name, f)
	return f
}

// add appends a paragraph or a list item.
func (s *Section) add(line Line) {
	text, listed := strings.CutPrefix(line.Text, "- ")
	if !listed {
		s.Parts = append(s.Parts, Part{Line: line})
		return
	}
	line.Text = text
	if n := len(s.Parts); n == 0 || s.Parts[n-1].List == nil {
		s.Parts = append(s.Parts, Part{})
	}
	last := &s.Parts[len(s.Parts)-1]
	last.List = append(last.List, line)
}

// variant returns an option with its values in words.
func (w writer) variant(key string) Variant {
	v := Variant{Label: w.text("option." + key), Help: w.text("option." + key + ".help")}
	var others []string
	for _, o := range w.rb.Options() {
		if o.Key != key {
			continue
		}
		for _, value := range o.Values {
			word := "option." + key + "." + value
			if value == "on" || value == "off" {
				word = value
			}
			if said := w.text(word); value == o.Default {
				v.Usual = said
			} else {
				others = append(others, said)
			}
		}
	}
	v.Others = strings.Join(others, "; ")
	return v
}

func (w writer) cards(list []domain.CardText) []Card {
	var out []Card
	for _, c := range list {
		out = append(out, Card{c.Key, w.print.Say(c.Label), w.print.Lines(c.Lines)})
	}
	return out
}

// Picture draws a picture from a game's rules in a language: an illustration, or a card that a section lists. ok is
// false if there is none with that key.
func Picture(book *words.Book, rb domain.Rulebook, key, lang string) (scene domain.Scene, ok bool, err error) {
	g := rb.Extras().Guide
	i, ok := g.Picture(key)
	switch {
	case ok:
		scene, err = i.Scene(rb)
	case g != nil && g.Face != nil:
		scene, ok = g.Face(key)
	}
	return scene.Said(book.Printer(lang, rb.Name(), nil).Say), ok, err
}
