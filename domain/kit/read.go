package kit

import (
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"strings"

	"posthorn/domain"
)

// ReadMove reads a move of a game that can list them all. It replaces each word of the text with its meaning, and a
// name at the end with the seat's letter, and returns the move with that notation. It refuses anything else; the
// catalogue's "refuse.unreadable" has the text as {text}.
func ReadMove[M comparable](text string, names []string, words Vocabulary, all []M,
	format func(m M, names []string) string) (m M, err error) {
	typed := " " + strings.Join(strings.Fields(domain.Fold(text)), " ")
	for i, name := range names {
		name = " " + strings.Join(strings.Fields(domain.Fold(name)), " ")
		if before, ok := strings.CutSuffix(typed, name); ok && before != "" {
			typed = before + " " + domain.Seat(i).Letter()
			break
		}
	}
	list := strings.Fields(typed)
	for i, word := range list {
		if meaning, ok := words[word]; ok {
			list[i] = meaning
		}
	}
	typed = strings.Join(list, " ")
	for _, m := range all {
		if strings.EqualFold(typed, format(m, nil)) {
			return m, nil
		}
	}
	return m, domain.Refuse("unreadable", "text", text)
}

// Legal yields those of all moves that are legal.
func Legal[M any](all []M, legal func(M) bool) iter.Seq[M] {
	return func(yield func(M) bool) {
		for _, m := range all {
			if legal(m) && !yield(m) {
				return
			}
		}
	}
}

// SeatName returns a seat in notation: by name if names is given, otherwise by letter.
func SeatName(s domain.Seat, names []string) string {
	if s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return s.Letter()
}

// Given reads a position set up by hand into a value, after checking it against its schema; if raw is empty it reads
// nothing. It refuses what does not fit with "given", with path, value and why.
func Given(raw json.RawMessage, schema *domain.Schema, into any) error {
	if len(raw) == 0 {
		return nil
	}
	if m := schema.Fits(raw); m != nil {
		return m.Refusal("given")
	}
	var keys map[string]json.RawMessage
	err := json.Unmarshal(raw, &keys)
	// it means nothing was given, but would empty a list
	maps.DeleteFunc(keys, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	if err == nil {
		raw, err = json.Marshal(keys)
	}
	unshare(reflect.ValueOf(into).Elem()) // otherwise what is read into one list would appear in all that share it
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil { // what a schema cannot express
		return BadGiven("given", "…", "json")
	}
	return nil
}

// BadGiven refuses a value in a position, with the sentence "given.WHY". The path is written as Given writes it:
// "hands[0]", "players[1].hand".
func BadGiven(path string, value any, why string, pairs ...any) *domain.Refusal {
	return domain.MisfitAt(path, value, domain.S("given."+why, pairs...)).Refusal("given")
}
