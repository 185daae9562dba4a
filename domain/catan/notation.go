package catan

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// ParseMove reads notation, leniently; see docs/notation-catan.md.
func (notationRoom) ParseMove(text string, names []string) (Move, error) {
	r := reader{names: names}
	r.split(text)
	m, err := r.move()
	if err != nil {
		return Move{}, err
	}
	if len(r.left) > 0 {
		return Move{}, domain.Refuse("unreadable-word", "text", r.left[0])
	}
	return m, nil
}

// signs are what may stand between words.
var signs = strings.NewReplacer(",", " ", ";", " ", "+", " ", "&", " and ", ":", " ", ".", " ", "\t", " ")

// reader takes a move's words one after the other.
type reader struct {
	names []string
	left  []string // as typed
	words int      // of the name that seat found
}

// split cuts text into words; digits and letters that touch ("2wool") are told apart.
func (r *reader) split(text string) {
	for _, w := range strings.Fields(signs.Replace(text)) {
		n := 0
		for n < len(w) && w[n] >= '0' && w[n] <= '9' {
			n++
		}
		if n > 0 && n < len(w) {
			r.left = append(r.left, w[:n], w[n:])
		} else {
			r.left = append(r.left, w)
		}
	}
}

func (r *reader) peek() string {
	if len(r.left) == 0 {
		return ""
	}
	return domain.Fold(r.left[0])
}

func (r *reader) skip(set map[string]bool) bool {
	if len(r.left) > 0 && set[r.peek()] {
		r.left = r.left[1:]
		return true
	}
	return false
}

func (r *reader) move() (Move, error) {
	if len(r.left) == 0 {
		return Move{}, domain.Refuse("unreadable")
	}
	verb := verbs[r.peek()]
	if verb == "" {
		return Move{}, domain.Refuse("unreadable-word", "text", r.left[0])
	}
	r.left = r.left[1:]
	switch verb {
	case "settle":
		return r.settle()
	case "bank":
		return r.bank()
	case "plenty":
		return r.plenty()
	case "offer":
		return r.offer()
	case "counter":
		m := move(KindCounter)
		err := r.swap(&m)
		return m, err
	case "token":
		return r.token()
	case "neutral":
		return r.neutral()
	case "order":
		return Move{}, domain.Refuse("order-private")
	}
	return r.parts(kindNamed(verb))
}

// parts reads what a move of a kind says.
func (r *reader) parts(k Kind) (m Move, err error) {
	m = move(k)
	for _, p := range partsOf[k] {
		switch p {
		case PartCorner, PartPath, PartHex:
			m.A, err = r.number()
		case PartSecond:
			if r.skip(wordsAnd); r.isNumber() {
				m.B, err = r.number()
			}
		case PartGive:
			var a Resource
			a, err = r.resource()
			m.A = int8(a)
		case PartSeat:
			m.Seat, err = r.from()
		case PartCards:
			m.Give, err = r.hand()
		}
		if err != nil {
			return Move{}, err
		}
	}
	if k == KindRoads && m.B != noPlace && m.B < m.A {
		m.A, m.B = m.B, m.A
	}
	return m, nil
}

// number reads a place; what is not on the board is refused by Decide, so any small
// number will do here.
func (r *reader) number() (int8, error) {
	if len(r.left) == 0 {
		return 0, domain.Refuse("number-missing")
	}
	w := r.left[0]
	n, err := strconv.Atoi(strings.TrimPrefix(w, "#"))
	if err != nil || n < 0 || n > 99 {
		return 0, domain.Refuse("unreadable-word", "text", w)
	}
	r.left = r.left[1:]
	return int8(n), nil
}

func (r *reader) isNumber() bool {
	if len(r.left) == 0 {
		return false
	}
	_, err := strconv.Atoi(r.left[0])
	return err == nil
}

func (r *reader) settle() (Move, error) {
	a, err := r.number()
	if err != nil {
		return Move{}, err
	}
	r.skip(wordsAnd)
	if verbs[r.peek()] != "road" {
		return moveAt(KindSettle, a, noPlace), nil
	}
	r.left = r.left[1:]
	b, err := r.number()
	return moveAt(KindFound, a, b), err
}
