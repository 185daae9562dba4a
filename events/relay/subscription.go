package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"posthorn/events"
)

const (
	followBatch = 512                    // records handed over at once
	mostBehind  = 250 * time.Millisecond // how long JetStream may lag behind the log before the log is read instead
	leastRest   = 200 * time.Millisecond // how long a follower then stays with the log, at least and at most
	mostRest    = 10 * time.Second
)

var (
	errSlow  = errors.New("JetStream is behind the log")
	errStale = errors.New("the relay has begun a new session")
)

// Follow hands out the log as [events.Follower] describes: what JetStream has handed out, and only as far as the
// stream is known to be a true copy. While NATS is away, slow or in alarm it uses the log alone.
func (r *Relay) Follow(ctx context.Context, after uint64, handle func(context.Context, []events.Record) error) error {
	r.follows.Do(func() { close(r.followed) })
	whole := func(batch []events.Record) error { return handle(ctx, batch) } // not that of one subscription
	f := &follower{relay: r, at: after, handle: whole, rest: leastRest}
	return f.run(ctx)
}

type follower struct {
	relay  *Relay
	at     uint64 // position of the last record handled
	handle func([]events.Record) error
	failed error // what handle returned: it ends the Follow
	rest   time.Duration
}

func (f *follower) run(ctx context.Context) error {
	var until time.Time // stay with the log until then
	for {
		if err := f.fromLog(ctx, until); err != nil {
			return cmp.Or(f.failed, ctx.Err(), err)
		}
		began := f.at
		err := f.fromStream(ctx)
		if f.failed != nil || ctx.Err() != nil || errors.Is(err, events.ErrClosed) {
			return cmp.Or(f.failed, ctx.Err(), err)
		}
		if errors.Is(err, errStale) {
			until = time.Time{}
			continue
		}
		if f.at > began {
			f.rest = leastRest
		}
		until = time.Now().Add(f.rest)
		f.rest = min(2*f.rest, mostRest)
	}
}

// give hands over a batch that continues what was handled.
func (f *follower) give(batch []events.Record) error {
	if f.failed = f.handle(batch); f.failed != nil {
		return f.failed
	}
	f.at = batch[len(batch)-1].Pos
	return nil
}

// fromLog reads from the log until a moment, and then until the stream can be followed: NATS is there and has handed
// out what was handled.
func (f *follower) fromLog(ctx context.Context, until time.Time) error {
	for {
		v := f.relay.look()
		resting := time.Until(until)
		ready := v.js != nil && v.feeding && v.due() >= f.at
		if ready && resting <= 0 {
			return nil
		}
		records, err := f.relay.log.Read(ctx, f.at, followBatch)
		if err != nil {
			return fmt.Errorf("read the log after %d: %w", f.at, err)
		}
		if len(records) > 0 {
			err = f.give(records)
		} else {
			err = f.await(ctx, v, ready, resting)
		}
		if err != nil {
			return err
		}
	}
}

// await waits for the log to grow, for the relay to change, or for the rest to be over.
func (f *follower) await(ctx context.Context, v view, ready bool, resting time.Duration) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	if ready {
		waiting, cancel = context.WithTimeout(waiting, resting)
		defer cancel()
	} else {
		go func() {
			select {
			case <-v.changed:
				cancel()
			case <-waiting.Done():
			}
		}()
	}
	err := f.relay.log.Wait(waiting, f.at)
	if err == nil || waiting.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("wait for the log after %d: %w", f.at, err)
}

// fromStream follows JetStream until it fails or falls behind. It never returns nil.
func (f *follower) fromStream(ctx context.Context) error {
	ticker := time.NewTicker(mostBehind)
	defer ticker.Stop()
	epoch := f.relay.look().epoch
	behind := false // the log was ahead at the last tick
	for {
		v := f.relay.look()
		switch {
		case v.js == nil || v.epoch != epoch:
			return errStale
		case !v.feeding:
			return errUnfed
		case v.due() > f.at:
			if err := f.fill(ctx, v.due()); err != nil {
				return err
			}
			behind = false
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-v.moved:
		case <-ticker.C:
			last, err := f.relay.log.Last(ctx)
			if err != nil {
				return fmt.Errorf("look at the log: %w", err)
			}
			if behind && last > f.at {
				return errSlow
			}
			behind = last > f.at
		}
	}
}

// fill hands over a batch of the records up to a position.
func (f *follower) fill(ctx context.Context, upTo uint64) error {
	records, err := f.relay.log.Read(ctx, f.at, int(min(followBatch, upTo-f.at)))
	if err != nil {
		return fmt.Errorf("read the log after %d: %w", f.at, err)
	}
	if len(records) == 0 {
		return fmt.Errorf("the log lacks position %d", f.at+1)
	}
	return f.give(records)
}
