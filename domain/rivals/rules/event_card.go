package rules

import (
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// turnUpEvent turns up the top event card. If a script names the card, that card is brought to the top first.
func (g *deciding) turnUpEvent() {
	g.bringUp()
	if g.s.Events.N == 0 {
		return
	}
	g.do(state.Op{Code: state.OpDrawEvt, Card: g.s.Events.Slots[g.s.Events.N-1].Card})
	g.push(state.Task{Kind: state.TaskEvent, Seat: domain.Nobody})
}

func (g *deciding) bringUp() {
	o, ok := g.luck.Dictated("event")
	if !ok {
		return
	}
	c, known := table.CardWords[table.Fold(o.Words)]
	d := &g.s.Events
	i := slices.IndexFunc(d.All(), func(slot state.Slot) bool { return known && slot.Card == c })
	if i < 0 {
		g.luck.Reject("event", o, "no such card in the event stack")
		return
	}
	var ops []state.Op
	for j, slot := range append(slices.Clone(d.All()[i+1:]), state.Slot{Card: c}) {
		ops = append(ops, state.Op{Code: state.OpEventAt, Card: slot.Card, At: int8(i + j)})
	}
	g.hidden(0, ops...)
}

// resolveEvent resolves the card turned up, which then goes under the stack.
func (g *deciding) resolveEvent(state.Task) {
	c := g.s.Event
	e := &c.Row().Effects[0]
	if e.Do == "rebuild" {
		g.rebuild()
		g.turnUpEvent()
		return
	}
	switch e.Do {
	case "gain":
		g.eventGain(c, e)
	case "plenty":
		g.plenty()
	case "buy":
		for _, seat := range g.inTurn() {
			g.push(state.Task{Kind: state.TaskBuy, Seat: seat, N: uint8(e.N), Card: c})
		}
	case "bury", "name":
		g.feud(c, e)
	case "riot":
		g.riots(c)
	case "plague":
		g.plague()
	}
	g.push(state.Task{Kind: state.TaskEvtEnd, Seat: domain.Nobody})
}

// rebuild shuffles all event cards, with Yule fourth from the bottom (Rivals, "The stack of
// event cards").
func (g *deciding) rebuild() {
	var cards []table.Card
	for _, slot := range g.s.Events.All() {
		if slot.Card != table.Yule {
			cards = append(cards, slot.Card)
		}
	}
	order := withYule(kit.Shuffled(g.luck, "events", cards))
	g.dictateEvents(order)
	g.do(state.Op{Code: state.OpEventN, N: int16(len(order))})
	ops := make([]state.Op, len(order))
	for i, c := range order {
		ops[i] = state.Op{Code: state.OpEventAt, Card: c, At: int8(i)}
	}
	g.hidden(0, ops...)
}

// dictateEvents brings the event cards that a script names to the top of a freshly shuffled stack, the top first.
// Yule stays where it lies.
func (g *deciding) dictateEvents(order []table.Card) {
	o, _ := g.luck.Dictated("events")
	at := len(order) - 1
	for r := (&notation.Reader{Words: table.Tokens(o.Words)}); r.More(); at-- {
		word := r.Peek()
		c := r.Card()
		from := table.LastIndex(order[:max(0, at+1)], c.Same)
		if from < 0 || from != at && (order[at] == table.Yule || c == table.Yule) {
			g.luck.Reject("events", o, word+" cannot come there in the event stack")
			return
		}
		order[at], order[from] = order[from], order[at]
	}
}

// withYule returns an event stack, bottom first, with Yule on top of the three lowest.
func withYule(cards []table.Card) []table.Card {
	return slices.Insert(cards, min(3, len(cards)), table.Yule)
}

// eventGain is an event in which each player, or the one ahead, gains resources: Invention, Trade Ships Race, Gift
// for the Prince.
func (g *deciding) eventGain(c table.Card, e *table.Effect) {
	for _, seat := range g.inTurn() {
		r, o := &g.s.Realms[seat], &g.s.Realms[state.Other(seat)]
		n := e.N
		switch e.Per {
		case "progress":
			n *= r.CountCards(func(row *table.Row) bool { return row.Building && row.Points.Progress > 0 })
		case "fighter":
			n *= r.CountCards(fights)
		}
		if e.Max > 0 {
			n = min(n, e.Max)
		}
		if e.If == "most-trade-ships" && (r.Ships == 0 || r.Ships < o.Ships) {
			n = 0
		}
		if n > 0 {
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(n), Res: e.Goods, Card: c})
		}
	}
}

// plenty gives every region one of its own resource for each Storehouse and Abbey beside it.
func (g *deciding) plenty() {
	for _, seat := range g.inTurn() {
		var more [table.RegionsN]uint8
		for at, c := range g.s.Realms[seat].Cards() {
			if c.Row().On("plenty") {
				for _, p := range table.Neighbours(at) {
					more[p]++
				}
			}
		}
		for p, n := range more {
			if n > 0 {
				g.gain(seat, table.Place(p), n)
			}
		}
	}
}

// feud: the player with the strength advantage turns on the other, who may first play Sebastian. Fraternal Feuds
// takes hand cards, Feud a building.
func (g *deciding) feud(c table.Card, e *table.Effect) {
	seat := g.s.Strongest()
	if seat == domain.Nobody {
		return
	}
	victim := state.Other(seat)
	r := &g.s.Realms[victim]
	if e.Do == "bury" && r.HandN == 0 || e.Do == "name" && buildings(g.s, victim) == 0 {
		return
	}
	if sebastianMayCome(g.s) {
		g.push(state.Task{Kind: state.TaskReact, Seat: victim, Card: c})
	}
	g.push(state.Task{Kind: state.TaskHit, Seat: seat, Card: c})
}

// buildings returns the sites of a seat's buildings; units, centre cards and the Gold Cache do not count.
func buildings(s *state.State, seat domain.Seat) uint64 {
	return s.Realms[seat].Sites(func(row *table.Row) bool { return row.Building })
}

// sebastianMayCome reports whether, from what everybody knows, a hand could hold Sebastian. The game asks only then,
// so asking does not depend on anything secret.
func sebastianMayCome(s *state.State) bool {
	return s.Play == table.AgeOfTurmoil && !slices.Contains(s.Discard[:s.DiscardN], table.Sebastian)
}

// riots: a player with units with strength or commerce pays gold or loses one of them. Chapels look at this turn's
// production die.
func (g *deciding) riots(c table.Card) {
	for _, seat := range g.inTurn() {
		units := rioters(g.s, seat)
		if units == 0 {
			continue
		}
		var faces uint8 // of all Chapels together
		for _, c := range g.s.Realms[seat].Cards() {
			faces |= c.Row().Excuse
		}
		if faces&(1<<g.s.Die) != 0 {
			g.do(state.Op{Code: state.OpWard, Seat: seat, Card: c})
			continue
		}
		n := 1 + table.BoolInt(bits.OnesCount64(units) >= 3)
		g.push(state.Task{Kind: state.TaskRiot, Seat: seat, N: uint8(n), Card: c})
	}
}

// rioters returns the sites of a seat's units with strength or commerce points.
func rioters(s *state.State, seat domain.Seat) uint64 {
	return s.Realms[seat].Sites(func(row *table.Row) bool {
		return row.Unit && row.Points.Strength+row.Points.Commerce > 0
	})
}

// plague: every region beside a city loses one, but none beside a city with a Bath House
// then the Pharmacies.
func (g *deciding) plague() {
	for _, seat := range g.inTurn() {
		r := &g.s.Realms[seat]
		var hit, safe uint64
		for t, town := range r.EachTown() {
			if town.Level == state.CityTown {
				hit |= 0b1111 << table.PlaceAt(t, 0)
			}
		}
		for at := range table.In[table.Site](bathHouses(r)) {
			safe |= 0b1111 << table.PlaceAt(at.Town(), 0)
		}
		for p := range table.In[table.Place](hit &^ safe) {
			if r.Regions[p].Stored > 0 {
				g.do(state.Op{Code: state.OpPay, Seat: seat, Place: p, N: 1})
			}
		}
		if c, e := effect(r, "plague", "gain"); e != nil && r.Marks&table.MarksPlague != 0 {
			n := r.CountCards(func(row *table.Row) bool { return row == c.Row() })
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(e.N * n), Res: table.AnyRes, Card: c})
		}
	}
}
