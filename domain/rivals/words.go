package rivals

import (
	"encoding/json"
	"strings"
)

// nameCardsIn adds the cards' names of every language, and the part of a name before its
// comma or bracket, to the words the notation knows. The table's own words come first.
func nameCardsIn(m map[string]Card) {
	for _, lang := range languages {
		b, err := words.ReadFile("words/" + lang + ".json")
		if err != nil {
			panic("rivals: words: " + err.Error())
		}
		var texts map[string]any
		if err := json.Unmarshal(b, &texts); err != nil {
			panic("rivals: words: " + lang + ": " + err.Error())
		}
		for i := 1; i < len(printings); i++ {
			name, ok := texts["card."+printings[i].Row.ID].(string)
			if !ok {
				continue
			}
			for _, text := range []string{name, strings.FieldsFunc(name, func(r rune) bool { return r == ',' || r == '(' })[0]} {
				word := fold(text)
				if _, taken := m[word]; !taken && word != "" {
					m[word] = Card(i)
				}
			}
		}
	}
}
