package words

import (
	"maps"
	"slices"
)

// Sentence is one of the house's texts as its catalogues have it, including arguments, to be read side by side with the
// other languages.
type Sentence struct {
	Key string
	In  map[string][]Form // by language
}

// Form is a text and the counts that it is for ("one", "few"); "" if nothing is counted.
type Form struct{ Count, Text string }

// Sentences returns all texts, in order of their keys.
func (b *Book) Sentences() []Sentence {
	var out []Sentence
	for _, key := range slices.Sorted(maps.Keys(b.texts[Languages[0]])) {
		s := Sentence{Key: key, In: map[string][]Form{}}
		for _, lang := range Languages {
			s.In[lang] = b.texts[lang][key].forms()
		}
		out = append(out, s)
	}
	return out
}

func (w wording) forms() (out []Form) {
	m := w.counted
	if m == nil {
		return []Form{{Text: w.one}}
	}
	for _, f := range []Form{{"zero", m.Zero}, {"one", m.One}, {"two", m.Two}, {"few", m.Few}, {"many", m.Many},
		{"other", m.Other}} {
		if f.Text != "" {
			out = append(out, f)
		}
	}
	return out
}
