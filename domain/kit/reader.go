package kit

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// Reader takes the words of a move one by one, folded: in lower case and without accents.
type Reader struct {
	text  string
	words []string
	names []string
}

// Read begins to read notation; names are the seats' names, or nil.
func Read(text string, names []string) *Reader {
	return &Reader{text, strings.Fields(domain.Fold(text)), names}
}

// Peek is the next word, or "".
func (r *Reader) Peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

// Take takes the next word, or "".
func (r *Reader) Take() string {
	w := r.Peek()
	if w != "" {
		r.words = r.words[1:]
	}
	return w
}

// Word takes the next word for what it means, or "".
func (r *Reader) Word(v Vocabulary) string { return v[r.Take()] }

// Number takes a whole number.
func (r *Reader) Number() (int, bool) {
	n, err := strconv.Atoi(r.Take())
	return n, err == nil
}

// Seat takes all the words that are left for a seat, by its name or its letter.
func (r *Reader) Seat() (domain.Seat, bool) {
	typed := strings.Join(r.words, " ")
	r.words = nil
	for i, name := range r.names {
		if strings.Join(strings.Fields(domain.Fold(name)), " ") == typed {
			return domain.Seat(i), true
		}
	}
	if len(typed) == 1 && 'a' <= typed[0] && typed[0] < 'a'+domain.MaxSeats {
		return domain.Seat(typed[0] - 'a'), true
	}
	return domain.Nobody, false
}

// Done tells whether every word was taken.
func (r *Reader) Done() bool { return len(r.words) == 0 }

// Unreadable refuses the text; the catalogue's "refuse.unreadable" has it as {text}.
func (r *Reader) Unreadable() *domain.Refusal { return domain.Refuse("unreadable", "text", r.text) }

// SeatName is a seat in notation: by name if names is given, else by letter.
func SeatName(s domain.Seat, names []string) string {
	if s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return s.Letter()
}
