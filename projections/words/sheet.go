package words

import (
	"maps"
	"slices"
)

// Sentence is one of the house's texts as its catalogues have it, including arguments, to be read side by side with the
// other languages.
type Sentence struct {
	Key string
	In  map[string][]Form // by language, if it has the text
}

// Form is a text and the counts that it is for ("one", "few"); "" if nothing is counted.
type Form struct{ Count, Text string }

// Sentences returns all texts, in order of their keys.
func (b *Book) Sentences() []Sentence {
	var out []Sentence
	for _, key := range slices.Sorted(maps.Keys(b.first.texts)) {
		s := Sentence{Key: key, In: map[string][]Form{}}
		for lang, t := range b.tongues {
			if w, ok := t.texts[key]; ok {
				s.In[lang] = t.formsOf(w)
			}
		}
		out = append(out, s)
	}
	return out
}

func (t *tongue) formsOf(w wording) (out []Form) {
	if w.counted == nil {
		return []Form{{Text: w.one}}
	}
	for _, f := range t.forms {
		out = append(out, Form{f, w.counted[f]})
	}
	return out
}
