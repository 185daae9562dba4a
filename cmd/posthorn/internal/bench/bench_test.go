package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/events/bench"
)

func TestBenchLogPrintsTheDiskBesideTheAppends(t *testing.T) {
	dir := t.TempDir()
	var out, complaints bytes.Buffer
	con := console.Console{In: strings.NewReader(""), Out: &out, Err: &complaints}

	require.Zero(t, run(context.Background(), []string{"bench", "log", "--dir", dir, "--length", "10ms"}, con),
		complaints.String())
	require.Contains(t, out.String(), "disk alone/s")
	require.Contains(t, out.String(), "load a line of 300 events")

	out.Reset()
	require.Zero(t, run(context.Background(), []string{"bench", "log", "--dir", dir, "--length", "10ms", "--json"},
		con), complaints.String())
	var got bench.LogReport
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	require.Len(t, got.Appends, 3)
	require.Positive(t, got.Loads[0].Bare)

	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
