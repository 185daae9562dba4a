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
	if r := find(m); r != nil {
		return r.text
	}
	return write(m)
}

// Value is a move as a value: one that is ready, or a new one.
func Value(m *state.Move) domain.Move {
	if r := find(m); r != nil {
		return r.move
	}
	return *m
}

// made is a move that is ready as a value, and written.
type made struct {
	plain state.Move
	move  domain.Move
	text  string
}

// ready are the moves that are made again and again, each at its own place.
var ready = func() (all [1 << 12]*made) {
	add := func(m state.Move) { all[slot(&m)] = &made{m, m, write(&m)} }
	for _, v := range [...]state.Verb{state.RollDice, state.End, state.Pass, state.Close} {
		add(state.Move{Verb: v})
	}
	for p := range table.Place(table.Places) {
		add(state.Move{Verb: state.PayFrom, Pay: [8]state.PlaceWord{state.WordPlace(p)}})
		add(state.Move{Verb: state.Into, Into: [4]state.PlaceWord{state.WordPlace(p)}})
	}
	for a := range table.Res(table.Resources) {
		for n := range uint8(4) {
			add(state.Move{Verb: state.Bank, N: n, Res: state.WordRes(a)})
		}
	}
	for k := range uint8(table.DecksN) {
		add(state.Move{Verb: state.Draw, N: k + 1})
	}
	for c := range table.Card(len(table.Printings)) {
		add(state.Move{Verb: state.Take, Card: c})
	}
	return all
}()

// slot is where a move would lie among those that are ready. Others may have the same place.
func slot(m *state.Move) int {
	return int(m.Verb)<<7 | int(uint8(m.Card)^uint8(m.Pay[0])^uint8(m.Into[0])^m.N<<3^uint8(m.Res))&127
}

// find is the move where it is ready, or nil.
func find(m *state.Move) *made {
	if r := ready[slot(m)]; r != nil && r.plain == *m {
		return r
	}
	return nil
}

func write(mv *state.Move) string {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	d.move = *mv
	w, m := &d.writer, &d.move
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

// desk is what a move is written on. Desks are used again: parts are written by functions of a table,
// so that a move and its text would be memory of their own.
type desk struct {
	writer Writer
	move   state.Move
}

var desks = sync.Pool{New: func() any { return &desk{} }}

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
