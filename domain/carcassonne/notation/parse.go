// Package notation reads and writes the moves of Carcassonne as people type them; see
// docs/notation-carcassonne.md.
package notation

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// notationWords are the words of the notation as people type them. A figure's name also stands for the place it goes
// to.
var notationWords = typed.Words("words")

var typed = kit.ReadTyped(table.Files, "carcassonne")

// Means implements [domain.Extras.Means].
var Means = typed.Means("words", "also")

// Reword implements [domain.Extras.Reword].
var Reword = typed.Reword("reworded")

// signs may stand between words; a comma is a word of its own. Replace them before accents, or the degree sign would
// become a letter.
var signs = strings.NewReplacer("°", " ", "º", " ", "(", " ", ")", " ", ";", " ", ",", " , ")

// ParseMove reads a move as people type it. Case, accents and spaces around commas do not matter; words may be
// English, Portuguese or Polish; compass letters are N E S W.
func (Room) ParseMove(text string, _ []string) (state.Move, error) {
	r := reader{words: strings.Fields(domain.Fold(signs.Replace(text)))}
	m, ok := r.move()
	switch {
	case r.edges != "":
		return state.Move{}, domain.Refuse("edge-missing", "places", r.edges)
	case !ok:
		return state.Move{}, domain.Refuse("move-unreadable")
	case r.code != "":
		return state.Move{}, domain.Refuse(r.code)
	}
	return m, nil
}

// reader reads the words of a move one by one.
type reader struct {
	words []string
	code  string // why a move that reads well is still not a move
	edges string // what a part that was named without its edge might be
}

func (r *reader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

func (r *reader) take() string {
	w := r.peek()
	r.words = r.words[min(1, len(r.words)):]
	return w
}

func (r *reader) number() (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.take(), "+"))
	return n, err == nil
}

// takes consumes the next word if it has this meaning, and reports whether it did.
func (r *reader) takes(meaning string) bool {
	is := notationWords[r.peek()] == meaning
	if is {
		r.take()
	}
	return is
}

// farthest is the largest coordinate the notation accepts; no board reaches it.
const farthest = 9999

func (r *reader) place() (x, y int16, ok bool) {
	a, okA := r.number()
	if !okA || r.take() != "," {
		return 0, 0, false
	}
	b, okB := r.number()
	return int16(a), int16(b), okB && max(a, b) <= farthest && min(a, b) >= -farthest
}

func (r *reader) move() (m state.Move, ok bool) {
	if m.X, m.Y, ok = r.place(); !ok {
		return m, false
	}
	turn, ok := r.number()
	if !ok {
		return m, false
	}
	if turn%90 != 0 || turn < 0 || turn > 270 {
		r.code = "turn-unreadable"
		return m, true
	}
	m.Quarter = uint8(turn / 90)
	if m.Follower, ok = r.choice(); ok && r.takes("score") {
		m.Order, ok = r.order(&m)
	}
	return m, ok && len(r.words) == 0
}

func (r *reader) choice() (table.Choice, bool) {
	abbot := r.takes("abbot")
	switch {
	case r.takes("recall"):
		if !abbot {
			r.takes("abbot") // "recolher abade"
		}
		return table.Recall, true
	case !abbot && (len(r.words) == 0 || notationWords[r.peek()] == "score"):
		return table.Nobody, true
	}
	p, ok := r.part()
	if ok && abbot && !p.Kind.Shrine() {
		r.code = "abbot-where"
	}
	return table.Put(abbot, p), ok
}

func (r *reader) part() (p table.Place, ok bool) {
	if err := p.Kind.UnmarshalText([]byte(notationWords[r.take()])); err != nil {
		return p, false
	}
	if p.Kind.Shrine() {
		return p, true
	}
	side := r.take()
	if side == "" {
		var all []string
		for _, name := range p.Kind.Sides() {
			all = append(all, p.Kind.String()+" "+name)
		}
		r.edges = strings.Join(all, ", ")
	}
	i := slices.IndexFunc(p.Kind.Sides(), func(name string) bool { return strings.EqualFold(name, side) })
	p.At = uint8(max(i, 0))
	return p, i >= 0
}

func (r *reader) order(m *state.Move) (state.Order, bool) {
	var codes []uint8
	for {
		code, ok := r.ordered(m)
		if !ok || len(codes) == state.OrderMost {
			return 0, false
		}
		codes = append(codes, code)
		if r.peek() != "," {
			return state.PackOrder(codes), true
		}
		r.take()
	}
}

func (r *reader) ordered(m *state.Move) (uint8, bool) {
	p, ok := r.part()
	var dx, dy int16
	if ok && p.Kind.Shrine() {
		var x, y int16
		x, y, ok = r.place()
		dx, dy = x-m.X, y-m.Y
	}
	if ok && (p.Kind == table.Field || p.Kind == table.River || max(dx, -dx, dy, -dy) > 1) {
		r.code = "order-not-scored"
		return 0, true
	}
	return state.OrderCode(p.Kind, p.At, dx, dy), ok
}

// Room is the notation, for kit.New.
type Room struct{}
