package rivals

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// The notation's words, with what people type instead in Portuguese and Polish.
var (
	verbWords  = wordsFor("verbs", func(w string) Verb { return Verb(index(verbNames[:], w)) })
	resWords   = wordsFor("resources", func(w string) Res { return Res(index(resNames[:], w)) })
	landWords  = wordsFor("terrains", func(w string) Res { return Res(index(terrainNames[:], w)) })
	sideWords  = wordsFor("sides", func(w string) uint8 { return uint8(index(sideNames[:], w)) })
	wayWords   = wordsFor("ways", func(w string) bool { return w == wayNames[1] })
	keepWords  = wordsFor("keep", func(string) bool { return true })
	cacheWords = wordsFor("cache", func(string) bool { return true })
)

// ParseMove reads notation as people type it.
func (notationRoom) ParseMove(text string, _ []string) (Move, error) {
	r := &reader{words: tokens(text)}
	m := Move{Verb: r.verb()}
	for _, p := range verbParts[m.Verb] {
		if p.there == nil || p.there(r, &m) {
			p.read(r, &m)
		}
	}
	for !r.bad && r.more() { // any move may name places for what it pays and stores
		switch v := verbWords[r.next()]; {
		case v == PayFrom && m.Verb != PayFrom && m.Pay[0] == 0:
			r.places(m.Pay[:])
		case v == Into && m.Verb != Into && m.Into[0] == 0:
			r.places(m.Into[:])
		default:
			r.bad = true
		}
	}
	if r.bad || m.Verb == NoVerb || m.Verb == Into && m.Into[0] == 0 || m.Verb == Take && m.Card == NoCard && m.Res == 0 {
		return Move{}, domain.Refuse("unreadable", "text", text)
	}
	m.tidy()
	return m, nil
}

// tidy gives moves that mean the same one form.
func (m *Move) tidy() {
	switch m.Verb {
	case Hand:
		order(&m.Card, &m.Card2)
		order(&m.Card2, &m.Card3)
		order(&m.Card, &m.Card2)
	case PlayCard:
		order(&m.Card, &m.Card2)
		order(&m.Res, &m.Res2)
	case Take, Save, Buy:
		order(&m.Res, &m.Res2)
	case SwapPlaces:
		order(&m.Place, &m.Place2)
	case PayFrom:
		slices.Sort(wordsIn(m.Pay[:]))
	case Into:
		slices.Sort(wordsIn(m.Into[:]))
	case Bury:
		if m.Card2 != NoCard && (m.Card > m.Card2 || m.Card == m.Card2 && m.N > m.N2) {
			m.Card, m.Card2, m.N, m.N2 = m.Card2, m.Card, m.N2, m.N
		}
	}
}

// order puts the smaller first; nothing stays last.
func order[T cmp.Ordered](a, b *T) {
	var none T
	if *b != none && *a > *b {
		*a, *b = *b, *a
	}
}

// reader takes words off the front of what was typed.
type reader struct {
	words []string
	bad   bool
}

func (r *reader) more() bool { return len(r.words) > 0 }

func (r *reader) next() string {
	w := r.peek()
	if r.bad = r.bad || w == ""; w != "" {
		r.words = r.words[1:]
	}
	return w
}

func (r *reader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

// wordIn reads a word of a table.
func wordIn[T any](r *reader, table map[string]T) T {
	v, ok := table[r.next()]
	r.bad = r.bad || !ok
	return v
}

// verb reads the verb. "move" is of two regions or two cards. `search abbey 1` lays a card off to look
// through a stack, `search 3` says which one, and `search 3 mint` takes a card of it.
func (r *reader) verb() Verb {
	first := r.peek()
	v := wordIn(r, verbWords)
	switch v {
	case Arrange:
		if keepWords[first] {
			r.words = append([]string{first}, r.words...)
		}
	case SwapPlaces:
		if _, ok := placeNamed(r.peek()); !ok {
			v = SwapCards
		}
	case Search:
		if n, err := strconv.Atoi(r.peek()); err == nil && n >= 1 && n <= decksN {
			if v = Stack; len(r.words) > 1 {
				v, r.words = Take, r.words[1:]
				r.bad = r.bad || !aCard(r, nil)
			}
		}
	}
	return v
}

// card reads a card's name, the longest run of words that is one.
func (r *reader) card() Card {
	c, n := r.ahead()
	r.words, r.bad = r.words[n:], r.bad || n == 0
	return c
}

// ahead is the card whose name comes next, and of how many words that is; 0 if none does.
func (r *reader) ahead() (Card, int) {
	for n := min(6, len(r.words)); n > 0; n-- {
		if c, ok := cardWords[strings.Join(r.words[:n], "_")]; ok {
			return c, n
		}
	}
	return NoCard, 0
}

func (r *reader) number(least, most int) int {
	n, err := strconv.Atoi(r.next())
	if err != nil || n < least || n > most {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) town() int8 { return int8(r.number(-origin, columns-origin-1)) }

func (r *reader) way() bool { return wordIn(r, wayWords) }

func (r *reader) res() resWord { return wordRes(wordIn(r, resWords)) }

func (r *reader) place() placeWord {
	w := r.next()
	p, ok := placeNamed(w)
	switch side := sideWords[r.peek()]; {
	case cacheWords[w]:
		p, ok = cachePlace, true
	case !ok && side != 0: // "0 above" for "0a"
		p, ok = placeNamed(w + "ab"[side-1:side])
		r.next()
	}
	r.bad = r.bad || !ok
	return wordPlace(p)
}

// places reads places to the next verb.
func (r *reader) places(list []placeWord) {
	for i := 0; i < len(list) && r.more() && verbWords[r.peek()] == NoVerb; i++ {
		list[i] = r.place()
	}
}

// site reads "0 above", or "0a".
func (r *reader) site() (at int8, side uint8) {
	if p, ok := placeNamed(r.peek()); ok && p != cachePlace {
		r.next()
		return int8(p.gap() - origin), uint8(p.side()) + 1
	}
	return int8(r.number(-origin, gaps-origin-1)), wordIn(r, sideWords)
}

func (r *reader) land() Land {
	w := r.next()
	if n := r.peek(); len(n) == 1 && n[0] >= '1' && n[0] <= '6' {
		w += r.next()
	}
	if len(w) > 1 {
		if t, ok := landWords[w[:len(w)-1]]; ok {
			w = t.Terrain() + w[len(w)-1:]
		}
	}
	l, ok := landNamed(w)
	r.bad = r.bad || !ok
	return l
}

// draws reads the further stacks of a draw.
func (r *reader) draws(m *Move) {
	for i := 0; i < len(m.Draws) && r.more(); i++ {
		m.Draws[i] = uint8(r.number(1, decksN))
	}
}

// inPlace is the order of regions that stay where they are.
var inPlace = [6]uint8{0, 1, 2, 3, 4, 5}

// order reads `keep`, or the six regions' old places in their new order.
func (r *reader) order(m *Move) {
	m.Order = inPlace
	if keepWords[r.peek()] {
		r.next()
		return
	}
	var seen uint8
	for i := range m.Order {
		t := wordIn(r, landWords)
		k := slices.IndexFunc(table.Regions, func(q startRegion) bool { return Res(q.Terrain) == t })
		if k < 0 || seen&(1<<k) != 0 {
			r.bad = true
			return
		}
		seen |= 1 << k
		m.Order[i] = uint8(k)
	}
}
