package sqlite_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// Whatever bit of the file is changed, loading returns what was written, an error, or something that does not fit its
// chain. Only a cut-off tail escapes the chain alone; receipts, and reading by position, show that.
func TestAChangedBitIsNoticed(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "events.db"))
	c := newCrowd(t, l, 4)
	for _, name := range c.lines {
		for v := uint64(1); v < 40; v++ {
			d := logtest.Following(name, v)
			d.Parts = logtest.SomeParts()
			_, err := l.Append(context.Background(), d)
			require.NoError(t, err)
		}
	}
	want := map[events.Name][]events.Record{}
	for _, name := range c.lines {
		records, err := l.Load(context.Background(), name, 0, 0)
		require.NoError(t, err)
		want[name] = bare(records)
	}
	require.NoError(t, l.Close())
	file, err := os.ReadFile(l.Path())
	require.NoError(t, err)

	dice, noticed := rand.New(rand.NewPCG(1, 2)), 0
	for range 200 {
		at, bit := dice.IntN(len(file)), byte(1)<<dice.IntN(8)
		file[at] ^= bit
		path := filepath.Join(t.TempDir(), "events.db")
		require.NoError(t, os.WriteFile(path, file, 0o600))
		file[at] ^= bit
		for name, records := range want {
			got, err := loadDamaged(path, name)
			if err != nil {
				noticed++
				continue
			}
			require.LessOrEqual(t, len(got), len(records))
			require.Equal(t, records[:len(got)], bare(got), "byte %d, bit %08b", at, bit)
		}
	}
	require.NotZero(t, noticed)
}

// bare leaves out what the chain does not cover: the position, and the sealed form of parts, which their own key and
// digest cover.
func bare(records []events.Record) []events.Record {
	out := append([]events.Record(nil), records...)
	for i := range out {
		out[i].Pos = 0
		parts := append([]events.Part(nil), out[i].Parts...)
		for j := range parts {
			parts[j].Sealed = nil
		}
		out[i].Parts = parts
	}
	return out
}

var errBroken = errors.New("the chain does not hold")

// loadDamaged loads a stream and verifies its chain.
func loadDamaged(path string, name events.Name) (records []events.Record, err error) {
	ctx := context.Background()
	l, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	head, err := l.Head(ctx, name)
	if err != nil {
		return nil, err
	}
	if records, err = l.Load(ctx, name, 0, 0); err != nil {
		return nil, err
	}
	var prev events.Hash
	for i := range records {
		if prev = events.ChainHash(prev, &records[i]); prev != records[i].Hash || records[i].Version != uint64(i+1) {
			return nil, errBroken
		}
	}
	if head != (events.Head{Version: uint64(len(records)), Hash: prev}) {
		return nil, errBroken
	}
	return records, nil
}
