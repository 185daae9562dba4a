package turn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

func TestWhoPlaysAllSeatsIsNamedOnce(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo), desktest.Player(ana))
	h.Plays(table, 0, "keep")
	m := h.turn(table, asks(ana))
	require.Equal(t, "Tiny: Ana, Bo, Ana", m.Title, "others play, too")
	require.Equal(t, []string{"Ana (A)", "Bo", "Ana (C)"}, seats(m))
	require.Nil(t, m.Sole())

	three := []domain.TablePlace{desktest.Player(ana), desktest.Player(ana), desktest.Player(ana)}
	study := h.Starts("tiny", h.BranchOf(table, 2, "study"), three...)
	m = h.turn(study, asks(ana))
	require.Equal(t, "Tiny: a study by Ana", m.Title)
	require.True(t, m.Sole().You)
	require.Equal(t, "Ana", m.Sole().Name)
	require.Equal(t, []string{"Ana (A)", "Ana (B)", "Ana (C)"}, seats(m), "a seat is told from the others")
	listed, err := h.maker.Listed(h.Ctx, study, asks(ana))
	require.NoError(t, err)
	require.Equal(t, m.Title, listed.Title, "in lists, too")
	require.Equal(t, "Tiny: Ana", h.turn(h.Starts("tiny", h.BranchOf(table, 2, "game"), three...), asks(ana)).Title)
}

// seats returns what a model calls them.
func seats(m *turn.Model) (names []string) {
	for _, p := range m.Players {
		names = append(names, p.Name)
	}
	return names
}

func TestAPrincipalityIsCalledByItsPerson(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("rivals", nil, desktest.Player(ana), desktest.Player(bo))
	called := func(who turn.Asker) (names []string) {
		for _, p := range h.turn(table, who).Panels(turn.Choice{}) {
			names = append(names, p.Name)
		}
		return names
	}
	require.Subset(t, called(asks(cid)), []string{"Principality of Ana", "Principality of Bo"})
	require.Contains(t, called(asks(ana)), "Your principality")
}
