package notation

import (
	"strconv"
	"sync"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// FormatMove writes the one canonical form of a move.
func (Room) FormatMove(m state.Move, _ []string) string {
	return Format(&m)
}

// Format writes the one canonical form of a move.
func Format(m *state.Move) string {
	if m.Pay[1] == 0 && m.Into[1] == 0 {
		if text := shortForm(m); text != "" {
			return text
		}
	}
	return write(m)
}

func write(m *state.Move) string {
	w := writers.Get().(*Writer)
	defer writers.Put(w)
	*w = append((*w)[:0], state.VerbNames[m.Verb]...)
	for i := range verbParts[m.Verb] {
		if p := &verbParts[m.Verb][i]; p.there == nil || p.has(m) {
			p.write(w, m)
		}
	}
	if m.Verb != state.PayFrom && m.Pay[0] != 0 {
		w.word(state.VerbNames[state.PayFrom])
		w.places(m.Pay[:])
	}
	if m.Verb != state.Into && m.Into[0] != 0 {
		w.word(state.VerbNames[state.Into])
		w.places(m.Into[:])
	}
	return string(*w)
}

// writers are used again: what a writer's parts are written by keeps it from being on the stack.
var writers = sync.Pool{New: func() any { return &Writer{} }}

// shortForm is the notation of the moves that are made again and again, ready beforehand; ""
// for all others.
func shortForm(m *state.Move) string {
	switch {
	case m.Verb == state.PayFrom && m.Pay[0] != 0 && m.Into[0] == 0:
		return ready.pay[m.Pay[0].Place()].text
	case m.Verb == state.Into && m.Into[0] != 0 && m.Pay[0] == 0:
		return ready.into[m.Into[0].Place()].text
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
	plain state.Move
	text  string
}

func make1(m state.Move) made { return made{m, m, write(&m)} }

// stock is the moves that are made again and again.
type stock struct {
	bare      [state.Verbs]made // roll, end, pass, close
	pay, into [table.Places]made
	bank      [4][table.Resources]made
	draw      [table.DecksN]made
	take      []made // by card
}

var ready = func() (r stock) {
	for _, v := range [...]state.Verb{state.RollDice, state.End, state.Pass, state.Close} {
		r.bare[v] = make1(state.Move{Verb: v})
	}
	for p := range table.Place(table.Places) {
		r.pay[p] = make1(state.Move{Verb: state.PayFrom, Pay: [8]state.PlaceWord{state.WordPlace(p)}})
		r.into[p] = make1(state.Move{Verb: state.Into, Into: [4]state.PlaceWord{state.WordPlace(p)}})
	}
	for n := range r.bank {
		for a := range table.Res(table.Resources) {
			r.bank[n][a] = make1(state.Move{Verb: state.Bank, N: uint8(n), Res: state.WordRes(a)})
		}
	}
	for k := range r.draw {
		r.draw[k] = make1(state.Move{Verb: state.Draw, N: uint8(k) + 1})
	}
	for c := range table.Card(len(table.Printings)) {
		r.take = append(r.take, make1(state.Move{Verb: state.Take, Card: c}))
	}
	return r
}()

// of finds a move that is ready; nil if it is not one of them. Places apart.
func (r *stock) of(m *state.Move) *made {
	switch m.Verb {
	case state.RollDice, state.End, state.Pass, state.Close:
		return &r.bare[m.Verb]
	case state.Bank:
		if m.Res != 0 && m.Res2 == 0 && int(m.N) < len(r.bank) {
			return &r.bank[m.N][m.Res.Res()]
		}
	case state.Draw:
		if m.Draws[0] == 0 && m.N >= 1 && m.N <= table.DecksN {
			return &r.draw[m.N-1]
		}
	case state.Take:
		if m.Card != table.NoCard {
			return &r.take[m.Card]
		}
	}
	return nil
}

// Value is a move as a value: one that is ready, or a new one.
func Value(m *state.Move) domain.Move {
	var f *made
	switch {
	case m.Verb == state.PayFrom:
		if m.Pay[0] != 0 && m.Pay[1] == 0 {
			f = &ready.pay[m.Pay[0].Place()]
		}
	case m.Verb == state.Into:
		if m.Into[0] != 0 && m.Into[1] == 0 {
			f = &ready.into[m.Into[0].Place()]
		}
	default:
		f = ready.of(m)
	}
	if f != nil && f.plain == *m {
		return f.move
	}
	return *m
}

// Writer builds notation: words with spaces between.
type Writer []byte

func (w *Writer) word(s string) { *w = append(append(*w, ' '), s...) }
func (w *Writer) num(n int)     { *w = strconv.AppendInt(append(*w, ' '), int64(n), 10) }

// Card adds a card's name.
func (w *Writer) Card(c table.Card) { w.word(c.Name()) }
func (w *Writer) land(l table.Land) { w.word(l.Name()) }
func (w *Writer) way(right bool)    { w.word(table.WayNames[table.BoolInt(right)]) }

func (w *Writer) res(r state.ResWord) {
	if r != 0 {
		w.word(r.Res().String())
	}
}

// Site adds a side of a town: "0 above".
func (w *Writer) Site(at int8, side uint8) {
	if side != 0 {
		w.num(int(at))
		w.word(table.SideNames[side])
	}
}

func (w *Writer) place(p state.PlaceWord) { w.word(p.Place().Name()) }

func (w *Writer) places(list []state.PlaceWord) {
	for _, p := range state.WordsIn(list) {
		w.place(p)
	}
}

func (w *Writer) draws(m *state.Move) {
	for _, n := range m.Draws {
		if n > 0 {
			w.num(int(n))
		}
	}
}

func (w *Writer) order(m *state.Move) {
	if m.Order == inPlace {
		w.word("keep")
		return
	}
	for _, k := range m.Order {
		w.word(table.Table.Regions[k].Terrain.String())
	}
}
