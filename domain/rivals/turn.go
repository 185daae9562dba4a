package rivals

import (
	"posthorn/domain"
)

// rolling judges the moves before the roll (Rivals, "Roll the dice"): the roll itself, or
// one of the cards that fix a die.
func (g *deciding) rolling() *domain.Refusal {
	switch g.mv.Verb {
	case RollDice:
		g.roll(g.seat)
		return nil
	case PlayCard:
		c, r := g.handCard(g.mv.Card)
		if r != nil {
			return r
		}
		if !c.Row().fixes {
			return domain.Refuse("roll-first")
		}
		also := NoCard
		if g.mv.Card2 != NoCard {
			if also, r = g.handCard(g.mv.Card2); r != nil {
				return r
			}
		}
		return g.fixDice(c, also)
	}
	return domain.Refuse("roll-first")
}

// fixDice plays Brigitta, who chooses the production die, Reiner, who turns the event die to
// the celebration, or both in either order; what neither fixes is rolled. The cards say no
// more than that they come before the roll, so one does not keep the other out.
func (g *deciding) fixDice(cards ...Card) *domain.Refusal {
	die, face, herald := 0, NoFace, NoCard
	for _, c := range cards {
		switch {
		case c == NoCard:
		case !c.Row().fixes:
			return domain.Refuse("roll-first")
		case c.Row().Effects[0].Do == "die":
			if die = int(g.mv.N); die < 1 || die > 6 {
				return domain.Refuse("die-missing")
			}
		default:
			face, herald = Celebration, c
		}
	}
	if die == 0 && g.mv.N != 0 {
		return domain.Refuse("die-rolled")
	}
	for _, c := range cards {
		if c != NoCard {
			g.use(c)
		}
	}
	if die == 0 {
		die = g.luck.Pick("dice", 6, parseDie) + 1
	}
	if face == NoFace {
		face = sides[g.luck.Pick("dice", 6, parseFace)]
	}
	g.rolled(g.seat, die, face, herald)
	return nil
}

// roll rolls both dice.
func (g *deciding) roll(seat domain.Seat) {
	i := g.luck.Pick("dice", 36, parseDice)
	g.rolled(seat, i/6+1, sides[i%6], NoCard)
}

// rolled resolves a roll: the brigands before the production, every other face after it.
func (g *deciding) rolled(seat domain.Seat, die int, f Face, herald Card) {
	g.do(Op{Code: opDice, Seat: seat, N: int16(die), Face: f})
	if f == Brigand {
		g.brigands()
	}
	g.produce(uint8(die))
	if f != Brigand {
		g.push(Task{Kind: taskFace, Seat: domain.Nobody, Card: herald})
	}
	g.push(Task{Kind: taskAct, Seat: domain.Nobody})
}

// brigands: whoever stores more than seven resources loses all gold and wool. Regions beside
// an own Storehouse are not counted, but lose theirs too; the Gold Cache is safe.
func (g *deciding) brigands() {
	for seat := range domain.Seat(2) {
		r := &g.s.Realms[seat]
		safe := r.sheltered()
		from, to := r.span()
		count := 0
		for p := from; p < to; p++ {
			if safe&(1<<p) == 0 {
				count += int(r.Regions[p].Stored)
			}
		}
		if count <= 7 {
			continue
		}
		g.do(Op{Code: opLose, Seat: seat, N: int16(count)})
		for p := from; p < to; p++ {
			if q := r.Regions[p]; q.Stored > 0 && (q.Terrain == GoldRes || q.Terrain == Wool) {
				g.do(Op{Code: opPay, Seat: seat, Place: p, N: int16(q.Stored)})
			}
		}
	}
}

// sheltered are the regions beside a Storehouse.
func (r *Realm) sheltered() (m uint64) {
	if r.Marks&marksShelter == 0 {
		return 0
	}
	for at, c := range r.cards() {
		if c.Row().marks&marksShelter != 0 {
			n := neighbours(at)
			m |= 1<<n[0] | 1<<n[1]
		}
	}
	return m
}

// produce gives every region with the number its resource, one more for each production
// booster beside it, and then asks the Marketplaces.
func (g *deciding) produce(die uint8) {
	var matching [2]int
	var types [2]resMask
	for seat := range domain.Seat(2) {
		r := &g.s.Realms[seat]
		from, to := r.span()
		for p := from; p < to; p++ {
			if q := r.Regions[p]; q.Number == die {
				matching[seat]++
				types[seat] |= only(q.Terrain)
				g.gain(seat, p, 1+r.boost(p))
			}
		}
	}
	for _, seat := range g.inTurn() {
		if matching[other(seat)] <= matching[seat] || g.s.Realms[seat].Marks&marksShare == 0 {
			continue
		}
		if c, e := g.s.Realms[seat].effect("produce", "share"); e != nil {
			g.push(Task{Kind: taskGain, Seat: seat, N: uint8(e.N), Res: types[other(seat)], Card: c})
		}
	}
}

// boost is how much more a region yields by the boosters beside it.
func (r *Realm) boost(p Place) (n uint8) {
	terrain := r.Regions[p].Terrain
	for _, t := range [2]int{p.gap() - 1, p.gap()} {
		if t < 0 || t >= columns || r.Towns[t].Level == noTown {
			continue
		}
		for _, c := range r.Towns[t].Sites[p.side()] {
			if c != NoCard && c.Row().doubles == terrain {
				n++
			}
		}
	}
	return n
}

// gain stores up to n at a place; what it cannot hold is lost.
func (g *deciding) gain(seat domain.Seat, p Place, n uint8) {
	if n = min(n, g.s.Realms[seat].room(p)); n > 0 {
		g.do(Op{Code: opGain, Seat: seat, Place: p, N: int16(n)})
	}
}

// effect finds the first card in play with such an effect.
func (r *Realm) effect(on, do string) (Card, *Effect) {
	for _, c := range r.cards() {
		row := c.Row()
		for i := range row.Effects {
			if e := &row.Effects[i]; e.On == on && e.Do == do {
				return c, e
			}
		}
	}
	return NoCard, nil
}

// face resolves the event die, after the production.
func (g *deciding) face(t Task) {
	switch g.s.Face {
	case Trade:
		g.trade()
	case Celebration:
		g.celebrate(t.Card)
	case Harvest:
		g.harvest()
	case EventFace:
		g.turnUpEvent()
	}
}

// trade: who holds the trade advantage takes a resource of the other's, two with a Moneylender.
func (g *deciding) trade() {
	seat := g.s.busiest()
	if seat == domain.Nobody {
		return
	}
	n := int8(1)
	c, e := g.s.Realms[seat].effect("trade", "take")
	if e != nil {
		n = e.N
	}
	g.push(Task{Kind: taskTake, Seat: seat, N: uint8(n), Card: c})
}

// celebrate: the more skilled gains a resource, both if they are equal; and the player of
// Reiner one more.
func (g *deciding) celebrate(herald Card) {
	a, b := g.s.Realms[0].Points.Skill, g.s.Realms[1].Points.Skill
	for _, seat := range g.inTurn() {
		n := int8(0)
		if seat == 0 && a >= b || seat == 1 && b >= a {
			n = 1
		}
		if herald != NoCard && seat == g.s.Active {
			n += herald.Row().Effects[0].N
		}
		if n > 0 {
			g.push(Task{Kind: taskGain, Seat: seat, N: uint8(n), Res: anyRes})
		}
	}
}

// harvest: both gain a resource, and the gold of Toll Bridges and Pirate Ships.
func (g *deciding) harvest() {
	for _, seat := range g.inTurn() {
		n := int8(0)
		for _, c := range g.s.Realms[seat].cards() {
			n += c.Row().harvest
		}
		if n > 0 {
			g.push(Task{Kind: taskGain, Seat: seat, N: uint8(n), Res: only(GoldRes)})
		}
		g.push(Task{Kind: taskGain, Seat: seat, N: 1, Res: anyRes})
	}
}

// inTurn lists the seats, the active one first.
func (g *deciding) inTurn() [2]domain.Seat {
	return [2]domain.Seat{g.s.Active, other(g.s.Active)}
}

// endTurn looks for a winner: who has the goal at the end of the own turn, or already before
// the roll of it.
func (g *deciding) endTurn() {
	next := other(g.s.Active)
	for _, seat := range [2]domain.Seat{g.s.Active, next} {
		if g.s.victory(seat) >= int(g.s.Goal) {
			g.do(Op{Code: opOver, Seat: seat})
			return
		}
	}
	g.do(Op{Code: opTurn, Seat: next, N: g.s.Turn + 1})
	if !g.s.mayFixDice(next) {
		g.roll(next)
	}
}

// mayFixDice tells whether, for all that everybody knows, a hand could hold a card that is
// played before the roll: by the backs in it and the cards on the discard pile. Only if not are
// the dice rolled without being asked for; in any other case that would tell what a hand lacks.
func (s *State) mayFixDice(seat domain.Seat) bool {
	left := diceFixers[s.Play]
	for _, c := range s.Discard[:s.DiscardN] {
		if printings[c].Row.fixes {
			left[printings[c].Set]--
		}
	}
	r := &s.Realms[seat]
	for i := range int(r.HandN) {
		slot := r.Hand[i]
		if p := &printings[slot.Card]; slot.Seen&public == 0 && left[p.Set] > 0 || slot.Seen&public != 0 && p.Row.fixes {
			return true
		}
	}
	return false
}

// diceFixers is how many of these cards are in each play, by their backs.
var diceFixers = func() (n [plays][sets]int) {
	for i, p := range printings {
		for play := range plays {
			if i > 0 && p.Row.fixes {
				n[play][p.Set] += copiesIn(p, play)
			}
		}
	}
	return n
}()

func digits(n uint8) string {
	if n < 10 {
		return string([]byte{'0' + n})
	}
	return string([]byte{'0' + n/10, '0' + n%10})
}
