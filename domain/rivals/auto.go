package rivals

import "posthorn/domain"

// auto does what nobody needs to be asked about: the next step of an effect, and a choice
// that is none. It tells whether anything was done.
func (g *deciding) auto(i int) bool {
	t := &g.s.Tasks[i]
	switch t.Kind {
	case taskPay:
		return g.autoPay(i)
	case taskSave:
		return g.autoSave(i)
	case taskGain:
		return g.autoGain(i)
	case taskTake:
		return g.autoTake(i)
	case taskBuy:
		return g.autoBuy(i)
	case taskLose, taskSink, taskName, taskBurn:
		return g.autoCards(i)
	case taskReturn:
		if g.s.Realms[t.Seat].stock().total() == 0 {
			g.drop(i)
			return true
		}
	case taskFetch:
		if g.s.DiscardN <= 1 { // only the card just played
			g.drop(i)
			return true
		}
	case taskSearch:
		if !g.s.anyStack() {
			g.drop(i)
			return true
		}
	case taskCorners:
		if t.N == 0 {
			g.drop(i)
			return true
		}
	}
	if t.Kind < taskRoad {
		return false
	}
	g.stepOn(g.drop(i))
	return true
}

// stepOn does a step that is no choice.
func (g *deciding) stepOn(t Task) {
	switch t.Kind {
	case taskRoad:
		g.do(opRoad, int(t.Seat), int(t.Arg))
	case taskSettle:
		g.newSettlement(t)
	case taskCity:
		g.do(opCity, int(t.Seat), int(t.Arg))
	case taskPlace:
		g.place(t)
	case taskFace:
		g.face(t.Card)
	case taskEvent:
		g.resolveEvent()
	case taskEvtEnd:
		g.do(opEvtDone)
	case taskAct:
		g.do(opPhase, int(g.s.Active), int(Acting))
	case taskHit:
		if t.Card.Row().Kind == EventCard {
			g.feudHit(t)
		} else {
			g.hit(t)
		}
	case taskLook:
		g.look(t.Seat, int(t.Arg))
	case taskStart:
		g.do(opTurn, int(g.s.First), 1)
	}
}

// look shows a seat a whole stack.
func (g *deciding) look(seat domain.Seat, deck int) {
	g.do(opSeeDeck, int(seat), deck)
	d := &g.s.Decks[deck]
	saw := make([]Op, 0, d.N)
	for j := int(d.N) - 1; j >= 0; j-- {
		saw = append(saw, Op{Code: opSaw, A: int16(seat), B: int16(d.Slots[j].Card), C: int16(deck)})
	}
	g.tell(domain.To(seat), saw...)
}

// autoPay pays what can only be paid in one way, and what the move named.
func (g *deciding) autoPay(i int) bool {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	if t.N == 0 && t.Need.total() == 0 {
		g.drop(i)
		return true
	}
	if t.Seat == g.seat && g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid] != 0 && g.s.payable(t)&(1<<g.mv.Pay[g.paid].place()) != 0 {
		p := g.mv.Pay[g.paid].place()
		g.paid++
		if t.Arg == fromOne {
			for g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid].place() == p {
				g.paid++
			}
		}
		g.payOne(i, p)
		return true
	}
	var stock Goods
	var first [resources]Place
	var kinds [resources]uint8
	var sources, total int
	only := noPlace
	open := g.s.payable(t)
	for p := Place(0); p < places; p++ {
		if open&(1<<p) == 0 {
			continue
		}
		res := r.yields(p)
		if kinds[res] == 0 {
			first[res] = p
		}
		kinds[res]++
		sources++
		total += int(r.store(p))
		stock[res] += r.store(p)
		only = p
	}
	switch {
	case sources == 0:
		g.drop(i) // nothing to pay with: the demand finds nothing
		return true
	case t.Arg == fromOne:
		if sources == 1 {
			g.payOne(i, only)
		}
		return sources == 1
	case t.N > 0 && (sources == 1 || total <= int(t.N)):
		g.payOne(i, only)
		return true
	}
	for res, n := range t.Need {
		if n > 0 && (kinds[res] == 1 || stock[res] <= n) {
			g.payMany(i, Res(res), first[res])
			return true
		}
	}
	return false
}

// payable are the places that a payment may come from next.
func (s *State) payable(t *Task) (m uint64) {
	r := &s.Realms[t.Seat]
	from, to := r.span()
	for p := from; p < to; p++ {
		q := r.Regions[p]
		if q.Stored == 0 || t.Mask != 0 && t.Mask&(1<<p) == 0 {
			continue
		}
		if t.N > 0 || t.Need[q.Terrain] > 0 {
			m |= 1 << p
		}
	}
	if r.Cache != noPlace && r.CacheGold > 0 && t.Mask == 0 && (t.N > 0 || t.Need[GoldRes] > 0) {
		m |= 1 << cachePlace
	}
	return m
}

// payOne pays one resource from a place (all of them where one place must pay all).
func (g *deciding) payOne(i int, p Place) {
	t := &g.s.Tasks[i]
	res := g.s.Realms[t.Seat].yields(p)
	n := uint8(1)
	switch {
	case t.Arg == fromOne:
		n = t.Need[res]
		t.Need[res] = 0
	case t.N > 0:
		t.N--
	default:
		t.Need[res]--
	}
	g.do(opPay, int(t.Seat), int(p), int(n))
	g.queued = true
}

// payMany pays a whole kind, where one place alone has it or everything goes.
func (g *deciding) payMany(i int, res Res, first Place) {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	for p := first; p < places && t.Need[res] > 0; p++ {
		if r.yields(p) == res && r.store(p) > 0 {
			n := min(t.Need[res], r.store(p))
			t.Need[res] -= n
			g.do(opPay, int(t.Seat), int(p), int(n))
		}
	}
	t.Need[res] = 0
	g.queued = true
}

// savable are the resources that a discount could leave out, the rest being affordable.
func (s *State) savable(t *Task) (m resMask) {
	have := s.Realms[t.Seat].stock()
	for res, n := range t.Need {
		if n > 0 {
			rest := t.Need
			rest[res]--
			if have.affords(rest, int8(t.N)-1) {
				m |= only(Res(res))
			}
		}
	}
	return m
}

func (g *deciding) autoSave(i int) bool {
	t := &g.s.Tasks[i]
	m := g.s.savable(t)
	if m&(m-1) != 0 {
		return false
	}
	for res := range Res(resources) {
		if m.has(res) {
			g.save(i, res)
			return true
		}
	}
	g.drop(i)
	return true
}

func (g *deciding) save(i int, res Res) {
	t := &g.s.Tasks[i]
	t.Need[res]--
	if t.N--; t.N == 0 {
		t.Kind = taskPay
	}
	g.queued = true
}

// storable are the places that a gain may go to.
func (s *State) gainable(t *Task) (m uint64) {
	r := &s.Realms[t.Seat]
	from, to := r.span()
	for p := from; p < to; p++ {
		q := r.Regions[p]
		if q.Number != 0 && q.Stored < capacity && t.Res.has(q.Terrain) {
			m |= 1 << p
		}
	}
	if r.Cache != noPlace && r.CacheGold < capacity && t.Res.has(GoldRes) {
		m |= 1 << cachePlace
	}
	if t.Mask != 0 {
		m &= t.Mask
	}
	return m
}

// autoGain stores what can only go to one place, or fills all that is left; what finds no
// room is lost.
func (g *deciding) autoGain(i int) bool {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	open := g.s.gainable(t)
	if open == 0 || t.N == 0 {
		g.drop(i)
		return true
	}
	if t.Seat == g.seat && g.stored < len(g.mv.Into) && g.mv.Into[g.stored] != 0 && open&(1<<g.mv.Into[g.stored].place()) != 0 {
		p := g.mv.Into[g.stored].place()
		g.stored++
		g.gainOne(i, p)
		return true
	}
	room := 0
	only := noPlace
	for p := Place(0); p < places; p++ {
		if open&(1<<p) != 0 {
			room += int(r.room(p))
			only = p
		}
	}
	if open&(open-1) == 0 {
		n := min(t.N, r.room(only))
		seat := t.Seat
		g.drop(i)
		g.do(opGain, int(seat), int(only), int(n))
		return true
	}
	if room <= int(t.N) && t.Arg != oneKind {
		seat := t.Seat
		g.drop(i)
		for p := Place(0); p < places; p++ {
			if open&(1<<p) != 0 {
				g.do(opGain, int(seat), int(p), int(r.room(p)))
			}
		}
		return true
	}
	return false
}

func (g *deciding) gainOne(i int, p Place) {
	t := &g.s.Tasks[i]
	if t.Arg == oneKind {
		t.Res, t.Arg = only(g.s.Realms[t.Seat].yields(p)), 0
	}
	t.N--
	g.do(opGain, int(t.Seat), int(p), 1)
	g.queued = true
}

// autoTake ends the Trade face where nothing can be taken, or takes the only kind there is.
func (g *deciding) autoTake(i int) bool {
	t := &g.s.Tasks[i]
	most := g.s.storable(t.Seat)
	if t.N == 0 || most.total() == 0 {
		g.drop(i)
		return true
	}
	kind, kinds := 0, 0
	for res, n := range most {
		if n > 0 {
			kind, kinds = res, kinds+1
		}
	}
	if kinds > 1 {
		return false
	}
	g.takeRes(i, Res(kind))
	return true
}

// takeRes takes one resource of the other; who gives it chooses the region.
func (g *deciding) takeRes(i int, res Res) {
	t := g.s.Tasks[i]
	g.s.Tasks[i].N--
	g.queued = true
	g.at = i
	var want Goods
	want[res] = 1
	g.do(opWant, int(t.Seat), int(res), 1)
	g.transfer(other(t.Seat), want, t.Card)
}

func (g *deciding) autoBuy(i int) bool {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	rooms := r.rooms()
	rooms[GoldRes] = 0
	if t.N == 0 || r.stock()[GoldRes] == 0 || rooms.total() == 0 {
		g.drop(i)
		return true
	}
	return false
}
