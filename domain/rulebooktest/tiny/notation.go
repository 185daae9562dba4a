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

// moves are all possible moves.
var moves = []move{plain("keep"), plain("swap"), {"peek", 0}, {"peek", 1}, {"peek", 2}, {"peek", 3}, plain("roll")}

var verbs = kit.ReadTyped(files, "tiny").Words("verbs")

// ParseMove reads "keep", "swap", "peek SEAT" and "roll".
func (game) ParseMove(text string, names []string) (move, error) {
	return kit.ReadMove(text, names, verbs, moves, game{}.FormatMove)
}

// FormatMove writes the canonical notation.
func (game) FormatMove(m move, names []string) string {
	if m.verb != "peek" {
		return m.verb
	}
	return "peek " + kit.SeatName(m.at, names)
}
