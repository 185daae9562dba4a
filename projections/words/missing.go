package words

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"

	"posthorn/domain"
	"posthorn/domain/languages"
)

// File is what a language has of one file of texts, see [languages.Language].
type File struct {
	Name     string
	Has, All int                        // texts
	Texts    map[string]json.RawMessage // its file: its own texts, and in English, marked with "?", those it lacks
}

// Files returns what a language has of all files of texts, the games' among them.
func Files(l languages.Language, rulebooks []domain.Rulebook) (out []File) {
	english, _ := languages.Of(Languages[0])
	add := func(file string, all, has map[string]json.RawMessage) {
		r := File{Name: file, All: len(all), Texts: map[string]json.RawMessage{}}
		maps.Copy(r.Texts, l.Texts[file])
		for key, text := range all {
			if _, ok := has[key]; ok {
				r.Has++
			} else {
				r.Texts["?"+key] = counted(text, l.Forms())
			}
		}
		out = append(out, r)
	}
	for _, file := range append(files, [2]string{"kit"}) {
		add(file[0], english.Texts[file[0]], l.Texts[file[0]])
	}
	kit, _ := json.Marshal(english.Texts["kit"])
	beneath := decoded(kit)
	for _, rb := range rulebooks {
		all := decoded(rb.Catalogue()[english.Tag])
		maps.DeleteFunc(all, func(key string, text json.RawMessage) bool {
			return string(text) == string(beneath[key])
		})
		add(rb.Name(), all, decoded(rb.Catalogue()[l.Tag]))
	}
	return out
}

func decoded(catalogue []byte) (texts map[string]json.RawMessage) {
	_ = json.Unmarshal(catalogue, &texts) // In reads the same
	return texts
}

// counted returns an English text with the plural forms of another language, if it has any.
func counted(text json.RawMessage, forms []string) json.RawMessage {
	var english map[string]string
	if json.Unmarshal(text, &english) != nil {
		return text
	}
	var b bytes.Buffer
	for i, f := range forms {
		b.WriteString([]string{"{", ", "}[min(i, 1)])
		w, _ := json.Marshal(cmp.Or(english[f], english["other"]))
		b.WriteString(`"` + f + `": ` + string(w))
	}
	return append(b.Bytes(), '}')
}
