package table

import (
	"encoding/json"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// typedAs is what people type in English, Portuguese and Polish, by kind of word.
var typedAs = kit.ReadTyped(wordFiles)

// WordsFor are all words of a kind that people type, with what the notation's own word means.
func WordsFor[T any](kind string, means func(word string) T) map[string]T {
	return kit.Meant(typedAs.Words(kind), means)
}

// CardWords are the cards by all that people call them: the table's own words first, then the names
// of every language, whole and to their comma or bracket.
var CardWords = func() map[string]Card {
	m := map[string]Card{}
	name := func(word string, c Card) {
		if _, taken := m[word]; !taken && word != "" {
			m[word] = c
		}
	}
	for i, p := range Printings[1:] {
		m[p.Name] = Card(i + 1)
		if p.Row.Short != "" && p.Name != p.Row.ID {
			m[p.Row.Short+strings.TrimPrefix(p.Name, p.Row.ID)] = Card(i + 1)
		}
	}
	for i, p := range Printings[1:] {
		name(p.Row.Short, Card(i+1))
	}
	for _, lang := range kit.Languages {
		var texts map[string]any
		if err := json.Unmarshal(catalogue[lang], &texts); err != nil {
			panic("rivals: words: " + lang + ": " + err.Error())
		}
		for i, p := range Printings[1:] {
			if text, ok := texts["card."+p.Row.ID].(string); ok {
				name(Fold(text), Card(i+1))
				name(Fold(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '(' })[0]), Card(i+1))
			}
		}
	}
	return m
}()

// Fold brings a card's name to the form of CardWords.
func Fold(text string) string { return strings.Join(Tokens(text), "_") }

// Tokens splits what was typed. A minus before a digit stays; apostrophes and full stops fall
// away, other signs are spaces. An underscore joins the words of a name, and does nothing else.
func Tokens(text string) (words []string) {
	rs := []rune(domain.Fold(text))
	var b strings.Builder
	prev := ' '
	for i, r := range rs {
		switch {
		case r == '-' && prev == ' ' && i+1 < len(rs) && rs[i+1] >= '0' && rs[i+1] <= '9':
			b.WriteRune(r)
		case strings.ContainsRune("-,;()[]", r):
			r = ' '
			b.WriteRune(r)
		case strings.ContainsRune("'\".!", r):
			continue
		default:
			b.WriteRune(r)
		}
		prev = r
	}
	for _, w := range strings.Fields(b.String()) {
		if w = strings.Trim(w, "_"); w != "" {
			words = append(words, w)
		}
	}
	return words
}
