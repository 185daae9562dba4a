package record

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Earlier programs gave an absent seat to another stand-in: verification accepts what stood then, and catches any
// other name.
func TestAnAbsentSeatMayHaveAnyStandInEverGiven(t *testing.T) {
	judged := func(fact string) string {
		again := &domain.Resigned{Seat: 1, StandIn: domain.HouseStandIns[0]}
		standsInAsThen(again, &domain.Resigned{Seat: 1, StandIn: fact})
		lent := &domain.Lent{Seat: 1, StandIn: domain.HouseStandIns[0]}
		standsInAsThen(lent, &domain.Lent{Seat: 1, StandIn: fact})
		late := &domain.TimedOut{StandIn: domain.HouseStandIns[0]}
		standsInAsThen(late, &domain.TimedOut{StandIn: fact})
		require.Equal(t, again.StandIn, lent.StandIn)
		require.Equal(t, again.StandIn, late.StandIn)
		return again.StandIn
	}
	for _, name := range domain.HouseStandIns {
		require.Equal(t, name, judged(name))
	}
	require.Equal(t, domain.HouseStandIns[0], judged("random"), "which is not what stands there")
	require.Equal(t, domain.HouseStandIns[0], judged(""))

	none := &domain.TimedOut{Does: domain.TimeOutRemind}
	standsInAsThen(none, &domain.TimedOut{StandIn: "steady"})
	require.Empty(t, none.StandIn, "a reminder gives the seat to nobody")
}
