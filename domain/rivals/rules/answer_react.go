package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers to what befalls a seat: an attack, an event, Riots, and hand cards put under stacks.

// answerReact plays Sebastian against an event, rolls for a guard against an attack, or lets
// it come. The guards roll once together.
func (g *deciding) answerReact(t state.Task) *domain.Refusal {
	if t.Card.Row().Kind == table.EventCard {
		if r := g.negate(t.Card); r != nil {
			return r
		}
		g.drop() // and with it the hit
		return nil
	}
	if g.mv.Card.Row().Guard == 0 || !g.s.Realms[t.Seat].HasRow(g.mv.Card.Row()) {
		return domain.Refuse("no-guard")
	}
	die := g.luck.Pick("guard", 6, parseDie) + 1
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

// answerRiot pays the gold, gives up a unit, or sends Sebastian.
func (g *deciding) answerRiot(t state.Task) *domain.Refusal {
	switch {
	case g.mv.Verb == state.PayFrom:
		if g.s.Realms[t.Seat].Stock()[table.GoldRes] < t.N {
			return domain.Refuse("cannot-pay")
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
	if l.r.Stock()[table.GoldRes] >= t.N {
		l.add(state.Move{Verb: state.PayFrom})
	}
	l.named(state.Lose, l.seat, rioters(l.s, l.seat), true)
	if sebastianMayCome(l.s) {
		l.preacher()
	}
}

// answerBury puts cards of the other's hand under stacks. Their owner sees which are gone and
// which stacks took one, not which went where.
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
	g.hush = "bury"
	slices.Sort(stacks[:n])
	for _, stack := range stacks[:n] {
		g.hush += " ? " + table.Digits(stack)
		g.do(state.Op{Code: state.OpLaid, Seat: victim, Stack: int8(stack - 1)})
	}
	g.hidden(0, ops...)
	g.tell(domain.To(victim), gone...)
	return nil
}

// buries lists the pairs of the other's hand cards and the stacks they may go under.
func (l *lister) buries(t *state.Task) {
	o := &l.s.Realms[state.Other(l.seat)]
	seen := map[state.Move]bool{}
	put := func(m state.Move) {
		if m.Tidy(); !seen[m] {
			seen[m] = true
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
