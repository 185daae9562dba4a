package rules

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// rolling judges the moves before the roll (Rivals, "Roll the dice"): the roll itself, or one of the cards that fix a
// die.
func (g *deciding) rolling() *domain.Refusal {
	switch g.mv.Verb {
	case state.RollDice:
		g.roll(g.seat)
		return nil
	case state.PlayCard:
		c, r := g.handCard(g.mv.Card)
		if r != nil {
			return r
		}
		if !c.Row().Fixes {
			return domain.Refuse("roll-first")
		}
		if g.mv.Card2 == table.NoCard {
			return g.fixDice(c)
		}
		also, r := g.handCard(g.mv.Card2)
		if r != nil {
			return r
		}
		return g.fixDice(c, also)
	}
	return domain.Refuse("roll-first")
}

// fixDice plays Brigitta, who chooses the production die, Reiner, who turns the event die to the celebration, or both
// in either order; the rest is rolled. The cards only say that they come before the roll, so one does not exclude the
// other.
func (g *deciding) fixDice(cards ...table.Card) *domain.Refusal {
	die, face, herald := 0, table.NoFace, table.NoCard
	for _, c := range cards {
		switch {
		case !c.Row().Fixes:
			return domain.Refuse("roll-first")
		case c.Row().Effects[0].Do == "die":
			if die = int(g.mv.N); die < 1 || die > 6 {
				return domain.Refuse("die-missing")
			}
		default:
			face, herald = table.Celebration, c
		}
	}
	if die == 0 && g.mv.N != 0 {
		return domain.Refuse("die-rolled")
	}
	for _, c := range cards {
		g.use(c)
	}
	if die == 0 {
		die = g.luck.Pick("dice", 6, parseDie) + 1
	}
	if face == table.NoFace {
		face = table.Sides[g.luck.Pick("dice", 6, parseFace)]
	}
	g.rolled(g.seat, die, face, herald)
	return nil
}

// roll rolls both dice.
func (g *deciding) roll(seat domain.Seat) {
	i := g.luck.Pick("dice", 36, ParseDice)
	g.rolled(seat, i/6+1, table.Sides[i%6], table.NoCard)
}

// rolled resolves a roll: brigands come before the production, every other face after it.
func (g *deciding) rolled(seat domain.Seat, die int, f table.Face, herald table.Card) {
	g.do(state.Op{Code: state.OpDice, Seat: seat, N: int16(die), Face: f})
	if f == table.Brigand {
		g.brigands()
	}
	g.produce(uint8(die))
	if f != table.Brigand {
		g.push(state.Task{Kind: state.TaskFace, Seat: domain.Nobody, Card: herald})
	}
	g.push(state.Task{Kind: state.TaskAct, Seat: domain.Nobody})
}

// brigands: a player who stores more than seven resources loses all gold and wool. Regions beside one's own
// Storehouse do not count, but lose theirs too; the Gold Cache is safe.
func (g *deciding) brigands() {
	for seat := range domain.Seat(2) {
		r := &g.s.Realms[seat]
		safe, count := uint64(0), int16(0)
		for at, c := range r.Cards() {
			if c.Row().Marks&table.MarksShelter != 0 {
				for _, p := range table.Neighbours(at) {
					safe |= 1 << p
				}
			}
		}
		for p, q := range r.Regions {
			if safe&(1<<p) == 0 {
				count += int16(q.Stored)
			}
		}
		if count <= 7 {
			continue
		}
		g.do(state.Op{Code: state.OpLose, Seat: seat, N: count})
		for p, q := range r.Regions {
			if q.Stored > 0 && (q.Terrain == table.GoldRes || q.Terrain == table.Wool) {
				g.do(state.Op{Code: state.OpPay, Seat: seat, Place: table.Place(p), N: int16(q.Stored)})
			}
		}
	}
}

// produce gives every region with the number its resource, plus one for each production booster beside it, and then
// asks the Marketplaces.
func (g *deciding) produce(die uint8) {
	var matching [2]int
	var types [2]table.ResMask
	for seat := range domain.Seat(2) {
		r := &g.s.Realms[seat]
		from, to := r.Span()
		for p := from; p < to; p++ {
			if q := r.Regions[p]; q.Number == die {
				matching[seat]++
				types[seat] |= table.Only(q.Terrain)
				g.yield(seat, p, 1+boost(r, p))
			}
		}
	}
	for _, seat := range g.inTurn() {
		if matching[state.Other(seat)] <= matching[seat] || g.s.Realms[seat].Marks&table.MarksShare == 0 {
			continue
		}
		if c, e := effect(&g.s.Realms[seat], "produce", "share"); e != nil {
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(e.N), Res: types[state.Other(seat)], Card: c})
		}
	}
}

// boost returns how much more the boosters beside a region make it yield.
func boost(r *state.Realm, p table.Place) (n uint8) {
	terrain := r.Regions[p].Terrain
	for _, t := range [2]int{p.Gap() - 1, p.Gap()} {
		if t < 0 || t >= table.Columns || r.Towns[t].Level == state.NoTown {
			continue
		}
		for _, c := range r.Towns[t].Sites[p.Side()] {
			if c != table.NoCard && c.Row().Doubles == terrain {
				n++
			}
		}
	}
	return n
}

// yield stores what a region produces. What finds no room there is lost; by option gold goes into the Gold Cache then
//
func (g *deciding) yield(seat domain.Seat, p table.Place, n uint8) {
	r := &g.s.Realms[seat]
	over := n - min(n, r.Space(p))
	g.gain(seat, p, n)
	cached := g.s.Rules&table.GoldToCache != 0 && r.Yields(table.CachePlace) == table.GoldRes
	if over > 0 && cached && r.Yields(p) == table.GoldRes {
		g.gain(seat, table.CachePlace, over)
	}
}

// gain stores up to n at a place; the excess is lost.
func (g *deciding) gain(seat domain.Seat, p table.Place, n uint8) {
	if n = min(n, g.s.Realms[seat].Space(p)); n > 0 {
		g.do(state.Op{Code: state.OpGain, Seat: seat, Place: p, N: int16(n)})
	}
}

// effect finds the first card in play with this effect.
func effect(r *state.Realm, on, do string) (table.Card, *table.Effect) {
	for _, c := range r.Cards() {
		row := c.Row()
		for i := range row.Effects {
			if e := &row.Effects[i]; e.On == on && e.Do == do {
				return c, e
			}
		}
	}
	return table.NoCard, nil
}

// face resolves the event die, after the production.
func (g *deciding) face(t state.Task) {
	switch g.s.Face {
	case table.Trade:
		g.trade()
	case table.Celebration:
		g.celebrate(t.Card)
	case table.Harvest:
		g.harvest()
	case table.EventFace:
		g.turnUpEvent()
	}
}

// trade: the player with the trade advantage takes a resource of the other's, two with a Moneylender.
func (g *deciding) trade() {
	seat := g.s.Busiest()
	if seat == domain.Nobody {
		return
	}
	n := int8(1)
	c, e := effect(&g.s.Realms[seat], "trade", "take")
	if e != nil {
		n = e.N
	}
	g.push(state.Task{Kind: state.TaskTake, Seat: seat, N: uint8(n), Card: c})
}

// celebrate: the more skilled player gains a resource, both if they are equal; and the player of Reiner one more
//
func (g *deciding) celebrate(herald table.Card) {
	a, b := g.s.Realms[0].Points.Skill, g.s.Realms[1].Points.Skill
	for _, seat := range g.inTurn() {
		n := int8(table.BoolInt(seat == 0 && a >= b || seat == 1 && b >= a))
		if herald != table.NoCard && seat == g.s.Active {
			n += herald.Row().Effects[0].N
		}
		if n > 0 {
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(n), Res: table.AnyRes})
		}
	}
}

// harvest: both gain a resource, and the gold of Toll Bridges and Pirate Ships.
func (g *deciding) harvest() {
	for _, seat := range g.inTurn() {
		n := int8(0)
		for _, c := range g.s.Realms[seat].Cards() {
			n += c.Row().Harvest
		}
		if n > 0 {
			g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(n), Res: table.Only(table.GoldRes)})
		}
		g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: 1, Res: table.AnyRes})
	}
}

// inTurn lists the seats, the active one first.
func (g *deciding) inTurn() [2]domain.Seat {
	return [2]domain.Seat{g.s.Active, state.Other(g.s.Active)}
}

// endTurn looks for a winner: a player who has reached the goal at the end of their own turn, or already before its
// roll.
func (g *deciding) endTurn() {
	next := state.Other(g.s.Active)
	for _, seat := range [2]domain.Seat{g.s.Active, next} {
		if g.s.Victory(seat) >= int(g.s.Goal) {
			g.do(state.Op{Code: state.OpOver, Seat: seat})
			return
		}
	}
	g.do(state.Op{Code: state.OpTurn, Seat: next, N: g.s.Turn + 1})
	if !mayFixDice(g.s, next) {
		g.roll(next)
	}
}

// mayFixDice reports whether, from what everybody knows (the backs in the hand and the cards on the discard pile), a
// hand could hold a card that is played before the roll. Only if not do the dice roll without asking; otherwise that
// would reveal what a hand lacks.
func mayFixDice(s *state.State, seat domain.Seat) bool {
	left := diceFixers[s.Play]
	for _, c := range s.Discard[:s.DiscardN] {
		if table.Printings[c].Row.Fixes {
			left[table.Printings[c].Set]--
		}
	}
	for _, slot := range s.Realms[seat].Held() {
		if p := &table.Printings[slot.Card]; slot.Seen&state.Public == 0 && left[p.Set] > 0 ||
			slot.Seen&state.Public != 0 && p.Row.Fixes {
			return true
		}
	}
	return false
}

// diceFixers counts these cards in each play, by their backs.
var diceFixers = func() (n [table.Plays][table.Sets]int) {
	for i, p := range table.Printings {
		for play := range table.Plays {
			if i > 0 && p.Row.Fixes {
				n[play][p.Set] += table.CopiesIn(p, play)
			}
		}
	}
	return n
}()

// ParseDice reads "4 harvest".
func ParseDice(words string) (int, error) {
	die, face, _ := strings.Cut(strings.TrimSpace(words), " ")
	d, err := parseDie(die)
	if err != nil {
		return 0, err
	}
	f, err := parseFace(face)
	return d*6 + f, err
}

// parseDie reads the production die, counted from 0; it ignores what follows.
func parseDie(words string) (int, error) {
	words, _, _ = strings.Cut(strings.TrimSpace(words), " ")
	if len(words) != 1 || words[0] < '1' || words[0] > '6' {
		return 0, fmt.Errorf("no die shows %q", words)
	}
	return int(words[0] - '1'), nil
}

// parseFace reads the event die: the first of its sides with that face.
func parseFace(words string) (int, error) {
	fields := append([]string{""}, strings.Fields(words)...)
	i := slices.IndexFunc(table.Sides[:], func(f table.Face) bool { return f.String() == fields[len(fields)-1] })
	if i < 0 {
		return 0, fmt.Errorf("no event die shows %q", words)
	}
	return i, nil
}

// close ends a game that stands still.
func (g *deciding) close() *domain.Refusal {
	if !g.s.StandsStill() {
		return domain.Refuse("not-still", "n", state.StillTurns-g.s.Still())
	}
	g.do(state.Op{Code: state.OpOver, Seat: g.s.Ahead()})
	return nil
}
