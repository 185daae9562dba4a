package events

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Follower hands out the whole log, as it was and as it grows. It is what projections
// and the notifier read through; where the records come from is its own matter.
type Follower interface {
	// Follow calls handle with the records after a position, in the order of their
	// positions, each once and none left out, in batches of one or more, and goes on with
	// new ones until the context ends (its error is returned) or handle returns an error
	// (returned as it is). The batch's last position is where a later Follow goes on.
	// The slice is handle's to keep; the records are shared and must not be changed. The
	// context that handle is given ends with the whole following, not with its batch.
	Follow(ctx context.Context, after uint64, handle func(context.Context, []Record) error) error
}

// How many records FollowLog and CatchUp hand over at once. A table that is in a batch is looked
// at once, however many of its events are. About wants of records no more than whose they are, and holds few.
const (
	followBatch  = 512
	catchUpBatch = 4096
	aboutBatch   = 512
)

// FollowLog is a Follower that reads straight from a log, for tests, tools, and wherever
// no broker stands between.
func FollowLog(l Log) Follower { return logFollower{l} }

type logFollower struct{ log Log }

func (f logFollower) Follow(ctx context.Context, after uint64, handle func(context.Context, []Record) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch, err := f.log.Read(ctx, after, followBatch)
		if err != nil {
			return fmt.Errorf("read the log after %d: %w", after, err)
		}
		if len(batch) == 0 {
			if err := f.log.Wait(ctx, after); err != nil {
				return fmt.Errorf("wait for the log after %d: %w", after, err)
			}
			continue
		}
		if err := handle(ctx, batch); err != nil {
			return err
		}
		after = batch[len(batch)-1].Pos
	}
}

// Batch is what a stretch of the log is about.
type Batch struct {
	Tables []Name   // each once, in the order of their names
	Ends   bool     // a game has ended, for which branches may be waiting
	Done   []Record // what was done at the tables themselves, in its order
	Pos    uint64   // of its last record: where to go on from
}

// batch finds out what records are about: by their own streams, their lines' or their seats'.
func (d *Desk) batch(ctx context.Context, recs []Record) (Batch, error) {
	b := Batch{Pos: recs[len(recs)-1].Pos}
	for i := range recs {
		s, err := d.log.Stream(ctx, recs[i].Stream)
		if err != nil {
			return b, fmt.Errorf("stream of position %d: %w", recs[i].Pos, err)
		}
		b.Ends = b.Ends || Ends(recs[i].Type)
		if s.Kind == KindTable {
			b.Done = append(b.Done, recs[i])
		}
		if s.Kind != KindHouse {
			b.Tables = append(b.Tables, s.Table)
		}
	}
	slices.SortFunc(b.Tables, func(x, y Name) int { return bytes.Compare(x[:], y[:]) })
	b.Tables = slices.Compact(b.Tables)
	return b, nil
}

// About reads which tables the log is about after a position, each once, until it has met so many of them
// or the log ends, and tells how far it read.
func (d *Desk) About(ctx context.Context, after uint64, most int) (tables []Name, upTo uint64, err error) {
	about, met := map[Name]Name{}, map[Name]bool{} // by stream; tables
	for upTo = after; len(met) < most; {
		recs, err := d.log.Read(ctx, upTo, aboutBatch)
		if err != nil {
			return nil, after, fmt.Errorf("read the log after %d: %w", upTo, err)
		}
		if len(recs) == 0 {
			break
		}
		for i := range recs {
			table, known := about[recs[i].Stream]
			if !known {
				s, err := d.log.Stream(ctx, recs[i].Stream)
				if err != nil {
					return nil, after, fmt.Errorf("stream of position %d: %w", recs[i].Pos, err)
				}
				if s.Kind != KindHouse {
					table = s.Table
				}
				about[s.Name] = table
			}
			if !table.IsZero() && !met[table] {
				met[table] = true
				tables = append(tables, table)
			}
		}
		upTo = recs[len(recs)-1].Pos
	}
	return tables, upTo, nil
}

// Follow follows the log table by table. Whoever does so asks the desk how each table stands, so
// that a batch that comes twice does no harm, and nothing is missed in between.
//
// After a small batch it rests for as long as that took, within bounds. What happens alone is handled at once; where much
// happens the batches grow by that, and each costs a transaction and a sync.
func (d *Desk) Follow(ctx context.Context, f Follower, after uint64, handle func(context.Context, Batch) error) error {
	return d.follow(ctx, f, after, briskly, nil, handle)
}

// FollowCalmly is Follow for who need not be quick: it rests for longer, and what happens meanwhile at one table is handled
// once. Somebody who waits for a position says so to hurry: there is no rest before it is handled.
func (d *Desk) FollowCalmly(ctx context.Context, f Follower, after uint64, hurry *Hurry, handle func(context.Context, Batch) error) error {
	return d.follow(ctx, f, after, calmly, hurry, handle)
}

func (d *Desk) follow(ctx context.Context, f Follower, after uint64, how pace, hurry *Hurry, handle func(context.Context, Batch) error) error {
	return f.Follow(ctx, after, func(ctx context.Context, recs []Record) error {
		b, err := d.batch(ctx, recs)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := handle(ctx, b); err != nil {
			return err
		}
		if len(recs) < how.small {
			hurry.rest(ctx, min(how.times*time.Since(began), how.most), b.Pos)
		}
		return nil
	})
}

// pace is how somebody who follows the log rests: after a batch of fewer records than small, so many times as long as it took,
// and no longer than most.
type pace struct {
	small int
	times time.Duration
	most  time.Duration
}

var (
	briskly = pace{64, 1, 20 * time.Millisecond}
	calmly  = pace{followBatch / 2, 8, 100 * time.Millisecond}
)

// Hurry tells who follows the log that somebody waits. A nil one tells nothing. Make one with NewHurry.
type Hurry struct {
	upTo atomic.Uint64
	wake chan struct{}
}

// NewHurry is for one who follows.
func NewHurry() *Hurry { return &Hurry{wake: make(chan struct{}, 1)} }

// For says that somebody waits for a position.
func (h *Hurry) For(pos uint64) {
	for {
		was := h.upTo.Load()
		if was >= pos {
			return
		}
		if h.upTo.CompareAndSwap(was, pos) {
			break
		}
	}
	select {
	case h.wake <- struct{}{}:
	default: // it was told of another, and looks how far it is to come
	}
}

// rest waits, after a position was handled, until somebody waits for a later one.
func (h *Hurry) rest(ctx context.Context, d time.Duration, done uint64) {
	if h == nil {
		rest(ctx, d, nil)
		return
	}
	for began := time.Now(); h.upTo.Load() <= done; {
		if left := d - time.Since(began); left <= 0 || !rest(ctx, left, h.wake) {
			return
		}
	}
}

// rest waits, but not beyond the end of the context, which is for others to see. It reports whether it was woken.
func rest(ctx context.Context, d time.Duration, wake <-chan struct{}) (woken bool) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	case <-wake:
		return true
	}
	return false
}

// CatchUp is Follow past every broker, and no further than the log goes; it tells how far it came.
func (d *Desk) CatchUp(ctx context.Context, after uint64, handle func(context.Context, Batch) error) (uint64, error) {
	for {
		recs, err := d.log.Read(ctx, after, catchUpBatch)
		if err != nil || len(recs) == 0 {
			return after, err
		}
		b, err := d.batch(ctx, recs)
		if err == nil {
			err = handle(ctx, b)
		}
		if err != nil {
			return after, err
		}
		after = b.Pos
	}
}

// Each does something with tables as they stand, glancing at each, but for those that cannot be read: of them the
// host is told.
func (d *Desk) Each(ctx context.Context, tables []Name, do func(Look) error) error {
	for _, name := range tables {
		err := d.Guard(name, func() error {
			look, err := d.Glance(ctx, name)
			if err != nil {
				return err
			}
			return do(look)
		})
		if err != nil && !errors.As(err, new(*Unreadable)) {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return nil
}
