package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

// keeper archives a house's games and notes which.
type keeper struct {
	*archive.Keeper
	kept   []events.Name
	failed map[events.Name]error
}

func newKeeper(desk *desk.Desk, dir string) *keeper {
	k := &keeper{failed: map[events.Name]error{}}
	k.Keeper = &archive.Keeper{Desk: desk, Named: desktest.Named, Folder: archive.Folder(dir),
		Kept:   func(table events.Name, _ int) { k.kept = append(k.kept, table) },
		Failed: func(table events.Name, err error) { k.failed[table] = err }}
	return k
}

// keeps archives what has ended, and returns the new games.
func keeps(t *testing.T, desk *desk.Desk, dir string) []events.Name {
	t.Helper()
	k := newKeeper(desk, dir)
	require.NoError(t, k.CatchUp(t.Context()))
	require.Empty(t, k.failed)
	return k.kept
}

// short returns a finished game of a few moves.
func short(h *house, game string) events.Name {
	h.T.Helper()
	table := h.StartsBy(ana, game, nil, desktest.Player(ana), desktest.Player(bo))
	playsOut(h, table, 3)
	h.Resigns(bo, table, 1)
	h.Follows(table)
	return table
}

// Given a house with finished, running and abandoned tables, when it is archived again and again, then each finished
// game is written once, when it is over, and verifies on its own.
func TestEachFinishedGameIsArchivedOnce(t *testing.T) {
	h, dir := newHouse(t), t.TempDir()
	first := short(h, "carcassonne")
	running := h.StartsBy(ana, "catan", nil, desktest.Player(ana), desktest.Player(bo))
	playsOut(h, running, 5)
	never := h.OpensBy(ana, "catan", nil, desktest.Player(ana), desktest.Player(bo))
	h.Does(ana, never, desk.Abandon{})
	require.Equal(t, []events.Name{first}, keeps(t, h.Desk, dir))
	require.Empty(t, keeps(t, h.Desk, dir))

	second := short(h, "rivals")
	h.Resigns(ana, running, 0)
	h.Follows(running)
	require.Equal(t, []events.Name{second, running}, keeps(t, h.Desk, dir))
	require.NoError(t, os.Remove(filepath.Join(dir, "position")))
	require.Empty(t, keeps(t, h.Desk, dir), "what is there is not written again")

	var found []string
	require.NoError(t, archive.Folder(dir).Each(func(path string) error {
		r, err := verifies(readFile(t, path))
		require.NoError(t, err)
		require.True(t, archive.Named(path, r.Table))
		found = append(found, r.Table.String())
		return nil
	}))
	require.ElementsMatch(t, []string{first.String(), second.String(), running.String()}, found)
	left, err := filepath.Glob(filepath.Join(dir, "*", "*.part"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// Given branches, then a game is archived once all that it goes on from is open, and a study never.
func TestABranchIsArchivedWhenItsSecretsOpen(t *testing.T) {
	h, dir := newHouse(t), t.TempDir()
	table := h.StartsBy(ana, "carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	playsOut(h, table, 6)
	branch := h.StartsBy(ana, "carcassonne", h.BranchOf(table, 4, "game"), desktest.Player(ana), desktest.Player(bo))
	study := h.StartsBy(ana, "carcassonne", h.BranchOf(table, 4, "study"), desktest.Player(ana), desktest.Player(bo))
	for _, over := range []events.Name{branch, study} {
		playsOut(h, over, 2)
		h.Resigns(bo, over, 1)
		h.Follows(over)
	}
	require.Empty(t, keeps(t, h.Desk, dir))
	h.Resigns(bo, table, 1)
	h.Follows(table)
	h.Follows(branch)
	h.Follows(study)
	require.Equal(t, []events.Name{table, branch}, keeps(t, h.Desk, dir))
}

// Given the folder of another house, then nothing is written there.
func TestAFolderIsOfOneHouse(t *testing.T) {
	h, dir := newHouse(t), t.TempDir()
	short(h, "carcassonne")
	keeps(t, h.Desk, dir)
	keys, err := events.NewKeys([32]byte{9})
	require.NoError(t, err)
	other := newHouse(t)
	other.House = desktest.With(t, keys, memory.New(), desktest.Clock())
	short(other, "carcassonne")
	require.ErrorIs(t, newKeeper(other.Desk, dir).CatchUp(t.Context()), archive.ErrOtherHouse)
}

// Given a log that differs from the one last archived, such as an older backup with further play, then it is read
// from its beginning.
func TestAnOlderLogIsArchivedFromItsBeginning(t *testing.T) {
	h, dir := newHouse(t), t.TempDir()
	short(h, "carcassonne")
	keeps(t, h.Desk, dir)
	again := newHouse(t)
	for range 3 {
		short(again, "carcassonne")
	}
	require.Len(t, keeps(t, again.Desk, dir), 3)
}

// Given a game that cannot be written as its log has it, then it is reported, the others are archived, and it is
// tried again.
func TestAGameThatDoesNotVerifyIsTold(t *testing.T) {
	h, dir := newHouse(t), t.TempDir()
	bad := short(h, "carcassonne")
	desk := desk.NewDesk(torn{h.Log(), h.Sees(bad).LineName}, h.Keys(), desktest.Named, time.Now)
	good := short(h, "carcassonne")
	k := newKeeper(desk, dir)
	require.NoError(t, k.CatchUp(t.Context()))
	require.Equal(t, []events.Name{good}, k.kept)
	require.Contains(t, k.failed, bad)
	require.Equal(t, []events.Name{bad}, keeps(t, h.Desk, dir), "once it can be read")
}

// torn is a log in which a line has another hash than it should.
type torn struct {
	events.Log
	line events.Name
}

func (l torn) Load(ctx context.Context, stream events.Name, after, upTo uint64) ([]events.Record, error) {
	recs, err := l.Log.Load(ctx, stream, after, upTo)
	if stream == l.line && len(recs) > 1 {
		recs = append([]events.Record(nil), recs...)
		recs[1].Data = []byte(strings.Replace(string(recs[1].Data), `"seat":0`, `"seat":1`, 1))
		recs[1].Hash[0] ^= 1
	}
	return recs, err
}

// Given a follower of the log, when a game ends, then it is archived; and a failed write ends the follower.
func TestAGameIsArchivedWhenItEnds(t *testing.T) {
	h, dir := newHouse(t), t.TempDir()
	k := newKeeper(h.Desk, dir)
	kept := make(chan events.Name, 4)
	k.Kept = func(table events.Name, _ int) { kept <- table }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- k.Follow(ctx, events.FollowLog(h.Log())) }()
	for range 2 {
		table := short(h, "carcassonne")
		select {
		case is := <-kept:
			require.Equal(t, table, is)
		case err := <-done:
			require.NoError(t, err)
		case <-time.After(time.Minute):
			t.Fatal("it is not archived")
		}
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	err := newKeeper(h.Desk, filepath.Join(file, "no folder")).CatchUp(t.Context())
	require.Error(t, err)
	require.False(t, errors.Is(err, archive.ErrOtherHouse))
}
