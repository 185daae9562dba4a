package rivals

import (
	"strconv"
	"sync"

	"posthorn/domain"
)

// FormatMove writes the one canonical form of a move.
func (notationRoom) FormatMove(m Move, _ []string) string {
	return format(&m)
}

func format(m *Move) string {
	if m.Pay[1] == 0 && m.Into[1] == 0 {
		if text := shortForm(m); text != "" {
			return text
		}
	}
	return m.write()
}

func (m *Move) write() string {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	*w = append((*w)[:0], verbNames[m.Verb]...)
	for i := range verbParts[m.Verb] {
		if p := &verbParts[m.Verb][i]; p.there == nil || p.has(m) {
			p.write(w, m)
		}
	}
	if m.Verb != PayFrom && m.Pay[0] != 0 {
		w.word(verbNames[PayFrom])
		w.places(m.Pay[:])
	}
	if m.Verb != Into && m.Into[0] != 0 {
		w.word(verbNames[Into])
		w.places(m.Into[:])
	}
	return string(*w)
}

// writers are used again: what a writer's parts are written by keeps it from being on the stack.
var writers = sync.Pool{New: func() any { return &writer{} }}

// shortForm is the notation of the moves that are made again and again, ready beforehand; ""
// for all others.
func shortForm(m *Move) string {
	switch {
	case m.Verb == PayFrom && m.Pay[0] != 0 && m.Into[0] == 0:
		return ready.pay[m.Pay[0].place()].text
	case m.Verb == Into && m.Into[0] != 0 && m.Pay[0] == 0:
		return ready.into[m.Into[0].place()].text
	case m.Pay[0] != 0 || m.Into[0] != 0:
		return ""
	}
	if f := ready.of(m); f != nil {
		return f.text
	}
	return ""
}

// made is a move that is ready as a value, and written.
type made struct {
	move  domain.Move
	plain Move
	text  string
}

func make1(m Move) made { return made{m, m, m.write()} }

// stock is the moves that are made again and again.
type stock struct {
	bare      [verbs]made // roll, end, pass, close
	pay, into [places]made
	bank      [4][resources]made
	draw      [decksN]made
	take      []made // by card
}

var ready = func() (r stock) {
	for _, v := range [...]Verb{RollDice, End, Pass, Close} {
		r.bare[v] = make1(Move{Verb: v})
	}
	for p := range Place(places) {
		r.pay[p] = make1(Move{Verb: PayFrom, Pay: [8]placeWord{wordPlace(p)}})
		r.into[p] = make1(Move{Verb: Into, Into: [4]placeWord{wordPlace(p)}})
	}
	for n := range r.bank {
		for a := range Res(resources) {
			r.bank[n][a] = make1(Move{Verb: Bank, N: uint8(n), Res: wordRes(a)})
		}
	}
	for k := range r.draw {
		r.draw[k] = make1(Move{Verb: Draw, N: uint8(k) + 1})
	}
	for c := range Card(len(printings)) {
		r.take = append(r.take, make1(Move{Verb: Take, Card: c}))
	}
	return r
}()

// of finds a move that is ready; nil if it is not one of them. Places apart.
func (r *stock) of(m *Move) *made {
	switch m.Verb {
	case RollDice, End, Pass, Close:
		return &r.bare[m.Verb]
	case Bank:
		if m.Res != 0 && m.Res2 == 0 && int(m.N) < len(r.bank) {
			return &r.bank[m.N][m.Res.res()]
		}
	case Draw:
		if m.Draws[0] == 0 && m.N >= 1 && m.N <= decksN {
			return &r.draw[m.N-1]
		}
	case Take:
		if m.Card != NoCard {
			return &r.take[m.Card]
		}
	}
	return nil
}

// value is a move as a value: one that is ready, or a new one.
func (m *Move) value() domain.Move {
	var f *made
	switch {
	case m.Verb == PayFrom:
		if m.Pay[0] != 0 && m.Pay[1] == 0 {
			f = &ready.pay[m.Pay[0].place()]
		}
	case m.Verb == Into:
		if m.Into[0] != 0 && m.Into[1] == 0 {
			f = &ready.into[m.Into[0].place()]
		}
	default:
		f = ready.of(m)
	}
	if f != nil && f.plain == *m {
		return f.move
	}
	return *m
}

// writer builds notation: words with spaces between.
type writer []byte

func (w *writer) word(s string)  { *w = append(append(*w, ' '), s...) }
func (w *writer) num(n int)      { *w = strconv.AppendInt(append(*w, ' '), int64(n), 10) }
func (w *writer) card(c Card)    { w.word(c.Name()) }
func (w *writer) land(l Land)    { w.word(l.Name()) }
func (w *writer) way(right bool) { w.word(wayNames[boolInt(right)]) }

func (w *writer) res(r resWord) {
	if r != 0 {
		w.word(r.res().String())
	}
}

func (w *writer) site(at int8, side uint8) {
	if side != 0 {
		w.num(int(at))
		w.word(sideNames[side])
	}
}

func (w *writer) place(p placeWord) { w.word(p.place().Name()) }

func (w *writer) places(list []placeWord) {
	for _, p := range wordsIn(list) {
		w.place(p)
	}
}

func (w *writer) draws(m *Move) {
	for _, n := range m.Draws {
		if n > 0 {
			w.num(int(n))
		}
	}
}

func (w *writer) order(m *Move) {
	if m.Order == inPlace {
		w.word("keep")
		return
	}
	for _, k := range m.Order {
		w.word(table.Regions[k].Terrain.String())
	}
}
