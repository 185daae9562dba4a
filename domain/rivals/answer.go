package rivals

import (
	"slices"

	"posthorn/domain"
)

// answer judges a move that answers the open task of its seat.
func (g *deciding) answer(i int) *domain.Refusal {
	t := &g.s.Tasks[i]
	switch t.Kind {
	case taskPay:
		return g.answerPay(i, t)
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
	case taskSteal, taskSearch, taskPick, taskFetch, taskStack, taskHand:
		return g.answerTake(i, t)
	case taskCorners, taskMove, taskArrange:
		return g.answerLand(i, t)
	}
	return domain.Refuse("not-awaited", "seat", g.seat)
}

// answerPay pays all that is asked from the places named, in one answer.
func (g *deciding) answerPay(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != PayFrom || g.mv.Pay[0] == 0 {
		return domain.Refuse("pay-first")
	}
	if open := g.s.stored(i); open != 0 {
		switch w := g.mv.Into[0]; {
		case w == 0:
			return domain.Refuse("store-first")
		case w.place() >= places || open&(1<<w.place()) == 0:
			return g.s.notThere(t.Seat, w.place())
		}
	}
	if t.Arg == fromOne {
		p := g.mv.Pay[0].place()
		if p >= places || g.s.payable(t)&(1<<p) == 0 {
			return domain.Refuse("cannot-pay-there", "place", p.Name())
		}
		return nil // run pays it
	}
	named := wordsIn(g.mv.Pay[:])
	x := g.s.paySpread(t)
	if p, wrong := x.wrong(named); wrong {
		return domain.Refuse("cannot-pay-there", "place", p.Name())
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse("pay-all", "n", asked)
	}
	g.paid = len(named)
	for k, n := range runs(named) {
		g.payFrom(i, named[k].place(), n)
	}
	return nil
}

// answerGain stores all that is asked at the places named, in one answer.
func (g *deciding) answerGain(i int, t *Task) *domain.Refusal {
	var named []placeWord
	switch {
	case g.mv.Verb == Into && g.mv.Into[0] != 0:
		named = wordsIn(g.mv.Into[:])
		g.stored = len(named)
	case g.mv.Verb == Take && g.mv.Res != 0: // the resources, where only one place can hold each
		var r *domain.Refusal
		want := g.mv.goods()
		if t.Arg == oneKind && want.total() == 1 { // the kind is enough: all of it is gained
			want[g.mv.Res.res()] = min(t.N, mostGains)
		}
		if named, r = g.s.placesFor(t, want); r != nil {
			return r
		}
	default:
		return domain.Refuse("store-first")
	}
	x := g.s.gainSpread(t)
	if p, wrong := x.wrong(named); wrong {
		return g.s.notThere(t.Seat, p)
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse("store-all", "n", asked)
	}
	for k, n := range runs(named) {
		g.gainAt(i, named[k].place(), n)
	}
	return nil
}

// placesFor are the places of resources that are gained by name.
func (s *State) placesFor(t *Task, want Goods) (named []placeWord, r *domain.Refusal) {
	open := s.gainable(t)
	for res, n := range want {
		if n == 0 {
			continue
		}
		at := noPlace
		for m := open; m != 0; m &= m - 1 {
			p := lowest(m)
			if s.Realms[t.Seat].yields(p) != Res(res) {
				continue
			}
			if at != noPlace {
				return nil, domain.Refuse("which-place", "resource", domain.S("res."+Res(res).String()))
			}
			at = p
		}
		switch word := domain.S("res." + Res(res).String()); {
		case at == noPlace && t.Need[res] == 0 && !(t.N > 0 && t.Res.has(Res(res))):
			return nil, domain.Refuse("not-gained", "resource", word)
		case at == noPlace || s.Realms[t.Seat].room(at) < n && t.Arg != oneKind:
			return nil, domain.Refuse("no-room", "resource", word)
		}
		if t.Arg == oneKind {
			n = min(n, s.Realms[t.Seat].room(at))
		}
		for range n {
			named = append(named, wordPlace(at))
		}
	}
	slices.Sort(named)
	return named, nil
}

// answerRes names resources: to save, to take, to buy, to give back.
func (g *deciding) answerRes(i int, t *Task) *domain.Refusal {
	want := g.mv.goods()
	n := want.total()
	s, seat := g.s, t.Seat
	switch {
	case t.Kind == taskSave && g.mv.Verb == Save && n > 0:
		return g.answerSave(i, t, want)
	case t.Kind == taskTake && g.mv.Verb == Take && n > 0:
		if !s.Realms[other(seat)].stock().covers(want) {
			return domain.Refuse("nothing-to-take")
		}
		if !s.storable(seat).covers(want) {
			return domain.Refuse("cannot-store-that")
		}
		if asked := s.taken(t); n != asked {
			return domain.Refuse("take-all", "n", asked)
		}
		g.takeGoods(i, want)
	case t.Kind == taskBuy && g.mv.Verb == Buy && n > 0:
		if r := s.mayBuy(t, want); r != nil {
			return r
		}
		old := g.drop(i)
		pay := Task{Kind: taskPay, Seat: seat, Card: old.Card}
		pay.Need[GoldRes] = uint8(n)
		g.push(pay)
		g.push(Task{Kind: taskGain, Seat: seat, Need: want, Card: old.Card})
	case t.Kind == taskBuy && g.mv.Verb == Pass:
		g.drop(i)
	case t.Kind == taskReturn && g.mv.Verb == Give && n == 1:
		if !s.Realms[seat].stock().covers(want) {
			return domain.Refuse("cannot-pay")
		}
		g.giveBack(g.drop(i), g.mv.Res.res())
	default:
		return domain.Refuse("name-a-resource")
	}
	return nil
}

// answerSave leaves out the resources named, as many as the discounts allow.
func (g *deciding) answerSave(i int, t *Task, want Goods) *domain.Refusal {
	if !g.s.maySave(t, want) {
		return domain.Refuse("cannot-save")
	}
	if asked := min(int(t.N), mostNamed); want.total() != asked {
		return domain.Refuse("save-all", "n", asked)
	}
	for res, n := range want {
		for range n {
			g.save(i, Res(res))
		}
	}
	return nil
}

// maySave tells whether a discount could leave out these resources, the rest being affordable.
func (s *State) maySave(t *Task, want Goods) bool {
	if !t.Need.covers(want) {
		return false
	}
	rest := t.Need
	for res, n := range want {
		rest[res] -= n
	}
	return s.Realms[t.Seat].stock().affords(rest, int8(t.N)-int8(want.total()))
}

// wares are the resources worth a gold to a seat: what it can store, gold excepted.
func (s *State) wares(seat domain.Seat) Goods {
	g := s.Realms[seat].rooms()
	g[GoldRes] = 0
	return g
}

// buyable is how many resources a seat can buy of the Traveling Merchant.
func (s *State) buyable(t *Task) int {
	return min(int(t.N), mostNamed, int(s.Realms[t.Seat].stock()[GoldRes]), s.wares(t.Seat).total())
}

// mayBuy refuses what the Traveling Merchant does not sell, what there is no gold for, and what
// cannot be stored.
func (s *State) mayBuy(t *Task, want Goods) *domain.Refusal {
	wares := s.wares(t.Seat)
	switch {
	case want[GoldRes] > 0:
		return domain.Refuse("no-gold-for-gold")
	case want.total() > int(t.N):
		return domain.Refuse("buy-most", "n", int(t.N))
	case want.total() > int(s.Realms[t.Seat].stock()[GoldRes]):
		return domain.Refuse("cannot-pay")
	}
	for res, n := range want {
		if n > wares[res] {
			return domain.Refuse("no-room", "resource", domain.S("res."+Res(res).String()))
		}
	}
	return nil
}

// notThere says why a gain cannot be stored at a place: there is none, it is full, or something
// else belongs there.
func (s *State) notThere(seat domain.Seat, p Place) *domain.Refusal {
	r := &s.Realms[seat]
	switch {
	case p >= places || r.yields(p) == noRes:
		return domain.Refuse("no-place-there", "place", p.Name())
	case r.room(p) == 0:
		return domain.Refuse("place-full", "place", p.Name())
	}
	return domain.Refuse("cannot-store-there", "place", p.Name())
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
	g.do(Op{Code: opRoll, Seat: t.Seat, N: int16(die), M: int16(boolInt(held))})
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
	return domain.Refuse("no-help", "card", c.word())
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
			return domain.Refuse("riot-choice")
		}
		if r := g.negate(t.Card); r != nil {
			return r
		}
		g.drop(i)
		return nil
	}
	return domain.Refuse("riot-choice")
}
