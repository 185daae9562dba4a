package tiny

import (
	"strconv"
	"strings"

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

// A standing order is a move with how often it is still to be made: "order keep",
// "order roll 2". Without a number it stands until it is taken back.
func readOrder(text string, names []string) (m move, times int, err error) {
	words := strings.Fields(text)
	if len(words) > 0 && strings.EqualFold(words[0], "order") {
		words = words[1:]
	}
	if n := len(words); n > 1 {
		if k, err := strconv.Atoi(words[n-1]); err == nil && k > 0 {
			times, words = k, words[:n-1]
		}
	}
	m, err = game{}.ParseMove(strings.Join(words, " "), names)
	return m, times, err
}

func writeOrder(m move, times int, names []string) string {
	text := "order " + game{}.FormatMove(m, names)
	if times > 0 {
		text += " " + strconv.Itoa(times)
	}
	return text
}

// ReadOrder reads an order, with or without the word before it.
func (game) ReadOrder(text string, names []string) (string, error) {
	m, times, err := readOrder(text, names)
	if err != nil {
		return "", err
	}
	return writeOrder(m, times, nil), nil
}

// ShowOrder writes an order with the seats' names.
func (game) ShowOrder(text string, names []string) string {
	m, times, err := readOrder(text, nil)
	if err != nil {
		return text
	}
	return writeOrder(m, times, names)
}
