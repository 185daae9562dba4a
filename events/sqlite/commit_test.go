package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	lib "modernc.org/sqlite/lib"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/recent"
)

// badCommit replaces a log's COMMIT and fails, before or after carrying it out.
type badCommit struct {
	driver.Stmt
	code      int
	carryOut  bool
	remaining int
}

type diskError int

func (e diskError) Error() string { return "the disk said no" }
func (e diskError) Code() int     { return int(e) }

func (b *badCommit) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if b.remaining == 0 || b.carryOut {
		r, err := b.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
		if b.remaining == 0 || err != nil {
			return r, err
		}
	}
	b.remaining--
	return nil, diskError(b.code)
}

// spoil makes the log's next n commits fail, once its own has failed too.
func spoil(t *testing.T, l *Log, n, code int, carryOut bool) {
	t.Helper()
	r := &request{done: make(chan struct{}, 1), alone: func(w *writer) error {
		w.spoil(n, code, carryOut)
		return nil
	}}
	require.ErrorContains(t, l.submit(context.Background(), r), "said no")
}

func (w *writer) spoil(n, code int, carryOut bool) {
	w.commit.s = &badCommit{Stmt: w.commit.s, code: code, carryOut: carryOut, remaining: n + 1}
}

func openWithTables(t *testing.T, n int) (*Log, []events.Name) {
	t.Helper()
	l, err := Open(context.Background(), filepath.Join(t.TempDir(), "events.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	names := make([]events.Name, n)
	for i := range names {
		names[i] = events.NewName()
		_, err := l.Append(context.Background(),
			logtest.Opening(events.Stream{Name: names[i], Kind: events.KindTable, Table: names[i]}))
		require.NoError(t, err)
	}
	return l, names
}

// together makes the writer find all drafts queued at once, so that they form one batch, and returns their errors. It
// first runs prepare on the writer.
func together(l *Log, drafts []events.Draft, prepare func(w *writer)) []error {
	busy, release := make(chan struct{}), make(chan struct{})
	block := &request{done: make(chan struct{}, 1), alone: func(w *writer) error {
		prepare(w)
		close(busy)
		<-release
		return nil
	}}
	l.queue <- block
	<-busy
	batch := make([]*request, len(drafts))
	for i := range drafts {
		batch[i] = &request{draft: &drafts[i], done: make(chan struct{}, 1)}
		l.queue <- batch[i]
	}
	close(release)
	<-block.done
	errs := make([]error, len(batch))
	for i, b := range batch {
		<-b.done
		errs[i] = b.err
	}
	return errs
}

func TestAFailedCommitIsToldToAllAndLeavesNoTrace(t *testing.T) {
	ctx := context.Background()
	l, names := openWithTables(t, 3)
	moved := logtest.Following(names[0], 1)
	opened := logtest.Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: names[1]})
	drafts := []events.Draft{
		moved,
		logtest.Following(names[0], 1), // a conflict with something that is not written after all
		moved,                          // a duplicate of it
		opened,
		logtest.Following(opened.Stream, 1),
	}

	refused := together(l, drafts, func(w *writer) { w.spoil(1, lib.SQLITE_IOERR_WRITE, false) })

	for i, err := range refused {
		require.ErrorContains(t, err, "said no", "draft %d", i)
	}

	last, err := l.Last(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 3, last)
	_, err = l.Stream(ctx, opened.Stream)
	require.ErrorIs(t, err, events.ErrNoStream)
	r, err := l.Append(ctx, moved)
	require.NoError(t, err, "the same command may be tried again")
	require.EqualValues(t, 4, r.Pos)
	_, err = l.Append(ctx, opened)
	require.NoError(t, err)
	logtest.VerifyChain(t, l, names[0])
	logtest.VerifyChain(t, l, opened.Stream)
}

func TestACommitThatWasDoneAfterAllIsFoundAgain(t *testing.T) {
	ctx := context.Background()
	l, names := openWithTables(t, 1)
	spoil(t, l, 1, lib.SQLITE_IOERR_WRITE, true)
	d := logtest.Following(names[0], 1)

	_, err := l.Append(ctx, d)
	require.ErrorContains(t, err, "not known to be written")

	_, err = l.Append(ctx, d)
	var dup *events.Duplicate
	require.ErrorAs(t, err, &dup)
	require.EqualValues(t, 2, dup.Record.Pos)
	last, err := l.Last(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 2, last)
	logtest.VerifyChain(t, l, names[0])
}

func TestAnUnconfirmedWriteIsSettledByWhatTheDiskKept(t *testing.T) {
	for name, kept := range map[string]bool{"lost": false, "kept after all": true} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			l, names := openWithTables(t, 1)
			draft := logtest.Following(names[0], 1)
			errs := together(l, []events.Draft{draft}, func(w *writer) { w.spoil(1, lib.SQLITE_IOERR_FSYNC, kept) })
			require.ErrorContains(t, errs[0], "said no")
			require.ErrorIs(t, errs[0], ErrDisk)
			require.True(t, events.Unstored(errs[0]))

			_, err := l.Load(ctx, names[0], 0, 0)
			require.NoError(t, err, "it can be read")
			r, err := l.Append(ctx, draft)
			if kept {
				var dup *events.Duplicate
				require.ErrorAs(t, err, &dup)
				r, err = dup.Record, nil
			}
			require.NoError(t, err)
			require.EqualValues(t, 2, r.Version)
			require.EqualValues(t, 2, r.Pos)
			logtest.VerifyChain(t, l, names[0])
		})
	}
}

func TestWhileTheDiskConfirmsNothingNothingIsAppended(t *testing.T) {
	ctx := context.Background()
	l, names := openWithTables(t, 1)
	draft := logtest.Following(names[0], 1)
	errs := together(l, []events.Draft{draft}, func(w *writer) {
		w.spoil(1, lib.SQLITE_IOERR_FSYNC, false)
		w.settle.s = &badSettle{Stmt: w.settle.s, remaining: 3}
	})
	require.ErrorIs(t, errs[0], ErrDisk)
	for range 2 {
		_, err := l.Append(ctx, draft)
		require.ErrorIs(t, err, ErrDisk)
	}
	require.ErrorIs(t, l.Adopt(ctx, nil, nil), ErrDisk)
	_, err := l.Load(ctx, names[0], 0, 0)
	require.NoError(t, err, "it can still be read")
	_, err = l.Append(ctx, draft)
	require.NoError(t, err, "by itself, as soon as the disk confirms")
	logtest.VerifyChain(t, l, names[0])
}

// badSettle replaces the statement that moves the write-ahead log into the file, and fails a number of times.
type badSettle struct {
	driver.Stmt
	remaining int
}

func (b *badSettle) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if b.remaining > 0 {
		b.remaining--
		return nil, diskError(lib.SQLITE_IOERR_FSYNC)
	}
	return b.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

func TestOneRefusedDraftDoesNotHoldUpItsBatch(t *testing.T) {
	l, names := openWithTables(t, 4)
	drafts := []events.Draft{
		logtest.Following(names[0], 1),
		logtest.Following(names[1], 9),
		logtest.Following(events.NewName(), 0),
		logtest.Following(names[0], 2), // follows the first of the same batch
		logtest.Following(names[0], 2),
		logtest.Following(names[3], 1),
	}
	drafts = append(drafts, drafts[0])

	errs := together(l, drafts, func(*writer) {})

	var conflict *events.Conflict
	var dup *events.Duplicate
	require.NoError(t, errors.Join(errs[0], errs[3], errs[5]))
	require.ErrorAs(t, errs[1], &conflict)
	require.ErrorIs(t, errs[2], events.ErrNoStream)
	require.ErrorAs(t, errs[4], &conflict)
	require.Equal(t, events.Conflict{Stream: names[0], Expected: 2, Actual: 3}, *conflict)
	require.ErrorAs(t, errs[6], &dup)
	require.EqualValues(t, 5, dup.Record.Pos)
	logtest.VerifyChain(t, l, names[0])
}

func TestADraftIsWithdrawnOnlyWhileItIsQueued(t *testing.T) {
	l, names := openWithTables(t, 2)
	busy, release := make(chan struct{}), make(chan struct{})
	block := &request{done: make(chan struct{}, 1), alone: func(*writer) error {
		close(busy)
		<-release
		return nil
	}}
	blocked := make(chan error)
	go func() { blocked <- l.submit(context.Background(), block) }()
	<-busy // anything that comes now is queued behind it
	ctx, cancel := context.WithCancel(context.Background())
	answer := make(chan error)
	go func() {
		_, err := l.Append(ctx, logtest.Following(names[0], 1))
		answer <- err
	}()
	for len(l.queue) == 0 { // a context that ends before that never queues it
		runtime.Gosched()
	}
	cancel()
	err := <-answer
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "nothing was written")
	close(release)
	require.NoError(t, <-blocked)
	_, err = l.Append(context.Background(), logtest.Following(names[1], 1))
	require.NoError(t, err, "the writer has passed the withdrawn draft by")
	head, err := l.Head(context.Background(), names[0])
	require.NoError(t, err)
	require.EqualValues(t, 1, head.Version, "withdrawn is not written")

	ctx, cancel = context.WithCancel(context.Background())
	taken := &request{done: make(chan struct{}, 1), alone: func(*writer) error {
		cancel()
		return nil
	}}
	require.NoError(t, l.submit(ctx, taken), "once it is under way the true answer is awaited")
}

func TestForgottenHeadsAreReadAgain(t *testing.T) {
	l, names := openWithTables(t, 20)
	r := &request{done: make(chan struct{}, 1), alone: func(w *writer) error {
		w.heads = recent.New[events.Name, *head](2, nil)
		return nil
	}}
	require.NoError(t, l.submit(context.Background(), r))
	for v := uint64(1); v < 4; v++ {
		for _, n := range names {
			_, err := l.Append(context.Background(), logtest.Following(n, v))
			require.NoError(t, err)
		}
	}
	for _, n := range names {
		logtest.VerifyChain(t, l, n)
	}
}
