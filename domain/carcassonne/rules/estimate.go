package rules

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// What an estimate looks at for a seat: each is a number that says a little about how many points are still to come.
// *Out* means a follower who stands there, *back* one who will probably come home soon; both count less as the game
// nears its end.
const (
	sideCityUnits = iota // tiles and pennants
	sideCityOne          // of a city with one open place, if it is likely to be finished at all
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
	sideSpare      // surplus men where nobody has more
	sideHand       // the last follower in hand, the last but one, …
	sideHandShort  = sideHand + handKinds
	sideAbbotHome  = sideHandShort + handKinds
	sideAbbotOut   = sideAbbotHome + 1
	sideAbbotNow   = sideAbbotHome + 2
	sideAbbotFills = sideAbbotHome + 3
	sideJoinCity   = sideAbbotHome + 4 // what a tile that joins two features would bring or take away
	sideJoinRoad   = sideAbbotHome + 5
	sideJoinField  = sideAbbotHome + 6
	sideTurn       = sideAbbotHome + 7
	sideTurnLong   = sideAbbotHome + 8
	sideCount      = sideAbbotHome + 9

	handKinds = 5
)

// sides holds the numbers for one seat.
type sides [sideCount]float64

// Estimate returns how many points the seat is likely to lead by at the end.
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
