package checkpoint_test

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/desktest"
)

// hashes is a log of which only the hashes matter.
type hashes struct {
	events.Log
	of []events.Hash
}

func (l hashes) Read(_ context.Context, after uint64, limit int) (out []events.Record, err error) {
	for i := after; i < uint64(len(l.of)) && len(out) < limit; i++ {
		out = append(out, events.Record{Pos: i + 1, Hash: l.of[i]})
	}
	return out, nil
}

// logOf returns a log of n events, each with its own hash.
func logOf(n int) (l hashes) {
	l.of = make([]events.Hash, n)
	for i := range l.of {
		binary.BigEndian.PutUint64(l.of[i][:], uint64(i)+1)
	}
	return l
}

func grown(t testing.TB, path string, l events.Log) *checkpoint.Tree {
	t.Helper()
	tree, err := checkpoint.Open(path)
	require.NoError(t, err)
	require.NoError(t, tree.Grow(t.Context(), l))
	return tree
}

func TestWhatWasOnceSignedIsProvedToGoOn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := logOf(rapid.IntRange(1, 300).Draw(r, "events"))
		tree := grown(t, filepath.Join(t.TempDir(), "tree"), l)
		defer func() { require.NoError(t, tree.Close()) }()
		to := int64(len(l.of))
		from := int64(rapid.IntRange(1, len(l.of)).Draw(r, "from"))
		older, err := tree.Root(from)
		require.NoError(t, err)
		root, err := tree.Root(to)
		require.NoError(t, err)
		proof, err := tree.Consistency(from, to)
		require.NoError(t, err)
		require.NoError(t, tlog.CheckTree(proof, to, root, from, older))

		at := rapid.IntRange(1, len(l.of)).Draw(r, "event")
		in, err := tree.Inclusion(int64(at), to)
		require.NoError(t, err)
		require.NoError(t, tlog.CheckRecord(in, to, root, int64(at)-1, checkpoint.Leaf(l.of[at-1])))
		require.Error(t, tlog.CheckRecord(in, to, root, int64(at)-1, checkpoint.Leaf(events.Hash{})))

		// The same log with one event changed before the older checkpoint has no such proof.
		changed := logOf(len(l.of))
		changed.of[rapid.IntRange(0, int(from)-1).Draw(r, "changed")][31] = 1
		other := grown(t, filepath.Join(t.TempDir(), "other"), changed)
		defer func() { require.NoError(t, other.Close()) }()
		otherRoot, err := other.Root(to)
		require.NoError(t, err)
		forged, err := other.Consistency(from, to)
		require.NoError(t, err)
		require.Error(t, tlog.CheckTree(forged, to, otherRoot, from, older))
	})
}

func TestATreeGrowsWithItsLogAndIsRepairedFromIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tree")
	roots := map[int]tlog.Hash{}
	for _, n := range []int{0, 1, 2, 3, 7, 4096, 4097, 9000, 9000, 5000} { // the last: restored from an older copy
		tree := grown(t, path, logOf(n))
		if n == 5000 {
			require.EqualValues(t, 5000, tree.Size(), "a shorter log has a tree of its own")
		}
		root, err := tree.Root(int64(n))
		require.NoError(t, err)
		fresh := grown(t, filepath.Join(t.TempDir(), "fresh"), logOf(n))
		want, err := fresh.Root(int64(n))
		require.NoError(t, err)
		require.Equal(t, want, root, n)
		roots[n] = root
		require.NoError(t, tree.Close())
		require.NoError(t, fresh.Close())
	}
	// A file that was cut, or whose end was changed, is repaired from the log.
	require.NoError(t, os.Truncate(path, 3333))
	tree := grown(t, path, logOf(9000))
	root, err := tree.Root(9000)
	require.NoError(t, err)
	require.Equal(t, roots[9000], root)
	_, err = tree.Root(9001)
	require.ErrorIs(t, err, checkpoint.ErrSize)
	_, err = tree.Consistency(0, 5)
	require.ErrorIs(t, err, checkpoint.ErrSize)
	_, err = tree.Inclusion(9001, 9001)
	require.ErrorIs(t, err, checkpoint.ErrSize)
	require.NoError(t, tree.Close())
}

func TestACheckpointIsSignedByTheKeyOfTheReceipts(t *testing.T) {
	h := desktest.New(t)
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	require.NotZero(t, table)
	tree := grown(t, filepath.Join(t.TempDir(), "tree"), h.Desk.Log())
	defer func() { require.NoError(t, tree.Close()) }()
	root, err := tree.Root(tree.Size())
	require.NoError(t, err)
	said := checkpoint.Checkpoint{Size: tree.Size(), Root: root}
	keys := h.Desk.Keys()
	text, err := checkpoint.Sign(keys, said)
	require.NoError(t, err)
	read, err := checkpoint.Read(keys.PublicKey(), text)
	require.NoError(t, err)
	require.Equal(t, said, read)

	other, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	for name, bad := range map[string]string{
		"another size": strings.Replace(text, "\n", "\n1", 1), "nothing": "",
		"no signature": text[:strings.Index(text, "\n\n")+1],
	} {
		_, err := checkpoint.Read(keys.PublicKey(), bad)
		require.ErrorIs(t, err, checkpoint.ErrNote, name)
	}
	_, err = checkpoint.Read(other, text)
	require.ErrorIs(t, err, checkpoint.ErrNote)
	_, err = keys.SignNote([]byte("posthorn-receipt-1:00"))
	require.ErrorIs(t, err, events.ErrReceipt, "no note passes for a receipt")
}

// BenchmarkAMillionEvents proves a week of a log of a million events.
func BenchmarkAMillionEvents(b *testing.B) {
	l := logOf(1_000_000)
	tree := grown(b, filepath.Join(b.TempDir(), "tree"), l)
	defer func() { _ = tree.Close() }()
	older, err := tree.Root(990_000)
	require.NoError(b, err)
	for b.Loop() {
		root, err := tree.Root(1_000_000)
		require.NoError(b, err)
		proof, err := tree.Consistency(990_000, 1_000_000)
		require.NoError(b, err)
		require.NoError(b, tlog.CheckTree(proof, 1_000_000, root, 990_000, older))
	}
}
