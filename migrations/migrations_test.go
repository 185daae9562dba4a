package migrations_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
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
	_, err = db.Exec(`PRAGMA user_version = 9999`)
	require.NoError(t, err)
	for _, err := range []error{migrations.Apply(t.Context(), db, "events"),
		migrations.Opens(t.Context(), db, "events")} {
		require.ErrorIs(t, err, migrations.ErrNewer)
		require.ErrorContains(t, err, "schema 9999")
	}
	_, err = db.Exec(`PRAGMA user_version = 0`) // as if it did not say that it only added
	require.NoError(t, err)
	require.ErrorIs(t, migrations.Apply(t.Context(), db, "events"), migrations.ErrNewer)
}

// Given a file to which a newer program has only added, then this program uses it, and leaves unchanged what the file
// says about itself.
func TestApplyGoesOnWithAFileThatWasOnlyAddedTo(t *testing.T) {
	for _, database := range []string{"events", "mail", "people", "views"} {
		db := open(t)
		require.NoError(t, migrations.Apply(t.Context(), db, database))
		require.NoError(t, migrations.Opens(t.Context(), db, database))
		var newest, least int64
		require.NoError(t, db.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&newest))
		require.NoError(t, db.QueryRow(`PRAGMA user_version`).Scan(&least))
		require.Positive(t, least)
		require.LessOrEqual(t, least, newest)
		_, err := db.Exec(`CREATE TABLE added (x INTEGER) STRICT; INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
		require.NoError(t, err)
		require.NoError(t, migrations.Apply(t.Context(), db, database), database)
		require.NoError(t, migrations.Opens(t.Context(), db, database), database)
		var after int64
		require.NoError(t, db.QueryRow(`PRAGMA user_version`).Scan(&after))
		require.Equal(t, least, after)
		require.NoError(t, db.QueryRow(`SELECT count(*) FROM added`).Scan(&after))
	}
}

// goose gets the steps as functions; the result is the same as if goose read the files.
func TestTheSchemaIsWhatGooseMakesOfTheFiles(t *testing.T) {
	schema := func(db *sql.DB) (out string) {
		require.NoError(t, db.QueryRow(
			`SELECT group_concat(type || ' ' || name || ' ' || coalesce(sql, ''), ';') FROM (SELECT * FROM sqlite_schema ORDER BY name)`).Scan(&out))
		return out
	}
	versions := func(db *sql.DB) (out string) {
		require.NoError(t, db.QueryRow(
			`SELECT group_concat(version_id || ':' || is_applied) FROM (SELECT * FROM goose_db_version ORDER BY id)`).
			Scan(&out))
		return out
	}
	for _, database := range []string{"events", "mail", "people", "views"} {
		mine, theirs := open(t), open(t)
		require.NoError(t, migrations.Apply(t.Context(), mine, database))
		provider, err := goose.NewProvider(goose.DialectSQLite3, theirs, os.DirFS(database))
		require.NoError(t, err)
		_, err = provider.Up(t.Context())
		require.NoError(t, err)
		require.Equal(t, schema(theirs), schema(mine), database)
		require.Equal(t, versions(theirs), versions(mine), database)
		require.NoError(t, migrations.Apply(t.Context(), theirs, database), "and goes on with such a file")
	}
}

// Given lists from a program that did not note at the seats that a table has ended, then they do after the step.
func TestSeatsOfTablesThatEndedBeforeAreNotedAsEnded(t *testing.T) {
	db := open(t)
	require.NoError(t, migrations.ApplyUpTo(t.Context(), db, "views", 2))
	for _, status := range []string{"open", "started", "ended"} {
		_, err := db.Exec(`INSERT INTO tables (name, rulebook, status, ending, opener, seats, open, branch, version, opened, moved, house, hidden, due, sealed, listed)
			VALUES (?1, 'tiny', ?1, '', 'ana', 2, 0, '', 1, 0, 0, 0, 0, 0, 0, 0); INSERT INTO places (table_name, person, seat, role) VALUES (?1, 'ana', 0, 'plays')`, status)
		require.NoError(t, err)
	}
	require.NoError(t, migrations.Apply(t.Context(), db, "views"))
	var ended string
	require.NoError(t, db.QueryRow(`SELECT group_concat(table_name) FROM places WHERE ended = 1`).Scan(&ended))
	require.Equal(t, "ended", ended)
}
