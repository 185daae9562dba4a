package rules

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// turnUpEvent turns up the top event card. A script may say which card it is to be: that
// card is brought to the top first.
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
	for i := range int(d.N) {
		if known && d.Slots[i].Card == c {
			ops := []state.Op{}
			for j := i; j < int(d.N)-1; j++ {
				ops = append(ops, state.Op{Code: state.OpEventAt, Card: d.Slots[j+1].Card, At: int8(j)})
			}
			ops = append(ops, state.Op{Code: state.OpEventAt, Card: c, At: int8(d.N - 1)})
			g.hidden(0, ops...)
			return
		}
	}
	g.luck.Reject("event", o, "no such card in the event stack")
}

// event resolves the card that has been turned up, then it goes under the stack.
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
	d := &g.s.Events
	cards := make([]table.Card, 0, d.N)
	for i := range int(d.N) {
		if d.Slots[i].Card != table.Yule {
			cards = append(cards, d.Slots[i].Card)
		}
	}
	order := layEvents(cards, g.luck.Shuffle("events", len(cards)))
	g.dictateEvents(order)
	g.do(state.Op{Code: state.OpEventN, N: int16(len(order))})
	ops := make([]state.Op, len(order))
	for i, c := range order {
		ops[i] = state.Op{Code: state.OpEventAt, Card: c, At: int8(i)}
	}
	g.hidden(0, ops...)
}

// dictateEvents brings the event cards that a script names to the top of a stack just shuffled,
// the top first. Yule stays where it lies.
func (g *deciding) dictateEvents(order []table.Card) {
	o, ok := g.luck.Dictated("events")
	if !ok {
		return
	}
	at := len(order) - 1
	for r := (&notation.Reader{Words: table.Tokens(o.Words)}); r.More(); at-- {
		word := r.Peek()
		c := r.Card()
		from := at
		for from >= 0 && !order[from].Same(c) {
			from--
		}
		if r.Bad || from < 0 || from != at && (order[at] == table.Yule || c == table.Yule) {
			g.luck.Reject("events", o, word+" cannot come there in the event stack")
			return
		}
		order[at], order[from] = order[from], order[at]
	}
}

// underYule is how many event cards lie under Yule.
const underYule = 3

// layEvents orders an event stack, bottom first, Yule on the three lowest.
func layEvents(cards []table.Card, order []int) []table.Card {
	out := make([]table.Card, 0, len(cards)+1)
	for i, j := range order {
		if i == underYule {
			out = append(out, table.Yule)
		}
		out = append(out, cards[j])
	}
	if len(order) <= underYule {
		out = append(out, table.Yule)
	}
	return out
}

// eventGain is an event by which each player, or the one ahead, gains resources: Invention,
// Trade Ships Race, Gift for the Prince.
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
			if c.Row().Plenty {
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

// feud: the strength advantage turns on the other, who may first send Sebastian. Fraternal
// Feuds takes hand cards, Feud a building.
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

// buildings are the sites of a seat's buildings; units, centre cards and the Gold Cache are none.
func buildings(s *state.State, seat domain.Seat) uint64 {
	return s.Realms[seat].Sites(func(row *table.Row) bool { return row.Building })
}

// sebastianMayCome tells whether, for all that everybody knows, a hand could hold Sebastian.
// Only then is it asked; asking depends on nothing secret.
func sebastianMayCome(s *state.State) bool {
	if s.Play != table.AgeOfTurmoil {
		return false
	}
	for i := range int(s.DiscardN) {
		if s.Discard[i] == table.Sebastian {
			return false
		}
	}
	return true
}

// riots: whoever has units with strength or commerce pays gold or loses one of them. Chapels
// look at this turn's production die.
func (g *deciding) riots(c table.Card) {
	for _, seat := range g.inTurn() {
		units := rioters(g.s, seat)
		if units == 0 {
			continue
		}
		if excused(g.s, seat) {
			g.do(state.Op{Code: state.OpWard, Seat: seat, Card: c})
			continue
		}
		n := uint8(1)
		if bits.OnesCount64(units) >= 3 {
			n = 2
		}
		g.push(state.Task{Kind: state.TaskRiot, Seat: seat, N: n, Card: c})
	}
}

// rioters are the sites of a seat's units with strength or commerce points.
func rioters(s *state.State, seat domain.Seat) uint64 {
	return s.Realms[seat].Sites(func(row *table.Row) bool { return row.Unit && row.Points.Strength+row.Points.Commerce > 0 })
}

// excused tells whether the Chapels keep a seat from Riots: by the face shown, both always.
func excused(s *state.State, seat domain.Seat) bool {
	var faces uint8
	for _, c := range s.Realms[seat].Cards() {
		faces |= c.Row().Excuse
	}
	return faces&(1<<s.Die) != 0
}

// plague: every region beside a city loses one, but none beside a city with a Bath House
// then the Pharmacies.
func (g *deciding) plague() {
	for _, seat := range g.inTurn() {
		r := &g.s.Realms[seat]
		var hit, safe uint64
		for t := int(r.Left); t <= int(r.Right); t++ {
			if r.Towns[t].Level != state.CityTown {
				continue
			}
			around := uint64(0b1111) << table.PlaceAt(t, 0)
			hit |= around
			for side := range 2 {
				for _, c := range r.Towns[t].Sites[side] {
					if c.Same(table.BathHouse) {
						safe |= around
					}
				}
			}
		}
		for p := range table.Place(table.RegionsN) {
			if hit&^safe&(1<<p) != 0 && r.Regions[p].Stored > 0 {
				g.do(state.Op{Code: state.OpPay, Seat: seat, Place: p, N: 1})
			}
		}
		if c, e := effect(r, "plague", "gain"); e != nil && r.Marks&table.MarksPlague != 0 {
			n := r.CountCards(func(row *table.Row) bool { return row == c.Row() })
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(e.N * n), Res: table.AnyRes, Card: c})
		}
	}
}
