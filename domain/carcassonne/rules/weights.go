package rules

// likely weighs the sides: the weighted difference between two seats best predicts how many more points one will gain
// than the other from there on. The weights were fitted (least squares) to the positions after each turn of
// two-player games, in which both seats played straight away the move that the previous fit of this estimate liked
// best, and a random move one turn in twenty-five. There were five rounds: the first on games played by Value, the
// last on 2,500 games, three in five of them with the river, the abbot or both. The weights work for more seats, too.
// What counts in several ways has several weights, so a single one may have the opposite sign: a follower in a city
// has left the hand and will probably come back. Men who are behind on a road or in a field were too few to fit;
// those two weights were set by hand.
var likely = sides{
	sideCityUnits: 0.87, sideCityOne: 0.15, sideCityTwo: -0.11, sideCityMore: 0.00, sideCityOneSoon: 0.82,
	sideCityTwoSoon: 0.55, sideCityGrows: 0.93, sideCityGrowsLikely: -0.68, sideCityBack: 6.05, sideCityOut: -2.76,
	sideCityStuck: -3.95, sideCityStuckUnits: 0.08,
	sideRoadUnits: 0.89, sideRoadLikely: 0.11, sideRoadGrows: 1.85, sideRoadBack: 6.13, sideRoadOut: -5.61,
	sideRoadStuck: -4.25,
	sideShrineNow: 0.95, sideShrineFills: 0.04, sideShrineBack: 7.34, sideShrineOut: -3.52,
	sideFieldCities: 0.89, sideFieldLikely: -0.11, sideFieldSoon: 0.65, sideFieldOut: -6.96, sideFieldOutEarly: 6.92,
	sideFieldOpen:  0.64,
	sideBehindCity: -1.91, sideBehindRoad: -2.00, sideBehindField: 0.50, sideSpare: 0.49,
	sideHand: 5.39, sideHand + 1: 3.25, sideHand + 2: 1.09, sideHand + 3: 4.41, sideHand + 4: 5.73,
	sideHandShort: 6.55, sideHandShort + 1: 2.85, sideHandShort + 2: 2.76, sideHandShort + 3: -0.04,
	sideHandShort + 4: -2.10,
	sideAbbotHome:     -0.59, sideAbbotOut: 0.59, sideAbbotNow: 0.79, sideAbbotFills: -0.29,
	sideJoinCity: 0.57, sideJoinRoad: 0.46, sideJoinField: 0.19, sideTurn: 1.73, sideTurnLong: -0.65,
}
