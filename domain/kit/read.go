package kit

import (
	"iter"
	"strings"

	"posthorn/domain"
)

// ReadMove reads a move of a game that can list them all: the one of them whose notation the text is, once
// each of its words stands for what it means and a seat at the end is a letter, not a name. Anything
// else is refused; the catalogue's "refuse.unreadable" has it as {text}.
func ReadMove[M comparable](text string, names []string, words Vocabulary, all []M, format func(m M, names []string) string) (m M, err error) {
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

// Legal are those of all moves that are legal.
func Legal[M any](all []M, legal func(M) bool) iter.Seq[M] {
	return func(yield func(M) bool) {
		for _, m := range all {
			if legal(m) && !yield(m) {
				return
			}
		}
	}
}

// SeatName is a seat in notation: by name if names is given, else by letter.
func SeatName(s domain.Seat, names []string) string {
	if s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return s.Letter()
}
