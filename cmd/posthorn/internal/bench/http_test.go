package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
)

func TestBenchHTTPHasPeoplePlayAtAHouse(t *testing.T) {
	dir := t.TempDir()
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		var out, complaints bytes.Buffer
		con := console.Console{Out: &out, Err: &complaints}
		args := []string{"bench", "http", "--dir", dir, "--game", game, "--players", "2", "--tables", "1", "--runs", "1", "--length", "20ms"}
		require.Zero(t, run(context.Background(), append(args, "--json"), con), complaints.String())
		var got httpBench
		require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
		require.Equal(t, game, got.Game)
		require.Equal(t, 2, got.Players)
		for what, runs := range map[string][]httpShare{"bare": got.Bare, "turns": got.Turns, "moves": got.Moves} {
			require.Len(t, runs, 1, what)
			require.Positive(t, runs[0].PerSecond, what)
		}
		require.GreaterOrEqual(t, got.Turns[0].Lists, 1.0, "a turn begins with a list")
		require.Zero(t, got.Moves[0].Lists, "moves alone need none")
		require.Positive(t, got.Turns[0].Median)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "nothing of the houses is left")
}

func TestBenchHTTPPrintsWhatItMeasuredAlone(t *testing.T) {
	var out, complaints bytes.Buffer
	con := console.Console{Out: &out, Err: &complaints}
	require.Zero(t, run(context.Background(), []string{"bench", "http", "--dir", t.TempDir(), "--players", "1", "--tables", "1", "--runs", "2", "--length", "10ms", "--only", "turns", "--mails"}, con), complaints.String())
	require.Contains(t, out.String(), "turns: listed and played")
	require.NotContains(t, out.String(), "moves alone")
}

func TestBenchHTTPNeedsPlayers(t *testing.T) {
	var out, complaints bytes.Buffer
	con := console.Console{Out: &out, Err: &complaints}
	require.NotZero(t, run(context.Background(), []string{"bench", "http", "--dir", t.TempDir(), "--players", "0"}, con))
	require.Contains(t, complaints.String(), "at least 1")
}
