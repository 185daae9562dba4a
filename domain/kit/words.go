package kit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/languages"
)

// Files are the files that a rulebook embeds in the program: an embed.FS.
type Files interface {
	ReadFile(name string) ([]byte, error)
}

// Catalogue reads the words of a game from the folder "words" of its embedded files, one file per language:
// words/en.json. The words of the kit lie beneath them: those for malformed positions ("given.number"), see
// [domain.Schema]; a game may override them. What a language's own folder has for the game lies above them, see
// [languages.Language]. If there is a guide, its words are in words/rules/en.json, with keys without "rules.", and
// those of its readings in words/readings/en.json, with keys without "reading.". Catalogue panics if the game has no
// file for a complete language, or one that it cannot read, as the files are part of the program.
func Catalogue(files Files, game string) map[string][]byte {
	all := map[string][]byte{}
	for _, l := range languages.Known {
		words := map[string]json.RawMessage{}
		maps.Copy(words, l.Texts["kit"])
		for _, folder := range [][2]string{{"", ""}, {"rules/", "rules."}, {"readings/", "reading."}} {
			name := "words/" + folder[0] + l.Tag + ".json"
			if _, missing := files.ReadFile(name); missing != nil && (folder[0] != "" || l.Fallback != "") {
				continue
			}
			more := map[string]json.RawMessage{}
			decode(read(files, name), &more, name)
			for key, said := range more {
				words[folder[1]+key] = said
			}
		}
		maps.Copy(words, l.Texts[game])
		all[l.Tag], _ = json.Marshal(words) // all of it was read as JSON
	}
	return all
}

// Guide reads "words/rules/guide.json" from a rulebook's embedded files, and the readings of its rulebooks, if there
// are any: "words/readings/readings.json", and their scripts from "words/readings/scripts.txt", where each begins with
// "== " and the key of its reading. It panics if it cannot.
func Guide(files Files) *domain.Guide {
	g := new(domain.Guide)
	decode(read(files, "words/rules/guide.json"), g, "words/rules/guide.json")
	list, missing := files.ReadFile("words/readings/readings.json")
	if missing != nil {
		return g
	}
	decode(list, &g.Readings, "words/readings/readings.json")
	for _, part := range strings.Split("\n"+string(read(files, "words/readings/scripts.txt")), "\n== ")[1:] {
		key, text, _ := strings.Cut(part, "\n")
		i := slices.IndexFunc(g.Readings, func(r domain.Reading) bool { return r.Key == key })
		if i < 0 {
			panic(fmt.Sprintf("kit: words/readings/scripts.txt: there is no reading %q", key))
		}
		g.Readings[i].Scripts = append(g.Readings[i].Scripts, strings.TrimSpace(text)+"\n")
	}
	return g
}

func decode(text []byte, into any, name string) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		panic(fmt.Sprintf("kit: %s: %v", name, err))
	}
}

func read(files Files, name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("kit: an embedded file: %v", err))
	}
	return b
}

// Typed is what people type: by kind of word ("verbs"), each meaning with its words in any language, folded and in
// order.
type Typed map[string]map[string][]string

// ReadTyped reads "words/typed.json" from a game's embedded files, and adds what languages have for its meanings in
// their own folders. It panics if it cannot.
func ReadTyped(files Files, game string) Typed {
	var t Typed
	decode(read(files, "words/typed.json"), &t, "words/typed.json")
	for _, text := range languages.Typed(game) {
		var more Typed
		decode(text, &more, "a language's typed.json")
		for kind, meanings := range more {
			for meaning, words := range meanings {
				own, ok := t[kind][meaning]
				if !ok {
					panic(fmt.Sprintf("kit: a language's typed.json: in %s, %s has no meaning %q", game, kind, meaning))
				}
				t[kind][meaning] = append(own, words...)
			}
		}
	}
	for _, meanings := range t {
		for _, words := range meanings {
			for i, w := range words {
				words[i] = domain.Fold(w)
			}
		}
	}
	return t
}

// Reword returns a function that puts words for phrases of one kind: each phrase's meaning, as often as it stands in a
// text. It returns texts without any as they are.
func (t Typed) Reword(kind string) func(text string) string {
	type phrase struct {
		said []string
		is   string
	}
	var all []phrase
	for is, phrases := range t[kind] {
		for _, said := range phrases {
			all = append(all, phrase{strings.Fields(said), is})
		}
	}
	slices.SortFunc(all, func(a, b phrase) int { // longer ones come before those that they contain
		return cmp.Or(len(b.said)-len(a.said), strings.Compare(strings.Join(a.said, " "), strings.Join(b.said, " ")))
	})
	bare := func(words []string) (all []string) {
		for _, w := range words {
			all = append(all, domain.Fold(strings.Trim(w, ",.;:!()")))
		}
		return all
	}
	return func(text string) string {
		words := strings.Fields(text)
		typed := bare(words)
		for _, p := range all {
			for i := 0; i+len(p.said) <= len(words); i++ {
				last := i + len(p.said) - 1
				if !slices.Equal(typed[i:last+1], p.said) {
					continue
				}
				marks := words[last][len(strings.TrimRight(words[last], ",.;:!()")):]
				words = slices.Concat(words[:i:i], strings.Fields(p.is+marks), words[last+1:])
				typed = bare(words)
			}
		}
		return strings.Join(words, " ")
	}
}

// Vocabulary maps words of one kind, folded, to their meanings.
type Vocabulary map[string]string

// Words returns the words of a kind. A meaning is also a word for itself. Words panics if a word has two meanings.
func (t Typed) Words(kind string) Vocabulary {
	v := Vocabulary{}
	for meaning, words := range t[kind] {
		for _, w := range append(words[:len(words):len(words)], meaning) {
			if other, taken := v[w]; taken && other != meaning {
				panic(fmt.Sprintf("kit: words/typed.json: of %s, %q means both %s and %s", kind, w, other, meaning))
			}
			v[w] = meaning
		}
	}
	return v
}

// Means returns a function that finds what a folded word means in some kinds: "" if it is in none of them, or means one
// thing in one and another in the next.
func (t Typed) Means(kinds ...string) func(word string) string {
	all := Vocabulary{}
	for _, kind := range kinds {
		for meaning, words := range t[kind] {
			for _, w := range append(words[:len(words):len(words)], meaning) {
				if other, known := all[w]; known && other != meaning {
					all[w] = ""
				} else if !known {
					all[w] = meaning
				}
			}
		}
	}
	return func(word string) string { return all[word] }
}

// Meant turns the meanings of a vocabulary into values of the game.
func Meant[T any](v Vocabulary, value func(meaning string) T) map[string]T {
	out := make(map[string]T, len(v))
	for word, meaning := range v {
		out[word] = value(meaning)
	}
	return out
}
