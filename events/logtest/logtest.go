// Package logtest is the suite that every [events.Log] passes, and the full disk for testing whatever stores a log.
// What must not live here: anything that only one log does.
package logtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// Opener opens logs of one kind for a test.
type Opener struct {
	// Open opens an empty log, which lasts as long as the test.
	Open func(t *testing.T) events.Log
	// Reopen closes a log and opens what it left behind; nil for a log that leaves nothing.
	Reopen func(t *testing.T, l events.Log) events.Log
}

// Run tests a kind of log against the contract of [events.Log].
func Run(t *testing.T, o Opener) {
	for _, part := range []struct {
		name string
		run  func(t *testing.T, o Opener)
	}{
		{"append", testAppend},
		{"versions", testVersions},
		{"commands", testCommands},
		{"forks", testForks},
		{"reading", testReading},
		{"adopting", testAdopting},
		{"concurrently", testConcurrently},
		{"ending", testEnding},
		{"against a model", testModel},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, o) })
	}
}

// noon is when the suite's events happen, with more digits than a log keeps.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 123456789, time.FixedZone("elsewhere", 3600))

// world is a log with short ways to say what happens in it.
type world struct {
	t   *testing.T
	log events.Log
	ctx context.Context
}

func newWorld(t *testing.T, o Opener) *world {
	return &world{t: t, log: o.Open(t), ctx: context.Background()}
}

// run runs a test in a world of its own.
func (o Opener) run(t *testing.T, name string, test func(w *world)) {
	t.Run(name, func(t *testing.T) { test(newWorld(t, o)) })
}

// Opening returns a draft of a stream's first event.
func Opening(s events.Stream) events.Draft {
	return events.Draft{
		Stream: s.Name, Open: &s, Expect: s.Fork, Command: events.NewCommandID(),
		Type: "opened.v1", Codec: "json", At: noon, Meta: []byte(`{"by":"suite"}`), Data: []byte(`{}`),
	}
}

// Following returns a draft of the next event in a stream that stands at a version.
func Following(name events.Name, version uint64) events.Draft {
	return events.Draft{
		Stream: name, Expect: version, Command: events.NewCommandID(), Type: "moved.v1", Codec: "json", At: noon,
		Meta: []byte(`{"by":"suite"}`), Data: fmt.Appendf(nil, `{"after":%d}`, version),
	}
}

// SomeParts returns two secret parts, one for two seats and one for nobody.
func SomeParts() []events.Part {
	return []events.Part{
		{To: domain.To(0, 2), Digest: events.Hash{1, 2, 3}, Sealed: []byte("sealed for two")},
		{To: 0, Digest: events.Hash{4, 5, 6}, Sealed: []byte("sealed for nobody")},
	}
}

func (w *world) append(d events.Draft) events.Record {
	w.t.Helper()
	return sure(w.log.Append(w.ctx, d))(w.t)
}

// sure returns the answer of a call that must not fail.
func sure[T any](answer T, err error) func(t require.TestingT) T {
	return func(t require.TestingT) T {
		require.NoError(t, err)
		return answer
	}
}

// milliseconds returns a time as a log keeps it.
func milliseconds(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

// table opens a table and returns its stream.
func (w *world) table() events.Stream {
	w.t.Helper()
	n := events.NewName()
	return w.open(events.Stream{Name: n, Kind: events.KindTable, Rulebook: "suite", Table: n})
}

// open opens a stream, under a new name if it has none.
func (w *world) open(s events.Stream) events.Stream {
	w.t.Helper()
	if s.Name.IsZero() {
		s.Name = events.NewName()
	}
	w.append(Opening(s))
	return s
}

// opening returns a draft that opens a line of a table.
func opening(table events.Name) events.Draft {
	return Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: table})
}

// line opens a table's line, chained to its table's newest event.
func (w *world) line(table events.Stream) events.Stream {
	w.t.Helper()
	return w.open(events.Stream{Kind: events.KindLine, Rulebook: "suite", Table: table.Name,
		Origin: w.head(table.Name).Hash})
}

// fork opens a line that goes on from a version of another.
func (w *world) fork(parent events.Stream, at uint64) events.Stream {
	w.t.Helper()
	return w.open(events.Stream{Kind: events.KindLine, Rulebook: "suite", Table: parent.Table, Parent: parent.Name,
		Fork: at})
}

// grow appends n events to a stream.
func (w *world) grow(s events.Stream, n int) {
	w.t.Helper()
	for range n {
		w.append(Following(s.Name, w.head(s.Name).Version))
	}
}

func (w *world) head(n events.Name) events.Head {
	w.t.Helper()
	return sure(w.log.Head(w.ctx, n))(w.t)
}

func (w *world) load(n events.Name, after, upTo uint64) []events.Record {
	w.t.Helper()
	return sure(w.log.Load(w.ctx, n, after, upTo))(w.t)
}

func (w *world) last() uint64 {
	w.t.Helper()
	return sure(w.log.Last(w.ctx))(w.t)
}

func (w *world) all() []events.Record {
	w.t.Helper()
	return sure(w.log.Read(w.ctx, 0, 1<<20))(w.t)
}

func (w *world) adopt(h *handedOver) error { return w.log.Adopt(w.ctx, h.streams, h.records) }

// refused appends a draft that must be refused, and checks that nothing was written.
func (w *world) refused(d events.Draft) error {
	w.t.Helper()
	before := w.last()
	_, err := w.log.Append(w.ctx, d)
	require.Error(w.t, err)
	require.Equal(w.t, before, w.last(), "what is refused writes nothing")
	return err
}

// conflict appends a draft that must be refused with a *Conflict.
func (w *world) conflict(d events.Draft, stream events.Name, expected, actual uint64) {
	w.t.Helper()
	var c *events.Conflict
	require.ErrorAs(w.t, w.refused(d), &c)
	require.Equal(w.t, events.Conflict{Stream: stream, Expected: expected, Actual: actual}, *c)
}

// duplicate appends a repeated command, and checks which record the answer names.
func (w *world) duplicate(d events.Draft, want events.Record) {
	w.t.Helper()
	var dup *events.Duplicate
	require.ErrorAs(w.t, w.refused(d), &dup)
	require.Equal(w.t, want, dup.Record)
}

// lists checks which streams a table has.
func (w *world) lists(table events.Name, want ...events.Stream) {
	w.t.Helper()
	require.Equal(w.t, want, sure(w.log.Streams(w.ctx, table))(w.t))
}

// unknown checks that no stream has a name, in every way to ask for it.
func (w *world) unknown(n events.Name) {
	w.t.Helper()
	_, err := w.log.Stream(w.ctx, n)
	require.ErrorIs(w.t, err, events.ErrNoStream)
	_, err = w.log.Head(w.ctx, n)
	require.ErrorIs(w.t, err, events.ErrNoStream)
	_, err = w.log.Load(w.ctx, n, 0, 0)
	require.ErrorIs(w.t, err, events.ErrNoStream)
}

// undone checks that a table does not know a command.
func (w *world) undone(table events.Name, id events.CommandID) {
	w.t.Helper()
	_, err := w.log.Find(w.ctx, table, id)
	require.ErrorIs(w.t, err, events.ErrNoRecord)
}

// VerifyChain recomputes the hash of every event of a stream, including its ancestors', and checks that versions run
// from 1 without gaps.
func VerifyChain(t require.TestingT, l events.Log, name events.Name) {
	ctx := context.Background()
	records, root := sure(l.Load(ctx, name, 0, 0))(t), sure(l.Stream(ctx, name))(t)
	for !root.Parent.IsZero() {
		root = sure(l.Stream(ctx, root.Parent))(t)
	}
	prev := root.Origin
	for i := range records {
		r := &records[i]
		prev = events.ChainHash(prev, r)
		if r.Version != uint64(i+1) || r.Hash != prev {
			require.Equal(t, uint64(i+1), r.Version, "versions of %s", name)
			require.Equal(t, prev, r.Hash, "hash of version %d of %s", r.Version, name)
		}
	}
	require.Equal(t, events.Head{Version: uint64(len(records)), Hash: prev}, sure(l.Head(ctx, name))(t), "head of %s",
		name)
}
