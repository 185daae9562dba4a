package rules

import (
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// decks lays the open stack, the discard pile, the hands and the draw stacks: first what is given, then everything
// else at random, uniformly.
func (l *layer) decks() {
	w, s := l.w, l.s
	s.Open = table.OpenCard(s.Play)
	for _, slot := range slices.Backward(l.claimAll(w.Discard, nil, false, "discard", nil)) {
		s.LayDown(slot.Card)
	}
	for i := range w.Seats {
		l.hand(domain.Seat(i), &w.Seats[i])
	}
	backs := table.StacksOf(s.Play)
	s.DecksN = uint8(len(backs))
	tops := make([][]state.Slot, len(backs))
	for i, set := range backs {
		s.Decks[i].Set = set
		if i < len(w.Stacks) { // the given upper part, the top first
			tops[i] = l.claimAll(w.Stacks[i].Cards, w.Stacks[i].Known, false, fmt.Sprintf("stacks[%d].cards", i),
				func(c table.Card) string {
					if c != table.NoCard && c.Set() != set {
						return "back"
					}
					return ""
				})
		}
	}
	if l.err != nil {
		return
	}
	if s.Open != table.NoCard {
		s.OpenN = uint8(l.pool[s.Open])
		l.pool[s.Open] = 0
	}
	for seat := range domain.Seat(2) { // three unnamed basic cards for a seat whose hand was not given
		if !l.given || s.Phase == state.Begin || int(seat) < len(w.Seats) && w.Seats[seat].Hand != nil {
			continue
		}
		cards := l.left(table.Basic)
		for _, c := range kit.Shuffled(l.luck, "hands", cards)[:min(3, len(cards))] {
			l.pool[c]--
			s.Realms[seat].HandAdd(state.Slot{Card: c, Seen: state.Bit(seat)})
		}
	}
	for set := range table.Sets {
		if slices.Contains(backs, set) {
			l.dealSet(set, tops)
		}
	}
	for i := range tops {
		for _, slot := range slices.Backward(tops[i]) {
			s.Decks[i].Push(slot)
		}
	}
	l.dictate()
}

// left returns the cards of a set that are not placed yet.
func (l *layer) left(set table.Set) (cards []table.Card) {
	for i, n := range l.pool {
		if p := table.Printings[i]; p.Set == set && p.Row.Kind != table.EventCard {
			cards = append(cards, slices.Repeat([]table.Card{table.Card(i)}, n)...)
		}
	}
	return cards
}

// hand lays a given hand.
func (l *layer) hand(seat domain.Seat, w *state.WrittenSide) {
	path := fmt.Sprintf("seats[%d].hand", seat)
	if i := slices.Index(w.Hand, table.NoCard); i >= 0 {
		l.misfit(fmt.Sprintf("%s[%d]", path, i), w.Hand[i], "card")
	}
	open := func(c table.Card) string {
		if c.Row().Open && c.Same(l.s.Open) && l.s.Rules&table.OpenToStack == 0 {
			return "in-hand"
		}
		return ""
	}
	for _, slot := range l.claimAll(w.Hand, w.Known, false, path, open) {
		slot.Seen |= state.Bit(seat)
		l.s.Realms[seat].HandAdd(slot)
	}
}

// dealSet shuffles the rest of a set under its stacks, so that they come out even; the hands that the introduction
// deals are taken from the stacks afterwards.
func (l *layer) dealSet(set table.Set, tops [][]state.Slot) {
	decks := l.s.Decks[:l.s.DecksN]
	for _, c := range kit.Shuffled(l.luck, "stacks", l.left(set)) {
		least := -1
		for i := range decks {
			if decks[i].Set == set && (least < 0 ||
				len(tops[i])+int(decks[i].N) < len(tops[least])+int(decks[least].N)) {
				least = i
			}
		}
		decks[least].Push(state.Slot{Card: c})
	}
}

// dictate brings the cards that a script names to the top of their stacks: "1 abbey goldsmith".
func (l *layer) dictate() {
	var fixed [table.DecksN]int
	for {
		o, ok := l.luck.Dictated("stack")
		if !ok {
			return
		}
		r := &notation.Reader{Words: table.Tokens(o.Words)}
		n := r.Number(1, int(l.s.DecksN))
		if r.Bad {
			l.luck.Reject("stack", o, fmt.Sprintf("it begins with the number of a stack, 1 to %d", l.s.DecksN))
			return
		}
		for r.More() {
			word := r.Peek()
			c := r.Card()
			if r.Bad {
				l.luck.Reject("stack", o, fmt.Sprintf("no card %q", word))
				return
			}
			if !l.bring(n-1, c, &fixed) {
				l.luck.Reject("stack", o, fmt.Sprintf("no further %s for that stack", c.Name()))
				return
			}
		}
	}
}

// bring swaps a card to the next position of a stack that is not fixed yet.
func (l *layer) bring(deck int, c table.Card, fixed *[table.DecksN]int) bool {
	d := &l.s.Decks[deck]
	at := int(d.N) - 1 - fixed[deck]
	if at < 0 {
		return false
	}
	for i := range int(l.s.DecksN) {
		from := &l.s.Decks[i]
		j := table.LastIndex(from.Slots[:max(0, int(from.N)-fixed[i])], func(s state.Slot) bool {
			return s.Card.Same(c) && s.Card.Set() == d.Set
		})
		if j >= 0 {
			from.Slots[j], d.Slots[at] = d.Slots[at], from.Slots[j]
			fixed[deck]++
			return true
		}
	}
	return false
}

// begin deals the first hands or asks for them, and opens the first decision.
func (l *layer) begin() {
	s := l.s
	g := &deciding{s: s, luck: l.luck, seat: domain.Nobody, mv: &state.Move{}, kept: &kept{}}
	switch {
	case len(l.w.Tasks) > 0:
		l.tasks()
	case s.Phase == state.Begin:
		for _, seat := range [2]domain.Seat{s.First, state.Other(s.First)} {
			g.push(state.Task{Kind: state.TaskStack, Seat: seat})
			g.push(state.Task{Kind: state.TaskArrange, Seat: seat})
		}
		g.push(state.Task{Kind: state.TaskStart, Seat: domain.Nobody})
	}
	if s.Phase != state.Begin && !l.given {
		for k, seat := range [2]domain.Seat{s.First, state.Other(s.First)} {
			for range 3 {
				if d := &s.Decks[k]; d.N > 0 {
					slot := d.TakeAt(int(d.N) - 1)
					s.Realms[seat].HandAdd(state.Slot{Card: slot.Card, Seen: slot.Seen | state.Bit(seat)})
				}
			}
		}
	}
	s.ReadAsks(l.w)
	s.Serial = max(s.Serial, s.Asks[0].Serial, s.Asks[1].Serial)
	if s.Event != table.NoCard && s.TasksN == 0 {
		s.Apply(&state.Op{Code: state.OpEvtDone})
	}
	g.ask()
}

// tasks restores the queue of a position in the middle of a turn.
func (l *layer) tasks() {
	s := l.s
	if len(l.w.Tasks) > state.MaxTasks-8 {
		l.misfit("tasks", len(l.w.Tasks), "long", "most", state.MaxTasks-8)
		return
	}
	for i, t := range l.w.Tasks {
		if !sound(s, &t) || i == 0 && !asks(s, &t) {
			l.misfit(fmt.Sprintf("tasks[%d]", i), state.TaskNames[t.Kind], "task")
			return
		}
		s.Tasks[i] = t
		s.TasksN++
		s.NextID = max(s.NextID, t.ID)
	}
}

// layEvents lays the event stack, with Yule fourth from the bottom; a duel draws six of its fifteen half-moon events.
func (l *layer) layEvents() {
	top := l.claimAll(l.w.Events, l.w.Passed, true, "events", nil)
	var rest, spare []table.Card
	for i, n := range l.pool {
		p := table.Printings[i]
		if p.Row.Kind != table.EventCard {
			continue
		}
		copies := slices.Repeat([]table.Card{table.Card(i)}, n)
		if l.s.Play == table.Duel && n > p.N-p.Moon {
			spare, copies = append(spare, copies[p.N-p.Moon:]...), copies[:p.N-p.Moon]
		}
		if table.Card(i) != table.Yule {
			rest = append(rest, copies...)
		}
	}
	if l.s.Play == table.Duel { // draw half-moon events until the stack is full
		room := DuelEvents - len(top) - len(rest) - table.BoolInt(l.pool[table.Yule] > 0) -
			table.BoolInt(l.s.Event != table.NoCard)
		spare = kit.Shuffled(l.luck, "duel-events", spare)
		// a position may name more than a random dozen would hold
		drawn, kept := spare[:min(max(0, room), len(spare))], rest[:max(0, len(rest)+min(0, room))]
		spare = slices.Concat(spare[len(drawn):], rest[len(kept):])
		slices.Sort(spare)
		rest = append(kept, drawn...)
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

// DuelEvents is the number of event cards in a duel.
const DuelEvents = 12

// asGiven puts the events that a duel leaves out in the order in which a position names them. The order means
// nothing, but a position is set up exactly as given.
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
