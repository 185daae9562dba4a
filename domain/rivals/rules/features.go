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
	featurePoints = iota
	featurePointsSquared
	featureHero
	featureTrade
	featureStrength
	featureCommerce
	featureSkill
	featureProgress
	featureStrengthFew
	featureCommerceFew
	featureStrengthLead
	featureCommerceLead
	featureSkillLead
	featureRootYield
	featureStockAll
	featureRisk
	featureBeyond
	featureFull
	featureRoads
	featureSites
	featureCitySites
	featureHomes
	featureCities
	featureCitySoon
	featureHomeSoon
	featureRoadSoon
	featureCardSoon
	featureNextSoon
	featureHand
	featureRolled
	featureShips
	featureYield // for each resource
	featureStock = featureYield + int(table.Resources)
	featureCount = featureStock + int(table.Resources)
)

// features holds the numbers for one seat, and how many of each card it has built and holds, by the card's row.
type features struct {
	of          [featureCount]float64
	built, held [table.RowsMost]int8
}

// featureNames are the names of the features in the table of weights, but for those of cards: there, built-ID and
// held-ID weigh each card with that ID that is built or held.
var featureNames = func() (names [featureCount]string) {
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
		names[featureYield+k], names[featureStock+k] = "yields-"+name, "stock-"+name
	}
	return names
}()

// featuresOf returns the features of a seat.
func featuresOf(s *state.State, seat domain.Seat) (f features) {
	f.ofPoints(s, seat)
	r := &s.Realms[seat]
	yield, stock := f.ofLand(r), f.ofStock(r)
	f.ofTowns(r)
	f.ofHand(r)
	f.of[featureShips] = float64(r.Ships)
	f.of[featureRolled] = float64(table.BoolInt(s.Active == seat && s.Phase == state.Acting))
	f.ofNext(s, seat, &stock, &yield)
	return f
}

// ofPoints covers the points, the tokens, and how safe they are.
func (f *features) ofPoints(s *state.State, seat domain.Seat) {
	r, o := &s.Realms[seat], &s.Realms[state.Other(seat)]
	points := float64(s.Victory(seat))
	f.of[featurePoints] = points
	f.of[featurePointsSquared] = points * points / 10
	f.of[featureHero] = float64(table.BoolInt(s.Strongest() == seat))
	f.of[featureTrade] = float64(table.BoolInt(s.Busiest() == seat))
	p, q := r.Points, o.Points
	f.of[featureStrength] = float64(p.Strength) / 3
	f.of[featureCommerce] = float64(p.Commerce) / 3
	f.of[featureSkill] = float64(p.Skill) / 3
	f.of[featureProgress] = float64(p.Progress)
	f.of[featureStrengthFew] = float64(min(p.Strength, 3)) / 3
	f.of[featureCommerceFew] = float64(min(p.Commerce, 3)) / 3
	f.of[featureStrengthLead] = float64(max(0, min(p.Strength-q.Strength, 3))) / 3
	f.of[featureCommerceLead] = float64(max(0, min(p.Commerce-q.Commerce, 3))) / 3
	f.of[featureSkillLead] = float64(table.BoolInt(p.Skill > q.Skill))
}

// ofLand covers what the regions yield per roll, in sixths; those with a booster count twice.
func (f *features) ofLand(r *state.Realm) (yield [table.Resources]float64) {
	from, to := r.Span()
	for at := from; at < to; at++ {
		g := &r.Regions[at]
		if g.Number == 0 {
			continue
		}
		yield[g.Terrain] += 1 + float64(boost(r, at))
		f.of[featureFull] += float64(table.BoolInt(g.Stored == table.Capacity))
	}
	for k, y := range yield {
		f.of[featureYield+k] = y / 2
		f.of[featureRootYield] += math.Sqrt(y)
	}
	return yield
}

// ofStock covers what is stored, and what the brigands would take of it.
func (f *features) ofStock(r *state.Realm) table.Goods {
	stock := r.Stock()
	for k, n := range stock {
		f.of[featureStock+k] = float64(n) / 2
	}
	total := float64(stock.Total())
	f.of[featureStockAll] = total / 5
	if total > 7 {
		f.of[featureRisk] = float64(stock[table.GoldRes]+stock[table.Wool]) / 3
		f.of[featureBeyond] = (total - 7) / 3
	}
	return stock
}

// ofTowns covers what is built, and how much room there is.
func (f *features) ofTowns(r *state.Realm) {
	f.of[featureRoads] = float64(bits.OnesCount16(r.Roads) - int(r.Right-r.Left))
	cardsInCities := 0
	for at, c := range r.Cards() {
		f.built[c.Row().Number]++
		f.of[featureSites]--
		cardsInCities += table.BoolInt(r.Towns[at.Town()].Level == state.CityTown)
	}
	for _, town := range r.EachTown() {
		f.of[featureSites] += 2 * float64(town.Slots())
		if town.Level == state.CityTown {
			f.of[featureCities]++
			f.of[featureCitySites] += 4
		} else {
			f.of[featureHomes]++
		}
	}
	f.of[featureCitySites] -= float64(cardsInCities)
	f.of[featureSites] /= 4
	f.of[featureCitySites] /= 4
}

// ofHand covers the cards in the hand.
func (f *features) ofHand(r *state.Realm) {
	f.of[featureHand] = float64(r.HandN)
	for _, slot := range r.Held() {
		f.held[slot.Card.Row().Number]++
	}
}

// ofNext covers what can be built next, and how soon.
func (f *features) ofNext(s *state.State, seat domain.Seat, stock *table.Goods, yield *[table.Resources]float64) {
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
	if f.of[featureHomes] > 0 && s.Cities > 0 {
		f.of[featureCitySoon] = soon(table.CityCost)
	}
	if s.Settlements > 0 {
		if f.of[featureRoads] > 0 {
			f.of[featureHomeSoon] = soon(table.SettlementCost)
		} else if s.Roads > 0 {
			cost := table.SettlementCost
			for k, n := range table.RoadCost {
				cost[k] += n
			}
			f.of[featureRoadSoon] = soon(cost)
		}
	}
	if f.of[featureSites] > 0 {
		for i := range int(r.HandN) {
			if row := r.Hand[i].Card.Row(); row.Kind == table.SettlementCard && !(row.One && r.HasRow(row)) {
				f.of[featureCardSoon] = max(f.of[featureCardSoon], soon(row.Cost))
			}
		}
	}
	f.of[featureNextSoon] = max(f.of[featureCitySoon], f.of[featureHomeSoon], f.of[featureRoadSoon])
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
