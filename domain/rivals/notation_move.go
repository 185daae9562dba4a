package rivals

import (
	"slices"
	"strconv"

	"posthorn/domain"
)

// ParseMove reads notation as people type it.
func (Rulebook) ParseMove(text string, _ []string) (domain.Move, error) {
	r := &reader{words: tokens(text)}
	first := r.next()
	v, ok := verbWords[first]
	if !ok {
		return nil, domain.Refuse("unreadable", "text", text)
	}
	m := Move{Verb: v}
	m.read(r, first)
	m.readPlaces(r)
	if r.bad || r.more() {
		return nil, domain.Refuse("unreadable", "text", text)
	}
	return m, nil
}

// read reads what belongs to the verb.
func (m *Move) read(r *reader, first string) {
	switch m.Verb {
	case Stack, City:
		if m.Verb == City {
			m.At = int8(r.number(-origin, columns-origin-1))
		} else {
			m.N = uint8(r.number(1, decksN))
		}
	case Hand:
		m.Card, m.Card2, m.Card3 = r.card(), r.card(), r.card()
		sortHand(m)
	case Arrange:
		m.readOrder(r, first)
	case PlayCard:
		m.Card = r.card()
		if m.Card.Row().fixes {
			m.readFixed(r)
		} else {
			m.readTargets(r)
		}
	case Road, Settle:
		right, ok := rightWords[r.next()]
		m.Right, r.bad = right, r.bad || !ok
		if m.Verb == Settle && r.more() {
			m.Card = r.card()
		}
	case Build, Remove, NameCard:
		m.Card = r.card()
		m.At, m.Side = r.site()
	case Lose:
		m.Card = r.card()
		m.At, m.Side = r.site()
		if r.more() {
			m.N = uint8(r.number(1, decksN))
		}
	case Bank:
		m.N, m.Res = uint8(r.number(1, 3)), r.res()
		if _, ok := resWords[r.peek()]; ok {
			m.Res2 = r.res()
		}
	case Draw:
		m.N = uint8(r.number(1, decksN))
		for i := 0; i < len(m.Draws) && r.more(); i++ {
			m.Draws[i] = uint8(r.number(1, decksN))
		}
	default:
		m.readMore(r)
	}
}

// readMore reads the verbs of the end of a turn and of answers.
func (m *Move) readMore(r *reader) {
	switch m.Verb {
	case LayOff:
		m.Card, m.N = r.card(), uint8(r.number(1, decksN))
	case Swap:
		m.Card, m.N, m.N2 = r.card(), uint8(r.number(1, decksN)), uint8(r.number(1, decksN))
	case Search:
		m.readSearch(r)
	case PayFrom:
		for i := 0; i < len(m.Pay) && r.more() && verbWords[r.peek()] == NoVerb; i++ {
			m.Pay[i] = r.place()
		}
		slices.Sort(wordsIn(m.Pay[:]))
	case Into:
		for i := 0; i < len(m.Into) && r.more() && verbWords[r.peek()] == NoVerb; i++ {
			m.Into[i] = r.place()
		}
		slices.Sort(wordsIn(m.Into[:]))
		r.bad = r.bad || m.Into[0] == 0
	case Take:
		if _, n := r.ahead(); n > 0 { // a Gold Ship, not gold
			m.Card = r.card()
			break
		}
		m.Res = r.res()
		if _, ok := resWords[r.peek()]; ok {
			m.Res2 = r.res()
		}
		sortGoods(m)
	case Save, Buy:
		m.Res = r.res()
		if _, ok := resWords[r.peek()]; ok {
			m.Res2 = r.res()
		}
		sortGoods(m)
	case Give:
		m.Res = r.res()
	case React:
		m.Card = r.card()
	case Bury:
		m.Card, m.N = r.card(), uint8(r.number(1, decksN))
		if r.more() {
			m.Card2, m.N2 = r.card(), uint8(r.number(1, decksN))
		}
		sortBury(m)
	case Corners:
		m.Land, m.Land2 = r.land(), r.land()
	case SwapPlaces:
		m.readMove(r)
	}
}

// readSearch reads `search abbey 1`, which lays a card off to look through a stack, `search 3`,
// which says which one, and `search 3 mint`, which takes a card of it.
func (m *Move) readSearch(r *reader) {
	if n, err := strconv.Atoi(r.peek()); err == nil && n >= 1 && n <= decksN {
		r.next()
		if !r.more() {
			m.Verb, m.N = Stack, uint8(n)
			return
		}
		m.Verb, m.Card = Take, r.card()
		return
	}
	m.Card, m.N = r.card(), uint8(r.number(1, decksN))
}

// readFixed reads a card that is played before the roll, with the die it fixes, and the other
// one where both are played: "brigitta 4 reiner". They may stand in any order.
func (m *Move) readFixed(r *reader) {
	for r.more() && !r.bad {
		switch c, n := r.ahead(); {
		case n > 0 && m.Card2 == NoCard && c.Row().fixes && !c.same(m.Card):
			m.Card2 = r.card()
		case m.N == 0 && verbWords[r.peek()] == NoVerb:
			m.N = uint8(r.number(1, 6))
		default:
			if verbWords[r.peek()] == NoVerb {
				r.bad = true
			}
			sortFixed(m)
			return
		}
	}
	sortFixed(m)
}

// readTargets reads what an action card aims at: resources, a place, or a town's side.
func (m *Move) readTargets(r *reader) {
	if !r.more() {
		return
	}
	w := r.peek()
	if _, ok := resWords[w]; ok {
		m.Res = r.res()
		if _, ok := resWords[r.peek()]; ok {
			m.Res2 = r.res()
		}
		sortGoods(m)
		return
	}
	if w == "pay" || w == "into" {
		return
	}
	if m.Card.same(bathHouse) || len(m.Card.Row().play) > 0 && m.Card.Row().play[0].Do == "heal" {
		m.At, m.Side = r.site()
		return
	}
	m.Place = r.place()
}

// readOrder reads `keep`, or the six regions' old places in their new order.
func (m *Move) readOrder(r *reader, first string) {
	m.Order = [6]uint8{0, 1, 2, 3, 4, 5}
	if keepWords[first] {
		return
	}
	if keepWords[r.peek()] {
		r.next()
		return
	}
	var seen uint8
	for i := range m.Order {
		t, ok := landWords[r.next()]
		k := startIndex(t)
		if !ok || k < 0 || seen&(1<<k) != 0 {
			r.bad = true
			return
		}
		seen |= 1 << k
		m.Order[i] = uint8(k)
	}
}

// startIndex is which of the six places a terrain starts on.
func startIndex(t Res) int {
	for i, r := range table.Regions {
		if Res(r.Terrain) == t {
			return i
		}
	}
	return -1
}

// readMove reads two regions or two cards that change places.
func (m *Move) readMove(r *reader) {
	if _, ok := placeNamed(r.peek()); ok {
		m.Place, m.Place2 = r.place(), r.place()
		if m.Place > m.Place2 {
			m.Place, m.Place2 = m.Place2, m.Place
		}
		return
	}
	m.Verb = SwapCards
	m.Card = r.card()
	m.At, m.Side = r.site()
	m.Card2 = r.card()
	m.At2, m.Side2 = r.site()
}

// readPlaces reads the places that any move may name for what it pays and stores.
func (m *Move) readPlaces(r *reader) {
	for r.more() && !r.bad {
		switch verbWords[r.next()] {
		case PayFrom:
			if m.Verb == PayFrom || m.Pay[0] != 0 {
				r.bad = true
			}
			for i := 0; i < len(m.Pay) && r.more() && verbWords[r.peek()] == NoVerb; i++ {
				m.Pay[i] = r.place()
			}
		case Into:
			if m.Verb == Into || m.Into[0] != 0 {
				r.bad = true
			}
			for i := 0; i < len(m.Into) && r.more() && verbWords[r.peek()] == NoVerb; i++ {
				m.Into[i] = r.place()
			}
		default:
			r.bad = true
		}
	}
}

// sortGoods, sortFixed, sortHand and sortBury give moves that mean the same one form.
func sortGoods(m *Move) {
	if m.Res2 != 0 && m.Res > m.Res2 {
		m.Res, m.Res2 = m.Res2, m.Res
	}
}

func sortFixed(m *Move) {
	if m.Card2 != NoCard && m.Card > m.Card2 {
		m.Card, m.Card2 = m.Card2, m.Card
	}
}

func sortHand(m *Move) {
	if m.Card > m.Card2 {
		m.Card, m.Card2 = m.Card2, m.Card
	}
	if m.Card2 > m.Card3 {
		m.Card2, m.Card3 = m.Card3, m.Card2
	}
	if m.Card > m.Card2 {
		m.Card, m.Card2 = m.Card2, m.Card
	}
}

func sortBury(m *Move) {
	if m.Card2 != NoCard && (m.Card > m.Card2 || m.Card == m.Card2 && m.N > m.N2) {
		m.Card, m.Card2, m.N, m.N2 = m.Card2, m.Card, m.N2, m.N
	}
}
