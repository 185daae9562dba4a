package database_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/database"
	"posthorn/events/programtest"
)

// readSoFar returns how many bytes this process has read from files.
func readSoFar(t *testing.T) (n int) {
	io, err := os.ReadFile("/proc/self/io")
	if err != nil {
		programtest.Missing(t, "what a process reads: this system does not tell")
	}
	_, err = fmt.Sscanf(string(io), "rchar: %d", &n)
	require.NoError(t, err)
	return n
}

func TestConnectionsAtRestForgetTheirPagesEachTime(t *testing.T) {
	ctx, db := context.Background(), things(t)
	_, err := db.Exec(`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 400) INSERT INTO things SELECT n, hex(randomblob(500)) FROM n`)
	require.NoError(t, err)
	reads := func() int {
		before := readSoFar(t)
		n, err := database.Value[int](db.QueryRow(`SELECT count(*) FROM things WHERE word > ''`))
		require.NoError(t, err)
		require.Equal(t, 400, n)
		return readSoFar(t) - before
	}
	reads()
	for range 3 {
		require.Less(t, reads(), 100<<10, "they are kept")
		require.NoError(t, database.Rest(ctx, db))
		require.Greater(t, reads(), 300<<10, "the table is read again")
	}
}

func TestAConnectionInUseIsLeftAlone(t *testing.T) {
	db := things(t)
	tx, err := db.Begin()
	require.NoError(t, err)
	require.NoError(t, database.Rest(context.Background(), db), "it would wait for ever otherwise")
	require.NoError(t, tx.Rollback())
}
