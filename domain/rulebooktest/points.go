package rulebooktest

import (
	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// counted returns the points with which an event is logged after a state; nil if its type has no name for that.
func (g *game) counted(s domain.State, e *domain.Event) []int {
	with := *e
	(&domain.Line{Rulebook: g.rb, State: s}).CountPoints(&with)
	return with.Points
}

// pointsStand checks that the points logged with an applied event are those of the spectator's standing now, and that
// the event reads back as written.
func (g *game) pointsStand(e *domain.Event, points []int) {
	if points == nil {
		return
	}
	require.Equal(g.t, g.rb.Standing(g.line.State, domain.Spectator).Points(), points, "%s: the points after the event",
		g.where)
	with := *e
	with.Points = points
	public, secrets, err := g.codec.Encode(&with)
	require.NoError(g.t, err)
	name := g.codec.Name(&with)
	require.NotEqual(g.t, e.Type, name, "%s: points are logged under a type of their own", g.where)
	back, err := g.codec.Decode(name, public, secrets)
	require.NoError(g.t, err)
	require.Equal(g.t, points, back.Points, g.where)
	require.Equal(g.t, e.Type, back.Type, "%s: to a game it is the same type", g.where)
}
