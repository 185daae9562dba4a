package kit

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
)

//go:embed words/*.json
var own embed.FS

// Files are the files that a rulebook embeds in the program: an embed.FS.
type Files interface {
	ReadFile(name string) ([]byte, error)
}

// Catalogue reads a rulebook's words from the folder "words" of its embedded files, one file per language:
// words/en.json. The kit's own words lie beneath them: those for malformed positions ("given.number"), see
// [domain.Schema]; a game may override them. If there is a guide, its words are in words/rules/en.json, with keys
// without "rules.", and those of its readings in words/readings/en.json, with keys without "reading.". Catalogue panics
// if it cannot read a file, as the files are part of the program.
func Catalogue(files Files) map[string][]byte {
	all := map[string][]byte{}
	for _, lang := range domain.Languages {
		name, words := "words/"+lang+".json", map[string]json.RawMessage{}
		err := errors.Join(json.Unmarshal(read(own, name), &words), json.Unmarshal(read(files, name), &words))
		for folder, prefix := range map[string]string{"rules": "rules.", "readings": "reading."} {
			text, missing := files.ReadFile("words/" + folder + "/" + lang + ".json")
			if missing != nil {
				continue
			}
			more := map[string]json.RawMessage{}
			err = errors.Join(err, json.Unmarshal(text, &more))
			for key, said := range more {
				words[prefix+key] = said
			}
		}
		if err == nil {
			all[lang], err = json.Marshal(words)
		}
		if err != nil {
			panic(fmt.Sprintf("kit: %s: %v", name, err))
		}
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

// ReadTyped reads "words/typed.json" from a rulebook's embedded files. It panics if it cannot.
func ReadTyped(files Files) Typed {
	var t Typed
	if err := json.Unmarshal(read(files, "words/typed.json"), &t); err != nil {
		panic(fmt.Sprintf("kit: words/typed.json: %v", err))
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

// Meant turns the meanings of a vocabulary into values of the game.
func Meant[T any](v Vocabulary, value func(meaning string) T) map[string]T {
	out := make(map[string]T, len(v))
	for word, meaning := range v {
		out[word] = value(meaning)
	}
	return out
}
