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
	featureCityUnits = iota // tiles and pennants
	featureCityOne          // of a city with one open place, if it is likely to be finished at all
	featureCityTwo
	featureCityMore
	featureCityOneSoon
	featureCityTwoSoon
	featureCityGrows
	featureCityGrowsLikely
	featureCityBack
	featureCityOut
	featureCityStuck
	featureCityStuckUnits
	featureRoadUnits
	featureRoadLikely
	featureRoadGrows
	featureRoadBack
	featureRoadOut
	featureRoadStuck
	featureShrineNow
	featureShrineFills
	featureShrineBack
	featureShrineOut
	featureFieldCities
	featureFieldLikely
	featureFieldSoon
	featureFieldOut
	featureFieldOutEarly
	featureFieldOpen
	featureBehindCity // men where somebody else has more
	featureBehindRoad
	featureBehindField
	featureSpare      // surplus men where nobody has more
	featureHand       // the last follower in hand, the last but one, …
	featureHandShort  = featureHand + handKinds
	featureAbbotHome  = featureHandShort + handKinds
	featureAbbotOut   = featureAbbotHome + 1
	featureAbbotNow   = featureAbbotHome + 2
	featureAbbotFills = featureAbbotHome + 3
	featureJoinCity   = featureAbbotHome + 4 // what a tile that joins two features would bring or take away
	featureJoinRoad   = featureAbbotHome + 5
	featureJoinField  = featureAbbotHome + 6
	featureTurn       = featureAbbotHome + 7
	featureTurnLong   = featureAbbotHome + 8
	featureCount      = featureAbbotHome + 9

	handKinds = 5
)

// features holds the numbers for one seat.
type features [featureCount]float64

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
			worth[w] += fitted[i] * x
		}
	}
	return versus(worth[:s.Owners], int(seat))
}
