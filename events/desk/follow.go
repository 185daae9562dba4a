package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"posthorn/events"
)

// How many records CatchUp hands over at once. A table in a batch is looked at once, however many events
// it has there. About needs only whose records they are, and holds few.
const (
	catchUpBatch = 4096
	aboutBatch   = 512
)

// Batch is what a stretch of the log is about.
type Batch struct {
	Tables []events.Name   // each once, in the order of their names
	Ends   bool            // a game has ended, and branches may be waiting for it
	Done   []events.Record // what was done at the tables themselves, in order
	Pos    uint64          // of its last record: where to resume
}

// batch finds out which tables records are about, from their own streams, their lines or their seats.
func (d *Desk) batch(ctx context.Context, recs []events.Record) (Batch, error) {
	b := Batch{Pos: recs[len(recs)-1].Pos}
	for i := range recs {
		s, err := d.log.Stream(ctx, recs[i].Stream)
		if err != nil {
			return b, fmt.Errorf("stream of position %d: %w", recs[i].Pos, err)
		}
		b.Ends = b.Ends || Ends(recs[i].Type)
		if s.Kind == events.KindTable {
			b.Done = append(b.Done, recs[i])
		}
		if s.Kind != events.KindHouse {
			b.Tables = append(b.Tables, s.Table)
		}
	}
	slices.SortFunc(b.Tables, func(x, y events.Name) int { return bytes.Compare(x[:], y[:]) })
	b.Tables = slices.Compact(b.Tables)
	return b, nil
}

// About lists the tables that the log mentions after a position, each once, until it has that many or the log ends.
// It returns how far it read.
func (d *Desk) About(ctx context.Context, after uint64, most int) (tables []events.Name, upTo uint64, err error) {
	about, met := map[events.Name]events.Name{}, map[events.Name]bool{} // by stream; tables
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
				if s.Kind != events.KindHouse {
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

// Follow follows the log table by table. The caller asks the desk how each table stands, so a repeated batch does no
// harm and nothing is missed in between.
//
// After a small batch Follow rests for as long as the batch took, within bounds. It handles a lone event at once;
// when much happens the batches grow, and each costs only one transaction and one sync.
func (d *Desk) Follow(ctx context.Context, f events.Follower, after uint64,
	handle func(context.Context, Batch) error) error {
	return d.follow(ctx, f, after, briskly, nil, handle)
}

// FollowInBatches is Follow for callers that need not be quick: it rests longer, and handles what happens at one table
// in the meantime once. A caller that waits for a position tells hurry: then there is no rest before that position is
// handled.
func (d *Desk) FollowInBatches(ctx context.Context, f events.Follower, after uint64, hurry *Demand,
	handle func(context.Context, Batch) error) error {
	return d.follow(ctx, f, after, calmly, hurry, handle)
}

func (d *Desk) follow(ctx context.Context, f events.Follower, after uint64, how pace, hurry *Demand,
	handle func(context.Context, Batch) error) error {
	return f.Follow(ctx, after, func(ctx context.Context, recs []events.Record) error {
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

// pace is how a follower of the log rests: after a batch of fewer than small records, for a multiple of the time the
// batch took, but at most most.
type pace struct {
	small int
	times time.Duration
	most  time.Duration
}

var (
	briskly = pace{64, 1, 20 * time.Millisecond}
	calmly  = pace{256, 8, 100 * time.Millisecond}
)

// Demand tells a follower of the log that somebody is waiting. A nil Demand tells nothing. Make one with NewDemand.
type Demand struct {
	upTo atomic.Uint64
	wake chan struct{}
}

// NewDemand returns a Demand for one follower.
func NewDemand() *Demand { return &Demand{wake: make(chan struct{}, 1)} }

// For says that somebody waits for a position.
func (h *Demand) For(pos uint64) {
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
	default: // the follower was already woken, and will look how far to go
	}
}

// rest waits, after a position was handled, until somebody waits for a later one.
func (h *Demand) rest(ctx context.Context, d time.Duration, done uint64) {
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

// rest waits, but no longer than the context lasts; the caller checks the context. It reports whether it was woken.
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

// CatchUp is Follow without a broker, and stops where the log ends. It returns how far it came.
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

// Each glances at each table and calls do with it. It skips tables that cannot be read; the host is told of those.
func (d *Desk) Each(ctx context.Context, tables []events.Name, do func(Look) error) error {
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
