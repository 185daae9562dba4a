package database_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/database"
)

func TestAChangeIsSeenOnceByWhoeverMadeIt(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "mail.db")
	db, err := database.Open(ctx, path, "mail")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	w, err := database.NewWatch(ctx, path)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Close()) }()
	asked := func(want bool) {
		t.Helper()
		got, err := w.Changed(ctx)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	asked(true)
	asked(false)
	for range 3 {
		_, err = db.ExecContext(ctx, `INSERT INTO checkpoint (one, pos) VALUES (1, 1) ON CONFLICT DO UPDATE SET pos = pos + 1`)
		require.NoError(t, err)
		asked(true)
		asked(false)
	}
	require.NoError(t, database.Copy(ctx, path, path+".copy"))
	asked(false)
}
