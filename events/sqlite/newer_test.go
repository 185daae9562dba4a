package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/sqlite"
	"posthorn/migrations"
)

// Given a log whose file a newer program has only added to, then it opens; one changed in any other way is refused in
// plain words. Neither is checked for what this program does not know.
func TestALogOfANewerProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	log, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, log.Close())
	require.NoError(t, sqlite.InspectSchema(t.Context(), path))
	does := func(text string) {
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.Exec(text)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	does(`CREATE TABLE added (x INTEGER) STRICT; INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	log, err = sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, log.Close())
	require.ErrorContains(t, sqlite.InspectSchema(t.Context(), path), "let that one check it")
	does(`PRAGMA user_version = 9999`)
	_, err = sqlite.Open(t.Context(), path)
	require.ErrorIs(t, err, migrations.ErrNewer)
	require.ErrorContains(t, err, "a newer program has changed it")
}
