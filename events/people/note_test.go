package people_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/people"
)

func TestANoteIsItsWritersAlone(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	table, other := events.NewName(), events.NewName()
	require.NoError(t, h.SetNote(ctx, ana.ID, table, "the abbot goes north"))
	require.NoError(t, h.SetNote(ctx, ana.ID, table, "the abbot goes south"))
	note, err := h.Note(ctx, ana.ID, table)
	require.NoError(t, err)
	require.Equal(t, "the abbot goes south", note)
	require.NotContains(t, string(h.files()), "abbot", "it is sealed")
	for _, read := range []func() (string, error){
		func() (string, error) { return h.Note(ctx, bo.ID, table) },
		func() (string, error) { return h.Note(ctx, ana.ID, other) },
	} {
		note, err = read()
		require.NoError(t, err)
		require.Empty(t, note)
	}
	refused(t, h.SetNote(ctx, ana.ID, table, strings.Repeat("x", people.MaxNote+1)), "note-long")
	require.ErrorIs(t, h.SetNote(ctx, "0123", table, "x"), people.ErrNobody)
	require.NoError(t, h.SetNote(ctx, ana.ID, table, ""))
	note, err = h.Note(ctx, ana.ID, table)
	require.NoError(t, err)
	require.Empty(t, note)
}
