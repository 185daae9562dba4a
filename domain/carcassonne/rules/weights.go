package rules

// fitted weighs the features: the weighted difference between two seats best predicts how many more points one will
// gain than the other from there on. The weights were fitted (least squares) to the positions after each turn of
// two-player games, in which both seats played straight away the move that the previous fit of this estimate liked
// best, and a random move one turn in twenty-five. There were five rounds: the first on games played by Value, the last
// on 2,500 games, three in five of them with the river, the abbot or both. The weights work for more seats, too. What
// counts in several ways has several weights, so a single one may have the opposite sign: a follower in a city has left
// the hand and will probably come back. Men who are behind on a road or in a field were too few to fit; those two
// weights were set by hand.
var fitted = features{
	featureCityUnits: 0.87, featureCityOne: 0.15, featureCityTwo: -0.11, featureCityMore: 0.00,
	featureCityOneSoon: 0.82,
	featureCityTwoSoon: 0.55, featureCityGrows: 0.93, featureCityGrowsLikely: -0.68, featureCityBack: 6.05,
	featureCityOut:   -2.76,
	featureCityStuck: -3.95, featureCityStuckUnits: 0.08,
	featureRoadUnits: 0.89, featureRoadLikely: 0.11, featureRoadGrows: 1.85, featureRoadBack: 6.13,
	featureRoadOut:   -5.61,
	featureRoadStuck: -4.25,
	featureShrineNow: 0.95, featureShrineFills: 0.04, featureShrineBack: 7.34, featureShrineOut: -3.52,
	featureFieldCities: 0.89, featureFieldLikely: -0.11, featureFieldSoon: 0.65, featureFieldOut: -6.96,
	featureFieldOutEarly: 6.92,
	featureFieldOpen:     0.64,
	featureBehindCity:    -1.91, featureBehindRoad: -2.00, featureBehindField: 0.50, featureSpare: 0.49,
	featureHand: 5.39, featureHand + 1: 3.25, featureHand + 2: 1.09, featureHand + 3: 4.41, featureHand + 4: 5.73,
	featureHandShort: 6.55, featureHandShort + 1: 2.85, featureHandShort + 2: 2.76, featureHandShort + 3: -0.04,
	featureHandShort + 4: -2.10,
	featureAbbotHome:     -0.59, featureAbbotOut: 0.59, featureAbbotNow: 0.79, featureAbbotFills: -0.29,
	featureJoinCity: 0.57, featureJoinRoad: 0.46, featureJoinField: 0.19, featureTurn: 1.73, featureTurnLong: -0.65,
}
