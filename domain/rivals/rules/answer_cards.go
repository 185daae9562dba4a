package rules

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers that name a card in play: to lose, to sink, for a Feud, or to burn.

// naming is how a card in play is named: whose it is, whether it goes under a stack, and what is done
// with it. That may be refused for the stack.
type naming struct {
	theirs, under bool
	done          func(*deciding, state.Task, table.Site, table.Card, uint8) *domain.Refusal
}

var (
	losing    = naming{under: true, done: (*deciding).lose}
	sinking   = naming{done: (*deciding).sink}
	namingOne = naming{theirs: true, done: (*deciding).name}
	burning   = naming{theirs: true, done: (*deciding).burn}
)

func (n *naming) owner(seat domain.Seat) domain.Seat {
	if n.theirs {
		return state.Other(seat)
	}
	return seat
}

func (n *naming) list(l *lister, t *state.Task) {
	l.named(kinds[t.Kind].verb, n.owner(l.seat), targets(l.s, t), n.under)
}

func (n *naming) answer(g *deciding, t state.Task) *domain.Refusal {
	owner, allowed := n.owner(t.Seat), targets(g.s, &t)
	site, c, r := g.namedCard(owner)
	if r != nil {
		return r
	}
	for slot := range 2 { // a city may hold two alike on one side
		at := table.SiteAt(site.Town(), site.Side(), slot)
		if d := g.s.Realms[owner].At(at); allowed&(1<<at) != 0 && d.Same(c) {
			return n.done(g, t, at, d, g.mv.N)
		}
	}
	return domain.Refuse("not-that-card", "card", c.Word())
}

// auto names the only card there is, if it can only go under one stack.
func (n *naming) auto(g *deciding) bool {
	t := g.s.Tasks[0]
	m := targets(g.s, &t)
	site := table.Site(bits.TrailingZeros64(m))
	c := g.s.Realms[n.owner(t.Seat)].At(site)
	stack := onlyStack(g.s, c)
	if m&(m-1) != 0 || n.under && stack == 0 && !goesOpen(g.s, c) {
		return false
	}
	g.drop()
	n.done(g, t, site, c, stack)
	return true
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

// lose removes a card by force: under a stack of its back that the owner chooses, or,
// an open card, to the open stack. Irmgard consoles her owner.
func (g *deciding) lose(t state.Task, site table.Site, c table.Card, stack uint8) *domain.Refusal {
	to, r := loseTo(g.s, c, stack)
	if r != nil {
		return r
	}
	g.do(state.Op{Code: state.OpRaze, Seat: t.Seat, Card: c, Site: site, To: to})
	if c.Same(table.Irmgard) || g.s.Realms[t.Seat].Marks&table.MarksLoss == 0 {
		return nil
	}
	if keeper, e := effect(&g.s.Realms[t.Seat], "loss", "gain"); e != nil {
		g.push(state.Task{Kind: state.TaskGain, Seat: t.Seat, N: uint8(e.N), Res: table.AnyRes, Card: keeper})
	}
	return nil
}

// loseTo is where a card goes that its owner loses, as Op.To.
func loseTo(s *state.State, c table.Card, stack uint8) (uint8, *domain.Refusal) {
	if goesOpen(s, c) {
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

func goesOpen(s *state.State, c table.Card) bool {
	return isOpen(s, c) && s.Rules&table.OpenToStack == 0
}

// onlyStack is the number of the stack that a lost card goes under, if there is just one.
func onlyStack(s *state.State, c table.Card) (only uint8) {
	if goesOpen(s, c) {
		return 0
	}
	for k := range stacksFor(s, c) {
		if only != 0 {
			return 0
		}
		only = k
	}
	return only
}

// sink discards a trade ship.
func (g *deciding) sink(t state.Task, site table.Site, c table.Card, _ uint8) *domain.Refusal {
	g.do(state.Op{Code: state.OpRaze, Seat: t.Seat, Card: c, Site: site})
	return nil
}

// name adds a building to those that are named for a Feud.
func (g *deciding) name(_ state.Task, site table.Site, _ table.Card, _ uint8) *domain.Refusal {
	g.s.Tasks[0].Mask |= 1 << site
	g.s.Tasks[0].N--
	g.queued = true
	return nil
}

func noneToName(s *state.State, t *state.Task) bool { return t.N > 0 && noTargets(s, t) }

// autoName asks the other to give up one of the buildings that have been named.
func (g *deciding) autoName() bool {
	if g.s.Tasks[0].N > 0 {
		return false
	}
	t := g.drop()
	g.loseOne(t, t.Mask)
	return true
}

// burn names the building that an Arsonist burns.
func (g *deciding) burn(t state.Task, site table.Site, _ table.Card, _ uint8) *domain.Refusal {
	g.loseOne(t, 1<<site)
	return nil
}

// loseOne asks the other to give up one of some cards.
func (g *deciding) loseOne(t state.Task, mask uint64) {
	g.push(state.Task{Kind: state.TaskLose, Seat: state.Other(t.Seat), Mask: mask, Card: t.Card})
}
