package rivals

import (
	"math/bits"

	"posthorn/domain"
)

// Answers that name a card in play: to lose, to sink, for a Feud, or to burn.

// namedIn finds the card that a move names with this verb, among allowed sites.
func (g *deciding) namedIn(v Verb, owner domain.Seat, allowed uint64) (Site, Card, *domain.Refusal) {
	if g.mv.Verb != v {
		return noSite, NoCard, domain.Refuse("name-a-card")
	}
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
func (s *State) targets(t *Task) uint64 {
	switch t.Kind {
	case taskSink:
		return s.Realms[t.Seat].sites(func(row *Row) bool { return row.ship })
	case taskName:
		return s.buildings(other(t.Seat)) &^ t.Mask
	}
	return t.Mask
}

func (s *State) noTargets(t *Task) bool { return s.targets(t) == 0 }

// onlyTarget is the one site that can be named, and its card.
func (g *deciding) onlyTarget(t *Task, owner domain.Seat) (Site, Card, bool) {
	m := g.s.targets(t)
	site := Site(bits.TrailingZeros64(m))
	return site, g.s.Realms[owner].at(site), m&(m-1) == 0
}

// answerLose gives up a card that is lost by force.
func (g *deciding) answerLose(i int, t *Task) *domain.Refusal {
	site, c, r := g.namedIn(Lose, t.Seat, t.Mask)
	if r != nil {
		return r
	}
	return g.lose(i, site, c)
}

func (l *lister) loses(t *Task) { l.named(Lose, l.seat, t.Mask, 1) }

// lose removes a card by force: under a stack of its back that the owner chooses, or,
// an open card, to the open stack.
func (g *deciding) lose(i int, site Site, c Card) *domain.Refusal {
	to, r := g.s.loseTo(c, g.mv.N)
	if r != nil {
		return r
	}
	g.loseCard(g.drop(i), site, c, to)
	return nil
}

// loseTo is where a card goes that its owner loses, as Op.To.
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
	return stack, s.takes(c, stack)
}

// loseCard removes a card by force; Irmgard consoles her owner.
func (g *deciding) loseCard(t Task, site Site, c Card, to uint8) {
	g.do(Op{Code: opRaze, Seat: t.Seat, Card: c, Site: site, To: to})
	if c.same(irmgard) || g.s.Realms[t.Seat].Marks&marksLoss == 0 {
		return
	}
	if keeper, e := g.s.Realms[t.Seat].effect("loss", "gain"); e != nil {
		g.push(Task{Kind: taskGain, Seat: t.Seat, N: uint8(e.N), Res: anyRes, Card: keeper})
	}
}

// autoLose gives up the only card there is, where it can only go to one stack.
func (g *deciding) autoLose(i int) bool {
	t := &g.s.Tasks[i]
	site, c, only := g.onlyTarget(t, t.Seat)
	if !only {
		return false
	}
	to := toOpen
	if !g.s.isOpen(c) || g.s.Rules&OpenToStack != 0 {
		n := 0
		for k := range g.s.stacksFor(c) {
			to = k
			n++
		}
		if n != 1 {
			return false
		}
	}
	g.loseCard(g.drop(i), site, c, to)
	return true
}

// answerSink gives up a trade ship.
func (g *deciding) answerSink(i int, t *Task) *domain.Refusal {
	site, c, r := g.namedIn(Lose, t.Seat, g.s.targets(t))
	if r != nil {
		return r
	}
	g.sink(i, site, c)
	return nil
}

func (l *lister) sinks(t *Task) { l.named(Lose, l.seat, l.s.targets(t), 0) }

func (g *deciding) autoSink(i int) bool {
	t := &g.s.Tasks[i]
	site, c, only := g.onlyTarget(t, t.Seat)
	if only {
		g.sink(i, site, c)
	}
	return only
}

func (g *deciding) sink(i int, site Site, c Card) {
	g.do(Op{Code: opRaze, Seat: g.drop(i).Seat, Card: c, Site: site})
}

// answerName names one more building for a Feud.
func (g *deciding) answerName(_ int, t *Task) *domain.Refusal {
	site, _, r := g.namedIn(NameCard, other(t.Seat), g.s.targets(t))
	if r != nil {
		return r
	}
	t.Mask |= 1 << site
	t.N--
	g.queued = true
	return nil
}

func (l *lister) names(t *Task) { l.named(NameCard, other(l.seat), l.s.targets(t), 0) }

func (s *State) noneToName(t *Task) bool { return t.N > 0 && s.noTargets(t) }

// autoName asks the other to give up one of the buildings that have been named.
func (g *deciding) autoName(i int) bool {
	if g.s.Tasks[i].N > 0 {
		return false
	}
	old := g.drop(i)
	g.push(Task{Kind: taskLose, Seat: other(old.Seat), Mask: old.Mask, Card: old.Card})
	return true
}

// answerBurn names the building that an Arsonist burns.
func (g *deciding) answerBurn(i int, t *Task) *domain.Refusal {
	site, _, r := g.namedIn(NameCard, other(t.Seat), t.Mask)
	if r != nil {
		return r
	}
	g.burn(i, site)
	return nil
}

func (g *deciding) autoBurn(i int) bool {
	t := &g.s.Tasks[i]
	site, _, only := g.onlyTarget(t, other(t.Seat))
	if only {
		g.burn(i, site)
	}
	return only
}

func (g *deciding) burn(i int, site Site) {
	old := g.drop(i)
	g.push(Task{Kind: taskLose, Seat: other(old.Seat), Mask: 1 << site, Card: old.Card})
}
