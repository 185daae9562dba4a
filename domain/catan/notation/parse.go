package notation

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Room is the notation, as kit.New takes it.
type Room struct{}

// ParseMove reads notation, leniently; see docs/notation-catan.md.
func (Room) ParseMove(text string, names []string) (state.Move, error) {
	r := reader{names: names}
	r.split(text)
	m, err := r.move()
	if err != nil {
		return state.Move{}, err
	}
	if len(r.left) > 0 {
		return state.Move{}, domain.Refuse("unreadable-word", "text", r.left[0])
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

func (r *reader) move() (state.Move, error) {
	if len(r.left) == 0 {
		return state.Move{}, domain.Refuse("unreadable")
	}
	verb := verbs[r.peek()]
	if verb == "" {
		return state.Move{}, domain.Refuse("unreadable-word", "text", r.left[0])
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
		m := state.NewMove(state.KindCounter)
		err := r.swap(&m)
		return m, err
	case "token":
		return r.token()
	case "neutral":
		return r.neutral()
	case "order":
		return state.Move{}, domain.Refuse("order-private")
	}
	return r.parts(state.KindNamed(verb))
}

// parts reads what a move of a kind says.
func (r *reader) parts(k state.Kind) (m state.Move, err error) {
	m = state.NewMove(k)
	for _, p := range state.PartsOf[k] {
		switch p {
		case state.PartCorner, state.PartPath, state.PartHex:
			m.A, err = r.number()
		case state.PartSecond:
			if r.skip(wordsAnd); r.isNumber() {
				m.B, err = r.number()
			}
		case state.PartGive:
			var a table.Resource
			a, err = r.resource()
			m.A = int8(a)
		case state.PartSeat:
			m.Seat, err = r.from()
		case state.PartCards:
			m.Give, err = r.hand()
		}
		if err != nil {
			return state.Move{}, err
		}
	}
	if k == state.KindRoads && m.B != table.NoPlace && m.B < m.A {
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

func (r *reader) settle() (state.Move, error) {
	a, err := r.number()
	if err != nil {
		return state.Move{}, err
	}
	r.skip(wordsAnd)
	if verbs[r.peek()] != "road" {
		return state.MoveAt(state.KindSettle, a, table.NoPlace), nil
	}
	r.left = r.left[1:]
	b, err := r.number()
	return state.MoveAt(state.KindFound, a, b), err
}
