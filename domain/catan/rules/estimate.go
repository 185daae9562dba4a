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
	sidePoints = iota
	sidePointsSquared
	sideBrickPips
	sideLumberPips
	sideWoolPips
	sideGrainPips
	sideOrePips
	sideRootPips
	sideKinds
	sideHarbourPips
	sidePipsEarly
	sideAnyHarbour
	sideCards
	sideCardsAtRisk
	sidePlacesNow
	sidePlacesNear
	sideCitySoon
	sideHomeSoon
	sideHomeLater
	sideCardSoon
	sideNextSoon
	sideKnightsHeld
	sideOtherCards
	sideKnightsPlayed
	sideRoadLength
	sideLongestRoad
	sideLargestArmy
	sideTokens
	sideInTurn
	sideCities
	sideRoadsLeft
	sidePipsLate
	sideCount
)

// likely weighs the sides, for Catan for two and for more seats, at the start and at the end of the game. These weights
// best predicted the winners (a logit of the differences between the seats, fitted to positions at the start of turns)
// of 8,000 games each between players who played what Value liked best on a fresh deal, half of them with one random
// move in thirty; with more seats, half of the games had three and half four. What counts in several ways has several
// weights, so a single weight may have the opposite sign: the holder of the longest road also has its points.
var likely = [2][2][sideCount]float64{
	{
		{
			sidePoints: 0.45, sidePointsSquared: -0.39, sideBrickPips: -0.42, sideLumberPips: -0.36,
			sideWoolPips: -0.40, sideGrainPips: -0.02, sideOrePips: -0.09, sideRootPips: 0.91,
			sideKinds: -0.54, sideHarbourPips: 0.26, sidePipsEarly: -0.74, sideAnyHarbour: 0.19,
			sideCards: 0.01, sideCardsAtRisk: -0.24, sidePlacesNow: 0.92, sidePlacesNear: 0.58,
			sideCitySoon: 0.60, sideHomeSoon: -0.49, sideHomeLater: -0.26, sideCardSoon: 0.05,
			sideNextSoon: 1.24, sideKnightsHeld: 0.54, sideOtherCards: 0.23, sideKnightsPlayed: 0.20,
			sideRoadLength: 0.27, sideLongestRoad: -0.99, sideLargestArmy: -0.84, sideTokens: 0.08,
			sideInTurn: 0.21, sideCities: -0.06, sideRoadsLeft: 0.19, sidePipsLate: 0.11,
		},
		{
			sidePoints: 0.49, sidePointsSquared: 0.39, sideBrickPips: -0.13, sideLumberPips: -0.13,
			sideWoolPips: -0.15, sideGrainPips: -0.07, sideOrePips: -0.07, sideRootPips: 0.27,
			sideKinds: -0.01, sideHarbourPips: 0.06, sidePipsEarly: -0.13, sideAnyHarbour: 0.34,
			sideCards: 0.08, sideCardsAtRisk: 0.19, sidePlacesNow: 0.34, sidePlacesNear: -0.22,
			sideCitySoon: 0.79, sideHomeSoon: 0.72, sideHomeLater: 0.39, sideCardSoon: 1.13,
			sideNextSoon: 0.51, sideKnightsHeld: 0.44, sideOtherCards: 0.03, sideKnightsPlayed: 0.28,
			sideRoadLength: 0.26, sideLongestRoad: -0.83, sideLargestArmy: -1.03, sideTokens: -0.02,
			sideInTurn: 0.17, sideCities: 0.24, sideRoadsLeft: 0.27, sidePipsLate: -0.14,
		},
	},
	{
		{
			sidePoints: 0.57, sidePointsSquared: 0.04, sideBrickPips: -0.48, sideLumberPips: -0.50,
			sideWoolPips: -0.47, sideGrainPips: -0.09, sideOrePips: -0.29, sideRootPips: 0.88,
			sideKinds: -0.43, sideHarbourPips: 0.18, sidePipsEarly: -0.56, sideAnyHarbour: 0.15,
			sideCards: 0.01, sideCardsAtRisk: -0.12, sidePlacesNow: 0.74, sidePlacesNear: 0.60,
			sideCitySoon: 0.78, sideHomeSoon: -0.40, sideHomeLater: -0.20, sideCardSoon: 0.33,
			sideNextSoon: 0.87, sideKnightsHeld: 0.40, sideOtherCards: 0.26, sideKnightsPlayed: 0.22,
			sideRoadLength: 0.35, sideLongestRoad: -1.60, sideLargestArmy: -1.36, sideTokens: 0.00,
			sideInTurn: 0.05, sideCities: -0.02, sideRoadsLeft: 0.17, sidePipsLate: -0.34,
		},
		{
			sidePoints: 0.16, sidePointsSquared: 0.90, sideBrickPips: -0.01, sideLumberPips: -0.02,
			sideWoolPips: -0.05, sideGrainPips: 0.05, sideOrePips: -0.00, sideRootPips: 0.27,
			sideKinds: -0.20, sideHarbourPips: 0.03, sidePipsEarly: 0.48, sideAnyHarbour: 0.19,
			sideCards: 0.16, sideCardsAtRisk: 0.06, sidePlacesNow: 0.53, sidePlacesNear: 0.14,
			sideCitySoon: 0.53, sideHomeSoon: 0.42, sideHomeLater: 0.25, sideCardSoon: 0.98,
			sideNextSoon: 0.39, sideKnightsHeld: 0.43, sideOtherCards: 0.13, sideKnightsPlayed: 0.16,
			sideRoadLength: 0.50, sideLongestRoad: -1.06, sideLargestArmy: -0.83, sideTokens: 0.00,
			sideInTurn: 0.13, sideCities: 0.03, sideRoadsLeft: 0.23, sidePipsLate: -0.48,
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
	weights := &likely[min(s.Seats, 3)-2]
	mine, others := 0.0, 0.0
	for o := range s.Seats {
		f := sides(s, o)
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

// sides returns the features of a seat.
func sides(s *state.State, c int8) (f [sideCount]float64) {
	points := float64(s.Points(c))
	f[sidePoints] = points
	f[sidePointsSquared] = points * points / 10
	pips := yield(s, c)
	sidesOfLand(s, c, &pips, points, &f)
	sidesOfCards(s, c, &f)
	sidesOfNext(s, c, &pips, &f)
	f[sideRoadLength] = float64(s.Length[c]) / 3
	f[sideRoadsLeft] = float64(s.RoadsLeft(c)) / 5
	f[sideCities] = float64(bits.OnesCount64(s.Cities[c]))
	if s.Longest == c {
		f[sideLongestRoad] = 1
	}
	if s.Army == c {
		f[sideLargestArmy] = 1
	}
	if s.Active == c {
		f[sideInTurn] = 1
	}
	return f
}

// sidesOfLand fills in what a seat earns, and from whom it may buy.
func sidesOfLand(s *state.State, c int8, pips *[table.Kinds]float64, points float64, f *[sideCount]float64) {
	sum := 0.0
	for r, p := range pips {
		f[sideBrickPips+r] = p / 5
		f[sideRootPips] += math.Sqrt(max(0, p))
		sum += p * pipWeight[r]
		if p > 0 {
			f[sideKinds]++
			if s.Rate(c, table.Resource(r)) == 2 {
				f[sideHarbourPips] += p / 5
			}
		}
	}
	f[sidePipsEarly] = sum / 10 * (10 - points) / 10
	f[sidePipsLate] = points * sum / 100
	if s.Buildings(c)&s.Lay.Ports[table.Anything] != 0 {
		f[sideAnyHarbour] = 1
	}
}

// sidesOfCards fills in what a seat holds.
func sidesOfCards(s *state.State, c int8, f *[sideCount]float64) {
	n := float64(s.Size[c])
	f[sideCards] = n / 4
	f[sideCardsAtRisk] = max(0, n-7) / 4
	cards := s.Cards[c]
	f[sideKnightsHeld] = float64(cards[table.Knight])
	f[sideOtherCards] = float64(cards[table.Roads] + cards[table.Plenty] + cards[table.Monopoly])
	f[sideKnightsPlayed] = float64(s.Knights[c])
	if s.Two() {
		f[sideTokens] = float64(s.Tokens[c]) / 3
	}
}

// sidesOfNext fills in what a seat can build next, and how soon.
func sidesOfNext(s *state.State, c int8, pips *[table.Kinds]float64, f *[sideCount]float64) {
	homes := s.SettlementsLeft(c) > 0
	if homes {
		free := ^s.Shut & (1<<table.CornerCount - 1)
		f[sidePlacesNow] = bestPlaces(s, s.Reach[c]&free)
		if s.RoadsLeft(c) > 0 {
			var ends uint64
			for open := s.OpenPaths(c); !open.Empty(); {
				ends |= table.EndsOf(open.Next())
			}
			f[sidePlacesNear] = bestPlaces(s, ends&free&^s.Reach[c])
		}
	}
	soon := func(cost table.Hand) float64 { return math.Pow(0.8, wait(s, c, pips, cost)) }
	if s.Settlements[c] != 0 && s.CitiesLeft(c) > 0 {
		f[sideCitySoon] = soon(table.CityCost)
	}
	switch {
	case homes && f[sidePlacesNow] > 0:
		f[sideHomeSoon] = soon(table.SettlementCost)
	case homes && f[sidePlacesNear] > 0:
		cost := table.SettlementCost
		cost.Add(table.RoadCost)
		f[sideHomeLater] = soon(cost)
	}
	if s.Deck != (table.Cards{}) {
		f[sideCardSoon] = soon(table.CardCost)
	}
	f[sideNextSoon] = max(f[sideCitySoon], f[sideHomeSoon], f[sideHomeLater])
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
