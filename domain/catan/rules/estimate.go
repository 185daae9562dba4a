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
var fitted = func() (of [2][2][featureCount]float64) {
	for feature, w := range [featureCount][4]float64{
		featurePoints:        {0.45, 0.49, 0.57, 0.16},
		featurePointsSquared: {-0.39, 0.39, 0.04, 0.90},
		featureBrickPips:     {-0.42, -0.13, -0.48, -0.01},
		featureLumberPips:    {-0.36, -0.13, -0.50, -0.02},
		featureWoolPips:      {-0.40, -0.15, -0.47, -0.05},
		featureGrainPips:     {-0.02, -0.07, -0.09, 0.05},
		featureOrePips:       {-0.09, -0.07, -0.29, -0.00},
		featureRootPips:      {0.91, 0.27, 0.88, 0.27},
		featureKinds:         {-0.54, -0.01, -0.43, -0.20},
		featureHarbourPips:   {0.26, 0.06, 0.18, 0.03},
		featurePipsEarly:     {-0.74, -0.13, -0.56, 0.48},
		featureAnyHarbour:    {0.19, 0.34, 0.15, 0.19},
		featureCards:         {0.01, 0.08, 0.01, 0.16},
		featureCardsAtRisk:   {-0.24, 0.19, -0.12, 0.06},
		featurePlacesNow:     {0.92, 0.34, 0.74, 0.53},
		featurePlacesNear:    {0.58, -0.22, 0.60, 0.14},
		featureCitySoon:      {0.60, 0.79, 0.78, 0.53},
		featureHomeSoon:      {-0.49, 0.72, -0.40, 0.42},
		featureHomeLater:     {-0.26, 0.39, -0.20, 0.25},
		featureCardSoon:      {0.05, 1.13, 0.33, 0.98},
		featureNextSoon:      {1.24, 0.51, 0.87, 0.39},
		featureKnightsHeld:   {0.54, 0.44, 0.40, 0.43},
		featureOtherCards:    {0.23, 0.03, 0.26, 0.13},
		featureKnightsPlayed: {0.20, 0.28, 0.22, 0.16},
		featureRoadLength:    {0.27, 0.26, 0.35, 0.50},
		featureLongestRoad:   {-0.99, -0.83, -1.60, -1.06},
		featureLargestArmy:   {-0.84, -1.03, -1.36, -0.83},
		featureTokens:        {0.08, -0.02, 0.00, 0.00},
		featureInTurn:        {0.21, 0.17, 0.05, 0.13},
		featureCities:        {-0.06, 0.24, -0.02, 0.03},
		featureRoadsLeft:     {0.19, 0.27, 0.17, 0.23},
		featurePipsLate:      {0.11, -0.14, -0.34, -0.48},
	} {
		for i, weight := range w {
			of[i/2][i%2][feature] = weight
		}
	}
	return of
}()

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
