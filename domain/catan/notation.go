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
	word := r.left[0]
	r.left = r.left[1:]
	switch verb {
	case "roll":
		return move(KindRoll), nil
	case "buy":
		return move(KindBuy), nil
	case "end":
		return move(KindEnd), nil
	case "withdraw":
		return move(KindWithdraw), nil
	case "refill":
		return move(KindRefill), nil
	case "settle":
		return r.settle()
	case "road":
		return r.at(KindRoad)
	case "city":
		return r.at(KindCity)
	case "roads":
		return r.roads()
	case "knight":
		return r.robber(KindKnight)
	case "rob":
		return r.robber(KindRob)
	case "order":
		return Move{}, domain.Refuse("order-private")
	}
	return r.cards(verb, word)
}

func (r *reader) cards(verb, word string) (Move, error) {
	switch verb {
	case "discard", "give":
		k := KindDiscard
		if verb == "give" {
			k = KindGive
		}
		m := move(k)
		var err error
		m.Give, err = r.hand()
		return m, err
	case "bank":
		return r.bank()
	case "plenty":
		return r.plenty()
	case "monopoly":
		a, err := r.resource()
		return moveAt(KindMonopoly, int8(a), noPlace), err
	case "offer":
		return r.offer()
	case "counter":
		m := move(KindCounter)
		err := r.swap(&m)
		return m, err
	case "accept":
		return r.named(KindAccept)
	case "decline":
		return r.named(KindDecline)
	case "confirm":
		return r.named(KindConfirm)
	case "token":
		return r.token()
	case "neutral":
		return r.neutral()
	}
	return Move{}, domain.Refuse("unreadable-word", "text", word)
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

func (r *reader) at(k Kind) (Move, error) {
	a, err := r.number()
	return moveAt(k, a, noPlace), err
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

func (r *reader) roads() (Move, error) {
	a, err := r.number()
	if err != nil {
		return Move{}, err
	}
	r.skip(wordsAnd)
	if !r.isNumber() {
		return moveAt(KindRoads, a, noPlace), nil
	}
	b, err := r.number()
	if b < a {
		a, b = b, a
	}
	return moveAt(KindRoads, a, b), err
}

func (r *reader) robber(k Kind) (Move, error) {
	a, err := r.number()
	if err != nil {
		return Move{}, err
	}
	m := moveAt(k, a, noPlace)
	m.Seat, err = r.from()
	return m, err
}

func (r *reader) named(k Kind) (Move, error) {
	m := move(k)
	var err error
	m.Seat, err = r.from()
	return m, err
}
