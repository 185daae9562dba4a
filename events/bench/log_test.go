package bench_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/bench"
)

func TestLogMeasuresEverythingAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	got, err := bench.Log(context.Background(), bench.Options{Dir: dir, Length: 20 * time.Millisecond})
	require.NoError(t, err)
	require.Len(t, got.Appends, 3)
	for _, a := range got.Appends {
		require.Positive(t, a.PerSecond)
		require.Positive(t, a.Disk)
		require.Positive(t, a.Median)
	}
	require.Equal(t, 72, got.Loads[0].Events)
	require.Equal(t, 300, got.Loads[1].Events)
	require.Positive(t, got.Scan)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
