package rivals

import (
	"slices"

	"posthorn/domain"
)

// Answers to what befalls a seat: an attack, an event, Riots, and hand cards put under stacks.

// answerReact plays Sebastian against an event, rolls for a guard against an attack, or lets
// it come. The guards roll once together.
func (g *deciding) answerReact(i int, t *Task) *domain.Refusal {
	if g.mv.Verb == Pass {
		g.drop(i)
		return nil
	}
	if g.mv.Verb != React || g.mv.Card == NoCard {
		return domain.Refuse("react-or-pass")
	}
	if t.Card.Row().Kind == EventCard {
		if r := g.negate(t.Card); r != nil {
			return r
		}
		g.drop(i)
		g.drop(i) // and with it the hit
		return nil
	}
	if g.mv.Card.Row().guard == 0 || !g.s.Realms[t.Seat].hasRow(g.mv.Card.Row()) {
		return domain.Refuse("no-guard")
	}
	die := g.luck.Pick("guard", 6, parseDie) + 1
	roll := Op{Code: opRoll, Seat: t.Seat, N: int16(die)}
	held := g.s.guardFaces(t.Seat)&(1<<die) != 0
	if held {
		roll.M = 1
	}
	g.do(roll)
	g.drop(i)
	if held {
		g.drop(i)
	}
	return nil
}

func (l *lister) reacts(t *Task) {
	if t.Card.Row().Kind == EventCard {
		l.preacher()
	} else {
		for _, c := range l.r.cards() {
			if c.Row().guard != 0 {
				l.add(Move{Verb: React, Card: c})
			}
		}
	}
	l.add(Move{Verb: Pass})
}

func (l *lister) preacher() {
	if l.r.inHand(sebastian) >= 0 {
		l.add(Move{Verb: React, Card: sebastian})
	}
}

// negate plays Sebastian from the hand.
func (g *deciding) negate(event Card) *domain.Refusal {
	c, r := g.handCard(g.mv.Card)
	if r != nil {
		return r
	}
	if !c.Row().negates.has(event.Row()) {
		return domain.Refuse("no-help", "card", c.word())
	}
	g.use(c)
	return nil
}

// answerRiot pays the gold, gives up a unit, or sends Sebastian.
func (g *deciding) answerRiot(i int, t *Task) *domain.Refusal {
	switch {
	case g.mv.Verb == PayFrom:
		if g.s.Realms[t.Seat].stock()[GoldRes] < t.N {
			return domain.Refuse("cannot-pay")
		}
		old := g.drop(i)
		g.push(Task{Kind: taskPay, Seat: old.Seat, Need: just(GoldRes, old.N), Card: old.Card})
		return nil
	case g.mv.Verb == Lose:
		site, c, r := g.namedCard(t.Seat)
		if r != nil {
			return r
		}
		if g.s.rioters(t.Seat)&(1<<site) == 0 {
			return domain.Refuse("not-that-card", "card", c.word())
		}
		return g.lose(i, site, c)
	case g.mv.Verb == React && g.s.sebastianMayCome():
		if r := g.negate(t.Card); r != nil {
			return r
		}
		g.drop(i)
		return nil
	}
	return domain.Refuse("riot-choice")
}

func (l *lister) riots(t *Task) {
	if l.r.stock()[GoldRes] >= t.N {
		l.add(Move{Verb: PayFrom})
	}
	l.named(Lose, l.seat, l.s.rioters(l.seat), 1)
	if l.s.sebastianMayCome() {
		l.preacher()
	}
}

// answerBury puts cards of the other's hand under stacks. Their owner sees which are gone and
// which stacks took one, not which went where.
func (g *deciding) answerBury(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Bury {
		return domain.Refuse("bury-first")
	}
	victim := other(t.Seat)
	cards := [2]Card{g.mv.Card, g.mv.Card2}
	stacks := [2]uint8{g.mv.N, g.mv.N2}
	n := int(t.N)
	if (n == 1) != (cards[1] == NoCard) {
		return domain.Refuse("bury-count", "n", n)
	}
	hand := g.s.Realms[victim]
	seen := bit(t.Seat)
	if n == 1 {
		seen |= bit(victim)
	}
	var ops, gone []Op
	for k := range n {
		at := -1
		if cards[k] != NoCard {
			at = hand.inHand(cards[k])
		}
		if at < 0 {
			return domain.Refuse("not-in-hand", "card", cards[k].word())
		}
		c := hand.handTake(at).Card
		if r := g.s.takes(c, stacks[k]); r != nil {
			return r
		}
		ops = append(ops, Op{Code: opUnder, Seat: victim, Card: c, Stack: int8(stacks[k] - 1), Seen: seen})
		gone = append(gone, Op{Code: opGone, Seat: victim, Card: c})
	}
	g.drop(i)
	g.hush = "bury"
	slices.Sort(stacks[:n])
	for _, stack := range stacks[:n] {
		g.hush += " ? " + digits(stack)
		g.do(Op{Code: opLaid, Seat: victim, Stack: int8(stack - 1)})
	}
	g.hidden(domain.To(t.Seat), ops...)
	g.tell(domain.To(victim), gone...)
	return nil
}

// buries lists the pairs of the other's hand cards and the stacks they may go under.
func (l *lister) buries(t *Task) {
	o := &l.s.Realms[other(l.seat)]
	seen := map[Move]bool{}
	put := func(m Move) {
		if m.tidy(); !seen[m] {
			seen[m] = true
			l.add(m)
		}
	}
	for i, a := range o.hand() {
		for k := range l.s.stacksFor(a.Card) {
			m := Move{Verb: Bury, Card: a.Card, N: k}
			if t.N == 1 {
				put(m)
				continue
			}
			for _, b := range o.hand()[i+1:] {
				for q := range l.s.stacksFor(b.Card) {
					m.Card2, m.N2 = b.Card, q
					put(m)
				}
			}
		}
	}
}
