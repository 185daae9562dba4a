package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers that choose a stack or take a card: from a stack looked through, the other's hand, or the discard pile.

// answerStack chooses a stack to look through, for one card or for the first hand.
func (g *deciding) answerStack(t state.Task) *domain.Refusal {
	n := g.mv.N
	if wrong := mayLook(g.s, &t, n); wrong != "" {
		return wrong.refusal("n", int(n))
	}
	next := state.TaskPick
	if t.Kind == state.TaskStack {
		next = state.TaskHand
	}
	g.push(state.Task{Kind: state.TaskLook, Seat: t.Seat, Arg: int16(n - 1)})
	g.push(state.Task{Kind: next, Seat: t.Seat, Arg: int16(n - 1), Card: t.Card})
	return nil
}

func (l *lister) stacks(t *state.Task) {
	for n := uint8(1); n <= l.s.DecksN; n++ {
		if mayLook(l.s, t, n) == "" {
			l.add(state.Move{Verb: state.Stack, N: n})
		}
	}
}

// mayLook returns why a seat cannot look through a stack, or "": the Library needs one with cards, the first hand a
// basic one that the other has not taken theirs from.
func mayLook(s *state.State, t *state.Task, n uint8) check {
	switch {
	case n < 1 || n > s.DecksN:
		return "no-stack"
	case s.Decks[n-1].N == 0:
		return "stack-empty"
	case t.Kind == state.TaskStack && s.Decks[n-1].Set != table.Basic:
		return "basic-stack"
	case t.Kind == state.TaskStack && s.Rules&table.SameStack == 0 && t.Arg == int16(n):
		return "other-stack"
	}
	return ""
}

// look shows a seat a whole stack.
func (g *deciding) look(t state.Task) {
	g.do(state.Op{Code: state.OpSeeDeck, Seat: t.Seat, Stack: int8(t.Arg)})
	g.saw(t.Seat, g.s.Decks[t.Arg].All(), int8(t.Arg))
}

// seeHand shows a seat the other's hand.
func (g *deciding) seeHand(seat domain.Seat) {
	g.do(state.Op{Code: state.OpSeeHand, Seat: seat})
	g.saw(seat, g.s.Realms[state.Other(seat)].Held(), state.OtherHand)
}

// saw notes the cards that a seat has seen; from a stack, the top first.
func (g *deciding) saw(seat domain.Seat, slots []state.Slot, stack int8) {
	ops := make([]state.Op, 0, len(slots))
	for _, slot := range slots {
		ops = append(ops, state.Op{Code: state.OpSaw, Seat: seat, Card: slot.Card, Stack: stack})
	}
	if stack != state.OtherHand {
		slices.Reverse(ops)
	}
	g.tell(domain.To(seat), ops...)
}

// takeFrom lists the distinct cards.
func (l *lister) takeFrom(slots []state.Slot) {
	var seen [4]uint64
	for _, slot := range slices.Backward(slots) {
		if c := slot.Card; seen[c/64]&(1<<(c%64)) == 0 {
			seen[c/64] |= 1 << (c % 64)
			l.add(state.Move{Verb: state.Take, Card: c})
		}
	}
}

// answerPick takes the chosen card from a stack.
func (g *deciding) answerPick(t state.Task) *domain.Refusal {
	c := alike(g.s.Decks[t.Arg].All(), g.mv.Card)
	if c == table.NoCard {
		return domain.Refuse("not-in-stack", "card", g.mv.Card.Word())
	}
	stack := int8(t.Arg)
	g.do(state.Op{Code: state.OpTook, Seat: t.Seat, Stack: stack})
	g.hidden(domain.To(t.Seat), state.Op{Code: state.OpTake, Seat: t.Seat, Card: c, Stack: stack})
	g.public = "take ?"
	if g.s.Phase == state.Exchanging {
		g.endTurn()
	}
	return nil
}

// answerHand takes the three cards of a first hand.
func (g *deciding) answerHand(t state.Task) *domain.Refusal {
	stack, seat := int8(t.Arg), t.Seat
	ops := make([]state.Op, 0, 3)
	left := g.s.Decks[stack]
	for _, c := range [3]table.Card{g.mv.Card, g.mv.Card2, g.mv.Card3} {
		at := slices.IndexFunc(left.All(), func(slot state.Slot) bool { return slot.Card == c })
		if c == table.NoCard || at < 0 {
			return domain.Refuse("not-in-stack", "card", c.Word())
		}
		left.TakeAt(at)
		ops = append(ops, state.Op{Code: state.OpTake, Seat: seat, Card: c, Stack: stack})
	}
	for range 3 {
		g.do(state.Op{Code: state.OpTook, Seat: seat, Stack: stack})
	}
	g.hidden(domain.To(seat), ops...)
	g.public = "hand ? ? ?"
	for k := range int(g.s.TasksN) { // the other must not choose this stack
		if next := &g.s.Tasks[k]; next.Kind == state.TaskStack {
			next.Arg = int16(stack + 1)
		}
	}
	return nil
}

// hands lists the ways to take three cards from a stack.
func (l *lister) hands(t *state.Task) {
	slots := l.s.Decks[t.Arg]
	slices.SortFunc(slots.All(), func(a, b state.Slot) int { return int(a.Card) - int(b.Card) })
	cards := slots.All()
	// Take equal cards from the front.
	first := func(k, from int) bool { return k == from || cards[k].Card != cards[k-1].Card }
	for i := range cards {
		for j := i + 1; j < len(cards) && first(i, 0); j++ {
			for k := j + 1; k < len(cards) && first(j, i+1); k++ {
				if first(k, j+1) {
					l.add(state.Move{Verb: state.Hand, Card: cards[i].Card, Card2: cards[j].Card, Card3: cards[k].Card})
				}
			}
		}
	}
}

// answerSteal takes a card from the hand looked at, or none.
func (g *deciding) answerSteal(t state.Task) *domain.Refusal {
	victim := &g.s.Realms[state.Other(t.Seat)]
	at := -1
	if g.mv.Verb == state.Take && g.mv.Card != table.NoCard {
		at = victim.InHand(g.mv.Card)
	}
	if at < 0 {
		return domain.Refuse("not-in-hand", "card", g.mv.Card.Word())
	}
	c := victim.Hand[at].Card
	g.do(state.Op{Code: state.OpTook, Seat: t.Seat, Stack: state.OtherHand})
	g.hidden(domain.To(0, 1), state.Op{Code: state.OpSteal, Seat: t.Seat, Card: c})
	g.public = "take ?"
	return nil
}

func (l *lister) steals(*state.Task) {
	l.takeFrom(l.s.Realms[state.Other(l.seat)].Held())
}

// answerFetch takes a card from the discard pile, but not the one just played for it.
func (g *deciding) answerFetch(t state.Task) *domain.Refusal {
	c := alike(fetchable(g.s), g.mv.Card)
	if c == table.NoCard {
		return domain.Refuse("not-in-discard", "card", g.mv.Card.Word())
	}
	g.do(state.Op{Code: state.OpFetch, Seat: t.Seat, Card: c})
	return nil
}

// fetchable returns the cards of the discard pile below the top, which is the card being played.
func fetchable(s *state.State) (list []state.Slot) {
	for _, c := range s.Discard[:max(0, int(s.DiscardN)-1)] {
		list = append(list, state.Slot{Card: c})
	}
	return list
}

// alike finds a card in a list: this printing, or another of the same card.
func alike(slots []state.Slot, c table.Card) table.Card {
	found := table.NoCard
	for _, slot := range slots {
		switch {
		case slot.Card == c:
			return c
		case slot.Card.Same(c):
			found = slot.Card
		}
	}
	return found
}

// Answers to what happens to a seat: an attack, an event, Riots, and hand cards put under stacks.

// answerReact plays Sebastian against an event, rolls for a guard against an attack, or lets it happen. The guards
// make one roll together.
func (g *deciding) answerReact(t state.Task) *domain.Refusal {
	if t.Card.Row().Kind == table.EventCard {
		if r := g.negate(t.Card); r != nil {
			return r
		}
		g.drop() // and the hit with it
		return nil
	}
	if g.mv.Card.Row().Guard == 0 || !g.s.Realms[t.Seat].HasRow(g.mv.Card.Row()) {
		return domain.Refuse("no-guard")
	}
	die := kit.OneOf(g.luck, "guard", []int{1, 2, 3, 4, 5, 6})
	roll := state.Op{Code: state.OpRoll, Seat: t.Seat, N: int16(die)}
	held := guardFaces(g.s, t.Seat)&(1<<die) != 0
	if held {
		roll.M = 1
	}
	g.do(roll)
	if held {
		g.drop()
	}
	return nil
}

func (l *lister) reacts(t *state.Task) {
	if t.Card.Row().Kind == table.EventCard {
		l.preacher()
	} else {
		for _, c := range l.r.Cards() {
			if c.Row().Guard != 0 {
				l.add(state.Move{Verb: state.React, Card: c})
			}
		}
	}
}

func (l *lister) preacher() {
	if l.r.InHand(table.Sebastian) >= 0 {
		l.add(state.Move{Verb: state.React, Card: table.Sebastian})
	}
}

// negate plays Sebastian from the hand.
func (g *deciding) negate(event table.Card) *domain.Refusal {
	c, r := g.handCard(g.mv.Card)
	if r != nil {
		return r
	}
	if !c.Row().Negates.Has(event.Row()) {
		return domain.Refuse("no-help", "card", c.Word())
	}
	g.use(c)
	return nil
}

// answerRiot pays the gold, gives up a unit, or plays Sebastian.
func (g *deciding) answerRiot(t state.Task) *domain.Refusal {
	switch {
	case g.mv.Verb == state.PayFrom:
		if have := g.s.Realms[t.Seat].Stock(); have[table.GoldRes] < t.N {
			return tooDear(have, table.Just(table.GoldRes, t.N), 0)
		}
		g.push(state.Task{Kind: state.TaskPay, Seat: t.Seat, Need: table.Just(table.GoldRes, t.N), Card: t.Card})
		return nil
	case g.mv.Verb == state.Lose:
		site, c, r := g.namedCard(t.Seat)
		if r != nil {
			return r
		}
		if rioters(g.s, t.Seat)&(1<<site) == 0 {
			return domain.Refuse("not-that-card", "card", c.Word())
		}
		return g.lose(t, site, c, g.mv.N)
	case g.mv.Verb == state.React && sebastianMayCome(g.s):
		return g.negate(t.Card)
	}
	return domain.Refuse("riot-choice")
}

func (l *lister) riots(t *state.Task) {
	if l.r.Lies(table.GoldRes) >= t.N {
		l.add(state.Move{Verb: state.PayFrom})
	}
	l.named(state.Lose, l.seat, rioters(l.s, l.seat), true)
	if sebastianMayCome(l.s) {
		l.preacher()
	}
}

// answerBury puts cards of the other's hand under stacks. Their owner sees which cards are gone and which stacks took
// one, but not which went where.
func (g *deciding) answerBury(t state.Task) *domain.Refusal {
	victim := state.Other(t.Seat)
	cards := [2]table.Card{g.mv.Card, g.mv.Card2}
	stacks := [2]uint8{g.mv.N, g.mv.N2}
	n := int(t.N)
	if (n == 1) != (cards[1] == table.NoCard) {
		return domain.Refuse("bury-count", "n", n)
	}
	hand := g.s.Realms[victim]
	seen := state.Bit(t.Seat)
	if n == 1 {
		seen |= state.Bit(victim)
	}
	var ops, gone []state.Op
	for k := range n {
		at := -1
		if cards[k] != table.NoCard {
			at = hand.InHand(cards[k])
		}
		if at < 0 {
			return domain.Refuse("not-in-hand", "card", cards[k].Word())
		}
		c := hand.HandTake(at).Card
		if r := takes(g.s, c, stacks[k]); r != nil {
			return r
		}
		ops = append(ops, state.Op{Code: state.OpUnder, Seat: victim, Card: c, Stack: int8(stacks[k] - 1), Seen: seen})
		gone = append(gone, state.Op{Code: state.OpGone, Seat: victim, Card: c})
	}
	g.public = "bury"
	slices.Sort(stacks[:n])
	for _, stack := range stacks[:n] {
		g.public += " ? " + table.Digits(stack)
		g.do(state.Op{Code: state.OpLaid, Seat: victim, Stack: int8(stack - 1)})
	}
	g.hidden(0, ops...)
	g.tell(domain.To(victim), gone...)
	return nil
}

// buries lists the pairs of the other's hand cards and the stacks they may go under.
func (l *lister) buries(t *state.Task) {
	o := &l.s.Realms[state.Other(l.seat)]
	put := func(m state.Move) {
		if m.Tidy(); !slices.Contains(l.all, m) {
			l.add(m)
		}
	}
	for i, a := range o.Held() {
		for k := range stacksFor(l.s, a.Card) {
			m := state.Move{Verb: state.Bury, Card: a.Card, N: k}
			if t.N == 1 {
				put(m)
				continue
			}
			for _, b := range o.Held()[i+1:] {
				for q := range stacksFor(l.s, b.Card) {
					m.Card2, m.N2 = b.Card, q
					put(m)
				}
			}
		}
	}
}
