package rules

import (
	"slices"

	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// layEvents lays the event stack, Yule fourth from the bottom; a duel draws six of its
// fifteen half-moon events.
func (l *layer) layEvents() {
	top := l.claimAll(l.w.Events, l.w.Passed, true, "events", nil)
	var rest, spare []table.Card
	for i, n := range l.pool {
		p := table.Printings[i]
		if p.Row.Kind != table.EventCard {
			continue
		}
		keep := n
		if l.s.Play == table.Duel {
			keep = min(n, p.N-p.Moon)
		}
		for k := range n {
			if k < keep && table.Card(i) != table.Yule {
				rest = append(rest, table.Card(i))
			} else if k >= keep {
				spare = append(spare, table.Card(i))
			}
		}
	}
	if l.s.Play == table.Duel {
		rest, spare = l.drawEvents(len(top), rest, spare)
	}
	cards := kit.Shuffled(l.luck, "events", rest)
	if l.pool[table.Yule] > 0 {
		cards = withYule(cards)
	}
	for _, c := range cards {
		l.s.Events.Push(state.Slot{Card: c})
	}
	for _, slot := range slices.Backward(top) {
		l.s.Events.Push(slot)
	}
	for i, slot := range l.s.Events.All() {
		if slot.Card == table.Yule {
			l.s.Events.Slots[i].Seen = state.Public | 3
		}
	}
	asGiven(spare, l.w.Spare)
	l.s.SpareN = uint8(copy(l.s.Spare[:], spare))
}

// DuelEvents is how many event cards a duel is played with.
const DuelEvents = 12

// drawEvents draws a duel's half-moon events until the stack is full.
func (l *layer) drawEvents(top int, rest, spare []table.Card) (stack, left []table.Card) {
	room := DuelEvents - top - len(rest) - table.BoolInt(l.pool[table.Yule] > 0) - table.BoolInt(l.s.Event != table.NoCard)
	spare = kit.Shuffled(l.luck, "duel-events", spare)
	drawn := min(max(0, room), len(spare))
	kept := max(0, len(rest)+min(0, room)) // where more were named than a random dozen would hold
	left = slices.Concat(spare[drawn:], rest[kept:])
	slices.Sort(left)
	return append(rest[:kept], spare[:drawn]...), left
}

// asGiven puts the events that a duel leaves out in the order in which a position names them: it says
// nothing, but a position is set up as it was given.
func asGiven(spare, given []table.Card) {
	at := 0
	for _, c := range given {
		if i := slices.Index(spare[at:], c); i >= 0 {
			copy(spare[at+1:at+i+1], spare[at:at+i])
			spare[at] = c
			at++
		}
	}
}
