package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// BenchmarkAppend measures one durable append by one of several concurrent callers.
func BenchmarkAppend(b *testing.B) {
	for _, callers := range []int{1, 64, 512} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			l := openBench(b)
			lines := make([]events.Name, callers)
			for i := range lines {
				lines[i] = longLine(b, l, 1)
			}
			b.ReportAllocs()
			b.ResetTimer()
			var all sync.WaitGroup
			for i, line := range lines {
				n := b.N / callers
				if i < b.N%callers {
					n++
				}
				all.Go(func() {
					for v := range n {
						if _, err := l.Append(context.Background(), logtest.Following(line, uint64(v+1))); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkLoad measures loading a whole line.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{72, 300} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			l := openBench(b)
			line := longLine(b, l, n)
			b.ReportAllocs()
			for b.Loop() {
				records, err := l.Load(context.Background(), line, 0, 0)
				if err != nil || len(records) != n {
					b.Fatal(len(records), err)
				}
			}
		})
	}
}

// BenchmarkVerify measures recomputing the hashes of a line of 300 events.
func BenchmarkVerify(b *testing.B) {
	l := openBench(b)
	records, err := l.Load(context.Background(), longLine(b, l, 300), 0, 0)
	require.NoError(b, err)
	for b.Loop() {
		var prev events.Hash
		for i := range records {
			if prev = events.ChainHash(prev, &records[i]); prev != records[i].Hash {
				b.Fatal(i)
			}
		}
	}
}

func openBench(b testing.TB) *sqlite.Log {
	b.Helper()
	l, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "events.db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, l.Close()) })
	return l
}

func longLine(b testing.TB, l events.Log, n int) events.Name {
	b.Helper()
	name := events.NewName()
	_, err := l.Append(context.Background(),
		logtest.Opening(events.Stream{Name: name, Kind: events.KindTable, Table: name}))
	for v := 1; v < n && err == nil; v++ {
		_, err = l.Append(context.Background(), logtest.Following(name, uint64(v)))
	}
	require.NoError(b, err)
	return name
}
