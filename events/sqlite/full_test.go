package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
)

// crowd appends with many callers, a line each, until everybody was refused n times. It keeps the answers in told,
// and tries what was refused again under the same command.
type crowd struct {
	lines []events.Name
	told  []map[uint64]events.Record
}

func newCrowd(t *testing.T, l events.Log, n int) *crowd {
	c := &crowd{}
	for range n {
		name := events.NewName()
		r, err := l.Append(context.Background(),
			logtest.Opening(events.Stream{Name: name, Kind: events.KindTable, Table: name}))
		require.NoError(t, err)
		c.lines = append(c.lines, name)
		c.told = append(c.told, map[uint64]events.Record{1: r})
	}
	return c
}

// push appends up to n events per line, each line until its first error, and returns the errors.
func (c *crowd) push(l events.Log, n int) []error {
	errs := make([]error, len(c.lines))
	var all sync.WaitGroup
	for i, name := range c.lines {
		all.Go(func() {
			for range n {
				v := uint64(len(c.told[i]))
				d := logtest.Following(name, v)
				d.Data = make([]byte, 900)
				d.Command = commandOf(name, v)
				r, err := l.Append(context.Background(), d)
				var dup *events.Duplicate
				if errors.As(err, &dup) {
					r, err = dup.Record, nil
				}
				if err != nil {
					errs[i] = err
					return
				}
				c.told[i][r.Version] = r
			}
		})
	}
	all.Wait()
	return errs
}

// check compares the log with what the callers were told.
func (c *crowd) check(t *testing.T, l events.Log) {
	t.Helper()
	total := 0
	for i, name := range c.lines {
		records, err := l.Load(context.Background(), name, 0, 0)
		require.NoError(t, err)
		require.Len(t, records, len(c.told[i]), "no more and no less than was acknowledged")
		for _, r := range records {
			require.Equal(t, c.told[i][r.Version], r)
		}
		logtest.VerifyChain(t, l, name)
		total += len(records)
	}
	all, err := l.Read(context.Background(), 0, 1<<20)
	require.NoError(t, err)
	require.Len(t, all, total)
	for i, r := range all {
		require.EqualValues(t, i+1, r.Pos)
	}
	last, err := l.Last(context.Background())
	require.NoError(t, err)
	require.EqualValues(t, total, last)
}

func TestAFullDiskRefusesAndLosesNothing(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "events.db"))
	c := newCrowd(t, l, 32)
	require.NoError(t, l.LimitPages(40))

	refused := c.push(l, 100)

	for i, err := range refused {
		require.ErrorContains(t, err, "full", "caller %d", i)
	}
	c.check(t, l)

	require.NoError(t, l.LimitPages(-1))
	require.NoError(t, errors.Join(c.push(l, 10)...), "there is room again")
	c.check(t, l)
	require.NoError(t, l.Close())
	c.check(t, open(t, l.Path()))
}

func TestATableOverAFullDiskIsNotAdoptedInPart(t *testing.T) {
	from := open(t, filepath.Join(t.TempDir(), "events.db"))
	c := newCrowd(t, from, 1)
	require.NoError(t, errors.Join(c.push(from, 100)...))
	s, err := from.Stream(context.Background(), c.lines[0])
	require.NoError(t, err)
	records, err := from.Load(context.Background(), c.lines[0], 0, 0)
	require.NoError(t, err)

	to := open(t, filepath.Join(t.TempDir(), "events.db"))
	mine := newCrowd(t, to, 1)
	require.NoError(t, to.LimitPages(10))
	require.ErrorContains(t, to.Adopt(context.Background(), []events.Stream{s}, records), "full")
	mine.check(t, to)
	require.NoError(t, to.LimitPages(-1))
	require.NoError(t, to.Adopt(context.Background(), []events.Stream{s}, records))
	logtest.VerifyChain(t, to, s.Name)
}
