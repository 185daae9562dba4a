package migrations_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"posthorn/migrations"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "some.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestApplyTwiceChangesNothingTheSecondTime(t *testing.T) {
	db := open(t)
	require.NoError(t, migrations.Apply(context.Background(), db, "events"))
	schema := func() (out string) {
		require.NoError(t, db.QueryRow(`SELECT group_concat(sql, ';') FROM sqlite_schema`).Scan(&out))
		return out
	}
	before := schema()
	require.Contains(t, before, "CREATE TABLE events")
	require.NoError(t, migrations.Apply(context.Background(), db, "events"))
	require.Equal(t, before, schema())
}

func TestApplyRefusesAnUnknownDatabase(t *testing.T) {
	require.ErrorContains(t, migrations.Apply(context.Background(), open(t), "nothing"), "nothing")
}

func TestApplyRefusesAFileOfANewerProgram(t *testing.T) {
	db := open(t)
	require.NoError(t, migrations.Apply(context.Background(), db, "events"))
	_, err := db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	require.NoError(t, err)
	require.ErrorContains(t, migrations.Apply(context.Background(), db, "events"), "schema 9999")
}
