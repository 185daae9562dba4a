package words

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"

	"posthorn/domain"
	"posthorn/domain/languages"
)

// Room is what a language has of the texts of a room, see [languages.Language].
type Room struct {
	Name     string
	Has, All int                        // texts
	File     map[string]json.RawMessage // its file: its own texts, and in English, marked with "?", those it lacks
}

// Rooms returns what a language has of the texts of all rooms, those of the rulebooks among them.
func Rooms(l languages.Language, rulebooks []domain.Rulebook) (out []Room) {
	english, _ := languages.Of(Languages[0])
	add := func(room string, all, has map[string]json.RawMessage) {
		r := Room{Name: room, All: len(all), File: map[string]json.RawMessage{}}
		maps.Copy(r.File, l.Texts[room])
		for key, text := range all {
			if _, ok := has[key]; ok {
				r.Has++
			} else {
				r.File["?"+key] = counted(text, l.Forms())
			}
		}
		out = append(out, r)
	}
	for _, room := range append(rooms, [2]string{"kit"}) {
		add(room[0], english.Texts[room[0]], l.Texts[room[0]])
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
