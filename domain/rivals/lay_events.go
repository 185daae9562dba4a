package rivals

import (
	"fmt"
	"slices"
)

// layEvents lays the event stack, Yule fourth from the bottom; a duel draws six of its
// fifteen half-moon events.
func (l *layer) layEvents(w *written) {
	var top []Slot
	for i, c := range w.Events {
		if c == NoCard {
			continue
		}
		slot := Slot{Card: l.claim(l.events, c, fmt.Sprintf("events[%d]", i))}
		if slot.Card == NoCard {
			return
		}
		if i < len(w.Passed) {
			slot.Seen = w.Passed[i]
		}
		top = append(top, slot)
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
	for _, slot := range slices.Backward(top) {
		l.s.Events.push(slot)
	}
	for i := range int(l.s.Events.N) {
		if slot := &l.s.Events.Slots[i]; slot.Card == yule {
			slot.Seen = public | 3
		}
	}
	asGiven(spare, w.Spare)
	l.s.SpareN = uint8(copy(l.s.Spare[:], spare))
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
	slices.Sort(left)
	return rest, left
}

// asGiven puts the events that a duel leaves out in the order in which a position names them: it says
// nothing, but a position is set up as it was given.
func asGiven(spare, given []Card) {
	at := 0
	for _, c := range given {
		if i := slices.Index(spare[at:], c); i >= 0 {
			copy(spare[at+1:at+i+1], spare[at:at+i])
			spare[at] = c
			at++
		}
	}
}
