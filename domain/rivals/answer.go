package rivals

import "posthorn/domain"

// answer judges a move that answers the open task of its seat.
func (g *deciding) answer(i int) *domain.Refusal {
	t := &g.s.Tasks[i]
	switch t.Kind {
	case taskPay:
		return g.answerPay(t)
	case taskGain:
		return g.answerGain(i, t)
	case taskSave, taskTake, taskBuy, taskReturn:
		return g.answerRes(i, t)
	case taskReact:
		return g.answerReact(i, t)
	case taskRiot:
		return g.answerRiot(i, t)
	case taskBury:
		return g.answerBury(i, t)
	case taskLose, taskSink, taskName, taskBurn:
		return g.answerCards(i, t)
	case taskSwap:
		return g.answerSwap(i)
	case taskSteal, taskSearch, taskPick, taskFetch, taskStack, taskHand:
		return g.answerTake(i, t)
	case taskCorners, taskMove, taskArrange:
		return g.answerLand(i, t)
	}
	return domain.Refuse("not-now")
}

// answerSwap takes the top card of a stack, or pays to search one.
func (g *deciding) answerSwap(i int) *domain.Refusal {
	switch {
	case g.mv.Verb == Draw && g.mv.Draws[0] == 0:
		g.drop(i)
		return g.swapFor(g.mv.N)
	case g.mv.Verb == Stack:
		g.drop(i)
		return g.searchIn(g.mv.N)
	}
	return domain.Refuse("draw-or-search")
}

// answerPay pays from the places named; run uses them up.
func (g *deciding) answerPay(t *Task) *domain.Refusal {
	if g.mv.Verb != PayFrom || g.mv.Pay[0] == 0 {
		return domain.Refuse("pay-first")
	}
	if p := g.mv.Pay[0].place(); p >= places || g.s.payable(t)&(1<<p) == 0 {
		return domain.Refuse("cannot-pay-there", "place", p.Name())
	}
	return nil
}

func (g *deciding) answerGain(i int, t *Task) *domain.Refusal {
	open := g.s.gainable(t)
	switch {
	case g.mv.Verb == Into && g.mv.Into[0] != 0:
		if p := g.mv.Into[0].place(); p >= places || open&(1<<p) == 0 {
			return domain.Refuse("cannot-store-there", "place", p.Name())
		}
		return nil
	case g.mv.Verb == Take && g.mv.Res != 0: // the resource, where only one place can hold it
		for _, w := range [2]resWord{g.mv.Res, g.mv.Res2} {
			if w == 0 {
				break
			}
			if refusal := g.gainNamed(i, w.res()); refusal != nil {
				return refusal
			}
		}
		return nil
	}
	return domain.Refuse("store-first")
}

func (g *deciding) gainNamed(i int, res Res) *domain.Refusal {
	t := &g.s.Tasks[i]
	if t.Kind != taskGain || t.N == 0 {
		return domain.Refuse("into-too-much", "place", res.String())
	}
	at := noPlace
	open := g.s.gainable(t)
	for p := Place(0); p < places; p++ {
		if open&(1<<p) == 0 || g.s.Realms[t.Seat].yields(p) != res {
			continue
		}
		if at != noPlace {
			return domain.Refuse("which-place", "resource", domain.S("res."+res.String()))
		}
		at = p
	}
	if at == noPlace {
		return domain.Refuse("no-room")
	}
	g.gainOne(i, at)
	return nil
}

// answerRes names a resource: to save, to take, to buy, to give back.
func (g *deciding) answerRes(i int, t *Task) *domain.Refusal {
	res := g.mv.Res.res()
	named := g.mv.Res != 0 && res < resources
	s, seat := g.s, t.Seat
	switch {
	case t.Kind == taskSave && g.mv.Verb == Save && named:
		if !s.savable(t).has(res) {
			return domain.Refuse("cannot-save")
		}
		g.save(i, res)
	case t.Kind == taskTake && g.mv.Verb == Take && named:
		if s.storable(seat)[res] == 0 {
			return domain.Refuse("nothing-to-store")
		}
		g.takeRes(i, res)
	case t.Kind == taskBuy && g.mv.Verb == Buy && named:
		if !s.buyable(seat).has(res) {
			return domain.Refuse("no-room")
		}
		t.N--
		g.queued = true
		g.at = i
		pay := Task{Kind: taskPay, Seat: seat, Card: t.Card}
		pay.Need[GoldRes] = 1
		card := t.Card
		g.push(pay)
		g.push(Task{Kind: taskGain, Seat: seat, N: 1, Res: only(res), Card: card})
	case t.Kind == taskBuy && g.mv.Verb == Pass:
		g.drop(i)
	case t.Kind == taskReturn && g.mv.Verb == Give && named:
		if s.Realms[seat].stock()[res] == 0 {
			return domain.Refuse("cannot-pay")
		}
		g.giveBack(g.drop(i), res)
	default:
		return domain.Refuse("name-a-resource")
	}
	return nil
}

// buyable are the resources worth a gold to a seat: what it can store, gold excepted.
func (s *State) buyable(seat domain.Seat) (m resMask) {
	for res, n := range s.Realms[seat].rooms() {
		if n > 0 && Res(res) != GoldRes {
			m |= only(Res(res))
		}
	}
	return m
}

// giveBack hands one resource to the other; if they cannot store it, it is lost.
func (g *deciding) giveBack(t Task, res Res) {
	pay := Task{Kind: taskPay, Seat: t.Seat, Card: t.Card}
	pay.Need[res] = 1
	g.push(pay)
	g.push(Task{Kind: taskGain, Seat: other(t.Seat), N: 1, Res: only(res), Card: t.Card})
}

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
	held := g.s.guardFaces(t.Seat)&(1<<die) != 0
	g.do(opRoll, int(t.Seat), die, boolInt(held))
	g.drop(i)
	if held {
		g.drop(i)
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// negate plays Sebastian from the hand.
func (g *deciding) negate(event Card) *domain.Refusal {
	c, r := g.handCard(g.mv.Card)
	if r != nil {
		return r
	}
	for _, e := range c.Row().Effects {
		if e.On != "react" {
			continue
		}
		for _, id := range e.Of {
			if id == event.Row().ID {
				g.use(c)
				return nil
			}
		}
	}
	return domain.Refuse("not-now")
}

// answerRiot pays the gold, gives up a unit, or sends Sebastian.
func (g *deciding) answerRiot(i int, t *Task) *domain.Refusal {
	switch g.mv.Verb {
	case PayFrom:
		if g.s.Realms[t.Seat].stock()[GoldRes] < t.N {
			return domain.Refuse("cannot-pay")
		}
		old := g.drop(i)
		pay := Task{Kind: taskPay, Seat: old.Seat, Card: old.Card}
		pay.Need[GoldRes] = old.N
		g.push(pay)
		return nil
	case Lose:
		site, c, r := g.namedCard(t.Seat)
		if r != nil {
			return r
		}
		if g.s.rioters(t.Seat)&(1<<site) == 0 {
			return domain.Refuse("not-that-card", "card", c.word())
		}
		return g.lose(i, site, c)
	case React:
		if !g.s.sebastianMayCome() {
			return domain.Refuse("not-now")
		}
		if r := g.negate(t.Card); r != nil {
			return r
		}
		g.drop(i)
		return nil
	}
	return domain.Refuse("riot-choice")
}
