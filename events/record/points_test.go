package record_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// pointsChanges change the points in events.
var pointsChanges = []change{
	{"other points after a move", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, 1, nil), set("points", []int{0, 5, 0}))
	}},
	{"other points on a line that was left", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "carcassonne.played.v2", 0), set("points", []int{7, 0, 0}))
	}},
	{"points that are too few", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, -1, nil), set("points", []int{1}))
	}},
	{"other points at the end", finished, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("points", []int{40, 40}))
	}},
	{"other points of a game that was broken off", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), set("points", []int{40, 40, 40}))
	}},
	{"no points after a move", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.move(t, 1, nil), func(m map[string]any) { delete(m, "points") })
	}},
	{"points in an event of old", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.move(t, 1, nil)
		e.Type = "carcassonne.played.v1"
		return e
	}},
	{"no points at the end", story, func(t testing.TB, g *forgery) *record.Event {
		return edit(g.find(t, "table.ended.v3", 0), func(m map[string]any) { delete(m, "points") })
	}},
	{"points in an end of old", story, func(t testing.TB, g *forgery) *record.Event {
		e := g.find(t, "table.ended.v3", 0)
		e.Type = "table.ended.v1"
		return e
	}},
}

func proved(t testing.TB, file []byte) (*record.Report, error) {
	t.Helper()
	f, err := record.Read(bytes.NewReader(file))
	require.NoError(t, err)
	return record.Verify(f, desktest.Named)
}

func TestPointsThatWereAlteredAreNamed(t *testing.T) {
	says := map[string]int{}
	for _, c := range pointsChanges {
		t.Run(c.name, func(t *testing.T) {
			g := forgers(t, c.of(t), desktest.Keys(t))
			e := c.do(t, g)
			_, err := proved(t, g.written(t))
			var fault *record.Fault
			require.ErrorAs(t, err, &fault)
			require.Equal(t, []any{e.Stream, e.Version}, []any{fault.Stream, fault.Version}, fault.What)
			kind, ok := kindOf(faultKinds(t), fault.What)
			require.True(t, ok)
			says[kind.kind]++
		})
	}
	require.Equal(t, map[string]int{"points": 5, "luck": 2, "table-differs": 2}, says)
}

// Older programs wrote no points: such an event stays as it was.
func TestAnEventWithoutPointsIsAsItAlwaysWas(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(table, rand.New(rand.NewPCG(1, 2)), 5)
	h.Ends(table)
	h.Follows(table)
	g := forgers(t, exportOf(t, h, table), desktest.Keys(t))
	for i := range g.Events {
		e := &g.Events[i]
		without := func(m map[string]any) { delete(m, "points") }
		switch {
		case e.Type == "table.ended.v3":
			edit(e, without).Type = "table.ended.v1"
		case strings.HasPrefix(e.Type, "carcassonne."):
			edit(e, without).Type = strings.TrimSuffix(e.Type, "2") + "1"
		}
	}
	report, err := proved(t, g.written(t))
	require.NoError(t, err)
	require.Equal(t, 6, report.Moves)
	require.Empty(t, report.Skipped)
	require.Equal(t, domain.EndAgreed, h.Sees(table).Table.End)
}
