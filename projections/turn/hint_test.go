package turn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

// If there are more moves than room, those shown keep the names that they have among all moves, and the stand-in's
// favourites come first.
func TestTheBestMovesComeFirstWhereThereIsNoRoomForAll(t *testing.T) {
	h := newHouse(t)
	rnd := rand.New(rand.NewPCG(4, 5))
	table := h.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	seen := 0
	for !h.Random(table, rnd, 3) {
		look := h.Sees(table)
		m := h.turn(table, asks(look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0]))
		top, of := m.Top(10)
		names, different := map[string]string{}, 0
		for _, g := range m.Groups() {
			for _, n := range g.Moves {
				if names[n.Notation] = n.Name; !looksLikeAnother(n) {
					different++
				}
			}
		}
		require.Equal(t, different, of)
		require.False(t, slices.ContainsFunc(top, looksLikeAnother))
		require.Len(t, top, min(10, of))
		for _, n := range top {
			require.Equal(t, names[n.Notation], n.Name)
		}
		if of <= 10 {
			continue
		}
		seen++
		sight := standin.Look(look.Rulebook, look.Line.State, m.Seat, 1)
		best := standin.Steady{}.Ranked(sight)[0]
		require.Len(t, standin.Steady{}.Ranked(sight), m.Legal())
		notation := look.Rulebook.FormatMove(best.Move, nil)
		require.Contains(t, names, notation)
	}
	require.NotZero(t, seen)
}

// Where the best three begin alike, another kind of move that is nearly as good is shown in place of the last: not only
// three settlements where a city can be built, too.
func TestTheBestMovesAreNotAllOfOneKind(t *testing.T) {
	h := newHouse(t)
	ans, err := h.Desk.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{Rulebook: "catan",
		Pace: "daily", Given: []byte(`{"board":{"hexes":["ore10","wool2","lumber9","grain12","brick6","wool4",` +
			`"brick10","grain9","lumber11","desert","lumber3","ore8","lumber8","ore3","grain4","wool5","brick5",` +
			`"grain6","wool11"]},"phase":"main","active":"A","players":[{"settlements":[39],` +
			`"roads":[52,37,36,35,34],"hand":{"brick":2,"lumber":2,"wool":2,"grain":3,"ore":3}},` +
			`{"settlements":[3]},{"settlements":[17]}]}`),
		Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo), desktest.Player(cid)}})
	require.NoError(t, err)
	table := ans.Table
	for seat, who := range []domain.PersonID{ana, bo, cid} {
		h.Joins(who, table, domain.Seat(seat))
	}
	h.Follows(table)
	m := h.turn(table, asks(ana))
	shown, look := []string{}, h.Sees(table)
	top, _ := m.Top(3)
	for _, n := range top {
		shown = append(shown, n.Notation)
	}
	ranked := standin.Steady{}.Ranked(standin.Look(look.Rulebook, look.Line.State, m.Seat, m.Version))
	best := func(i int) string { return look.Rulebook.FormatMove(ranked[i].Move, nil) }
	for i := range 3 {
		require.Contains(t, best(i), "settle ")
	}
	require.Equal(t, []string{best(0), best(1), "city 39"}, shown)

	h.Plays(table, 0, "city 39")
	top, _ = h.turn(table, asks(ana)).Top(3)
	for _, n := range top {
		require.Contains(t, n.Notation, "settle ", "nothing else is nearly as good")
	}
}

// looksLikeAnother reports whether a move turns its tile in a way that looks like an earlier one.
func looksLikeAnother(n turn.Named) bool {
	return slices.ContainsFunc(n.Path, func(o turn.Option) bool { return o.Like != "" })
}
