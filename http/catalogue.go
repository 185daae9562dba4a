package http

import (
	"embed"

	"posthorn/projections/words"
)

//go:embed words/*.json
var wordFiles embed.FS

// Catalogue is the pages' words: language to a JSON object of texts, for [words.New].
func Catalogue() map[string][]byte {
	out := map[string][]byte{}
	for _, lang := range words.Languages {
		text, err := wordFiles.ReadFile("words/" + lang + ".json")
		if err != nil {
			panic("http: no words in " + lang) // the files are part of the program
		}
		out[lang] = text
	}
	return out
}
