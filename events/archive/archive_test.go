package archive_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// Given a finished game, when it is archived, then it comes back byte for byte, verifies to its last draw, and is
// small.
func TestAnArchivedGameIsItsRecordWrittenSmaller(t *testing.T) {
	for game, perEvent := range map[string]int{"carcassonne": 80, "catan": 65, "rivals": 100} {
		t.Run(game, func(t *testing.T) {
			h := newHouse(t)
			text := exported(h, finished(h, game))
			packed, err := archive.Pack(text)
			require.NoError(t, err)
			back, err := archive.Unpack(packed)
			require.NoError(t, err)
			require.Equal(t, string(text), string(back))
			r, err := verifies(packed)
			require.NoError(t, err)
			require.Empty(t, r.Skipped)
			require.Zero(t, r.Hidden)
			require.True(t, r.Judged)
			require.Positive(t, r.Draws)
			t.Logf("%s: %d events, %d bytes, of a record of %d", game, r.Events, len(packed), len(text))
			require.Less(t, len(packed), perEvent*r.Events+1000)
		})
	}
}

// Given records that never change, then their archives never change size: the compression and its dictionary belong
// to the format.
func TestHowManyBytesAnArchivedGameHas(t *testing.T) {
	for file, want := range map[string]int{
		"../../docs/example.jsonl": 2128,
		"../../cmd/posthorn/tests/released/testdata/released/carcassonne.ended.record": 2838,
		"../../cmd/posthorn/tests/released/testdata/released/catan.ended.record":       2796,
		"../../cmd/posthorn/tests/released/testdata/released/rivals.ended.record":      4174,
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		packed, err := archive.Pack(text)
		require.NoError(t, err, file)
		back, err := archive.Unpack(packed)
		require.NoError(t, err)
		require.Equal(t, string(text), string(back))
		require.InDelta(t, want, len(packed), float64(want)/50, "%s: another Go may compress otherwise, and no worse",
			file)
	}
	require.Equal(t, "b1b96b46b481011723e7d7bb70c1ae2e8f3747d8338812aaac6aa05707c9004f",
		fmt.Sprintf("%x", sha256.Sum256(dictionary(t))),
		"the dictionary belongs to the format: another one is another format")
}

func dictionary(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("dictionary.txt")
	require.NoError(t, err)
	require.LessOrEqual(t, len(b), 32<<10, "no more is pointed back to")
	return b
}

// Given an archived game, when any byte is changed, missing, or added, then it is damaged.
func TestAnyChangedByteOfAnArchivedGameIsNoticed(t *testing.T) {
	packed := example(t)
	for i := range packed {
		bad := bytes.Clone(packed)
		bad[i] ^= 1 << rand.IntN(8)
		_, err := archive.Unpack(bad)
		require.Error(t, err, "byte %d", i)
		_, err = archive.Unpack(packed[:i])
		require.Error(t, err, "cut off at %d", i)
	}
	_, err := archive.Unpack(append(bytes.Clone(packed), 0))
	require.ErrorIs(t, err, archive.ErrDamaged)
}

func example(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	packed, err := archive.Pack(text)
	require.NoError(t, err)
	return packed
}

// Given somebody without the house's key who changes an archived game and recomputes its sum, then its receipts give
// it away: they cover hashes that follow from every byte of chance.
func TestAForgedSumDoesNotHideAnAlteredArchive(t *testing.T) {
	packed := example(t)
	body := packed[:len(packed)-sha256.Size]
	first := len(archive.Format) + 1 + 4
	chance := int(body[first-2])<<8 | int(body[first-1])
	require.Greater(t, chance, 400)
	for i := first; i < first+chance; i += 5 {
		forged := bytes.Clone(body)
		forged[i] ^= 1
		sum := sha256.Sum256(forged)
		_, err := verifies(append(forged, sum[:]...))
		require.Error(t, err, "byte %d of chance", i-first)
	}
}

// Given something that is not the record of a finished or running game, then it is not archived.
func TestOnlyRecordsAreArchived(t *testing.T) {
	_, err := archive.Pack([]byte("no record\n"))
	require.ErrorIs(t, err, record.ErrFormat)
	moving, err := os.ReadFile("../../cmd/posthorn/tests/released/testdata/released/catan.handover.record")
	require.NoError(t, err)
	_, err = archive.Pack(moving)
	require.ErrorIs(t, err, archive.ErrUnfit)

	text, err := os.ReadFile("../../docs/example.jsonl")
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[2] = bytes.Replace(lines[2], []byte(`"at":1`), []byte(`"at":2`), 1)
	altered := bytes.Join(lines[:len(lines)-2], nil)
	altered = fmt.Appendf(altered, "{\"sum\":\"%x\"}\n", sha256.Sum256(altered))
	_, err = archive.Pack(altered)
	require.ErrorIs(t, err, archive.ErrUnfit, "its chain does not hold")
	_, err = archive.Unpack(text)
	require.ErrorIs(t, err, archive.ErrFormat)
	_, err = archive.Unpack([]byte(archive.Format + "\n"))
	require.ErrorIs(t, err, archive.ErrDamaged)
}

// Given an archived game, then it contains no key of the house in any form.
func TestNoKeyOfTheHouseIsInAnArchivedGame(t *testing.T) {
	h := newHouse(t)
	packed, err := archive.Pack(exported(h, finished(h, "rivals")))
	require.NoError(t, err)
	text, err := archive.Unpack(packed)
	require.NoError(t, err)
	root := [32]byte{1} // of desktest.Keys
	for what, key := range map[string][]byte{"the root": root[:], "of sealing": h.Keys().For("seal"),
		"of wishes":   h.Keys().For("wish"),
		"of commands": h.Keys().For("command of a door"), "of receipts": h.Keys().For("receipt")} {
		for _, in := range [][]byte{packed, text} {
			for _, form := range [][]byte{key, []byte(hex.EncodeToString(key)),
				[]byte(base64.StdEncoding.EncodeToString(key)), []byte(base64.RawURLEncoding.EncodeToString(key))} {
				require.False(t, bytes.Contains(in, form), what)
			}
		}
	}
}

// FuzzUnpack reads arbitrary bytes before a matching sum.
func FuzzUnpack(f *testing.F) {
	packed := example(f)
	f.Add(packed[len(archive.Format)+1 : len(packed)-sha256.Size])
	f.Add([]byte{0, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		file := append([]byte(archive.Format+"\n"), body...)
		sum := sha256.Sum256(file)
		text, err := archive.Unpack(append(file, sum[:]...))
		if err != nil {
			return
		}
		if rec, err := record.Read(bytes.NewReader(text)); err == nil {
			_, _ = record.Verify(rec, desktest.Named)
			if _, err := archive.Pack(text); err != nil {
				require.ErrorIs(t, err, archive.ErrUnfit)
			}
		}
	})
}

// Given a game that branched from another one, then its archive also holds what it goes on from.
func TestABranchIsArchivedWithWhatItGoesOnFrom(t *testing.T) {
	h := newHouse(t)
	first := h.StartsBy(ana, "carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	playsOut(h, first, 8)
	h.Rewinds(first, 4)
	playsOut(h, first, 4)
	branch := h.StartsBy(ana, "carcassonne", h.BranchOf(first, 6, "game"), desktest.Player(ana), desktest.Player(bo))
	require.True(t, playsOut(h, branch, 500))
	require.False(t, archive.Wanted(h.Sees(branch).Table), "its secrets are shut while the other one runs")
	require.True(t, playsOut(h, first, 500))
	h.Follows(branch)
	for _, table := range []events.Name{first, branch} {
		require.True(t, archive.Wanted(h.Sees(table).Table))
		text := exported(h, table)
		packed, err := archive.Pack(text)
		require.NoError(t, err)
		r, err := verifies(packed)
		require.NoError(t, err)
		require.True(t, r.Judged)
	}
}

// BenchmarkArchive measures archiving a finished game, and reading it.
func BenchmarkArchive(b *testing.B) {
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		h := newHouse(b)
		text := exported(h, finished(h, game))
		packed, err := archive.Pack(text)
		require.NoError(b, err)
		b.Run(game+"/pack", func(b *testing.B) {
			for b.Loop() {
				_, _ = archive.Pack(text)
			}
			b.ReportMetric(float64(len(packed)), "B/game")
		})
		b.Run(game+"/verify", func(b *testing.B) {
			for b.Loop() {
				_, _ = verifies(packed)
			}
		})
	}
}
