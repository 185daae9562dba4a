package rules

import (
	"math/bits"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers about the land: the two regions of a new settlement, swapping two things, arranging the six regions of the
// beginning.

// answerCorners lays the two regions of a new settlement.
func (g *deciding) answerCorners(t state.Task) *domain.Refusal {
	up, down := g.mv.Land, g.mv.Land2
	if t.N >= 2 && (up == down || !slices.Contains(offered(g.s, &t), up) || !slices.Contains(offered(g.s, &t), down)) {
		return domain.Refuse("not-that-region")
	}
	gap := int(t.Arg) // the free one beside the settlement
	if g.s.Realms[t.Seat].Regions[table.PlaceAt(gap, 0)].Number != 0 {
		gap++
	}
	g.do(state.Op{Code: state.OpLand, Seat: t.Seat, Land: up, Place: table.PlaceAt(gap, 0)})
	g.do(state.Op{Code: state.OpLand, Seat: t.Seat, Land: down, Place: table.PlaceAt(gap, 1)})
	if t.Card != table.NoCard { // Scout looked through the stack, so shuffle it again
		lands := kit.Shuffled(g.luck, "regions", g.s.Lands[:g.s.LandsN])
		g.dictateLands(lands)
		ops := make([]state.Op, len(lands))
		for k, land := range lands {
			ops[k] = state.Op{Code: state.OpLandAt, Land: land, At: int8(k)}
		}
		g.hidden(0, ops...)
	}
	return nil
}

func (l *lister) corners(t *state.Task) {
	for i, up := range offered(l.s, t) {
		for j, down := range offered(l.s, t) {
			if i != j || t.N < 2 {
				l.add(state.Move{Verb: state.Corners, Land: up, Land2: down})
			}
		}
	}
}

// dictateLands brings the region cards that a script names to the top of the stack just shuffled.
func (g *deciding) dictateLands(lands []table.Land) {
	o, _ := g.luck.Dictated("regions")
	for k, name := range strings.Fields(o.Words) {
		land, ok := table.LandNamed(table.Fold(name))
		at := len(lands) - 1 - k
		from := table.LastIndex(lands[:max(0, at+1)], func(l table.Land) bool { return ok && l == land })
		if from < 0 {
			g.luck.Reject("regions", o, name+" is not in the region stack")
			return
		}
		lands[at], lands[from] = lands[from], lands[at]
	}
}

// offered returns the region cards that may be laid: the top ones, or all of them with Scout.
func offered(s *state.State, t *state.Task) []table.Land {
	return s.Lands[max(0, int(s.LandsN)-int(t.N)):s.LandsN]
}

// answerMove swaps two regions or two cards.
func (g *deciding) answerMove(t state.Task) *domain.Refusal {
	switch g.mv.Verb {
	case state.SwapPlaces:
		r := &g.s.Realms[t.Seat]
		a, b := g.mv.Place.Place(), g.mv.Place2.Place()
		if a >= table.CachePlace || b >= table.CachePlace || a == b || r.Regions[a].Number == 0 ||
			r.Regions[b].Number == 0 {
			return domain.Refuse("no-region")
		}
		g.do(state.Op{Code: state.OpSwapReg, Seat: g.seat, Place: a, Place2: b})
		return nil
	case state.SwapCards:
		a, _, r := findCard(g.s, t.Seat, g.mv.Card, g.mv.At, g.mv.Side)
		if r != nil {
			return r
		}
		b, _, r := findCard(g.s, t.Seat, g.mv.Card2, g.mv.At2, g.mv.Side2)
		if r == nil && !maySwap(g.s, t.Seat, a, b) {
			r = domain.Refuse("cannot-stand-there")
		}
		if r == nil {
			g.do(state.Op{Code: state.OpSwapCrd, Seat: g.seat, Site: a, Site2: b})
		}
		return r
	}
	return domain.Refuse("move-first")
}

func (l *lister) moves(*state.Task) {
	for a := range table.Place(table.RegionsN) {
		for b := a + 1; b < table.RegionsN; b++ {
			if l.r.Regions[a].Number != 0 && l.r.Regions[b].Number != 0 {
				l.add(state.Move{Verb: state.SwapPlaces, Place: state.WordPlace(a), Place2: state.WordPlace(b)})
			}
		}
	}
	seen := map[state.Move]bool{}
	for a, c := range l.r.Cards() {
		for b, d := range l.r.Cards() {
			if a >= b || c.Same(d) || a/2 == b/2 || !maySwap(l.s, l.seat, a, b) {
				continue
			}
			m := state.Move{Verb: state.SwapCards, Card: c, At: int8(a.Town() - table.Origin),
				Side:  uint8(a.Side()) + 1,
				Card2: d, At2: int8(b.Town() - table.Origin), Side2: uint8(b.Side()) + 1}
			if !seen[m] {
				seen[m] = true
				l.add(m)
			}
		}
	}
}

// maySwap reports whether two cards may change places: each may stand where the other stood.
func maySwap(s *state.State, seat domain.Seat, a, b table.Site) bool {
	r := &s.Realms[seat]
	c, d := r.At(a), r.At(b)
	if a == b || c == table.NoCard || d == table.NoCard {
		return false
	}
	return (c.Row().Kind != table.CityCard || r.Towns[b.Town()].Level == state.CityTown) &&
		(d.Row().Kind != table.CityCard || r.Towns[a.Town()].Level == state.CityTown)
}

// answerArrange puts the six regions of the beginning in a new order: Order[k] is the region (of the six places,
// above from the left and then below) that moves to place k.
func (g *deciding) answerArrange(t state.Task) *domain.Refusal {
	var seen uint8
	for _, k := range g.mv.Order {
		seen |= 1 << k
	}
	if seen != 1<<6-1 {
		return domain.Refuse("arrange-all")
	}
	order := g.mv.Order
	for k := range order {
		for int(order[k]) != k {
			j := order[k]
			g.do(state.Op{Code: state.OpSwapReg, Seat: t.Seat, Place: state.StartPlace(k),
				Place2: state.StartPlace(int(j))})
			// what lay at k now lies at j, and vice versa
			for m := range order {
				if int(order[m]) == k {
					order[m] = j
					break
				}
			}
			order[k] = uint8(k)
		}
	}
	return nil
}

// orders is the number of orders of six regions.
const orders = 720

// arrangement returns the n-th order of six regions, in lexicographic order; the first changes nothing.
func arrangement(n int) state.Move {
	m := state.Move{Verb: state.Arrange}
	left := [6]uint8{0, 1, 2, 3, 4, 5}
	for k, ways := 0, orders; k < 6; k++ {
		ways /= 6 - k
		i := n / ways
		n %= ways
		m.Order[k] = left[i]
		copy(left[i:], left[i+1:])
	}
	return m
}

// Answers that name a card in play: one to lose, to sink, for a Feud, or to burn.

// naming describes how to name a card in play: whose it is, whether it goes under a stack, and what happens to it.
// That may refuse the stack.
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
	for slot := range 2 { // a city may hold two identical cards on one side
		at := table.SiteAt(site.Town(), site.Side(), slot)
		if d := g.s.Realms[owner].At(at); allowed&(1<<at) != 0 && d.Same(c) {
			return n.done(g, t, at, d, g.mv.N)
		}
	}
	return domain.Refuse("not-that-card", "card", c.Word())
}

// auto names the only card there is, if it can go under only one stack.
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

// targets returns the sites that an answer to a task about cards may name.
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

// lose removes a card by force: to under a stack of its back that the owner chooses or, for an open card, to
// the open stack. Irmgard consoles her owner.
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

// loseTo returns where a card goes that its owner loses, as in Op.To.
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

// onlyStack returns the number of the stack that a lost card goes under, if there is only one.
func onlyStack(s *state.State, c table.Card) uint8 {
	if all := slices.Collect(stacksFor(s, c)); len(all) == 1 && !goesOpen(s, c) {
		return all[0]
	}
	return 0
}

// sink discards a trade ship.
func (g *deciding) sink(t state.Task, site table.Site, c table.Card, _ uint8) *domain.Refusal {
	g.do(state.Op{Code: state.OpRaze, Seat: t.Seat, Card: c, Site: site})
	return nil
}

// name adds a building to those named for a Feud.
func (g *deciding) name(_ state.Task, site table.Site, _ table.Card, _ uint8) *domain.Refusal {
	g.s.Tasks[0].Mask |= 1 << site
	g.s.Tasks[0].N--
	g.queued = true
	return nil
}

// autoName asks the other to give up one of the named buildings.
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

// loseOne asks the other to give up one of several cards.
func (g *deciding) loseOne(t state.Task, mask uint64) {
	g.push(state.Task{Kind: state.TaskLose, Seat: state.Other(t.Seat), Mask: mask, Card: t.Card})
}
