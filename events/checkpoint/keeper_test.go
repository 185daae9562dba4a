package checkpoint_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desktest"
)

func TestEachGrowthOfTheLogIsSignedOnceAndKept(t *testing.T) {
	dir := t.TempDir()
	keys := desktest.New(t).Desk.Keys()
	keeper := func(n int, alarm func(error)) *checkpoint.Keeper {
		tree, err := checkpoint.Open(filepath.Join(dir, "tree"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = tree.Close() })
		return &checkpoint.Keeper{Tree: tree, Log: logOf(n), Keys: keys, Path: filepath.Join(dir, "notes"),
			Alarm: alarm}
	}
	never := func(err error) { t.Error(err) }
	k := keeper(5, never)
	_, _, err := k.Latest()
	require.ErrorIs(t, err, checkpoint.ErrNone)
	one, err := k.Sign(t.Context())
	require.NoError(t, err)
	again, err := k.Sign(t.Context())
	require.NoError(t, err)
	require.Equal(t, one, again, "nothing has happened since")

	// A house that stops signs once more.
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, keeper(9, never).Run(ctx))
	k = keeper(9, never)
	two, err := k.Sign(t.Context())
	require.NoError(t, err)
	notes, err := os.ReadFile(filepath.Join(dir, "notes"))
	require.NoError(t, err)
	require.Equal(t, []string{one, two}, checkpoint.Split(string(notes)))
	text, c, err := k.Latest()
	require.NoError(t, err)
	require.Equal(t, two, text)
	require.EqualValues(t, 9, c.Size)

	// A log that was cut, or changed before its latest checkpoint, sounds the alarm.
	var alarms []error
	heard := func(err error) { alarms = append(alarms, err) }
	_, err = keeper(7, heard).Sign(t.Context())
	require.NoError(t, err)
	require.Len(t, alarms, 1)
	require.ErrorIs(t, alarms[0], checkpoint.ErrRewritten)
	changed := logOf(12)
	changed.of[6] = events.Hash{1}
	k = keeper(12, heard)
	k.Log = changed
	_, err = k.Sign(t.Context())
	require.NoError(t, err)
	require.Len(t, alarms, 2)
}

// A house that was put back from an older copy and went on otherwise never signs two histories of one size: each of the
// two notes would prove the other one false. Once its log is longer, it signs again.
func TestTwoHistoriesOfOneSizeAreNeverSigned(t *testing.T) {
	dir, keys := t.TempDir(), desktest.New(t).Desk.Keys()
	keeper := func(log hashes) *checkpoint.Keeper {
		tree, err := checkpoint.Open(filepath.Join(t.TempDir(), "tree"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = tree.Close() })
		return &checkpoint.Keeper{Tree: tree, Log: log, Keys: keys, Path: filepath.Join(dir, "notes")}
	}
	for _, size := range []int{5, 9} {
		_, err := keeper(logOf(size)).Sign(t.Context())
		require.NoError(t, err)
	}
	require.NoError(t, keeper(logOf(9)).Holds(t.Context()))
	require.ErrorIs(t, keeper(logOf(8)).Holds(t.Context()), checkpoint.ErrRewritten, "its last event was deleted")
	before, err := os.ReadFile(filepath.Join(dir, "notes"))
	require.NoError(t, err)
	for _, size := range []int{5, 9} {
		other := logOf(size)
		other.of[3] = events.Hash{1}
		_, err := keeper(other).Sign(t.Context())
		require.ErrorIs(t, err, checkpoint.ErrSigned)
		require.ErrorContains(t, err, "restore the newest")
		after, err := os.ReadFile(filepath.Join(dir, "notes"))
		require.NoError(t, err)
		require.Equal(t, string(before), string(after))
	}
	longer := logOf(10)
	longer.of[3] = events.Hash{1}
	_, err = keeper(longer).Sign(t.Context())
	require.NoError(t, err)
	require.NoError(t, keeper(longer).Holds(t.Context()))
}

// A power cut or a full disk may leave half a note after the whole ones: it does not count, and the next one signed
// is whole.
func TestHalfANoteIsNone(t *testing.T) {
	keys := desktest.New(t).Desk.Keys()
	dir := t.TempDir()
	path := filepath.Join(dir, "notes")
	sign := func(n int) string {
		t.Helper()
		tree, err := checkpoint.Open(filepath.Join(dir, "tree"))
		require.NoError(t, err)
		k := &checkpoint.Keeper{Tree: tree, Log: logOf(n), Keys: keys, Path: path, Alarm: func(err error) {
			t.Error(err)
		}}
		text, err := k.Sign(t.Context())
		require.NoError(t, err)
		require.NoError(t, tree.Close())
		return text
	}
	one := sign(5)
	sign(9)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut := len(one) + 1; cut < len(whole); cut++ {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
		three := sign(12)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		notes := checkpoint.Split(string(text))
		require.Equal(t, one, notes[0], "cut at %d", cut)
		require.Equal(t, three, notes[len(notes)-1], "cut at %d", cut)
		for _, n := range notes {
			_, err := checkpoint.Read(keys.PublicKey(), n)
			require.NoError(t, err, "cut at %d: %q", cut, n)
		}
	}
}

// A power cut keeps any part of a file: here its end, but not its middle.
func TestATreeThatLostItsMiddleIsReadFromTheLogAgain(t *testing.T) {
	const hash = 32
	for name, lost := range map[string]int64{"before the latest checkpoint": 100, "after it": 1000} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			keys := desktest.New(t).Desk.Keys()
			keeper := func(n int) *checkpoint.Keeper {
				tree, err := checkpoint.Open(filepath.Join(dir, "tree"))
				require.NoError(t, err)
				t.Cleanup(func() { _ = tree.Close() })
				return &checkpoint.Keeper{Tree: tree, Log: logOf(n), Keys: keys, Path: filepath.Join(dir, "notes"),
					Alarm: func(err error) { t.Error(err) }}
			}
			_, err := keeper(400).Sign(t.Context())
			require.NoError(t, err)
			require.NoError(t, keeper(600).Tree.Grow(t.Context(), logOf(600))) // and is cut off before it signs
			file, err := os.OpenFile(filepath.Join(dir, "tree"), os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = file.WriteAt(make([]byte, 50*hash), lost*hash)
			require.NoError(t, err)
			require.NoError(t, file.Close())

			k := keeper(600)
			_, err = k.Sign(t.Context())
			require.NoError(t, err)
			_, signed, err := k.Latest()
			require.NoError(t, err)
			whole, err := checkpoint.Open(filepath.Join(t.TempDir(), "tree"))
			require.NoError(t, err)
			require.NoError(t, whole.Grow(t.Context(), logOf(600)))
			root, err := whole.Root(600)
			require.NoError(t, err)
			require.Equal(t, checkpoint.Checkpoint{Size: 600, Root: root}, signed)
			require.NoError(t, whole.Close())
		})
	}
}

// A program's output with a checkpoint in it is as good as the checkpoint alone, whatever its line endings.
func TestCheckpointsAreFoundInWhateverTextSomebodyKept(t *testing.T) {
	note := func(size string) string {
		return "posthorn/0123456789abcdef\n" + size + "\n" + strings.Repeat("A", 43) +
			"=\n\n\u2014 posthorn/0123456789abcdef c2ln\n"
	}
	one, two := note("8"), note("19")
	for _, text := range []string{one + "\n" + two, "Signed.\nKeep this:\n\n" + one + two + "\nThat is all.\n",
		strings.ReplaceAll(one+"\n"+strings.TrimSuffix(two, "\n"), "\n", "\r\n")} {
		require.Equal(t, []string{one, two}, checkpoint.Found(text), "%q", text)
	}
	require.Empty(t, checkpoint.Found("posthorn/0123456789abcdef\n8\n"))
}
