package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

const (
	followBatch = 512                    // records handed over at once
	mostWaiting = 4 * window             // received and not yet confirmed; more can only be foreign
	mostBehind  = 250 * time.Millisecond // how long JetStream may be behind the log before the log is read instead
	leastRest   = 200 * time.Millisecond // how long a follower then stays with the log, at least and at most
	mostRest    = 10 * time.Second
)

var (
	errSlow  = errors.New("JetStream is behind the log")
	errStale = errors.New("the relay has begun a new session")
)

// Follow hands out the log as [events.Follower] says. It reads from JetStream, and no
// further than where the stream is known to be a true copy; while NATS is away, slow or in
// alarm it reads from the log, and what a message lacks to be the next record is read from
// there too.
func (r *Relay) Follow(ctx context.Context, after uint64, handle func(context.Context, []events.Record) error) error {
	whole := func(batch []events.Record) error { return handle(ctx, batch) } // not that of one subscription
	f := &follower{relay: r, at: after, handle: whole, rest: leastRest}
	return f.run(ctx)
}

type follower struct {
	relay  *Relay
	at     uint64 // position of the last record handled
	handle func([]events.Record) error
	failed error // what handle returned: it ends the following
	rest   time.Duration
}

func (f *follower) run(ctx context.Context) error {
	var until time.Time // stay with the log as long
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

// give hands over a batch that follows on what was handled.
func (f *follower) give(batch []events.Record) error {
	if len(batch) == 0 {
		return nil
	}
	if f.failed = f.handle(batch); f.failed != nil {
		return f.failed
	}
	f.at = batch[len(batch)-1].Pos
	return nil
}

// fromLog reads from the log until a moment, and then until the stream can be read: NATS is
// there and holds what was handled.
func (f *follower) fromLog(ctx context.Context, until time.Time) error {
	for {
		v := f.relay.look()
		resting := time.Until(until)
		ready := v.js != nil && v.published >= f.at
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

// await waits for the log to go on, for the relay to change, or for the rest to be over.
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

// fromStream reads from JetStream until it fails or falls behind. It never returns nil.
func (f *follower) fromStream(ctx context.Context) error {
	v := f.relay.look()
	if v.js == nil {
		return errStale
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, failed := make(chan jetstream.Msg, followBatch), make(chan error, 1)
	after := f.at // read here: the pump may still be starting when the follower has gone on
	go func() { failed <- pump(ctx, v.js, f.relay.opts.Stream, after, messages) }()
	return f.receive(ctx, v, messages, failed)
}

// pump opens a consumer after a position and passes on what it gets, until something goes
// wrong.
func pump(ctx context.Context, js jetstream.JetStream, stream string, after uint64, messages chan<- jetstream.Msg) error {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return fmt.Errorf("find the stream %s: %w", stream, err)
	}
	it, err := messagesFrom(ctx, s, after+1, jetstream.PullMaxMessages(2*followBatch), jetstream.PullExpiry(5*time.Second), jetstream.PullHeartbeat(2*time.Second))
	if err != nil {
		return err
	}
	defer it.Stop()
	for {
		m, err := it.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read the stream: %w", err)
		}
		select {
		case messages <- m:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// receive hands over what arrives, in the order of positions, no further than is confirmed.
func (f *follower) receive(ctx context.Context, v view, messages <-chan jetstream.Msg, failed <-chan error) error {
	ticker := time.NewTicker(mostBehind)
	defer ticker.Stop()
	var waiting []events.Record // received, not yet confirmed
	behind := false             // the log was ahead at the last tick
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case m := <-messages:
			waiting = f.gather(waiting, m, messages)
		case <-v.changed:
		case <-ticker.C:
			last, err := f.relay.log.Last(ctx)
			if err != nil {
				return fmt.Errorf("look at the log: %w", err)
			}
			if behind && last > f.at {
				return errSlow
			}
			behind = last > f.at
			continue
		}
		now := f.relay.look()
		if now.epoch != v.epoch || now.js == nil {
			return errStale
		}
		v.changed, v.published = now.changed, now.published
		before := f.at
		var err error
		if waiting, err = f.release(ctx, waiting, v.published); err != nil {
			return err
		}
		if len(waiting) > mostWaiting {
			return errSlow
		}
		behind = behind && f.at == before
	}
}

// gather takes a message and whatever else has arrived with it. What is not a record in its
// place is left out, and so read from the log.
func (f *follower) gather(waiting []events.Record, m jetstream.Msg, messages <-chan jetstream.Msg) []events.Record {
	for {
		if meta, err := m.Metadata(); err == nil {
			if rec, err := received(meta.Sequence.Stream, m.Headers(), m.Data()); err == nil {
				waiting = append(waiting, rec)
			}
		}
		if len(waiting) >= followBatch {
			return waiting
		}
		select {
		case m = <-messages:
		default:
			return waiting
		}
	}
}

// release hands over the records that are confirmed and returns the others. Records that
// were handled already are dropped; where one is missing, the log has it.
func (f *follower) release(ctx context.Context, waiting []events.Record, published uint64) ([]events.Record, error) {
	ready := 0
	for ready < len(waiting) && waiting[ready].Pos <= published {
		ready++
	}
	batch := make([]events.Record, 0, ready)
	for _, rec := range waiting[:ready] {
		next := f.at + 1 + uint64(len(batch))
		if rec.Pos < next {
			continue
		}
		if rec.Pos > next {
			if err := f.give(batch); err != nil {
				return nil, err
			}
			batch = nil
			if err := f.fill(ctx, rec.Pos); err != nil {
				return nil, err
			}
		}
		batch = append(batch, rec)
	}
	return waiting[ready:], f.give(batch)
}

// fill hands over the records before a position from the log.
func (f *follower) fill(ctx context.Context, before uint64) error {
	for f.at+1 < before {
		records, err := f.relay.log.Read(ctx, f.at, int(min(followBatch, before-f.at-1)))
		if err != nil {
			return fmt.Errorf("read the log after %d: %w", f.at, err)
		}
		if len(records) == 0 {
			return fmt.Errorf("the log lacks position %d", f.at+1)
		}
		if err := f.give(records); err != nil {
			return err
		}
	}
	return nil
}
