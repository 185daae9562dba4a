package guide

import (
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/projections/words"
)

// Readings is the key of the register of readings: what the rulebooks leave open, and how each game reads it.
const Readings = "readings"

// Reading returns the path, on this server, of the reading that a game's refusal follows from:
// "/rules/readings#catan-a4"; "" if it follows from none.
func Reading(rb domain.Rulebook, code string) string {
	if rb == nil {
		return ""
	}
	if r := rb.Extras().Guide.ReadingOf(code); r != nil {
		return readingPath(rb, r)
	}
	return ""
}

func readingPath(rb domain.Rulebook, r *domain.Reading) string {
	return "/rules/" + Readings + "#" + r.Anchor(rb.Name())
}

// Link is a place in the rules: its path, what it is called there, and what it says.
type Link struct {
	Path, Label, About string
}

// Register holds the readings of one game in one language.
type Register struct {
	Key, Name string // the game's
	Entries   []Entry
}

// Entry is a reading: a sentence of a rulebook as a question, the answer that the game is played by, and the others.
type Entry struct {
	Anchor, Key      string
	Question, So, Or string
	Book, Section    string
	Option           *Variant // by which a table chooses another answer; nil if there is none
	Rules            []Link   // the sections of the game's rules that follow from it
	Scripts          []string
}

// OfReadings returns the readings of all games that have any.
func OfReadings(book *words.Book, rulebooks []domain.Rulebook, lang string) []Register {
	var all []Register
	for _, rb := range rulebooks {
		g := rb.Extras().Guide
		if g == nil || len(g.Readings) == 0 {
			continue
		}
		w := writer{print: book.Printer(lang, rb.Name(), nil), rb: rb}
		one := Register{Key: rb.Name(), Name: w.text("name")}
		for i := range g.Readings {
			one.Entries = append(one.Entries, w.entry(g, &g.Readings[i]))
		}
		all = append(all, one)
	}
	return all
}

func (w writer) entry(g *domain.Guide, r *domain.Reading) Entry {
	key := "reading." + r.Key
	e := Entry{
		Anchor: r.Anchor(w.rb.Name()), Key: r.Key,
		Question: w.text(key), So: w.text(key + ".so"), Or: w.text(key + ".or"),
		Book: r.Book, Section: r.Section, Scripts: r.Scripts,
	}
	if r.Option != "" {
		v := w.variant(r.Option)
		e.Option = &v
	}
	for _, s := range g.Sections {
		for n := range s.Paragraphs {
			if paragraph := s.Key + "." + strconv.Itoa(n+1); slices.Contains(r.Rules, paragraph) {
				e.Rules = append(e.Rules, Link{
					Path:  "/rules/" + w.rb.Name() + "#" + s.Key,
					Label: w.text("rules." + s.Key), About: w.text("rules." + paragraph),
				})
				break
			}
		}
	}
	return e
}

// readings returns links to the readings that a paragraph follows from.
func (w writer) readings(g *domain.Guide, paragraph string) []Link {
	var list []Link
	for _, r := range g.ReadingsOn(paragraph) {
		list = append(list, Link{Path: readingPath(w.rb, r), Label: r.Key, About: w.text("reading." + r.Key)})
	}
	return list
}
