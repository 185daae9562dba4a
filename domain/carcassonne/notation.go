package carcassonne

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// FormatMove writes a move in canonical notation: "1,0 90 road W", "0,-1 180 abbot garden",
// "2,1 0 recall", and where an order was given "… score road E, cloister 3,-1". No seat is
// ever named in it.
func (notationRoom) FormatMove(m Move, _ []string) string {
	var buf [64]byte
	dst := strconv.AppendInt(buf[:0], int64(m.X), 10)
	dst = strconv.AppendInt(append(dst, ','), int64(m.Y), 10)
	dst = strconv.AppendInt(append(dst, ' '), int64(m.Quarter)*90, 10)
	if m.Follower != Nobody {
		dst = appendChoice(append(dst, ' '), m.Follower)
	}
	codes, n := m.Order.list()
	for i, code := range codes[:n] {
		if i == 0 {
			dst = append(dst, " score "...)
		} else {
			dst = append(dst, ", "...)
		}
		dst = appendOrdered(dst, m.X, m.Y, code)
	}
	return string(dst)
}

func appendChoice(dst []byte, c Choice) []byte {
	if c == Recall {
		return append(dst, "recall"...)
	}
	p, abbot, _ := c.Place()
	if abbot {
		dst = append(dst, "abbot "...)
	}
	return p.append(dst)
}

func appendOrdered(dst []byte, x, y int16, code uint8) []byte {
	k, edge, dx, dy := orderNamed(code)
	if k == Road || k == City {
		return Place{k, edge}.append(dst)
	}
	dst = append(append(dst, k.String()...), ' ')
	dst = strconv.AppendInt(dst, int64(x+dx), 10)
	return strconv.AppendInt(append(dst, ','), int64(y+dy), 10)
}

// notationWords are the words of the notation as people type them; the figures' names stand for where
// they go.
var notationWords = kit.ReadTyped(files).Words("words")

// signs are what may stand between words. They go before accents do: without it the sign of a
// degree would become a letter.
var signs = strings.NewReplacer("°", " ", "º", " ", "(", " ", ")", " ", ";", " ", ",", " , ")

// ParseMove reads a move as people type it. Case and accents do not matter, nor do spaces
// about commas; words may be English, Portuguese or Polish; compass letters are N E S W.
func (notationRoom) ParseMove(text string, _ []string) (Move, error) {
	r := reader{words: splitWords(text)}
	m, ok := r.move()
	if !ok {
		return Move{}, domain.Refuse("move-unreadable")
	}
	if r.code != "" {
		return Move{}, domain.Refuse(r.code)
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

func (r *reader) move() (m Move, ok bool) {
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

func (r *reader) choice() (Choice, bool) {
	switch notationWords[r.peek()] {
	case "score":
		return Nobody, true
	case "recall":
		r.take()
		if notationWords[r.peek()] == "abbot" { // "recolher abade"
			r.take()
		}
		return Recall, true
	case "abbot":
		r.take()
		if notationWords[r.peek()] == "recall" {
			r.take()
			return Recall, true
		}
		p, ok := r.part()
		if ok && p.Kind != Cloister && p.Kind != Garden {
			r.code = "abbot-where"
		}
		return Put(true, p), ok
	}
	if r.peek() == "" {
		return Nobody, true
	}
	p, ok := r.part()
	return Put(false, p), ok
}

func (r *reader) part() (p Place, ok bool) {
	if err := p.Kind.UnmarshalText([]byte(notationWords[r.take()])); err != nil {
		return p, false
	}
	switch p.Kind {
	case Cloister, Garden:
		return p, true
	case Field:
		p.At, ok = named(halfNames[:], r.take())
	default:
		p.At, ok = named(edgeNames[:], r.take())
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

func (r *reader) order(m *Move) (Order, bool) {
	var codes []uint8
	for {
		code, ok := r.ordered(m)
		if !ok || len(codes) == orderMost {
			return 0, false
		}
		codes = append(codes, code)
		if r.peek() != "," {
			return packOrder(codes), true
		}
		r.take()
	}
}

func (r *reader) ordered(m *Move) (uint8, bool) {
	p, ok := r.part()
	if !ok {
		return 0, false
	}
	switch p.Kind {
	case Road, City:
		return orderCode(p.Kind, p.At, 0, 0), true
	case Cloister, Garden:
		x, y, ok := r.place()
		dx, dy := x-m.X, y-m.Y
		if !ok {
			return 0, false
		}
		if dx < -1 || dx > 1 || dy < -1 || dy > 1 {
			r.code = "order-not-scored"
			return 0, true
		}
		return orderCode(p.Kind, 0, dx, dy), true
	}
	r.code = "order-not-scored"
	return 0, true
}
