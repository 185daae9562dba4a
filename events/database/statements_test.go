package database_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/database"
)

func TestPreparedQueriesReadWhatIsThere(t *testing.T) {
	db, err := database.Connect(filepath.Join(t.TempDir(), "a.db"), "journal_mode(WAL)")
	require.NoError(t, err)
	s, ctx := database.Prepared(db), context.Background()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	// a query that cannot be prepared yet is not given up
	require.Error(t, s.QueryRowContext(ctx, `SELECT n FROM things WHERE n = ?`, 3).Scan(new(int)))
	_, err = s.ExecContext(ctx, `CREATE TABLE things (n INTEGER)`)
	require.NoError(t, err)
	for i := range 300 {
		_, err = s.ExecContext(ctx, `INSERT INTO things VALUES (?)`, i)
		require.NoError(t, err)
	}
	// the same query again and again, from many at once, and more queries than are kept
	var all sync.WaitGroup
	errs := make([]error, 8)
	for w := range errs {
		all.Go(func() {
			for i := range 300 {
				n, err := database.Value[int](s.QueryRowContext(ctx, `SELECT n FROM things WHERE n = ?`, i))
				if err == nil && n == i {
					n, err = database.Value[int](s.QueryRowContext(ctx,
						fmt.Sprintf(`SELECT n + %d FROM things WHERE n = ?`, i), i))
					n /= 2
				}
				if err != nil || n != i {
					errs[w] = fmt.Errorf("%d instead of %d: %w", n, i, err)
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	list, err := database.All(ctx, s, database.Value[int], `SELECT n FROM things WHERE n < ? ORDER BY n`, 3)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2}, list)
	// what changes meanwhile is seen
	_, err = s.ExecContext(ctx, `ALTER TABLE things ADD COLUMN m INTEGER DEFAULT 7`)
	require.NoError(t, err)
	n, err := database.Value[int](s.QueryRowContext(ctx, `SELECT n FROM things WHERE n = ?`, 5))
	require.NoError(t, err)
	require.Equal(t, 5, n)
}
