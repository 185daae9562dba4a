package tiny

import (
	"posthorn/domain"
	"posthorn/domain/kit"
)

// move is what a seat may do: "keep", "swap", "peek" (at a seat), "roll".
type move struct {
	verb string
	at   domain.Seat // of peek; otherwise Nobody
}

func plain(verb string) move { return move{verb, domain.Nobody} }

var verbs = kit.ReadTyped(files).Words("verbs")

// ParseMove reads "keep", "swap", "peek SEAT" and "roll".
func (game) ParseMove(text string, names []string) (move, error) {
	r, ok := kit.Read(text, names), true
	m := plain(r.Word(verbs))
	if m.verb == "peek" {
		m.at, ok = r.Seat()
	}
	if m.verb == "" || !ok || !r.Done() {
		return move{}, r.Unreadable()
	}
	return m, nil
}

// FormatMove writes the canonical notation.
func (game) FormatMove(m move, names []string) string {
	if m.verb != "peek" {
		return m.verb
	}
	return "peek " + kit.SeatName(m.at, names)
}
