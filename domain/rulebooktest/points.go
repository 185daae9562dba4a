package rulebooktest

import (
	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// counted are the points that an event is logged with after a state; nil where its type has no name for that.
func (g *game) counted(s domain.State, e *domain.Event) []int {
	with := *e
	(&domain.Line{Rulebook: g.rb, State: s}).CountPoints(&with)
	return with.Points
}

// pointsStand holds of an event that was applied that the points it is logged with are those of the spectator's standing
// now, and that it is read as it is written.
func (g *game) pointsStand(e *domain.Event, points []int) {
	if points == nil {
		return
	}
	require.Equal(g.t, g.rb.Standing(g.line.State, domain.Spectator).Points(), points, "%s: the points after the event", g.where)
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
