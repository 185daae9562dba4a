package rivals

// verbNames are the canonical verbs.
var verbNames = [verbs]string{
	Stack: "stack", Hand: "hand", Arrange: "arrange", RollDice: "roll", Close: "close", PlayCard: "play", Road: "road", Settle: "settle",
	City: "city", Build: "build", Bank: "bank", Remove: "remove", End: "end", Draw: "draw", LayOff: "discard", Swap: "swap",
	Search: "search", Pass: "pass", PayFrom: "pay", Into: "into", Take: "take", Save: "save", Buy: "buy", React: "react",
	Bury: "bury", NameCard: "name", Lose: "lose", Give: "give", Corners: "corners", SwapPlaces: "move", SwapCards: "move",
}

// verbParts are what comes after each verb, in the order in which it is written.
var verbParts = [verbs][]part{
	Stack:      {pStack},
	Hand:       {pCard, pCard2, pCard3},
	Arrange:    {{read: (*reader).order, write: (*writer).order}},
	PlayCard:   {pCard, pFixedToo.unwritten(), pDie.may(fixesNumber), pFixedToo, pRes.may(aRes), pRes2, pSite.may(healsSite), pPlace.may(aPlace)},
	Road:       {pWay},
	Settle:     {pWay, pCard.may(aCard)},
	City:       {pTown},
	Build:      {pCard, pSite},
	Bank:       {pRate, pRes, pRes2},
	Remove:     {pCard, pSite},
	Draw:       {pStack, {read: (*reader).draws, write: (*writer).draws}},
	LayOff:     {pCard, pStack},
	Swap:       {pCard, pStack, pStack2},
	Search:     {pCard, pStack},
	PayFrom:    {pPay},
	Into:       {pInto},
	Take:       {pCard.may(aCard), pRes.may(aRes), pRes2},
	Save:       {pRes, pRes2},
	Buy:        {pRes, pRes2},
	React:      {pCard},
	Bury:       {pCard, pStack, pCard2.may(aCard), pStack2.may(secondCard)},
	NameCard:   {pCard, pSite},
	Lose:       {pCard, pSite, pStack.may(aWord)},
	Give:       {pRes},
	Corners:    {pLand, pLand2},
	SwapPlaces: {pPlace, pPlace2},
	SwapCards:  {pCard, pSite, pCard2, pSite2},
}

// part is a word of a move, or a few: how it is read, and written.
type part struct {
	read  func(*reader, *Move)
	write func(*writer, *Move)
	has   func(*Move) bool          // whether a move has it
	there func(*reader, *Move) bool // whether it comes next; nil for a part that is never left out
}

// The parts of moves.
var (
	pCard   = partOf(func(m *Move) *Card { return &m.Card }, (*reader).card, (*writer).card)
	pCard2  = partOf(func(m *Move) *Card { return &m.Card2 }, (*reader).card, (*writer).card)
	pCard3  = partOf(func(m *Move) *Card { return &m.Card3 }, (*reader).card, (*writer).card)
	pStack  = numberPart(func(m *Move) *uint8 { return &m.N }, decksN)
	pStack2 = numberPart(func(m *Move) *uint8 { return &m.N2 }, decksN)
	pRate   = numberPart(func(m *Move) *uint8 { return &m.N }, 3)
	pDie    = numberPart(func(m *Move) *uint8 { return &m.N }, 6)
	pRes    = partOf(func(m *Move) *resWord { return &m.Res }, (*reader).res, (*writer).res)
	pRes2   = partOf(func(m *Move) *resWord { return &m.Res2 }, (*reader).res, (*writer).res).may(aRes)
	pPlace  = partOf(func(m *Move) *placeWord { return &m.Place }, (*reader).place, (*writer).place)
	pPlace2 = partOf(func(m *Move) *placeWord { return &m.Place2 }, (*reader).place, (*writer).place)
	pLand   = partOf(func(m *Move) *Land { return &m.Land }, (*reader).land, (*writer).land)
	pLand2  = partOf(func(m *Move) *Land { return &m.Land2 }, (*reader).land, (*writer).land)
	pTown   = partOf(func(m *Move) *int8 { return &m.At }, (*reader).town, func(w *writer, n int8) { w.num(int(n)) })
	pWay    = partOf(func(m *Move) *bool { return &m.Right }, (*reader).way, (*writer).way)
	pSite   = sitePart(func(m *Move) *int8 { return &m.At }, func(m *Move) *uint8 { return &m.Side })
	pSite2  = sitePart(func(m *Move) *int8 { return &m.At2 }, func(m *Move) *uint8 { return &m.Side2 })
	pPay    = listPart(func(m *Move) []placeWord { return m.Pay[:] })
	pInto   = listPart(func(m *Move) []placeWord { return m.Into[:] })

	// pFixedToo is the other card played before the roll. It may stand before the die and after it.
	pFixedToo = pCard2.may(func(r *reader, m *Move) bool {
		c, n := r.ahead()
		return n > 0 && m.Card2 == NoCard && m.Card.Row().fixes && c.Row().fixes && !c.same(m.Card)
	})
)

func partOf[T comparable](where func(*Move) *T, read func(*reader) T, write func(*writer, T)) part {
	var none T
	return part{
		read:  func(r *reader, m *Move) { *where(m) = read(r) },
		write: func(w *writer, m *Move) { write(w, *where(m)) },
		has:   func(m *Move) bool { return *where(m) != none },
	}
}

func numberPart(where func(*Move) *uint8, most int) part {
	return partOf(where, func(r *reader) uint8 { return uint8(r.number(1, most)) }, func(w *writer, n uint8) { w.num(int(n)) })
}

func sitePart(at func(*Move) *int8, side func(*Move) *uint8) part {
	return part{
		read:  func(r *reader, m *Move) { *at(m), *side(m) = r.site() },
		write: func(w *writer, m *Move) { w.site(*at(m), *side(m)) },
		has:   func(m *Move) bool { return *side(m) != 0 },
	}
}

func listPart(where func(*Move) []placeWord) part {
	return part{
		read:  func(r *reader, m *Move) { r.places(where(m)) },
		write: func(w *writer, m *Move) { w.places(where(m)) },
		has:   func(m *Move) bool { return where(m)[0] != 0 },
	}
}

// may is the part where it may be left out.
func (p part) may(there func(*reader, *Move) bool) part {
	p.there = there
	return p
}

// unwritten is a part that is read here and written elsewhere.
func (p part) unwritten() part {
	p.has = func(*Move) bool { return false }
	return p
}

func aCard(r *reader, _ *Move) bool { _, n := r.ahead(); return n > 0 }

func secondCard(_ *reader, m *Move) bool { return m.Card2 != NoCard }

// aRes tells whether a resource comes next, of a move that does not take a card or fix a die.
func aRes(r *reader, m *Move) bool {
	_, ok := resWords[r.peek()]
	return ok && (m.Verb != Take || m.Card == NoCard) && !m.Card.Row().fixes
}

func aWord(r *reader, _ *Move) bool { return r.more() && verbWords[r.peek()] == NoVerb }

func aPlace(r *reader, m *Move) bool {
	return aWord(r, m) && m.Side == 0 && m.Res == 0 && !m.Card.Row().fixes
}

// fixesNumber tells whether a die comes next, after a card that fixes one.
func fixesNumber(r *reader, m *Move) bool { return aWord(r, m) && m.Card.Row().fixes }

// healsSite tells whether a card aims at a town's side, and one is named.
func healsSite(r *reader, m *Move) bool {
	row := m.Card.Row()
	return aWord(r, m) && m.Res == 0 && (m.Card.same(bathHouse) || len(row.play) > 0 && row.play[0].Do == "heal")
}
