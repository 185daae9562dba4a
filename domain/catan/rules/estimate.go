package rules

import (
	"math"
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The features that an estimate uses, each a number that says a little about who will win.
const (
	featurePoints = iota
	featurePointsSquared
	featureBrickPips
	featureLumberPips
	featureWoolPips
	featureGrainPips
	featureOrePips
	featureRootPips
	featureKinds
	featureHarbourPips
	featurePipsEarly
	featureAnyHarbour
	featureCards
	featureCardsAtRisk
	featurePlacesNow
	featurePlacesNear
	featureCitySoon
	featureHomeSoon
	featureHomeLater
	featureCardSoon
	featureNextSoon
	featureKnightsHeld
	featureOtherCards
	featureKnightsPlayed
	featureRoadLength
	featureLongestRoad
	featureLargestArmy
	featureTokens
	featureInTurn
	featureCities
	featureRoadsLeft
	featurePipsLate
	featureCount
)

// fitted weighs the features, for Catan for two and for more seats, at the start and at the end of the game. These
// weights best predicted the winners (a logit of the differences between the seats, fitted to positions at the start of
// turns) of 8,000 games each between players who played what Value liked best on a fresh deal, half of them with one
// random move in thirty; with more seats, half of the games had three and half four. What counts in several ways has
// several weights, so a single weight may have the opposite sign: the holder of the longest road also has its points.
var fitted = [2][2][featureCount]float64{
	{
		{
			featurePoints: 0.45, featurePointsSquared: -0.39, featureBrickPips: -0.42, featureLumberPips: -0.36,
			featureWoolPips: -0.40, featureGrainPips: -0.02, featureOrePips: -0.09, featureRootPips: 0.91,
			featureKinds: -0.54, featureHarbourPips: 0.26, featurePipsEarly: -0.74, featureAnyHarbour: 0.19,
			featureCards: 0.01, featureCardsAtRisk: -0.24, featurePlacesNow: 0.92, featurePlacesNear: 0.58,
			featureCitySoon: 0.60, featureHomeSoon: -0.49, featureHomeLater: -0.26, featureCardSoon: 0.05,
			featureNextSoon: 1.24, featureKnightsHeld: 0.54, featureOtherCards: 0.23, featureKnightsPlayed: 0.20,
			featureRoadLength: 0.27, featureLongestRoad: -0.99, featureLargestArmy: -0.84, featureTokens: 0.08,
			featureInTurn: 0.21, featureCities: -0.06, featureRoadsLeft: 0.19, featurePipsLate: 0.11,
		},
		{
			featurePoints: 0.49, featurePointsSquared: 0.39, featureBrickPips: -0.13, featureLumberPips: -0.13,
			featureWoolPips: -0.15, featureGrainPips: -0.07, featureOrePips: -0.07, featureRootPips: 0.27,
			featureKinds: -0.01, featureHarbourPips: 0.06, featurePipsEarly: -0.13, featureAnyHarbour: 0.34,
			featureCards: 0.08, featureCardsAtRisk: 0.19, featurePlacesNow: 0.34, featurePlacesNear: -0.22,
			featureCitySoon: 0.79, featureHomeSoon: 0.72, featureHomeLater: 0.39, featureCardSoon: 1.13,
			featureNextSoon: 0.51, featureKnightsHeld: 0.44, featureOtherCards: 0.03, featureKnightsPlayed: 0.28,
			featureRoadLength: 0.26, featureLongestRoad: -0.83, featureLargestArmy: -1.03, featureTokens: -0.02,
			featureInTurn: 0.17, featureCities: 0.24, featureRoadsLeft: 0.27, featurePipsLate: -0.14,
		},
	},
	{
		{
			featurePoints: 0.57, featurePointsSquared: 0.04, featureBrickPips: -0.48, featureLumberPips: -0.50,
			featureWoolPips: -0.47, featureGrainPips: -0.09, featureOrePips: -0.29, featureRootPips: 0.88,
			featureKinds: -0.43, featureHarbourPips: 0.18, featurePipsEarly: -0.56, featureAnyHarbour: 0.15,
			featureCards: 0.01, featureCardsAtRisk: -0.12, featurePlacesNow: 0.74, featurePlacesNear: 0.60,
			featureCitySoon: 0.78, featureHomeSoon: -0.40, featureHomeLater: -0.20, featureCardSoon: 0.33,
			featureNextSoon: 0.87, featureKnightsHeld: 0.40, featureOtherCards: 0.26, featureKnightsPlayed: 0.22,
			featureRoadLength: 0.35, featureLongestRoad: -1.60, featureLargestArmy: -1.36, featureTokens: 0.00,
			featureInTurn: 0.05, featureCities: -0.02, featureRoadsLeft: 0.17, featurePipsLate: -0.34,
		},
		{
			featurePoints: 0.16, featurePointsSquared: 0.90, featureBrickPips: -0.01, featureLumberPips: -0.02,
			featureWoolPips: -0.05, featureGrainPips: 0.05, featureOrePips: -0.00, featureRootPips: 0.27,
			featureKinds: -0.20, featureHarbourPips: 0.03, featurePipsEarly: 0.48, featureAnyHarbour: 0.19,
			featureCards: 0.16, featureCardsAtRisk: 0.06, featurePlacesNow: 0.53, featurePlacesNear: 0.14,
			featureCitySoon: 0.53, featureHomeSoon: 0.42, featureHomeLater: 0.25, featureCardSoon: 0.98,
			featureNextSoon: 0.39, featureKnightsHeld: 0.43, featureOtherCards: 0.13, featureKnightsPlayed: 0.16,
			featureRoadLength: 0.50, featureLongestRoad: -1.06, featureLargestArmy: -0.83, featureTokens: 0.00,
			featureInTurn: 0.13, featureCities: 0.03, featureRoadsLeft: 0.23, featurePipsLate: -0.48,
		},
	},
}

// Estimate returns how likely a seat is to win, as the logarithm of its chances against those of all the others: a
// finer Value, for the stand-in that plays on. Its weights were fitted to positions at the start of turns: what a move
// within a turn is good for, Value knows.
func (r *Room) Estimate(s *state.State, seat domain.Seat) float64 {
	c := int8(seat)
	if s.Winner == c {
		return 1000
	}
	if s.Winner != state.NoColour {
		return -1000
	}
	most := 0
	for o := range s.Seats {
		most = max(most, int(s.Points(o)))
	}
	late := min(1, max(0, float64(most-3)/6))
	weights := &fitted[min(s.Seats, 3)-2]
	mine, others := 0.0, 0.0
	for o := range s.Seats {
		f := features(s, o)
		v := 0.0
		for i, x := range f {
			v += x * (weights[0][i]*(1-late) + weights[1][i]*late)
		}
		if o == c {
			mine = v
		} else {
			others += math.Exp(v)
		}
	}
	return stretched * (mine - math.Log(others))
}

// stretched scales the logarithm of the chances of winning to be about as steep as points: the larger a lead, the less
// each further step counts, as with chances.
const stretched = 10.0 / 3

// Turn implements domain.Turns.
func (*Room) Turn(s *state.State) (number int, whose domain.Seat) {
	if s.Turn == 0 || s.Phase != state.PhaseRoll && s.Phase != state.PhaseMain {
		return int(s.Turn), domain.Nobody
	}
	return int(s.Turn), domain.Seat(s.Active)
}

// features returns the features of a seat.
func features(s *state.State, c int8) (f [featureCount]float64) {
	points := float64(s.Points(c))
	f[featurePoints] = points
	f[featurePointsSquared] = points * points / 10
	pips := yield(s, c)
	landFeatures(s, c, &pips, points, &f)
	cardFeatures(s, c, &f)
	nextFeatures(s, c, &pips, &f)
	f[featureRoadLength] = float64(s.Length[c]) / 3
	f[featureRoadsLeft] = float64(s.RoadsLeft(c)) / 5
	f[featureCities] = float64(bits.OnesCount64(s.Cities[c]))
	if s.Longest == c {
		f[featureLongestRoad] = 1
	}
	if s.Army == c {
		f[featureLargestArmy] = 1
	}
	if s.Active == c {
		f[featureInTurn] = 1
	}
	return f
}

// sidesOfLand fills in what a seat earns, and from whom it may buy.
func landFeatures(s *state.State, c int8, pips *[table.Kinds]float64, points float64, f *[featureCount]float64) {
	sum := 0.0
	for r, p := range pips {
		f[featureBrickPips+r] = p / 5
		f[featureRootPips] += math.Sqrt(max(0, p))
		sum += p * pipWeight[r]
		if p > 0 {
			f[featureKinds]++
			if s.Rate(c, table.Resource(r)) == 2 {
				f[featureHarbourPips] += p / 5
			}
		}
	}
	f[featurePipsEarly] = sum / 10 * (10 - points) / 10
	f[featurePipsLate] = points * sum / 100
	if s.Buildings(c)&s.Lay.Ports[table.Anything] != 0 {
		f[featureAnyHarbour] = 1
	}
}

// sidesOfCards fills in what a seat holds.
func cardFeatures(s *state.State, c int8, f *[featureCount]float64) {
	n := float64(s.Size[c])
	f[featureCards] = n / 4
	f[featureCardsAtRisk] = max(0, n-7) / 4
	cards := s.Cards[c]
	f[featureKnightsHeld] = float64(cards[table.Knight])
	f[featureOtherCards] = float64(cards[table.Roads] + cards[table.Plenty] + cards[table.Monopoly])
	f[featureKnightsPlayed] = float64(s.Knights[c])
	if s.Two() {
		f[featureTokens] = float64(s.Tokens[c]) / 3
	}
}

// sidesOfNext fills in what a seat can build next, and how soon.
func nextFeatures(s *state.State, c int8, pips *[table.Kinds]float64, f *[featureCount]float64) {
	homes := s.SettlementsLeft(c) > 0
	if homes {
		free := ^s.Shut & (1<<table.CornerCount - 1)
		f[featurePlacesNow] = bestPlaces(s, s.Reach[c]&free)
		if s.RoadsLeft(c) > 0 {
			var ends uint64
			for open := s.OpenPaths(c); !open.Empty(); {
				ends |= table.EndsOf(open.Next())
			}
			f[featurePlacesNear] = bestPlaces(s, ends&free&^s.Reach[c])
		}
	}
	soon := func(cost table.Hand) float64 { return math.Pow(0.8, wait(s, c, pips, cost)) }
	if s.Settlements[c] != 0 && s.CitiesLeft(c) > 0 {
		f[featureCitySoon] = soon(table.CityCost)
	}
	switch {
	case homes && f[featurePlacesNow] > 0:
		f[featureHomeSoon] = soon(table.SettlementCost)
	case homes && f[featurePlacesNear] > 0:
		cost := table.SettlementCost
		cost.Add(table.RoadCost)
		f[featureHomeLater] = soon(cost)
	}
	if s.Deck != (table.Cards{}) {
		f[featureCardSoon] = soon(table.CardCost)
	}
	f[featureNextSoon] = max(f[featureCitySoon], f[featureHomeSoon], f[featureHomeLater])
}

// longWait is the longest wait that is told apart, in rounds.
const longWait = 16.0

// wait estimates how many rounds it takes until a seat can pay a cost, buying from the bank with what it has to spare.
func wait(s *state.State, c int8, pips *[table.Kinds]float64, cost table.Hand) float64 {
	var rate [table.Kinds]float64
	missing, whole := 0, 0 // now, in whole cards
	for r, need := range cost {
		n := s.Rate(c, table.Resource(r))
		rate[r] = float64(n)
		if d := int(s.Hand[c][r]) - int(need); d < 0 {
			missing -= d
		} else {
			whole += d / int(n)
		}
	}
	switch {
	case missing == 0:
		return 0
	case missing <= whole:
		return 0.3
	}
	rolls := float64(s.Seats) // in a round
	if s.Two() {
		rolls *= 2
	}
	short := func(rounds float64) (left float64) {
		for r, need := range cost {
			d := float64(s.Hand[c][r]) + pips[r]*rounds*rolls/36 - float64(need)
			if d > 0 {
				d /= rate[r]
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
