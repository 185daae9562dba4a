package kit

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"posthorn/domain"
)

// Languages are those in which every game has its words.
var Languages = [...]string{"en", "pt-BR", "pt-PT", "pl"}

//go:embed words/*.json
var own embed.FS

// Catalogue reads a rulebook's words from the folder "words" of its embedded files, a file a
// language: words/en.json. Beneath them lie the kit's own words, which are those of a position that
// has not the form of one ("given.number"), see [domain.Schema]; a game may word them otherwise. What
// cannot be read panics: the files are part of the program.
func Catalogue(files fs.FS) map[string][]byte {
	all := map[string][]byte{}
	for _, lang := range Languages {
		name, words := "words/"+lang+".json", map[string]json.RawMessage{}
		err := errors.Join(json.Unmarshal(read(own, name), &words), json.Unmarshal(read(files, name), &words))
		if err == nil {
			all[lang], err = json.Marshal(words)
		}
		if err != nil {
			panic(fmt.Sprintf("kit: %s: %v", name, err))
		}
	}
	return all
}

func read(files fs.FS, name string) []byte {
	b, err := fs.ReadFile(files, name)
	if err != nil {
		panic(fmt.Sprintf("kit: an embedded file: %v", err))
	}
	return b
}

// Vocabulary is what people type, folded, each word with what it means.
type Vocabulary map[string]string

// Words reads a vocabulary from an embedded file: a meaning a line, a colon, and the words for it in
// any language with spaces between. A meaning is a word for itself; "#" begins a comment. A word with
// two meanings panics.
func Words(files fs.FS, name string) Vocabulary {
	v := Vocabulary{}
	for line := range strings.Lines(string(read(files, name))) {
		line, _, _ = strings.Cut(line, "#")
		meaning, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		for _, w := range append(strings.Fields(words), meaning) {
			w = domain.Fold(w)
			if other, taken := v[w]; taken && other != meaning {
				panic(fmt.Sprintf("kit: %s: %q means both %s and %s", name, w, other, meaning))
			}
			v[w] = meaning
		}
	}
	return v
}

// Typed turns the meanings of a vocabulary into values of the game. A meaning that is none panics.
func Typed[T any](v Vocabulary, value func(meaning string) (T, bool)) map[string]T {
	out := make(map[string]T, len(v))
	for word, meaning := range v {
		t, ok := value(meaning)
		if !ok {
			panic(fmt.Sprintf("kit: a word means %q, which is nothing", meaning))
		}
		out[word] = t
	}
	return out
}
