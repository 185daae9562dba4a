package rivals

import "posthorn/domain"

// lose removes a card by force: under a stack of its back that the owner chooses, or,
// an open card, to the open stack. Irmgard consoles her owner.
func (g *deciding) lose(i int, site Site, c Card) *domain.Refusal {
	to, r := g.s.loseTo(c, g.mv.N)
	if r != nil {
		return r
	}
	t := g.drop(i)
	g.loseCard(t, site, c, to)
	return nil
}

// loseTo is where a card goes that its owner loses: opRaze's destination.
func (s *State) loseTo(c Card, stack uint8) (uint8, *domain.Refusal) {
	if s.isOpen(c) && s.Rules&OpenToStack == 0 {
		if stack != 0 {
			return 0, domain.Refuse("no-stack", "n", int(stack))
		}
		return toOpen, nil
	}
	if stack == 0 {
		return 0, domain.Refuse("which-stack")
	}
	if r := s.takes(c, stack); r != nil {
		return 0, r
	}
	return stack, nil
}

func (g *deciding) loseCard(t Task, site Site, c Card, to uint8) {
	g.do(Op{Code: opRaze, Seat: t.Seat, Card: c, Site: site, To: to})
	if c.same(irmgard) || g.s.Realms[t.Seat].Marks&marksLoss == 0 {
		return
	}
	if keeper, e := g.s.Realms[t.Seat].effect("loss", "gain"); e != nil {
		g.push(Task{Kind: taskGain, Seat: t.Seat, N: uint8(e.N), Res: anyRes, Card: keeper})
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
	low, high := stacks[0], stacks[n-1]
	g.hush = "bury ? " + digits(min(low, high))
	g.do(Op{Code: opLaid, Seat: victim, Stack: int8(min(low, high) - 1)})
	if n == 2 {
		g.hush += " ? " + digits(max(low, high))
		g.do(Op{Code: opLaid, Seat: victim, Stack: int8(max(low, high) - 1)})
	}
	g.hidden(domain.To(t.Seat), ops...)
	g.tell(domain.To(victim), gone...)
	return nil
}

// answerCards names a card in play: to lose, to sink, for a Feud, or to burn.
func (g *deciding) answerCards(i int, t *Task) *domain.Refusal {
	owner := t.Seat
	if t.Kind == taskName || t.Kind == taskBurn {
		owner = other(t.Seat)
	}
	verb := Lose
	if owner != t.Seat {
		verb = NameCard
	}
	if g.mv.Verb != verb {
		return domain.Refuse("name-a-card")
	}
	site, c, r := g.namedIn(owner, g.s.targets(t))
	if r != nil {
		return r
	}
	switch t.Kind {
	case taskLose:
		return g.lose(i, site, c)
	case taskSink:
		g.drop(i)
		g.do(Op{Code: opRaze, Seat: owner, Card: c, Site: site})
	case taskName:
		t.Mask |= 1 << site
		t.N--
		g.queued = true
	case taskBurn:
		old := g.drop(i)
		g.push(Task{Kind: taskLose, Seat: owner, Mask: 1 << site, Card: old.Card})
	}
	return nil
}

// namedIn finds the named card among allowed sites.
func (g *deciding) namedIn(owner domain.Seat, allowed uint64) (Site, Card, *domain.Refusal) {
	site, c, r := g.namedCard(owner)
	if r != nil {
		return site, c, r
	}
	for slot := range 2 { // a city may hold two alike on one side
		at := siteAt(site.town(), site.side(), slot)
		if d := g.s.Realms[owner].at(at); allowed&(1<<at) != 0 && d.same(c) {
			return at, d, nil
		}
	}
	return noSite, NoCard, domain.Refuse("not-that-card", "card", c.word())
}

// targets are the sites that a task about cards lets be named.
func (s *State) targets(t *Task) (m uint64) {
	switch t.Kind {
	case taskSink:
		s.Realms[t.Seat].cards(func(at Site, c Card) bool {
			if c.Row().ship {
				m |= 1 << at
			}
			return true
		})
		return m
	case taskName:
		return s.buildings(other(t.Seat)) &^ t.Mask
	case taskRiot:
		return s.rioters(t.Seat)
	}
	return t.Mask
}

// autoCards does what is no choice among cards.
func (g *deciding) autoCards(i int) bool {
	t := &g.s.Tasks[i]
	if t.Kind == taskName && t.N == 0 {
		old := g.drop(i)
		g.push(Task{Kind: taskLose, Seat: other(old.Seat), Mask: old.Mask, Card: old.Card})
		return true
	}
	m := g.s.targets(t)
	if m == 0 {
		g.drop(i)
		return true
	}
	if m&(m-1) != 0 || t.Kind == taskName {
		return false
	}
	site := Site(0)
	for m>>site != 1 {
		site++
	}
	owner := t.Seat
	if t.Kind == taskBurn {
		owner = other(t.Seat)
	}
	c := g.s.Realms[owner].at(site)
	switch t.Kind {
	case taskSink:
		g.drop(i)
		g.do(Op{Code: opRaze, Seat: owner, Card: c, Site: site})
	case taskBurn:
		old := g.drop(i)
		g.push(Task{Kind: taskLose, Seat: owner, Mask: 1 << site, Card: old.Card})
	case taskLose:
		to := g.s.onlyWay(c)
		if to == 0 {
			return false
		}
		g.loseCard(g.drop(i), site, c, to)
	}
	return true
}

// onlyWay is where a lost card goes if its owner has no choice, or 0.
func (s *State) onlyWay(c Card) uint8 {
	if s.isOpen(c) && s.Rules&OpenToStack == 0 {
		return toOpen
	}
	way := uint8(0)
	for k := range int(s.DecksN) {
		if s.Decks[k].Set == c.Set() {
			if way > 0 {
				return 0
			}
			way = uint8(k) + 1
		}
	}
	return way
}
