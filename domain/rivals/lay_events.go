package rivals

import (
	"fmt"
	"sort"
)

// layEvents lays the event stack, Yule fourth from the bottom; a duel draws six of its
// fifteen half-moon events.
func (l *layer) layEvents() {
	var top []Slot
	if l.given != nil {
		for i, name := range l.given.Events {
			if name == "?" {
				continue
			}
			slot := Slot{Card: l.claim(l.events, name, fmt.Sprintf("events[%d]", i))}
			if slot.Card == NoCard {
				return
			}
			if i < len(l.given.Passed) {
				slot.Seen = seenOf(l.given.Passed[i])
			}
			top = append(top, slot)
		}
	}
	var rest, spare []Card
	for i, n := range l.events {
		p := printings[i]
		keep := n
		if l.s.Play == Duel {
			keep = min(n, p.N-p.Moon)
		}
		for k := range n {
			if k < keep && Card(i) != yule {
				rest = append(rest, Card(i))
			} else if k >= keep {
				spare = append(spare, Card(i))
			}
		}
	}
	if l.s.Play == Duel {
		rest, spare = l.drawEvents(len(top), rest, spare)
	}
	cards := make([]Card, 0, len(rest)+1)
	if l.events[yule] > 0 {
		cards = layEvents(rest, l.luck.Shuffle("events", len(rest)))
	} else {
		for _, j := range l.luck.Shuffle("events", len(rest)) {
			cards = append(cards, rest[j])
		}
	}
	for _, c := range cards {
		l.s.Events.push(Slot{Card: c})
	}
	for i := len(top) - 1; i >= 0; i-- {
		l.s.Events.push(top[i])
	}
	for i := range int(l.s.Events.N) {
		if slot := &l.s.Events.Slots[i]; slot.Card == yule {
			slot.Seen = public | 3
		}
	}
	l.asGiven(spare)
	for i, c := range spare {
		if i < len(l.s.Spare) {
			l.s.Spare[i] = c
			l.s.SpareN++
		}
	}
}

// duelEvents is how many event cards a duel is played with.
const duelEvents = 12

// drawEvents draws a duel's half-moon events until the stack is full.
func (l *layer) drawEvents(top int, rest, spare []Card) (stack, left []Card) {
	have := top + len(rest)
	if l.events[yule] > 0 {
		have++
	}
	if l.s.Event != NoCard {
		have++
	}
	order := l.luck.Shuffle("duel-events", len(spare))
	for _, j := range order {
		if have < duelEvents {
			rest = append(rest, spare[j])
			have++
		} else {
			left = append(left, spare[j])
		}
	}
	for have > duelEvents && len(rest) > 0 { // more were named than a random dozen would hold
		left = append(left, rest[len(rest)-1])
		rest = rest[:len(rest)-1]
		have--
	}
	sort.Slice(left, func(i, j int) bool { return left[i] < left[j] })
	return rest, left
}

// asGiven puts the events that a duel leaves out in the order in which a position names them: it says
// nothing, but a position is set up as it was given.
func (l *layer) asGiven(spare []Card) {
	if l.given == nil {
		return
	}
	at := 0
	for _, name := range l.given.Spare {
		for i := at; i < len(spare); i++ {
			if spare[i].Name() == name {
				c := spare[i]
				copy(spare[at+1:i+1], spare[at:i])
				spare[at] = c
				at++
				break
			}
		}
	}
}
