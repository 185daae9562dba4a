package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestBenchHTTPHasPeoplePlayAtAHouse(t *testing.T) {
	dir := t.TempDir()
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		var out, complaints bytes.Buffer
		con := console.Console{Out: &out, Err: &complaints}
		args := []string{"bench", "http", "--dir", dir, "--game", game, "--players", "2", "--tables", "1", "--runs",
			"1", "--length", "20ms"}
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
	require.Zero(t, run(context.Background(),
		[]string{"bench", "http", "--dir", t.TempDir(), "--players", "1", "--tables", "1", "--runs", "2", "--length",
			"10ms", "--only", "turns", "--mails"}, con), complaints.String())
	require.Contains(t, out.String(), "turns: listed and played")
	require.NotContains(t, out.String(), "moves alone")
}

func TestAHouseApartLosesNothingWhenKilled(t *testing.T) {
	var out, complaints bytes.Buffer
	con := console.Console{Out: &out, Err: &complaints}
	dir := t.TempDir()
	cmd := &HTTPCmd{Dir: dir, Runs: 1, Length: 3 * time.Second, JSON: true, Game: "carcassonne",
		Players: 2, Tables: 1, Only: "turns", Mails: true, Look: true, Apart: true, Program: posthorntest.Binary(t)}
	require.NoError(t, cmd.Run(t.Context(), con))
	var got httpBench
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
	require.Positive(t, got.Apart.Acknowledged)
	require.Zero(t, got.Apart.Lost)
	require.Positive(t, got.Apart.Memory)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "nothing of the house is left")
}

func TestATableIsOpenedAtAHouseApart(t *testing.T) {
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	c := &HTTPCmd{Game: "carcassonne", Players: 1, Tables: 1, Apart: true}
	players, err := c.seated(t.Context(), l.House)
	require.NoError(t, err)
	p, first := players[0], players[0].tables[0].name
	p.house = nil
	require.NoError(t, p.open(t.Context(), p.tables[0]))
	require.NotEqual(t, first, p.tables[0].name)
	require.NoError(t, p.turn(t.Context(), &benchTimes{}))
	require.Len(t, p.receipts, 1)
}

func TestAReceiptThatTheLogDoesNotBearOutIsLost(t *testing.T) {
	in := func(do func(h *house.House, own string)) {
		require.NoError(t, opened(t.Context(), inFolder(house.Settings{}, t.TempDir()), func(h *house.House) error {
			c := &HTTPCmd{Game: "carcassonne", Players: 1, Tables: 1}
			players, err := c.seated(t.Context(), h)
			require.NoError(t, err)
			look, err := h.Desk.Look(t.Context(), players[0].tables[0].name)
			require.NoError(t, err)
			do(h, h.Desk.Receipt(look.Name, look.LineName, look.LineHead))
			return nil
		}))
	}
	in(func(_ *house.House, elsewhere string) {
		in(func(h *house.House, own string) {
			later := strings.Replace(own, ":1:", ":2:", 1)
			require.NotEqual(t, own, later)
			a := &apartShare{}
			require.NoError(t, a.counts(t.Context(), h, []*benchPlayer{{receipts: []string{own, later, elsewhere}}}))
			require.Equal(t, apartShare{Acknowledged: 3, Lost: 2}, *a)
		})
	})
}

func TestAHouseApartThatEndsIsTold(t *testing.T) {
	cmd := &HTTPCmd{Dir: t.TempDir(), Runs: 1, Length: time.Millisecond, Game: "carcassonne",
		Players: 1, Tables: 1, Only: "turns", Apart: true, Program: "false"}
	require.ErrorContains(t, cmd.Run(t.Context(), console.Console{}), "the house does not start: exit status 1")
}

func TestBenchHTTPNeedsPlayersAndRuns(t *testing.T) {
	for _, none := range []string{"--players", "--runs"} {
		var out, complaints bytes.Buffer
		con := console.Console{Out: &out, Err: &complaints}
		require.NotZero(t, run(context.Background(), []string{"bench", "http", "--dir", t.TempDir(), none, "0"}, con))
		require.Contains(t, complaints.String(), none)
		require.Contains(t, complaints.String(), "at least 1")
	}
}
