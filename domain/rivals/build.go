package rivals

import "posthorn/domain"

// acting judges the moves of the action phase, in any order and number (Rivals, "Action
// phase").
func (g *deciding) acting() *domain.Refusal {
	switch g.mv.Verb {
	case Road:
		return g.road()
	case Settle:
		return g.settle()
	case City:
		return g.city()
	case Build:
		return g.build()
	case PlayCard:
		return g.play()
	case Bank:
		return g.bank()
	case Remove:
		return g.remove()
	case End:
		g.afterHand()
		return nil
	case Close:
		return g.close()
	case RollDice:
		return domain.Refuse("rolled-already")
	}
	return domain.Refuse("not-in-act")
}

// check is a reason code, or "" if nothing stands in the way.
type check string

func (c check) refusal(pairs ...any) *domain.Refusal {
	if c == "" {
		return nil
	}
	return domain.Refuse(string(c), pairs...)
}

// covers tells whether stock is enough for a cost.
func (g Goods) covers(cost Goods) bool {
	for i, n := range cost {
		if g[i] < n {
			return false
		}
	}
	return true
}

// affords is covers for a cost of which one resource of choice is left out, less times.
func (g Goods) affords(cost Goods, less int8) bool {
	missing := 0
	for i, n := range cost {
		if g[i] < n {
			missing += int(n - g[i])
		}
	}
	return missing <= int(less)
}

// pay asks for a cost, and first which resources a discount saves.
func (g *deciding) pay(cost Goods, less int8, c Card) {
	t := Task{Kind: taskPay, Seat: g.seat, Need: cost, Card: c}
	if less > 0 {
		t.Kind, t.N = taskSave, uint8(less)
	}
	g.push(t)
}

// roadGap is the column left of a new road on that side, or -1 if there cannot be one: a
// road touches a settlement, and no second one is built before there is a settlement at its
// end.
func (s *State) roadGap(seat domain.Seat, right bool) (int, check) {
	r := &s.Realms[seat]
	gap := int(r.Left) - 1
	if right {
		gap = int(r.Right)
	}
	switch {
	case s.Roads == 0:
		return -1, "none-left"
	case gap < 0 || gap+1 >= columns:
		return -1, "no-place"
	case r.Roads&(1<<gap) != 0:
		return -1, "road-there"
	}
	return gap, ""
}

func (g *deciding) road() *domain.Refusal {
	gap, wrong := g.s.roadGap(g.seat, g.mv.Right)
	if wrong != "" {
		return wrong.refusal()
	}
	if !g.s.Realms[g.seat].stock().covers(roadCost) {
		return domain.Refuse("cannot-pay")
	}
	g.pay(roadCost, 0, NoCard)
	g.push(Task{Kind: taskRoad, Seat: g.seat, Arg: int16(gap)})
	return nil
}

// settleTown is the column of a new settlement on that side: the free end of a road.
func (s *State) settleTown(seat domain.Seat, right bool) (int, check) {
	r := &s.Realms[seat]
	town, gap := int(r.Left)-1, int(r.Left)-1
	if right {
		town, gap = int(r.Right)+1, int(r.Right)
	}
	switch {
	case s.Settlements == 0:
		return -1, "none-left"
	case town < 0 || town >= columns || r.Roads&(1<<gap) == 0:
		return -1, "road-missing"
	}
	return town, ""
}

func (g *deciding) settle() *domain.Refusal {
	town, wrong := g.s.settleTown(g.seat, g.mv.Right)
	if wrong != "" {
		return wrong.refusal()
	}
	if !g.s.Realms[g.seat].stock().covers(settlementCost) {
		return domain.Refuse("cannot-pay")
	}
	c := NoCard
	if g.mv.Card != NoCard {
		var r *domain.Refusal
		if c, r = g.handCard(g.mv.Card); r != nil {
			return r
		}
		if !c.same(scout) {
			return domain.Refuse("not-with-settlement", "card", c.word())
		}
	}
	g.pay(settlementCost, 0, NoCard)
	g.push(Task{Kind: taskSettle, Seat: g.seat, Arg: int16(town), Card: c})
	return nil
}

func (s *State) mayCity(seat domain.Seat, town int) check {
	switch {
	case town < 0 || town >= columns || s.Realms[seat].Towns[town].Level != settlement:
		return "city-on-settlement"
	case s.Cities == 0:
		return "none-left"
	}
	return ""
}

func (g *deciding) city() *domain.Refusal {
	town := int(g.mv.At) + origin
	if wrong := g.s.mayCity(g.seat, town); wrong != "" {
		return wrong.refusal()
	}
	if !g.s.Realms[g.seat].stock().covers(cityCost) {
		return domain.Refuse("cannot-pay")
	}
	g.pay(cityCost, 0, NoCard)
	g.push(Task{Kind: taskCity, Seat: g.seat, Arg: int16(town)})
	return nil
}

// handCard finds the mover's card: that printing, or another with the same name.
func (g *deciding) handCard(c Card) (Card, *domain.Refusal) {
	i := -1
	if c != NoCard {
		i = g.s.Realms[g.seat].inHand(c)
	}
	if i < 0 {
		return NoCard, domain.Refuse("not-in-hand", "card", c.word())
	}
	return g.s.Realms[g.seat].Hand[i].Card, nil
}

// use puts a played card on the discard pile.
func (g *deciding) use(c Card) { g.do(Op{Code: opUse, Seat: g.seat, Card: c}) }

// mayBuild tells what keeps a card from being built anywhere.
func (s *State) mayBuild(seat domain.Seat, c Card) check {
	return s.mayBuildOf(seat, c, s.Realms[seat].stock())
}

// mayBuildOf is mayBuild for whoever has counted the seat's stock already.
func (s *State) mayBuildOf(seat domain.Seat, c Card, stock Goods) check {
	row := c.Row()
	r := &s.Realms[seat]
	switch {
	case row.Kind == ActionCard || row.Kind == EventCard:
		return "not-a-building"
	case row.One && r.has(c):
		return "one-only"
	case !s.meets(seat, row):
		return "needs"
	case !stock.affords(row.Cost, s.discount(seat, row)):
		return "cannot-pay"
	}
	return ""
}

// discount is how many resources of choice a card costs less (Drill Ground, Building Crane;
// the crane looks at the printed cost, A-25).
func (s *State) discount(seat domain.Seat, row *Row) (n int8) {
	if s.Realms[seat].Marks&marksLess == 0 || !row.hero && row.Kind != CityCard {
		return 0
	}
	for _, c := range s.Realms[seat].cards() {
		for _, e := range c.Row().less {
			if e.Of[0] == "hero" && row.hero || e.Of[0] == "city" && row.Kind == CityCard && row.Cost.total() > int(e.Over) {
				n += e.N
			}
		}
	}
	return min(n, int8(row.Cost.total()))
}

// freeSite is where a card may stand on that side of a town, or noSite and why not.
func (s *State) freeSite(seat domain.Seat, c Card, town, side int) (Site, check) {
	if town < 0 || town >= columns || s.Realms[seat].Towns[town].Level == noTown {
		return noSite, "no-town"
	}
	t := &s.Realms[seat].Towns[town]
	if c.Row().Kind == CityCard && t.Level != city {
		return noSite, "city-only"
	}
	for slot := range t.slots() {
		on := t.Sites[side][slot]
		if c.same(townHall) {
			if on.same(parishHall) {
				return siteAt(town, side, slot), ""
			}
		} else if on == NoCard {
			return siteAt(town, side, slot), ""
		}
	}
	if c.same(townHall) {
		return noSite, "on-parish-hall"
	}
	return noSite, "site-taken"
}

func (g *deciding) build() *domain.Refusal {
	c, open := g.mv.Card, false
	if g.s.OpenN > 0 && c != NoCard && c.same(g.s.Open) {
		c, open = g.s.Open, true
	} else {
		var r *domain.Refusal
		if c, r = g.handCard(c); r != nil {
			return r
		}
	}
	if wrong := g.s.mayBuild(g.seat, c); wrong != "" {
		return wrong.refusal("card", c.word(), "what", c.Row().needSay())
	}
	if g.mv.Side != above && g.mv.Side != below {
		return domain.Refuse("side-missing")
	}
	site := noSite
	if c.same(goldCache) {
		gap := int(g.mv.At) + origin
		if gap < 0 || gap >= gaps || g.s.Realms[g.seat].Regions[placeAt(gap, int(g.mv.Side-1))].Number == 0 {
			return domain.Refuse("no-region")
		}
		site = Site(placeAt(gap, int(g.mv.Side-1)))
	} else {
		var wrong check
		if site, wrong = g.s.freeSite(g.seat, c, int(g.mv.At)+origin, int(g.mv.Side-1)); wrong != "" {
			return wrong.refusal("card", c.word())
		}
	}
	row := c.Row()
	g.pay(row.Cost, g.s.discount(g.seat, row), c)
	t := Task{Kind: taskPlace, Seat: g.seat, Card: c, Site: site}
	if open {
		t.Arg = 1
	}
	g.push(t)
	return nil
}

// place sets a paid card on its site and does what it does when built.
func (g *deciding) place(t Task) {
	switch {
	case t.Card.same(goldCache):
		g.do(Op{Code: opCache, Seat: t.Seat, Card: t.Card, Place: Place(t.Site)})
		return
	case t.Arg == 1:
		g.do(Op{Code: opOpen, Seat: t.Seat, Card: t.Card, Site: t.Site})
	default:
		g.do(Op{Code: opBuild, Seat: t.Seat, Card: t.Card, Site: t.Site})
	}
	for i := range t.Card.Row().build {
		g.whenBuilt(t.Seat, t.Card, &t.Card.Row().build[i])
	}
}

// whenBuilt is what a card does at the moment it is built, after its cost was paid in full.
func (g *deciding) whenBuilt(seat domain.Seat, c Card, e *Effect) {
	r, o := &g.s.Realms[seat], &g.s.Realms[other(seat)]
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
			arg = oneKind
		}
		if n > 0 {
			g.push(Task{Kind: taskGain, Seat: seat, N: uint8(n), Res: e.goods, Card: c, Arg: arg})
		}
	case "sink":
		if o.Ships > 0 {
			g.push(Task{Kind: taskSink, Seat: other(seat), N: uint8(e.N), Card: c})
		}
	case "search":
		g.push(Task{Kind: taskSearch, Seat: seat, Card: c})
	}
}

// newSettlement lays the settlement; its two regions come from the top of the stack, or are
// chosen from all of it with Scout.
func (g *deciding) newSettlement(t Task) {
	g.do(Op{Code: opSettle, Seat: t.Seat, Column: int8(t.Arg)})
	n := min(2, int(g.s.LandsN))
	if t.Card != NoCard {
		g.use(t.Card)
		n = int(g.s.LandsN)
	}
	g.push(Task{Kind: taskCorners, Seat: t.Seat, Arg: t.Arg, N: uint8(n), Card: t.Card})
	if t.Card != NoCard {
		lands := make([]Op, 0, 12)
		for i := range int(g.s.LandsN) {
			lands = append(lands, Op{Code: opSawLand, Seat: t.Seat, Land: g.s.Lands[i]})
		}
		g.tell(domain.To(t.Seat), lands...)
		return
	}
	for i := max(0, int(g.s.LandsN)-2); i < int(g.s.LandsN); i++ {
		g.do(Op{Code: opShowLand, Seat: t.Seat, Land: g.s.Lands[i]})
	}
}

// remove takes an own building or unit away, at any time of the action phase and for free;
// an open card goes back to the open stack. The Gold Cache is neither.
func (g *deciding) remove() *domain.Refusal {
	if wrong := g.s.mayRemove(); wrong != "" {
		return wrong.refusal()
	}
	site, c, r := g.namedCard(g.seat)
	if r != nil {
		return r
	}
	g.do(Op{Code: opRemoval, Seat: g.seat})
	to := toDiscard
	if g.s.isOpen(c) {
		to = toOpen
	}
	g.do(Op{Code: opRaze, Seat: g.seat, Card: c, Site: site, To: to})
	return nil
}

// isOpen tells whether a card belongs to the face-up stack of this game.
func (s *State) isOpen(c Card) bool { return s.Open != NoCard && c.same(s.Open) }

// namedCard finds the card on a seat's site that the move names.
func (g *deciding) namedCard(seat domain.Seat) (Site, Card, *domain.Refusal) {
	return g.s.findCard(seat, g.mv.Card, g.mv.At, g.mv.Side)
}

func (s *State) findCard(seat domain.Seat, c Card, at int8, side uint8) (Site, Card, *domain.Refusal) {
	town := int(at) + origin
	if town >= 0 && town < columns && (side == above || side == below) && c != NoCard {
		t := &s.Realms[seat].Towns[town]
		for slot := range 2 {
			if d := t.Sites[side-1][slot]; d != NoCard && d.same(c) {
				return siteAt(town, int(side-1), slot), d, nil
			}
		}
	}
	return noSite, NoCard, domain.Refuse("no-such-card-there", "card", c.word())
}
