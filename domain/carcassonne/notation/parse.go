package notation

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// notationWords are the words of the notation as people type them; the figures' names stand for where
// they go.
var notationWords = kit.ReadTyped(table.Files).Words("words")

// signs are what may stand between words. They go before accents do: without it the sign of a
// degree would become a letter.
var signs = strings.NewReplacer("°", " ", "º", " ", "(", " ", ")", " ", ";", " ", ",", " , ")

// ParseMove reads a move as people type it. Case and accents do not matter, nor do spaces
// about commas; words may be English, Portuguese or Polish; compass letters are N E S W.
func (Room) ParseMove(text string, _ []string) (state.Move, error) {
	r := reader{words: splitWords(text)}
	m, ok := r.move()
	if !ok {
		return state.Move{}, domain.Refuse("move-unreadable")
	}
	if r.code != "" {
		return state.Move{}, domain.Refuse(r.code)
	}
	return m, nil
}

// splitWords makes commas words of their own.
func splitWords(text string) []string {
	return strings.Fields(domain.Fold(signs.Replace(text)))
}

// reader takes the words of a move one by one.
type reader struct {
	words []string
	code  string // why a move that can be read is none
}

func (r *reader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

func (r *reader) take() string {
	w := r.peek()
	if w != "" {
		r.words = r.words[1:]
	}
	return w
}

func (r *reader) number() (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.take(), "+"))
	return n, err == nil
}

// farthest is the largest coordinate that the notation knows; no board reaches it.
const farthest = 9999

func (r *reader) place() (x, y int16, ok bool) {
	a, okA := r.number()
	if !okA || r.take() != "," {
		return 0, 0, false
	}
	b, okB := r.number()
	if !okB || a < -farthest || a > farthest || b < -farthest || b > farthest {
		return 0, 0, false
	}
	return int16(a), int16(b), true
}

func (r *reader) move() (m state.Move, ok bool) {
	if m.X, m.Y, ok = r.place(); !ok {
		return m, false
	}
	turn, ok := r.number()
	if !ok {
		return m, false
	}
	if turn%90 != 0 || turn < 0 || turn > 360 {
		r.code = "turn-unreadable"
		return m, true
	}
	m.Quarter = uint8(turn / 90 % 4)
	if m.Follower, ok = r.choice(); !ok {
		return m, false
	}
	if notationWords[r.peek()] == "score" {
		r.take()
		if m.Order, ok = r.order(&m); !ok {
			return m, false
		}
	}
	return m, len(r.words) == 0
}

func (r *reader) choice() (table.Choice, bool) {
	switch notationWords[r.peek()] {
	case "score":
		return table.Nobody, true
	case "recall":
		r.take()
		if notationWords[r.peek()] == "abbot" { // "recolher abade"
			r.take()
		}
		return table.Recall, true
	case "abbot":
		r.take()
		if notationWords[r.peek()] == "recall" {
			r.take()
			return table.Recall, true
		}
		p, ok := r.part()
		if ok && p.Kind != table.Cloister && p.Kind != table.Garden {
			r.code = "abbot-where"
		}
		return table.Put(true, p), ok
	}
	if r.peek() == "" {
		return table.Nobody, true
	}
	p, ok := r.part()
	return table.Put(false, p), ok
}

func (r *reader) part() (p table.Place, ok bool) {
	if err := p.Kind.UnmarshalText([]byte(notationWords[r.take()])); err != nil {
		return p, false
	}
	switch p.Kind {
	case table.Cloister, table.Garden:
		return p, true
	case table.Field:
		p.At, ok = named(table.HalfNames[:], r.take())
	default:
		p.At, ok = named(table.EdgeNames[:], r.take())
	}
	return p, ok
}

func named(names []string, word string) (uint8, bool) {
	for i, n := range names {
		if strings.EqualFold(n, word) {
			return uint8(i), true
		}
	}
	return 0, false
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
	if !ok {
		return 0, false
	}
	switch p.Kind {
	case table.Road, table.City:
		return state.OrderCode(p.Kind, p.At, 0, 0), true
	case table.Cloister, table.Garden:
		x, y, ok := r.place()
		dx, dy := x-m.X, y-m.Y
		if !ok {
			return 0, false
		}
		if dx < -1 || dx > 1 || dy < -1 || dy > 1 {
			r.code = "order-not-scored"
			return 0, true
		}
		return state.OrderCode(p.Kind, 0, dx, dy), true
	}
	r.code = "order-not-scored"
	return 0, true
}

// Room is the notation, as kit.New takes it.
type Room struct{}
