package rules

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers that name a card in play: to lose, to sink, for a Feud, or to burn.

// namedIn finds the card that a move names with this verb, among allowed sites.
func (g *deciding) namedIn(v state.Verb, owner domain.Seat, allowed uint64) (table.Site, table.Card, *domain.Refusal) {
	if g.mv.Verb != v {
		return table.NoSite, table.NoCard, domain.Refuse("name-a-card")
	}
	site, c, r := g.namedCard(owner)
	if r != nil {
		return site, c, r
	}
	for slot := range 2 { // a city may hold two alike on one side
		at := table.SiteAt(site.Town(), site.Side(), slot)
		if d := g.s.Realms[owner].At(at); allowed&(1<<at) != 0 && d.Same(c) {
			return at, d, nil
		}
	}
	return table.NoSite, table.NoCard, domain.Refuse("not-that-card", "card", c.Word())
}

// targets are the sites that a task about cards lets be named.
func targets(s *state.State, t *state.Task) uint64 {
	switch t.Kind {
	case state.TaskSink:
		return s.Realms[t.Seat].Sites(func(row *table.Row) bool { return row.Ship })
	case state.TaskName:
		return buildings(s, state.Other(t.Seat)) &^ t.Mask
	}
	return t.Mask
}

func noTargets(s *state.State, t *state.Task) bool { return targets(s, t) == 0 }

// onlyTarget is the one site that can be named, and its card.
func (g *deciding) onlyTarget(t *state.Task, owner domain.Seat) (table.Site, table.Card, bool) {
	m := targets(g.s, t)
	site := table.Site(bits.TrailingZeros64(m))
	return site, g.s.Realms[owner].At(site), m&(m-1) == 0
}

// answerLose gives up a card that is lost by force.
func (g *deciding) answerLose(i int, t *state.Task) *domain.Refusal {
	site, c, r := g.namedIn(state.Lose, t.Seat, t.Mask)
	if r != nil {
		return r
	}
	return g.lose(i, site, c)
}

func (l *lister) loses(t *state.Task) { l.named(state.Lose, l.seat, t.Mask, 1) }

// lose removes a card by force: under a stack of its back that the owner chooses, or,
// an open card, to the open stack.
func (g *deciding) lose(i int, site table.Site, c table.Card) *domain.Refusal {
	to, r := loseTo(g.s, c, g.mv.N)
	if r != nil {
		return r
	}
	g.loseCard(g.drop(i), site, c, to)
	return nil
}

// loseTo is where a card goes that its owner loses, as Op.To.
func loseTo(s *state.State, c table.Card, stack uint8) (uint8, *domain.Refusal) {
	if isOpen(s, c) && s.Rules&table.OpenToStack == 0 {
		if stack != 0 {
			return 0, domain.Refuse("no-stack", "n", int(stack))
		}
		return state.ToOpen, nil
	}
	if stack == 0 {
		return 0, domain.Refuse("which-stack")
	}
	return stack, takes(s, c, stack)
}

// loseCard removes a card by force; Irmgard consoles her owner.
func (g *deciding) loseCard(t state.Task, site table.Site, c table.Card, to uint8) {
	g.do(state.Op{Code: state.OpRaze, Seat: t.Seat, Card: c, Site: site, To: to})
	if c.Same(table.Irmgard) || g.s.Realms[t.Seat].Marks&table.MarksLoss == 0 {
		return
	}
	if keeper, e := effect(&g.s.Realms[t.Seat], "loss", "gain"); e != nil {
		g.push(state.Task{Kind: state.TaskGain, Seat: t.Seat, N: uint8(e.N), Res: table.AnyRes, Card: keeper})
	}
}

// autoLose gives up the only card there is, where it can only go to one stack.
func (g *deciding) autoLose(i int) bool {
	t := &g.s.Tasks[i]
	site, c, only := g.onlyTarget(t, t.Seat)
	if !only {
		return false
	}
	to := state.ToOpen
	if !isOpen(g.s, c) || g.s.Rules&table.OpenToStack != 0 {
		n := 0
		for k := range stacksFor(g.s, c) {
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
func (g *deciding) answerSink(i int, t *state.Task) *domain.Refusal {
	site, c, r := g.namedIn(state.Lose, t.Seat, targets(g.s, t))
	if r != nil {
		return r
	}
	g.sink(i, site, c)
	return nil
}

func (l *lister) sinks(t *state.Task) { l.named(state.Lose, l.seat, targets(l.s, t), 0) }

func (g *deciding) autoSink(i int) bool {
	t := &g.s.Tasks[i]
	site, c, only := g.onlyTarget(t, t.Seat)
	if only {
		g.sink(i, site, c)
	}
	return only
}

func (g *deciding) sink(i int, site table.Site, c table.Card) {
	g.do(state.Op{Code: state.OpRaze, Seat: g.drop(i).Seat, Card: c, Site: site})
}

// answerName names one more building for a Feud.
func (g *deciding) answerName(_ int, t *state.Task) *domain.Refusal {
	site, _, r := g.namedIn(state.NameCard, state.Other(t.Seat), targets(g.s, t))
	if r != nil {
		return r
	}
	t.Mask |= 1 << site
	t.N--
	g.queued = true
	return nil
}

func (l *lister) names(t *state.Task) {
	l.named(state.NameCard, state.Other(l.seat), targets(l.s, t), 0)
}

func noneToName(s *state.State, t *state.Task) bool { return t.N > 0 && noTargets(s, t) }

// autoName asks the other to give up one of the buildings that have been named.
func (g *deciding) autoName(i int) bool {
	if g.s.Tasks[i].N > 0 {
		return false
	}
	old := g.drop(i)
	g.push(state.Task{Kind: state.TaskLose, Seat: state.Other(old.Seat), Mask: old.Mask, Card: old.Card})
	return true
}

// answerBurn names the building that an Arsonist burns.
func (g *deciding) answerBurn(i int, t *state.Task) *domain.Refusal {
	site, _, r := g.namedIn(state.NameCard, state.Other(t.Seat), t.Mask)
	if r != nil {
		return r
	}
	g.burn(i, site)
	return nil
}

func (g *deciding) autoBurn(i int) bool {
	t := &g.s.Tasks[i]
	site, _, only := g.onlyTarget(t, state.Other(t.Seat))
	if only {
		g.burn(i, site)
	}
	return only
}

func (g *deciding) burn(i int, site table.Site) {
	old := g.drop(i)
	g.push(state.Task{Kind: state.TaskLose, Seat: state.Other(old.Seat), Mask: 1 << site, Card: old.Card})
}
