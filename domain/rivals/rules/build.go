package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// acts are the moves of the action phase, in any order and number (Rivals, "Action phase").
var acts = [state.Verbs]func(*deciding) *domain.Refusal{
	state.Road: (*deciding).centre, state.Settle: (*deciding).centre, state.City: (*deciding).centre,
	state.Build: (*deciding).build, state.PlayCard: (*deciding).play, state.Bank: (*deciding).bank,
	state.Remove:   (*deciding).remove,
	state.End:      func(g *deciding) *domain.Refusal { g.afterHand(); return nil },
	state.Close:    (*deciding).close,
	state.RollDice: func(*deciding) *domain.Refusal { return domain.Refuse("rolled-already") },
}

func (g *deciding) acting() *domain.Refusal {
	if act := acts[g.mv.Verb]; act != nil {
		return act(g)
	}
	return domain.Refuse("not-in-act")
}

// check is a reason code, or "" if nothing prevents it.
type check string

func (c check) refusal(pairs ...any) *domain.Refusal { return domain.Refuse(string(c), pairs...) }

// ofCard is the refusal of a card that a seat would use.
func (c check) ofCard(s *state.State, seat domain.Seat, card table.Card) *domain.Refusal {
	if c == "cannot-pay" {
		return tooDearCard(s, seat, card.Row())
	}
	return c.refusal("card", card.Word(), "what", needSay(card.Row()))
}

// covers reports whether the stock is enough for a cost.
func covers(g table.Goods, cost table.Goods) bool {
	left := 0 // negative if any is
	for i, n := range cost {
		left |= int(g[i]) - int(n)
	}
	return left >= 0
}

// affords is covers for a cost that leaves out one resource of choice, less times.
func affords(g table.Goods, cost table.Goods, less int8) bool {
	return lacks(g, cost).Total() <= int(less)
}

// lacks returns what the stock lacks for a cost.
func lacks(g, cost table.Goods) (missing table.Goods) {
	for i, n := range cost {
		missing[i] = n - min(n, g[i])
	}
	return missing
}

// missing says what the stock lacks for a cost that leaves out one resource of choice, less times.
func missing(g, cost table.Goods, less int8) domain.Say {
	key := "not.missing"
	if less > 0 {
		key = "not.missing-less"
	}
	return domain.S(key, "goods", table.GoodsSay(lacks(g, cost)), "n", int(less))
}

// tooDear refuses what the stock does not cover.
func tooDear(g, cost table.Goods, less int8) *domain.Refusal {
	return domain.Refuse("cannot-pay", "cost", table.GoodsSay(cost), "missing", missing(g, cost, less))
}

// tooDearCard refuses a card that a seat cannot pay for: to build it, or to play it.
func tooDearCard(s *state.State, seat domain.Seat, row *table.Row) *domain.Refusal {
	have := s.Realms[seat].Stock()
	i := slices.IndexFunc(row.Play, func(e table.Effect) bool { return e.Do == "pay" })
	switch {
	case i < 0:
		return tooDear(have, row.Cost, discount(s, seat, row))
	case row.Play[i].What != "any":
		return tooDear(have, table.Just(row.Play[i].Goods.First(), uint8(row.Play[i].N)), 0)
	}
	n := int(row.Play[i].N)
	return domain.Refuse("cannot-pay", "cost", domain.S("goods.any", "n", n), "missing",
		domain.S("not.missing", "goods", domain.S("goods.any", "n", n-have.Total())))
}

// pay asks for a cost, after asking which resources a discount saves.
func (g *deciding) pay(cost table.Goods, less int8, c table.Card) {
	t := state.Task{Kind: state.TaskPay, Seat: g.seat, Need: cost, Card: c}
	if less > 0 {
		t.Kind, t.N = state.TaskSave, uint8(less)
	}
	g.push(t)
}

// centre builds a road, a settlement or a city.
func (g *deciding) centre() *domain.Refusal {
	var wrong check
	var cost table.Goods
	t := state.Task{Seat: g.seat}
	switch g.mv.Verb {
	case state.Road:
		t.Kind, cost = state.TaskRoad, table.RoadCost
		t.Arg, wrong = roadGap(g.s, g.seat, g.mv.Right)
	case state.Settle:
		t.Kind, cost = state.TaskSettle, table.SettlementCost
		t.Arg, wrong = settleTown(g.s, g.seat, g.mv.Right)
	case state.City:
		t.Kind, t.Arg, cost = state.TaskCity, int16(g.mv.At)+table.Origin, table.CityCost
		wrong = mayCity(g.s, g.seat, int(t.Arg))
	}
	if wrong != "" {
		return wrong.refusal()
	}
	if have := g.s.Realms[g.seat].Stock(); !covers(have, cost) {
		return tooDear(have, cost, 0)
	}
	if g.mv.Card != table.NoCard {
		var r *domain.Refusal
		if t.Card, r = g.handCard(g.mv.Card); r != nil {
			return r
		}
		if !t.Card.Same(table.Scout) {
			return domain.Refuse("not-with-settlement", "card", t.Card.Word())
		}
	}
	g.pay(cost, 0, table.NoCard)
	g.push(t)
	return nil
}

// roadGap returns the column left of a new road on that side, or -1 if there cannot be one: a road touches a
// settlement, and no second one is built before its end has a settlement.
func roadGap(s *state.State, seat domain.Seat, right bool) (int16, check) {
	r := &s.Realms[seat]
	gap := int16(r.Left) - 1
	if right {
		gap = int16(r.Right)
	}
	switch {
	case s.Roads == 0:
		return -1, "none-left"
	case gap < 0 || gap+1 >= table.Columns:
		return -1, "no-place"
	case r.Roads&(1<<gap) != 0:
		return -1, "road-there"
	}
	return gap, ""
}

// settleTown returns the column of a new settlement on that side: the free end of a road.
func settleTown(s *state.State, seat domain.Seat, right bool) (int16, check) {
	r := &s.Realms[seat]
	town, gap := int16(r.Left)-1, int16(r.Left)-1
	if right {
		town, gap = int16(r.Right)+1, int16(r.Right)
	}
	switch {
	case s.Settlements == 0:
		return -1, "none-left"
	case town < 0 || town >= table.Columns || r.Roads&(1<<gap) == 0:
		return -1, "road-missing"
	}
	return town, ""
}

func mayCity(s *state.State, seat domain.Seat, town int) check {
	switch {
	case town < 0 || town >= table.Columns || s.Realms[seat].Towns[town].Level == state.NoTown:
		return "city-on-settlement"
	case s.Realms[seat].Towns[town].Level == state.CityTown:
		return "city-there"
	case s.Cities == 0:
		return "none-left"
	}
	return ""
}

// handCard finds the mover's card: this printing, or another with the same name.
func (g *deciding) handCard(c table.Card) (table.Card, *domain.Refusal) {
	i := -1
	if c != table.NoCard {
		i = g.s.Realms[g.seat].InHand(c)
	}
	if i < 0 {
		return table.NoCard, domain.Refuse("not-in-hand", "card", c.Word())
	}
	return g.s.Realms[g.seat].Hand[i].Card, nil
}

// use puts a played card on the discard pile.
func (g *deciding) use(c table.Card) { g.do(state.Op{Code: state.OpUse, Seat: g.seat, Card: c}) }

// mayBuild returns what prevents a seat with this stock from building a card anywhere.
func mayBuild(s *state.State, seat domain.Seat, c table.Card, stock table.Goods) check {
	row := c.Row()
	r := &s.Realms[seat]
	switch {
	case row.Kind == table.ActionCard || row.Kind == table.EventCard:
		return "not-a-building"
	case row.One && r.Has(c):
		return "one-only"
	case !meets(s, seat, row):
		return "needs"
	case !affords(stock, row.Cost, discount(s, seat, row)):
		return "cannot-pay"
	}
	return ""
}

// discount returns how many resources of choice a card costs less (Drill Ground, Building Crane; the crane counts the
// printed cost, A-25).
func discount(s *state.State, seat domain.Seat, row *table.Row) (n int8) {
	if s.Realms[seat].Marks&table.MarksLess == 0 || !row.Hero && row.Kind != table.CityCard {
		return 0
	}
	for _, c := range s.Realms[seat].Cards() {
		for _, e := range c.Row().Less {
			if e.Of[0] == "hero" && row.Hero || e.Of[0] == "city" && row.Kind == table.CityCard &&
				row.Cost.Total() > int(e.Over) {
				n += e.N
			}
		}
	}
	return min(n, int8(row.Cost.Total()))
}

// freeSite returns where a card may stand on that side of a town, or NoSite and why not.
func freeSite(s *state.State, seat domain.Seat, c table.Card, town, side int) (table.Site, check) {
	if town < 0 || town >= table.Columns || s.Realms[seat].Towns[town].Level == state.NoTown {
		return table.NoSite, "no-town"
	}
	r, first := &s.Realms[seat], table.SiteAt(town, side, 0)
	for at := range table.In[table.Site](freeSites(r, c) & (3 << first)) {
		return at, ""
	}
	switch {
	case c.Row().Kind == table.CityCard && r.Towns[town].Level != state.CityTown:
		return table.NoSite, "city-only"
	case c.Same(table.TownHall):
		return table.NoSite, "on-parish-hall"
	}
	return table.NoSite, "site-taken"
}

// freeSites returns the sites where a card may stand, one on each side.
func freeSites(r *state.Realm, c table.Card) uint64 {
	free := r.Vacant
	if c.Same(table.TownHall) {
		free = r.Sites(func(row *table.Row) bool { return row == table.ParishHall.Row() })
	}
	if c.Row().Kind == table.CityCard {
		free &= r.InCities
	}
	return free &^ (free & sitesNear << 1)
}

func (g *deciding) build() *domain.Refusal {
	c, open := g.mv.Card, g.s.OpenN > 0 && isOpen(g.s, g.mv.Card)
	if open {
		c = g.s.Open
	} else if held, r := g.handCard(c); r != nil {
		return r
	} else {
		c = held
	}
	if wrong := mayBuild(g.s, g.seat, c, g.s.Realms[g.seat].Stock()); wrong != "" {
		return wrong.ofCard(g.s, g.seat, c)
	}
	if g.mv.Side != state.Above && g.mv.Side != state.Below {
		return domain.Refuse("side-missing")
	}
	site := table.NoSite
	if c.Same(table.GoldCache) {
		gap := int(g.mv.At) + table.Origin
		if gap < 0 || gap >= table.Gaps ||
			g.s.Realms[g.seat].Regions[table.PlaceAt(gap, int(g.mv.Side-1))].Number == 0 {
			return domain.Refuse("no-region")
		}
		site = table.Site(table.PlaceAt(gap, int(g.mv.Side-1)))
	} else {
		var wrong check
		if site, wrong = freeSite(g.s, g.seat, c, int(g.mv.At)+table.Origin, int(g.mv.Side-1)); wrong != "" {
			return wrong.refusal("card", c.Word())
		}
	}
	g.pay(c.Row().Cost, discount(g.s, g.seat, c.Row()), c)
	g.push(state.Task{Kind: state.TaskPlace, Seat: g.seat, Card: c, Site: site, Arg: int16(table.BoolInt(open))})
	return nil
}

// place puts a paid card on its site and triggers what it does when built.
func (g *deciding) place(t state.Task) {
	code := state.OpBuild
	switch {
	case t.Card.Same(table.GoldCache):
		g.do(state.Op{Code: state.OpCache, Seat: t.Seat, Card: t.Card, Place: table.Place(t.Site)})
		return
	case t.Arg == 1:
		code = state.OpOpen
	}
	g.do(state.Op{Code: code, Seat: t.Seat, Card: t.Card, Site: t.Site})
	for i := range t.Card.Row().Build {
		g.whenBuilt(t.Seat, t.Card, &t.Card.Row().Build[i])
	}
}

// whenBuilt carries out what a card does at the moment it is built, after its cost was paid in full.
func (g *deciding) whenBuilt(seat domain.Seat, c table.Card, e *table.Effect) {
	r, o := &g.s.Realms[seat], &g.s.Realms[state.Other(seat)]
	switch e.Do {
	case "gain":
		if e.If == "more-skill" && r.Points.Skill <= o.Points.Skill {
			return
		}
		n, arg := e.N, int16(0)
		if e.Per == "hero" {
			n *= r.Heroes
		}
		if e.What == "grain-or-wool" {
			arg = state.OneKind
		}
		if n > 0 {
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(n), Res: e.Goods, Card: c, Arg: arg})
		}
	case "sink":
		if o.Ships > 0 {
			g.push(state.Task{Kind: state.TaskSink, Seat: state.Other(seat), N: uint8(e.N), Card: c})
		}
	case "search":
		g.push(state.Task{Kind: state.TaskSearch, Seat: seat, Card: c})
	}
}

// newSettlement lays the settlement; its two regions come from the top of the stack, or the player chooses from all
// of it with Scout.
func (g *deciding) newSettlement(t state.Task) {
	g.do(state.Op{Code: state.OpSettle, Seat: t.Seat, Column: int8(t.Arg)})
	n := min(2, int(g.s.LandsN))
	if t.Card != table.NoCard {
		g.use(t.Card)
		n = int(g.s.LandsN)
	}
	g.push(state.Task{Kind: state.TaskCorners, Seat: t.Seat, Arg: t.Arg, N: uint8(n), Card: t.Card})
	if t.Card != table.NoCard {
		var lands []state.Op
		for _, land := range g.s.Lands[:g.s.LandsN] {
			lands = append(lands, state.Op{Code: state.OpSawLand, Seat: t.Seat, Land: land})
		}
		g.tell(domain.To(t.Seat), lands...)
		return
	}
	for _, land := range g.s.Lands[max(0, int(g.s.LandsN)-2):g.s.LandsN] {
		g.do(state.Op{Code: state.OpShowLand, Seat: t.Seat, Land: land})
	}
}

// remove takes away a building or unit of one's own, at any time in the action phase and for free; an open card goes
// back to the open stack. The Gold Cache cannot be removed.
func (g *deciding) remove() *domain.Refusal {
	if wrong := mayRemove(g.s); wrong != "" {
		return wrong.refusal()
	}
	if g.mv.Card.Same(table.GoldCache) && g.s.Realms[g.seat].Cache != table.NoPlace {
		return domain.Refuse("cache-stays")
	}
	site, c, r := g.namedCard(g.seat)
	if r != nil {
		return r
	}
	g.do(state.Op{Code: state.OpRemoval, Seat: g.seat})
	if e := c.Row().Bank; e != nil && e.Times > 0 && g.s.Mints > 0 { // of several, one that was used
		g.do(state.Op{Code: state.OpMintGone, Seat: g.seat})
	}
	to := state.ToDiscard
	if isOpen(g.s, c) {
		to = state.ToOpen
	}
	g.do(state.Op{Code: state.OpRaze, Seat: g.seat, Card: c, Site: site, To: to})
	return nil
}

// isOpen reports whether a card belongs to the face-up stack of this game.
func isOpen(s *state.State, c table.Card) bool { return s.Open != table.NoCard && c.Same(s.Open) }

// namedCard finds the card on a seat's site that the move names.
func (g *deciding) namedCard(seat domain.Seat) (table.Site, table.Card, *domain.Refusal) {
	return findCard(g.s, seat, g.mv.Card, g.mv.At, g.mv.Side)
}

func findCard(s *state.State, seat domain.Seat, c table.Card, at int8, side uint8) (table.Site, table.Card,
	*domain.Refusal) {
	town := int(at) + table.Origin
	if town >= 0 && town < table.Columns && (side == state.Above || side == state.Below) && c != table.NoCard {
		t := &s.Realms[seat].Towns[town]
		for slot := range 2 {
			if d := t.Sites[side-1][slot]; d != table.NoCard && d.Same(c) {
				return table.SiteAt(town, int(side-1), slot), d, nil
			}
		}
	}
	return table.NoSite, table.NoCard, domain.Refuse("no-such-card-there", "card", c.Word())
}
