package rivals

import (
	"slices"

	"posthorn/domain"
)

// Answers that choose a stack or take a card: of a stack looked through, the other's hand, or
// the discard pile.

// answerStack chooses a stack to look through, for a card or for the first hand.
func (g *deciding) answerStack(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Stack {
		return domain.Refuse("which-stack")
	}
	n := g.mv.N
	if wrong := g.s.mayLook(t, n); wrong != "" {
		return wrong.refusal("n", int(n))
	}
	old := g.drop(i)
	next := taskPick
	if old.Kind == taskStack {
		next = taskHand
	}
	g.push(Task{Kind: taskLook, Seat: old.Seat, Arg: int16(n - 1)})
	g.push(Task{Kind: next, Seat: old.Seat, Arg: int16(n - 1), Card: old.Card})
	return nil
}

func (l *lister) stacks(t *Task) {
	for n := uint8(1); n <= l.s.DecksN; n++ {
		if l.s.mayLook(t, n) == "" {
			l.add(Move{Verb: Stack, N: n})
		}
	}
}

func (s *State) noStack(_ *Task) bool { return !s.anyStack() }

// mayLook tells whether a stack may be looked through: any with cards for the Library, a
// basic one for the first hand, and not the one the other has taken theirs from.
func (s *State) mayLook(t *Task, n uint8) check {
	switch {
	case n < 1 || n > s.DecksN:
		return "no-stack"
	case s.Decks[n-1].N == 0:
		return "stack-empty"
	case t.Kind == taskStack && s.Decks[n-1].Set != Basic:
		return "basic-stack"
	case t.Kind == taskStack && s.Rules&SameStack == 0 && t.Arg == int16(n):
		return "other-stack"
	}
	return ""
}

// look shows a seat a whole stack.
func (g *deciding) look(t Task) {
	g.do(Op{Code: opSeeDeck, Seat: t.Seat, Stack: int8(t.Arg)})
	g.saw(t.Seat, g.s.Decks[t.Arg].all(), int8(t.Arg))
}

// seeHand shows a seat the other's hand.
func (g *deciding) seeHand(seat domain.Seat) {
	g.do(Op{Code: opSeeHand, Seat: seat})
	g.saw(seat, g.s.Realms[other(seat)].hand(), otherHand)
}

// saw notes the cards that a seat has seen: of a stack, the top first.
func (g *deciding) saw(seat domain.Seat, slots []Slot, stack int8) {
	ops := make([]Op, 0, len(slots))
	for _, slot := range slots {
		ops = append(ops, Op{Code: opSaw, Seat: seat, Card: slot.Card, Stack: stack})
	}
	if stack != otherHand {
		slices.Reverse(ops)
	}
	g.tell(domain.To(seat), ops...)
}

// takeFrom lists different cards.
func (l *lister) takeFrom(slots []Slot) {
	var seen [4]uint64
	for _, slot := range slices.Backward(slots) {
		if c := slot.Card; seen[c/64]&(1<<(c%64)) == 0 {
			seen[c/64] |= 1 << (c % 64)
			l.add(Move{Verb: Take, Card: c})
		}
	}
}

// answerPick takes the card chosen from a stack.
func (g *deciding) answerPick(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Take || g.mv.Card == NoCard {
		return domain.Refuse("take-first")
	}
	c := alike(g.s.Decks[t.Arg].all(), g.mv.Card)
	if c == NoCard {
		return domain.Refuse("not-in-stack", "card", g.mv.Card.word())
	}
	old := g.drop(i)
	stack := int8(old.Arg)
	g.do(Op{Code: opTook, Seat: old.Seat, Stack: stack})
	g.hidden(domain.To(old.Seat), Op{Code: opTake, Seat: old.Seat, Card: c, Stack: stack})
	g.hush = "take ?"
	if g.s.Phase == Exchanging {
		g.endTurn()
	}
	return nil
}

func (l *lister) picks(t *Task) { l.takeFrom(l.s.Decks[t.Arg].all()) }

// answerHand takes the three cards of a first hand.
func (g *deciding) answerHand(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Hand {
		return domain.Refuse("hand-first")
	}
	stack, seat := int8(t.Arg), t.Seat
	ops := make([]Op, 0, 3)
	left := g.s.Decks[stack]
	for _, c := range [3]Card{g.mv.Card, g.mv.Card2, g.mv.Card3} {
		at := slices.IndexFunc(left.all(), func(slot Slot) bool { return slot.Card == c })
		if c == NoCard || at < 0 {
			return domain.Refuse("not-in-stack", "card", c.word())
		}
		left.takeAt(at)
		ops = append(ops, Op{Code: opTake, Seat: seat, Card: c, Stack: stack})
	}
	g.drop(i)
	for range 3 {
		g.do(Op{Code: opTook, Seat: seat, Stack: stack})
	}
	g.hidden(domain.To(seat), ops...)
	g.hush = "hand ? ? ?"
	for k := range int(g.s.TasksN) { // the other may not choose this stack
		if next := &g.s.Tasks[k]; next.Kind == taskStack {
			next.Arg = int16(stack + 1)
		}
	}
	return nil
}

// hands lists the ways to take three cards of a stack.
func (l *lister) hands(t *Task) {
	slots := l.s.Decks[t.Arg]
	slices.SortFunc(slots.all(), func(a, b Slot) int { return int(a.Card) - int(b.Card) })
	cards := slots.all()
	// Equal cards are taken from the front.
	first := func(k, from int) bool { return k == from || cards[k].Card != cards[k-1].Card }
	for i := range cards {
		for j := i + 1; j < len(cards) && first(i, 0); j++ {
			for k := j + 1; k < len(cards) && first(j, i+1); k++ {
				if first(k, j+1) {
					l.add(Move{Verb: Hand, Card: cards[i].Card, Card2: cards[j].Card, Card3: cards[k].Card})
				}
			}
		}
	}
}

// answerSteal takes a card of the hand that was looked at, or none.
func (g *deciding) answerSteal(i int, t *Task) *domain.Refusal {
	if g.mv.Verb == Pass {
		g.drop(i)
		return nil
	}
	victim := &g.s.Realms[other(t.Seat)]
	at := -1
	if g.mv.Verb == Take && g.mv.Card != NoCard {
		at = victim.inHand(g.mv.Card)
	}
	if at < 0 {
		return domain.Refuse("not-in-hand", "card", g.mv.Card.word())
	}
	c := victim.Hand[at].Card
	old := g.drop(i)
	g.do(Op{Code: opTook, Seat: old.Seat, Stack: otherHand})
	g.hidden(domain.To(0, 1), Op{Code: opSteal, Seat: old.Seat, Card: c})
	g.hush = "take ?"
	return nil
}

func (l *lister) steals(*Task) {
	l.takeFrom(l.s.Realms[other(l.seat)].hand())
	l.add(Move{Verb: Pass})
}

// answerFetch takes a card from the discard pile; not the one just played for it.
func (g *deciding) answerFetch(i int, _ *Task) *domain.Refusal {
	if g.mv.Verb != Take || g.mv.Card == NoCard {
		return domain.Refuse("take-first")
	}
	c := alike(g.s.fetchable(), g.mv.Card)
	if c == NoCard {
		return domain.Refuse("not-in-discard", "card", g.mv.Card.word())
	}
	g.do(Op{Code: opFetch, Seat: g.drop(i).Seat, Card: c})
	return nil
}

func (l *lister) fetches(*Task) { l.takeFrom(l.s.fetchable()) }

// fetchable are the cards of the discard pile below the top, which is the card being played.
func (s *State) fetchable() (list []Slot) {
	for _, c := range s.Discard[:max(0, int(s.DiscardN)-1)] {
		list = append(list, Slot{Card: c})
	}
	return list
}

// alike finds a card among some: that printing, or another of the same card.
func alike(slots []Slot, c Card) Card {
	found := NoCard
	for _, slot := range slots {
		switch {
		case slot.Card == c:
			return c
		case slot.Card.same(c):
			found = slot.Card
		}
	}
	return found
}

func (s *State) nothingToFetch(_ *Task) bool { return s.DiscardN <= 1 }
