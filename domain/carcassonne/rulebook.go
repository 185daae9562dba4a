package carcassonne

import (
	"embed"
)

//go:embed words/*.json
var wordFiles embed.FS

// Catalogue is the game's words in every language.
func (Rules) Catalogue() map[string][]byte { return catalogue }

var catalogue = readWords()

func readWords() map[string][]byte {
	out := map[string][]byte{}
	for _, lang := range []string{"en", "pt-BR", "pt-PT", "pl"} {
		text, err := wordFiles.ReadFile("words/" + lang + ".json")
		if err != nil {
			panic("carcassonne: the embedded words: " + err.Error())
		}
		out[lang] = text
	}
	return out
}
