package rules

import (
	"math"
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// What an estimate looks at for a seat: each is a number that says a little about who will win.
const (
	sidePoints = iota
	sidePointsSquared
	sideHero
	sideTrade
	sideStrength
	sideCommerce
	sideSkill
	sideProgress
	sideStrengthFew
	sideCommerceFew
	sideStrengthLead
	sideCommerceLead
	sideSkillLead
	sideRootYield
	sideStockAll
	sideRisk
	sideBeyond
	sideFull
	sideRoads
	sideSites
	sideCitySites
	sideHomes
	sideCities
	sideCitySoon
	sideHomeSoon
	sideRoadSoon
	sideCardSoon
	sideNextSoon
	sideHand
	sideRolled
	sideShips
	sideYield // for each resource
	sideStock = sideYield + int(table.Resources)
	sideCount = sideStock + int(table.Resources)
)

// sides holds the numbers for one seat, and how many of each card it has built and holds, by the card's row.
type sides struct {
	of          [sideCount]float64
	built, held [table.RowsMost]int8
}

// sideNames are the names of the sides in the table of weights, but for those of cards: there, built-ID and held-ID
// weigh each card with that ID that is built or held.
var sideNames = func() (names [sideCount]string) {
	copy(names[:], []string{
		"points", "points-squared", "hero-token", "trade-token", "strength", "commerce", "skill", "progress",
		"strength-up-to-three",
		"commerce-up-to-three", "strength-lead", "commerce-lead", "skill-ahead", "yields-root", "stock",
		"stock-at-risk",
		"stock-beyond-seven", "regions-full", "roads-waiting", "sites", "city-sites", "settlements", "cities",
		"city-soon",
		"settlement-soon", "road-soon", "card-soon", "next-soon", "hand", "rolled", "trade-ships",
	})
	for k, name := range table.ResNames {
		names[sideYield+k], names[sideStock+k] = "yields-"+name, "stock-"+name
	}
	return names
}()

// sidesOf returns the sides of a seat.
func sidesOf(s *state.State, seat domain.Seat) (f sides) {
	f.ofPoints(s, seat)
	r := &s.Realms[seat]
	yield, stock := f.ofLand(r), f.ofStock(r)
	f.ofTowns(r)
	f.ofHand(r)
	f.of[sideShips] = float64(r.Ships)
	f.of[sideRolled] = float64(table.BoolInt(s.Active == seat && s.Phase == state.Acting))
	f.ofNext(s, seat, &stock, &yield)
	return f
}

// ofPoints covers the points, the tokens, and how safe they are.
func (f *sides) ofPoints(s *state.State, seat domain.Seat) {
	r, o := &s.Realms[seat], &s.Realms[state.Other(seat)]
	points := float64(s.Victory(seat))
	f.of[sidePoints] = points
	f.of[sidePointsSquared] = points * points / 10
	f.of[sideHero] = float64(table.BoolInt(s.Strongest() == seat))
	f.of[sideTrade] = float64(table.BoolInt(s.Busiest() == seat))
	p, q := r.Points, o.Points
	f.of[sideStrength] = float64(p.Strength) / 3
	f.of[sideCommerce] = float64(p.Commerce) / 3
	f.of[sideSkill] = float64(p.Skill) / 3
	f.of[sideProgress] = float64(p.Progress)
	f.of[sideStrengthFew] = float64(min(p.Strength, 3)) / 3
	f.of[sideCommerceFew] = float64(min(p.Commerce, 3)) / 3
	f.of[sideStrengthLead] = float64(max(0, min(p.Strength-q.Strength, 3))) / 3
	f.of[sideCommerceLead] = float64(max(0, min(p.Commerce-q.Commerce, 3))) / 3
	f.of[sideSkillLead] = float64(table.BoolInt(p.Skill > q.Skill))
}

// ofLand covers what the regions yield per roll, in sixths; those with a booster count twice.
func (f *sides) ofLand(r *state.Realm) (yield [table.Resources]float64) {
	from, to := r.Span()
	for at := from; at < to; at++ {
		g := &r.Regions[at]
		if g.Number == 0 {
			continue
		}
		yield[g.Terrain] += 1 + float64(boost(r, at))
		f.of[sideFull] += float64(table.BoolInt(g.Stored == table.Capacity))
	}
	for k, y := range yield {
		f.of[sideYield+k] = y / 2
		f.of[sideRootYield] += math.Sqrt(y)
	}
	return yield
}

// ofStock covers what is stored, and what the brigands would take of it.
func (f *sides) ofStock(r *state.Realm) table.Goods {
	stock := r.Stock()
	for k, n := range stock {
		f.of[sideStock+k] = float64(n) / 2
	}
	total := float64(stock.Total())
	f.of[sideStockAll] = total / 5
	if total > 7 {
		f.of[sideRisk] = float64(stock[table.GoldRes]+stock[table.Wool]) / 3
		f.of[sideBeyond] = (total - 7) / 3
	}
	return stock
}

// ofTowns covers what is built, and how much room there is.
func (f *sides) ofTowns(r *state.Realm) {
	f.of[sideRoads] = float64(bits.OnesCount16(r.Roads) - int(r.Right-r.Left))
	cardsInCities := 0
	for at, c := range r.Cards() {
		f.built[c.Row().Number]++
		f.of[sideSites]--
		cardsInCities += table.BoolInt(r.Towns[at.Town()].Level == state.CityTown)
	}
	for _, town := range r.EachTown() {
		f.of[sideSites] += 2 * float64(town.Slots())
		if town.Level == state.CityTown {
			f.of[sideCities]++
			f.of[sideCitySites] += 4
		} else {
			f.of[sideHomes]++
		}
	}
	f.of[sideCitySites] -= float64(cardsInCities)
	f.of[sideSites] /= 4
	f.of[sideCitySites] /= 4
}

// ofHand covers the cards in the hand.
func (f *sides) ofHand(r *state.Realm) {
	f.of[sideHand] = float64(r.HandN)
	for _, slot := range r.Held() {
		f.held[slot.Card.Row().Number]++
	}
}

// ofNext covers what can be built next, and how soon.
func (f *sides) ofNext(s *state.State, seat domain.Seat, stock *table.Goods, yield *[table.Resources]float64) {
	r := &s.Realms[seat]
	var rate [table.Resources]float64
	_, ships, _ := rates(s, seat)
	for k := range rate {
		rate[k] = 3
		if ships.Has(table.Res(k)) {
			rate[k] = 2
		}
	}
	soon := func(cost table.Goods) float64 { return math.Pow(0.8, wait(stock, yield, &rate, cost)) }
	if f.of[sideHomes] > 0 && s.Cities > 0 {
		f.of[sideCitySoon] = soon(table.CityCost)
	}
	if s.Settlements > 0 {
		if f.of[sideRoads] > 0 {
			f.of[sideHomeSoon] = soon(table.SettlementCost)
		} else if s.Roads > 0 {
			cost := table.SettlementCost
			for k, n := range table.RoadCost {
				cost[k] += n
			}
			f.of[sideRoadSoon] = soon(cost)
		}
	}
	if f.of[sideSites] > 0 {
		for i := range int(r.HandN) {
			if row := r.Hand[i].Card.Row(); row.Kind == table.SettlementCard && !(row.One && r.HasRow(row)) {
				f.of[sideCardSoon] = max(f.of[sideCardSoon], soon(row.Cost))
			}
		}
	}
	f.of[sideNextSoon] = max(f.of[sideCitySoon], f.of[sideHomeSoon], f.of[sideRoadSoon])
}

// longWait is the longest wait that counts, in rounds.
const longWait = 12.0

// wait estimates how many rounds it takes until a cost can be paid, exchanging what can be spared. In a round both
// players roll once, and every roll brings goods to both.
func wait(stock *table.Goods, yield, rate *[table.Resources]float64, cost table.Goods) float64 {
	missing, whole := 0, 0
	for k, need := range cost {
		if d := int(stock[k]) - int(need); d < 0 {
			missing -= d
		} else {
			whole += d / int(rate[k])
		}
	}
	switch {
	case missing == 0:
		return 0
	case missing <= whole:
		return 0.3
	}
	short := func(rounds float64) (left float64) {
		for k, need := range cost {
			d := float64(stock[k]) + yield[k]*rounds/3 - float64(need)
			if d > 0 {
				d /= rate[k]
			}
			left -= d
		}
		return left
	}
	low, high := 0.0, longWait
	for range 6 {
		if mid := (low + high) / 2; short(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return 0.6 + high
}
