package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
)

// benched runs a small measurement, as text and as JSON, and returns its rows.
func benched(t *testing.T, args ...string) []benchRow {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{"bench"}, append(args, "--dir", dir, "--runs", "1", "--length", "1ms")...)
	var out, complaints bytes.Buffer
	con := console.Console{Out: &out, Err: &complaints}
	require.Zero(t, run(context.Background(), append(args, "--json"), con), complaints.String())
	var rows []benchRow
	require.NoError(t, json.Unmarshal(out.Bytes(), &rows), out.String())
	require.NotEmpty(t, rows)
	for _, r := range rows {
		require.Len(t, r.Runs, 1, r.Name)
		require.Positive(t, r.Runs[0].PerSecond, r.Name)
	}
	out.Reset()
	require.NoError(t, printRows(con, "in little", rows))
	require.Contains(t, out.String(), rows[0].Name)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "nothing of the house is left")
	return rows
}

func rowNames(rows []benchRow) (out []string) {
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func TestBenchFoldReadsLinesOfEachGame(t *testing.T) {
	got := rowNames(benched(t, "fold", "--events", "40"))
	for _, game := range benchGames {
		for _, way := range []string{"bare scan", "loaded", "loaded and folded", "at the desk, from its pack"} {
			require.Contains(t, got, game+", 40 events: "+way)
		}
	}
}

func TestBenchPictureStandsBesideTheEncoder(t *testing.T) {
	require.Len(t, benched(t, "picture"), 9)
}

func TestBenchNeedsRuns(t *testing.T) {
	var out, complaints bytes.Buffer
	require.NotZero(t, run(context.Background(), []string{"bench", "fold", "--dir", t.TempDir(), "--runs", "0"},
		console.Console{Out: &out, Err: &complaints}))
	require.Contains(t, complaints.String(), "at least 1")
}

func TestBenchViewsStandBesideTheBareLog(t *testing.T) {
	require.Equal(t, []string{"log read", "lists made anew"},
		rowNames(benched(t, "views", "--games", "3", "--moves", "5")))
}

func TestBenchMailSendsWhatWasWritten(t *testing.T) {
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		got := rowNames(benched(t, "mail", "--letters", "2", "--game", game))
		require.Len(t, got, 2)
		require.Regexp(t, `^ready-made, [1-9]\d+ kB each, sent$`, got[0], "with their pictures")
	}
}

func TestBenchSSETellsWhoReads(t *testing.T) {
	var out, complaints bytes.Buffer
	con := console.Console{Out: &out, Err: &complaints}
	args := []string{"bench", "sse", "--dir", t.TempDir(), "--runs", "1", "--length", "1ms", "--watchers", "5",
		"--silent", "2"}
	require.Zero(t, run(context.Background(), append(args, "--json"), con), complaints.String())
	var got map[string][]sseShare
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
	require.Len(t, got["watched"], 1)
	require.Equal(t, 5, got["watched"][0].Watchers)
	for _, runs := range got {
		require.Positive(t, runs[0].PerSecond)
		require.Positive(t, runs[0].Answer)
	}
	out.Reset()
	require.NoError(t, (&SSECmd{Watchers: 5, Silent: 2}).print(con, got["alone"], got["watched"]))
	require.Contains(t, out.String(), "nobody watches")
}

func TestBenchGrowthDrawsWhatItMeasured(t *testing.T) {
	for of, sizes := range map[string]string{"events": "5,20", "branches": "1,3", "games": "2,4"} {
		plot := filepath.Join(t.TempDir(), "plot.svg")
		var out, complaints bytes.Buffer
		con := console.Console{Out: &out, Err: &complaints}
		args := []string{"bench", "growth", "--of", of, "--sizes", sizes, "--svg", plot, "--dir", t.TempDir(), "--runs",
			"1", "--length", "1ms", "--json"}
		require.Zero(t, run(context.Background(), args, con), complaints.String())
		var got []grown
		require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
		require.Len(t, got, 2, of)
		for _, g := range got {
			for _, r := range g.Rows {
				require.Len(t, r.Runs, 1, r.Name)
			}
		}
		drawn, err := os.ReadFile(plot)
		require.NoError(t, err)
		require.NoError(t, xml.Unmarshal(drawn, new(struct{})))
		require.Contains(t, string(drawn), "a move")
		require.NotContains(t, string(drawn), "NaN")
	}
}
