// Package notation reads and writes what people type in the Rivals: moves and orders.
package notation

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// The notation's words, with their Portuguese and Polish equivalents.
var (
	verbWords = table.WordsFor("verbs", func(w string) state.Verb {
		return state.Verb(table.Index(state.VerbNames[:], w))
	})
	resWords = table.WordsFor("resources", func(w string) table.Res {
		return table.Res(table.Index(table.ResNames[:], w))
	})
	landWords = table.WordsFor("terrains", func(w string) table.Res {
		return table.Res(table.Index(table.TerrainNames[:], w))
	})
	sideWords  = table.WordsFor("sides", func(w string) uint8 { return uint8(table.Index(table.SideNames[:], w)) })
	wayWords   = table.WordsFor("ways", func(w string) bool { return w == table.WayNames[1] })
	toward     = table.WordsFor("toward", func(string) bool { return true })
	keepWords  = table.WordsFor("keep", func(string) bool { return true })
	turnWords  = table.WordsFor("turn", func(string) bool { return true })
	cacheWords = table.WordsFor("cache", func(string) bool { return true })
	lostWords  = table.WordsFor("lost", func(string) bool { return true })
	called     = table.WordsFor("called", func(string) bool { return true })
	rateWords  = table.WordsFor("rate", func(string) bool { return true })
	keeping    = table.WordsFor("keeping", func(w string) string { return w })
)

// ParseMove reads notation as people type it.
func (Room) ParseMove(text string, _ []string) (state.Move, error) {
	r := &Reader{Words: slices.DeleteFunc(table.Tokens(text), func(w string) bool { return called[w] })}
	if keeps(r.Words) {
		return state.Move{Verb: state.Pass}, nil
	}
	m := state.Move{Verb: r.verb()}
	for _, p := range verbParts[m.Verb] {
		if p.there == nil || p.there(r, &m) {
			p.read(r, &m)
		}
	}
	for !r.Bad && r.More() { // any move may name places for what it pays and stores
		switch v := verbWords[r.next()]; {
		case v == state.PayFrom && m.Verb != state.PayFrom && m.Pay[0] == 0:
			r.places(m.Pay[:])
		case v == state.Into && m.Verb != state.Into && m.Into[0] == 0:
			r.places(m.Into[:])
		default:
			r.Bad = true
		}
	}
	if r.Bad || m.Verb == state.NoVerb || m.Verb == state.Into && m.Into[0] == 0 || m.Verb == state.Take &&
		m.Card == table.NoCard && m.Res == 0 {
		return state.Move{}, domain.Refuse("unreadable", "text", text)
	}
	m.Tidy()
	return m, nil
}

// Begins implements domain.Verbs: a card's name is as good as a verb.
func (Room) Begins(words string) (begins, names bool) {
	r := &Reader{Words: table.Tokens(words)}
	if r.More() && verbWords[r.Peek()] != state.NoVerb {
		return true, false
	}
	_, n := r.ahead()
	names = n > 0 && n == len(r.Words)
	return names, names
}

// Reader takes words off the front of what people typed.
type Reader struct {
	Words []string
	Bad   bool
}

// More reports whether words are left.
func (r *Reader) More() bool { return len(r.Words) > 0 }

func (r *Reader) next() string {
	w := r.Peek()
	if r.Bad = r.Bad || w == ""; w != "" {
		r.Words = r.Words[1:]
	}
	return w
}

// Peek returns the next word, or "".
func (r *Reader) Peek() string {
	if len(r.Words) == 0 {
		return ""
	}
	return r.Words[0]
}

// wordIn reads a word of a table.
func wordIn[T any](r *Reader, table map[string]T) T {
	v, ok := table[r.next()]
	r.Bad = r.Bad || !ok
	return v
}

// keeps reports whether words say that somebody keeps all cards, or exchanges or buys nothing.
func keeps(words []string) bool {
	n := map[string]int{}
	for _, w := range words {
		n[keeping[w]]++
	}
	switch others := n[""] > 0; {
	case others || len(words) < 2:
		return false
	case n["no"] > 0:
		return n["exchange"] > 0 && n["keep"] == 0
	}
	says := keeping[words[0]] == "keep" || keeping[words[len(words)-1]] == "keep"
	return says && n["keep"] == 1 && n["all"] > 0 && n["exchange"] == 0
}

// verb reads the verb. "move" is for two regions or two cards. `search abbey 1` lays a card off to look through a
// stack, `search 3` says which stack, and `search 3 mint` takes a card from it.
func (r *Reader) verb() state.Verb {
	first := r.Peek()
	if v := r.bare(); v != state.NoVerb {
		return v
	}
	v := wordIn(r, verbWords)
	switch v {
	case state.End, state.RollDice, state.Pass: // "end my turn", "roll the dice"
		for turnWords[r.Peek()] {
			r.next()
		}
	case state.Build: // "build a road" is as good as "road"
		if w := verbWords[r.Peek()]; w == state.Road || w == state.Settle || w == state.City {
			v = wordIn(r, verbWords)
		}
	case state.Draw: // "draw from stack 3"
		if verbWords[r.Peek()] == state.Stack {
			r.next()
		}
	case state.Arrange:
		if keepWords[first] {
			r.Words = append([]string{first}, r.Words...)
		}
	case state.Swap:
		if r.amount() { // "swap 3 ore for 1 wool" is as good as "bank"
			v = state.Bank
			r.rate()
		}
	case state.SwapPlaces:
		if _, ok := table.PlaceNamed(r.Peek()); !ok {
			v = state.SwapCards
		}
	case state.Bank: // "3 ore for 1 wool"
		r.rate()
	case state.Search:
		if n, err := strconv.Atoi(r.Peek()); err == nil && n >= 1 && n <= table.DecksN {
			if v = state.Stack; len(r.Words) > 1 {
				v, r.Words = state.Take, r.Words[1:]
				r.Bad = r.Bad || !aCard(r, nil)
			}
		}
	}
	return v
}

// amount reports whether a number of a resource comes next.
func (r *Reader) amount() bool {
	if len(r.Words) < 2 {
		return false
	}
	_, err := strconv.Atoi(r.Words[0])
	_, ok := resWords[r.Words[1]]
	return err == nil && ok
}

// rate drops what people write between and around the two resources of an exchange.
func (r *Reader) rate() {
	if len(r.Words) > 2 {
		rest := slices.DeleteFunc(slices.Clone(r.Words[2:]), func(w string) bool { return rateWords[w] })
		r.Words = append(r.Words[:2:2], rest...)
	}
}

// bare returns the verb of words that have none: a resource is taken, an action played, any other card built.
func (r *Reader) bare() state.Verb {
	if _, ok := resWords[r.Peek()]; ok {
		return state.Take
	}
	switch c, n := r.ahead(); {
	case n == 0 || verbWords[r.Peek()] != state.NoVerb:
		return state.NoVerb
	case c.Row().Kind == table.ActionCard:
		return state.PlayCard
	}
	return state.Build
}

// Card reads a card's name: the longest run of words that is one.
func (r *Reader) Card() table.Card {
	c, n := r.ahead()
	r.Words, r.Bad = r.Words[n:], r.Bad || n == 0
	return c
}

// ahead returns the card whose name comes next, and how many words it takes; 0 if there is none.
func (r *Reader) ahead() (table.Card, int) {
	for n := min(6, len(r.Words)); n > 0; n-- {
		if c, ok := table.CardWords[strings.Join(r.Words[:n], "_")]; ok {
			return c, n
		}
	}
	return table.NoCard, 0
}

// Number reads a number within bounds.
func (r *Reader) Number(least, most int) int {
	n, err := strconv.Atoi(r.next())
	if err != nil || n < least || n > most {
		r.Bad = true
		return 0
	}
	return n
}

func (r *Reader) town() int8 { return int8(r.Number(-table.Origin, table.Columns-table.Origin-1)) }

// way reads where to, as in "to the right".
func (r *Reader) way() bool {
	for toward[r.Peek()] {
		r.next()
	}
	return wordIn(r, wayWords)
}

func (r *Reader) res() state.ResWord { return state.WordRes(wordIn(r, resWords)) }

func (r *Reader) place() state.PlaceWord {
	w := r.next()
	p, ok := table.PlaceNamed(w)
	switch side := sideWords[r.Peek()]; {
	case cacheWords[w]:
		p, ok = table.CachePlace, true
	case lostWords[w]:
		p, ok = table.LostPlace, true
	case !ok && side != 0: // "0 above" for "0a"
		p, ok = table.PlaceNamed(w + "ab"[side-1:side])
		r.next()
	}
	r.Bad = r.Bad || !ok
	return state.WordPlace(p)
}

// places reads places up to the next verb.
func (r *Reader) places(list []state.PlaceWord) {
	for i := 0; i < len(list) && r.More() && verbWords[r.Peek()] == state.NoVerb; i++ {
		list[i] = r.place()
	}
}

// site reads "0 above", or "0a".
func (r *Reader) site() (at int8, side uint8) {
	if p, ok := table.PlaceNamed(r.Peek()); ok && p != table.CachePlace {
		r.next()
		return int8(p.Gap() - table.Origin), uint8(p.Side()) + 1
	}
	return int8(r.Number(-table.Origin, table.Gaps-table.Origin-1)), wordIn(r, sideWords)
}

func (r *Reader) land() table.Land {
	w := r.next()
	if n := r.Peek(); len(n) == 1 && n[0] >= '1' && n[0] <= '6' {
		w += r.next()
	}
	if len(w) > 1 {
		if t, ok := landWords[w[:len(w)-1]]; ok {
			w = t.Terrain() + w[len(w)-1:]
		}
	}
	l, ok := table.LandNamed(w)
	r.Bad = r.Bad || !ok
	return l
}

// draws reads the further stacks of a draw.
func (r *Reader) draws(m *state.Move) {
	for i := 0; i < len(m.Draws) && r.More(); i++ {
		m.Draws[i] = uint8(r.Number(1, table.DecksN))
	}
}

// inPlace is the order in which all regions stay where they are.
var inPlace = [6]uint8{0, 1, 2, 3, 4, 5}

// order reads `keep`, or the old places of the six regions in their new order.
func (r *Reader) order(m *state.Move) {
	m.Order = inPlace
	if keepWords[r.Peek()] {
		r.next()
		return
	}
	var seen uint8
	for i := range m.Order {
		t := wordIn(r, landWords)
		k := slices.IndexFunc(table.Table.Regions, func(q table.StartRegion) bool { return table.Res(q.Terrain) == t })
		if k < 0 || seen&(1<<k) != 0 {
			r.Bad = true
			return
		}
		seen |= 1 << k
		m.Order[i] = uint8(k)
	}
}

// Recall returns the move of an event, from its secret part if the public notation hides a card; false for a deal, or
// if that part is redacted.
func (n Room) Recall(e *domain.Event) (state.Move, bool) {
	text := e.Move
	for _, part := range e.Secrets {
		if h, ok := part.Body.(*state.Hidden); ok && h.Move != "" {
			text = h.Move
		}
	}
	m, err := n.ParseMove(text, nil)
	return m, err == nil
}

// Room is the notation, for kit.New.
type Room struct{}
