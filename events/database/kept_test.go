package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/database"
)

func things(t *testing.T) *sql.DB {
	t.Helper()
	db, err := database.Connect(filepath.Join(t.TempDir(), "a.db"), "journal_mode(WAL)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE things (n INTEGER PRIMARY KEY, word TEXT)`)
	require.NoError(t, err)
	return db
}

func TestStatementsAreRunAgainAndAgainInTransactions(t *testing.T) {
	db, ctx := things(t), context.Background()
	for i := range 50 {
		require.NoError(t, database.Change(ctx, db, "write", func(tx *sql.Tx) error {
			for j := range 3 {
				if _, err := tx.ExecContext(ctx, `INSERT INTO things VALUES (?, ?)`, 3*i+j,
					fmt.Sprint("word ", 3*i+j)); err != nil {
					return err
				}
			}
			word, err := database.Value[string](tx.QueryRowContext(ctx, `SELECT word FROM things WHERE n = ?`, 3*i))
			require.Equal(t, fmt.Sprint("word ", 3*i), word)
			return err
		}))
	}
	// a statement that fails runs again as if nothing had happened
	for range 2 {
		err := database.Change(ctx, db, "write", func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO things VALUES (?, ?)`, 7, "twice")
			return err
		})
		require.ErrorContains(t, err, "UNIQUE")
	}
	n, err := database.Value[int](db.QueryRowContext(ctx, `SELECT count(*) FROM things WHERE word LIKE ?`, "word %"))
	require.NoError(t, err)
	require.Equal(t, 150, n)
}

func TestAStatementWhoseRowsAreOpenIsRunBesideThem(t *testing.T) {
	db, ctx := things(t), context.Background()
	for i := range 4 {
		_, err := db.ExecContext(ctx, `INSERT INTO things VALUES (?, ?)`, i, "x")
		require.NoError(t, err)
	}
	const above = `SELECT n FROM things WHERE n > ? ORDER BY n`
	var pairs [][2]int
	require.NoError(t, database.Change(ctx, db, "read", func(tx *sql.Tx) error {
		outer, err := tx.QueryContext(ctx, above, -1)
		require.NoError(t, err)
		for outer.Next() {
			var n int
			require.NoError(t, outer.Scan(&n))
			inner, err := database.All(ctx, tx, database.Value[int], above, n)
			require.NoError(t, err)
			for _, m := range inner {
				pairs = append(pairs, [2]int{n, m})
			}
		}
		require.NoError(t, outer.Err())
		return outer.Close()
	}))
	require.Equal(t, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, pairs)
}

func TestMoreStatementsThanAreKept(t *testing.T) {
	db, ctx := things(t), context.Background()
	for i := range 500 {
		n, err := database.Value[int](db.QueryRowContext(ctx, fmt.Sprintf(`SELECT %d + ?`, i), 1))
		require.NoError(t, err)
		require.Equal(t, i+1, n)
	}
	// the result of a statement may have changed shape meanwhile
	for _, want := range []int{2, 3} {
		rows, err := db.QueryContext(ctx, `SELECT * FROM things WHERE n = ?`, 1)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		require.Len(t, columns, want)
		require.NoError(t, rows.Close())
		_, err = db.ExecContext(ctx, fmt.Sprintf(`ALTER TABLE things ADD COLUMN m%d INTEGER`, want))
		require.NoError(t, err)
	}
	_, err := db.ExecContext(ctx, `SELECT n FROM nowhere`)
	require.ErrorContains(t, err, "nowhere")
}
