package notation

import (
	"strconv"
	"sync"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// FormatMove writes a move in its one canonical form.
func (Room) FormatMove(m state.Move, _ []string) string {
	return Format(&m)
}

// Format writes a move in its one canonical form.
func Format(m *state.Move) string {
	if r := find(m); r != nil {
		return r.text
	}
	return write(m)
}

// Value returns a move as a domain.Move: a ready one if there is one, or else a new one.
func Value(m *state.Move) domain.Move {
	if r := find(m); r != nil {
		return r.move
	}
	return *m
}

// made is a move already made into a value and written.
type made struct {
	plain state.Move
	move  domain.Move
	text  string
}

// ready holds the most frequent moves, each in its own slot.
var ready = func() (all [1 << 12]*made) {
	add := func(m state.Move) { all[slot(&m)] = &made{m, m, write(&m)} }
	for _, v := range [...]state.Verb{state.RollDice, state.End, state.Pass, state.Close} {
		add(state.Move{Verb: v})
	}
	for p := range table.LostPlace + 1 {
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

// slot returns the slot in ready for a move. Different moves may share a slot.
func slot(m *state.Move) int {
	return int(m.Verb)<<7 | int(uint8(m.Card)^uint8(m.Pay[0])^uint8(m.Into[0])^m.N<<3^uint8(m.Res))&127
}

// find returns the ready form of a move, or nil.
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

// desk is what a move is written on. Desks are reused: a table of functions writes the parts, so a move and its text
// would otherwise each need an allocation.
type desk struct {
	writer Writer
	move   state.Move
}

var desks = sync.Pool{New: func() any { return &desk{} }}

// Writer builds notation: words separated by spaces.
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

// verbParts lists the parts that follow each verb, in the order in which they are written.
var verbParts = [state.Verbs][]part{
	state.Stack:   {pStack},
	state.Hand:    {pCard, pCard2, pCard3},
	state.Arrange: {{read: (*Reader).order, write: (*Writer).order}},
	state.PlayCard: {pCard, pFixedTooEarly,
		pDie.may(func(r *Reader, m *state.Move) bool { return aWord(r, m) && m.Card.Row().Fixes }), pFixedToo,
		pRes.may(aRes), pRes2, pSite.may(healsSite), pPlace.may(func(r *Reader, m *state.Move) bool {
			return aWord(r, m) && m.Side == 0 && (m.Res == 0 || fillsRegion(m.Card)) && !m.Card.Row().Fixes
		})},
	state.Road:    {pWay},
	state.Settle:  {pWay, pCard.may(aCard)},
	state.City:    {pTown},
	state.Build:   {pCard, pSite},
	state.Bank:    {pRate, pRes, pRes2},
	state.Remove:  {pCard, pSite},
	state.Draw:    {pStack, {read: (*Reader).draws, write: (*Writer).draws}},
	state.LayOff:  {pCard, pStack},
	state.Swap:    {pCard, pStack, pStack2},
	state.Search:  {pCard, pStack},
	state.PayFrom: {pPay},
	state.Into:    {pInto},
	state.Take:    {pCard.may(aCard), pRes.may(aRes), pRes2, pRes3},
	state.Save:    {pRes, pRes2},
	state.Buy:     {pRes, pRes2},
	state.React:   {pCard},
	state.Bury: {pCard, pStack, pCard2.may(aCard),
		pStack2.may(func(_ *Reader, m *state.Move) bool { return m.Card2 != table.NoCard })},
	state.NameCard:   {pCard, pSite},
	state.Lose:       {pCard, pSite, pStack.may(aWord)},
	state.Give:       {pRes},
	state.Corners:    {pLand, pLand2},
	state.SwapPlaces: {pPlace, pPlace2},
	state.SwapCards:  {pCard, pSite, pCard2, pSite2},
}

// part is one or more words of a move: how they are read and written.
type part struct {
	read  func(*Reader, *state.Move)
	write func(*Writer, *state.Move)
	has   func(*state.Move) bool          // whether the move has this part
	there func(*Reader, *state.Move) bool // whether it comes next; nil if the part is never left out
}

// The parts of moves.
var (
	pCard   = partOf(func(m *state.Move) *table.Card { return &m.Card }, (*Reader).Card, (*Writer).Card)
	pCard2  = partOf(func(m *state.Move) *table.Card { return &m.Card2 }, (*Reader).Card, (*Writer).Card)
	pCard3  = partOf(func(m *state.Move) *table.Card { return &m.Card3 }, (*Reader).Card, (*Writer).Card)
	pStack  = numberPart(func(m *state.Move) *uint8 { return &m.N }, table.DecksN)
	pStack2 = numberPart(func(m *state.Move) *uint8 { return &m.N2 }, table.DecksN)
	pRate   = numberPart(func(m *state.Move) *uint8 { return &m.N }, 3)
	pDie    = numberPart(func(m *state.Move) *uint8 { return &m.N }, 6)
	pRes    = partOf(func(m *state.Move) *state.ResWord { return &m.Res }, (*Reader).res, (*Writer).res)
	pRes2   = partOf(func(m *state.Move) *state.ResWord { return &m.Res2 }, (*Reader).res, (*Writer).res).may(aRes)
	pRes3   = partOf(func(m *state.Move) *state.ResWord { return &m.Res3 }, (*Reader).res, (*Writer).res).may(aRes)
	pPlace  = partOf(func(m *state.Move) *state.PlaceWord { return &m.Place }, (*Reader).place, (*Writer).place)
	pPlace2 = partOf(func(m *state.Move) *state.PlaceWord { return &m.Place2 }, (*Reader).place, (*Writer).place)
	pLand   = partOf(func(m *state.Move) *table.Land { return &m.Land }, (*Reader).land, (*Writer).land)
	pLand2  = partOf(func(m *state.Move) *table.Land { return &m.Land2 }, (*Reader).land, (*Writer).land)
	pTown   = partOf(func(m *state.Move) *int8 { return &m.At }, (*Reader).town, func(w *Writer, n int8) {
		w.num(int(n))
	})
	pWay   = partOf(func(m *state.Move) *bool { return &m.Right }, (*Reader).way, (*Writer).way)
	pSite  = sitePart(func(m *state.Move) *int8 { return &m.At }, func(m *state.Move) *uint8 { return &m.Side })
	pSite2 = sitePart(func(m *state.Move) *int8 { return &m.At2 }, func(m *state.Move) *uint8 { return &m.Side2 })
	pPay   = listPart(func(m *state.Move) []state.PlaceWord { return m.Pay[:] })
	pInto  = listPart(func(m *state.Move) []state.PlaceWord { return m.Into[:] })

	// pFixedToo is the other card played before the roll. It may come before the die or after it.
	pFixedToo = pCard2.may(func(r *Reader, m *state.Move) bool {
		c, n := r.ahead()
		return n > 0 && m.Card2 == table.NoCard && m.Card.Row().Fixes && c.Row().Fixes && !c.Same(m.Card)
	})
	// pFixedTooEarly reads it before the die; it is written after it.
	pFixedTooEarly = part{read: pFixedToo.read, there: pFixedToo.there, has: func(*state.Move) bool { return false }}
)

func partOf[T comparable](where func(*state.Move) *T, read func(*Reader) T, write func(*Writer, T)) part {
	var none T
	return part{
		read:  func(r *Reader, m *state.Move) { *where(m) = read(r) },
		write: func(w *Writer, m *state.Move) { write(w, *where(m)) },
		has:   func(m *state.Move) bool { return *where(m) != none },
	}
}

func numberPart(where func(*state.Move) *uint8, most int) part {
	return partOf(where, func(r *Reader) uint8 { return uint8(r.Number(1, most)) }, func(w *Writer, n uint8) {
		w.num(int(n))
	})
}

func sitePart(at func(*state.Move) *int8, side func(*state.Move) *uint8) part {
	return part{
		read:  func(r *Reader, m *state.Move) { *at(m), *side(m) = r.site() },
		write: func(w *Writer, m *state.Move) { w.Site(*at(m), *side(m)) },
		has:   func(m *state.Move) bool { return *side(m) != 0 },
	}
}

func listPart(where func(*state.Move) []state.PlaceWord) part {
	return part{
		read:  func(r *Reader, m *state.Move) { r.places(where(m)) },
		write: func(w *Writer, m *state.Move) { w.places(where(m)) },
		has:   func(m *state.Move) bool { return where(m)[0] != 0 },
	}
}

// may makes a part optional.
func (p part) may(there func(*Reader, *state.Move) bool) part {
	p.there = there
	return p
}

func aCard(r *Reader, _ *state.Move) bool { _, n := r.ahead(); return n > 0 }

// aRes reports whether a resource comes next, for a move that does not take a card or fix a die.
func aRes(r *Reader, m *state.Move) bool {
	_, ok := resWords[r.Peek()]
	return ok && (m.Verb != state.Take || m.Card == table.NoCard) && !m.Card.Row().Fixes
}

func aWord(r *Reader, _ *state.Move) bool { return r.More() && verbWords[r.Peek()] == state.NoVerb }

// fillsRegion reports whether a card takes what one region can hold, of which it may be said how much.
func fillsRegion(c table.Card) bool {
	row := c.Row()
	return len(row.Play) > 0 && row.Play[0].Do == "demand" && row.Play[0].What == "region"
}

// healsSite reports whether a card targets a town's side, and the text names one.
func healsSite(r *Reader, m *state.Move) bool {
	row := m.Card.Row()
	return aWord(r, m) && m.Res == 0 && (m.Card.Same(table.BathHouse) || len(row.Play) > 0 && row.Play[0].Do == "heal")
}
