package rules

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// What an estimate looks at of a seat, each a number that says a little about how many points are still to come.
// What is *out* is a follower who stands there, what is *back* one who is likely to come home soon: both count the
// less, the less of the game is left.
const (
	sideCityUnits = iota // tiles and pennants
	sideCityOne          // of a city that leads to one place, if it is likely ever finished
	sideCityTwo
	sideCityMore
	sideCityOneSoon
	sideCityTwoSoon
	sideCityGrows
	sideCityGrowsLikely
	sideCityBack
	sideCityOut
	sideCityStuck
	sideCityStuckUnits
	sideRoadUnits
	sideRoadLikely
	sideRoadGrows
	sideRoadBack
	sideRoadOut
	sideRoadStuck
	sideShrineNow
	sideShrineFills
	sideShrineBack
	sideShrineOut
	sideFieldCities
	sideFieldLikely
	sideFieldSoon
	sideFieldOut
	sideFieldOutEarly
	sideFieldOpen
	sideBehindCity // men where somebody else has more
	sideBehindRoad
	sideBehindField
	sideSpare      // men beside the first where nobody has more
	sideHand       // the last follower in hand, the last but one, …
	sideHandShort  = sideHand + handKinds
	sideAbbotHome  = sideHandShort + handKinds
	sideAbbotOut   = sideAbbotHome + 1
	sideAbbotNow   = sideAbbotHome + 2
	sideAbbotFills = sideAbbotHome + 3
	sideJoinCity   = sideAbbotHome + 4 // what a tile that joins two would bring, or take away
	sideJoinRoad   = sideAbbotHome + 5
	sideJoinField  = sideAbbotHome + 6
	sideTurn       = sideAbbotHome + 7
	sideTurnLong   = sideAbbotHome + 8
	sideCount      = sideAbbotHome + 9

	handKinds = 5
)

// sides are what is looked at of a seat.
type sides [sideCount]float64

// Throughout implements domain.Estimator: a turn is one move, after which it is as good as after a round.
func (Room) Throughout() bool { return true }

// Estimate is how many points a seat is likely to be ahead in the end.
func (r Room) Estimate(s *state.State, seat domain.Seat) float64 {
	if s.Over || s.Solo {
		return r.Value(s, seat)
	}
	o := outlookOf(s)
	var worth [table.MaxOwners]float64
	for w := range s.Owners {
		worth[w] = float64(s.Scores[w])
		for i, x := range o.side[w] {
			worth[w] += likely[i] * x
		}
	}
	return versus(worth[:s.Owners], int(seat))
}
