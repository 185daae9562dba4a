package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/sketch"
	"posthorn/events"
)

func TestASketchIsItsMakersAloneAndGoesWithThem(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	table := events.NewName()
	none, revision, err := h.Sketch(ctx, ana.ID, table)
	require.NoError(t, err)
	require.Zero(t, revision)
	require.Empty(t, none.Lines)

	tries := sketch.Sketch{Next: 1, Last: 1,
		Lines: []sketch.Line{{ID: 1, Name: "the abbot goes north", Plies: []sketch.Ply{{Move: "1,0 a"}}}}}
	require.NoError(t, h.SetSketch(ctx, ana.ID, table, tries, 0))
	got, revision, err := h.Sketch(ctx, ana.ID, table)
	require.NoError(t, err)
	require.Equal(t, 1, revision)
	require.Equal(t, tries, got)
	require.NotContains(t, string(h.files()), "abbot", "it is sealed")
	others, _, err := h.Sketch(ctx, bo.ID, table)
	require.NoError(t, err)
	require.Empty(t, others.Lines)

	tries.Lines[0].Name = "south"
	refused(t, h.SetSketch(ctx, ana.ID, table, tries, 0), "sketch-changed")
	require.NoError(t, h.SetSketch(ctx, ana.ID, table, tries, 1))
	refused(t, h.SetSketch(ctx, ana.ID, table, tries, 1), "sketch-changed")

	require.NoError(t, h.Forget(ctx, ana.ID))
	gone, _, err := h.Sketch(ctx, ana.ID, table)
	require.NoError(t, err)
	require.Empty(t, gone.Lines)
}
