package rules

import (
	"iter"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// drawing fills the hand, or lays off the excess.
func (g *deciding) drawing() *domain.Refusal {
	r := &g.s.Realms[g.seat]
	limit := g.s.HandLimit(g.seat)
	switch {
	case g.mv.Verb == state.Draw && int(r.HandN) < limit:
		stacks := [5]uint8{g.mv.N, g.mv.Draws[0], g.mv.Draws[1], g.mv.Draws[2], g.mv.Draws[3]}
		for _, n := range stacks {
			if n == 0 {
				break
			}
			if int(r.HandN) >= limit {
				return domain.Refuse("hand-full", "limit", limit)
			}
			if refusal := g.draw(n); refusal != nil {
				return refusal
			}
		}
	case g.mv.Verb == state.LayOff && int(r.HandN) > limit:
		if refusal := g.layOff(g.mv.Card, g.mv.N); refusal != nil {
			return refusal
		}
		g.public = "discard ? " + table.Digits(g.mv.N)
	case int(r.HandN) < limit:
		return domain.Refuse("draw-first", "limit", limit)
	default:
		return domain.Refuse("lay-off-first", "limit", limit)
	}
	g.afterHand()
	return nil
}

// afterHand continues once the hand is at its limit, or cannot be filled.
func (g *deciding) afterHand() {
	have, limit := int(g.s.Realms[g.seat].HandN), g.s.HandLimit(g.seat)
	switch {
	case have > limit, have < limit && anyStack(g.s):
		if g.s.Phase != state.Drawing {
			g.do(state.Op{Code: state.OpPhase, Seat: g.seat, Phase: state.Drawing})
		}
	case have == 0:
		g.endTurn()
	default:
		g.do(state.Op{Code: state.OpPhase, Seat: g.seat, Phase: state.Exchanging})
	}
}

func anyStack(s *state.State) bool {
	for i := range int(s.DecksN) {
		if s.Decks[i].N > 0 {
			return true
		}
	}
	return false
}

func (g *deciding) draw(stack uint8) *domain.Refusal {
	if stack < 1 || stack > g.s.DecksN {
		return domain.Refuse("no-stack", "n", int(stack))
	}
	d := &g.s.Decks[stack-1]
	if d.N == 0 {
		return domain.Refuse("stack-empty", "n", int(stack))
	}
	c := d.Slots[d.N-1].Card
	g.do(state.Op{Code: state.OpDraw, Seat: g.seat, Stack: int8(stack - 1)})
	g.tell(domain.To(g.seat), state.Op{Code: state.OpDrew, Seat: g.seat, Card: c})
	return nil
}

// layOff puts a hand card face down under a stack with its back.
func (g *deciding) layOff(c table.Card, stack uint8) *domain.Refusal {
	c, r := g.handCard(c)
	if r != nil {
		return r
	}
	if r := takes(g.s, c, stack); r != nil {
		return r
	}
	g.do(state.Op{Code: state.OpLaid, Seat: g.seat, Stack: int8(stack - 1)})
	g.hidden(domain.To(g.seat), state.Op{Code: state.OpUnder, Seat: g.seat, Card: c, Stack: int8(stack - 1),
		Seen: state.Bit(g.seat)})
	return nil
}

// stacksFor yields the numbers of the stacks that bear a card's back.
func stacksFor(s *state.State, c table.Card) iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		for k := range s.DecksN {
			if s.Decks[k].Set == c.Set() && !yield(k+1) {
				return
			}
		}
	}
}

// takes refuses a card that must not go under a stack: their backs must match.
func takes(s *state.State, c table.Card, stack uint8) *domain.Refusal {
	if stack < 1 || stack > s.DecksN {
		return domain.Refuse("no-stack", "n", int(stack))
	}
	if s.Decks[stack-1].Set != c.Set() {
		return domain.Refuse("wrong-back", "card", c.Word(), "n", int(stack))
	}
	return nil
}

// exchanging judges the optional exchange of one hand card (Rivals, "Exchange cards").
func (g *deciding) exchanging() *domain.Refusal {
	switch g.mv.Verb {
	case state.Pass:
		g.endTurn()
		return nil
	case state.Swap, state.Search:
		if r := g.layOff(g.mv.Card, g.mv.N); r != nil {
			return r
		}
		if g.mv.Verb == state.Search {
			g.public = "search ? " + table.Digits(g.mv.N)
			price := searchPrice(&g.s.Realms[g.seat])
			if g.s.Realms[g.seat].Stock().Total() < price {
				return domain.Refuse("search-price", "n", price)
			}
			if price > 0 {
				g.push(state.Task{Kind: state.TaskPay, Seat: g.seat, N: uint8(price)})
			}
			g.push(state.Task{Kind: state.TaskSearch, Seat: g.seat}) // the player must then take a card
			return nil
		}
		if r := g.draw(g.mv.N2); r != nil {
			return r
		}
		g.public = swapped[g.mv.N][g.mv.N2]
		g.endTurn()
		return nil
	}
	if g.mv.Verb == state.Stack || g.mv.Verb == state.Take {
		return domain.Refuse("search-first", "card", g.s.Realms[g.seat].Hand[0].Card.Word())
	}
	return domain.Refuse("exchange-or-pass")
}

// searchPrice returns the price of choosing a card from a stack.
func searchPrice(r *state.Realm) int {
	price := int8(2)
	if r.Marks&table.MarksSearch == 0 {
		return int(price)
	}
	for _, c := range r.Cards() {
		for _, e := range c.Row().Effects {
			if e.On == "search" {
				price = min(price, e.N)
			}
		}
	}
	return int(price)
}

// swapped is the public text for an exchanged card, by the two stacks.
var swapped = func() (all [table.DecksN + 1][table.DecksN + 1]string) {
	for under := range all {
		for from := range all[under] {
			all[under][from] = "swap ? " + table.Digits(uint8(under)) + " " + table.Digits(uint8(from))
		}
	}
	return all
}()

// rates returns a seat's better rates: how often Mints work in a turn, the resources of its trade ships and, for each
// resource, the regions beside a Large Trade Ship that can pay two.
func rates(s *state.State, seat domain.Seat) (mints uint8, ships table.ResMask, near [table.Resources]uint64) {
	r := &s.Realms[seat]
	for at := range table.In[table.Site](r.Near) {
		least := uint8(r.At(at).Row().Bank.N)
		for _, p := range table.Neighbours(at) {
			if q := r.Regions[p]; q.Stored >= least {
				near[q.Terrain] |= 1 << p
			}
		}
	}
	return r.Mints, r.Rates, near
}

// rate checks whether a seat can exchange a resource at n to 1, and returns which places may pay if not all of them.
func rate(s *state.State, seat domain.Seat, res table.Res, n uint8) (ok bool, from uint64) {
	mints, ships, near := rates(s, seat)
	switch {
	case n == 3 || n == 2 && ships.Has(res):
		return true, 0
	case n == 1:
		return res == table.GoldRes && mints > s.Mints, 0
	}
	return near[res] != 0, near[res]
}

// mayBank returns what prevents an exchange. What the seat cannot store is lost, but it may exchange for it.
func mayBank(s *state.State, seat domain.Seat, n uint8, give, want table.Res) check {
	r := &s.Realms[seat]
	switch {
	case give >= table.Resources || n < 1 || n > 3:
		return "unreadable"
	case give == want:
		return "same-resource"
	case r.Lies(give) < n:
		return "cannot-pay"
	}
	ok, _ := rate(s, seat, give, n)
	switch {
	case ok:
		return ""
	case n == 1 && give == table.GoldRes && r.Mints > 0:
		return "mint-used"
	case n == 2 && r.Near != 0:
		return "rate-apart"
	}
	return "no-such-rate"
}

// wanted returns the resources an exchange may bring: the one named, or any other than the one given.
func wanted(give, want table.Res) table.ResMask {
	if want < table.Resources {
		return table.Only(want)
	}
	return table.AnyRes &^ table.Only(give)
}

// bank exchanges resources: always three of a kind for another, two with a trade ship of that kind or from one region
// beside a Large Trade Ship, one gold with a Mint. The move may name what it wants, or the game asks.
func (g *deciding) bank() *domain.Refusal {
	n, give, want := g.mv.N, g.mv.Res.Res(), g.mv.Res2.Res()
	switch wrong := mayBank(g.s, g.seat, n, give, want); wrong {
	case "":
	case "cannot-pay":
		return tooDear(g.s.Realms[g.seat].Stock(), table.Just(give, n), 0)
	default:
		what := domain.S("bank.any-other")
		if want < table.Resources {
			what = domain.S("res." + want.String())
		}
		return wrong.refusal("n", int(n), "resource", what)
	}
	_, from := rate(g.s, g.seat, give, n)
	t := state.Task{Kind: state.TaskPay, Seat: g.seat, Mask: from, Need: table.Just(give, n)}
	if from != 0 {
		t.Arg = state.FromOne
	}
	if n == 1 {
		g.do(state.Op{Code: state.OpMint, Seat: g.seat})
	}
	g.push(t)
	g.push(state.Task{Kind: state.TaskGain, Seat: g.seat, N: 1, Res: wanted(give, want)})
	return nil
}
