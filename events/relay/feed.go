package relay

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
	"posthorn/events/watch"
)

// All followers share one subscription. JetStream says by place and hash which records it has handed out; the records
// themselves come from the log, which keeps the latest in memory. So no record is sent over the connection, or
// parsed, once per follower.

const feedBatch = 256 // messages that may be on their way to the house

// feeds subscribes from the first follower until the session ends. If the subscription fails, followers continue from
// the log.
func (r *Relay) feeds(ctx context.Context, s jetstream.Stream) {
	select {
	case <-r.followed:
	case <-ctx.Done():
		return
	}
	for wait := leastRest; ; wait = min(2*wait, mostRest) {
		began := time.Now()
		_ = r.feed(ctx, s) // the session finds whatever is wrong when it publishes
		r.set(func() { r.feeding = false })
		if time.Since(began) > mostRest {
			wait = leastRest
		}
		if watch.Pause(ctx, wait) != nil {
			return
		}
	}
}

// feed opens a consumer after the part known to be a true copy, and notes how far it has handed out messages, until
// something goes wrong.
func (r *Relay) feed(ctx context.Context, s jetstream.Stream) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from := r.look().published
	it, err := messagesFrom(ctx, s, from+1, func(c *jetstream.ConsumerConfig) { c.HeadersOnly = true },
		jetstream.PullMaxMessages(feedBatch), jetstream.PullExpiry(5*time.Second),
		jetstream.PullHeartbeat(2*time.Second))
	if err != nil {
		return err
	}
	defer it.Stop()
	r.set(func() { r.feeding, r.fed = true, from })
	h := handed{log: r.log, more: make(chan struct{}, 1)}
	h.at.Store(from)
	failed := make(chan error, 1)
	go func() { failed <- h.read(ctx, it) }()
	for {
		select {
		case err := <-failed:
			return err
		case <-h.more:
			r.set(func() { r.fed = h.at.Load() })
		}
	}
}

// handed is how far a consumer has handed out the log's records.
type handed struct {
	log   events.Log
	ahead []events.Record // from the log, not handed out yet
	at    atomic.Uint64
	more  chan struct{}
}

// read reads messages until something goes wrong. It wakes the followers once for many messages.
func (h *handed) read(ctx context.Context, it jetstream.MessagesContext) error {
	for {
		m, err := it.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read the stream: %w", err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return fmt.Errorf("read the place of a message: %w", err)
		}
		if err := h.take(ctx, meta.Sequence.Stream, m.Headers().Get(HeaderHash)); err != nil {
			return err
		}
	}
}

// take notes a message that gives the hash of its record. A message the consumer leaves out does not matter: the log
// has it.
func (h *handed) take(ctx context.Context, seq uint64, hash string) (err error) {
	for len(h.ahead) > 0 && h.ahead[0].Pos < seq {
		h.ahead = h.ahead[1:]
	}
	if len(h.ahead) == 0 || h.ahead[0].Pos > seq {
		if h.ahead, err = h.log.Read(ctx, seq-1, feedBatch); err != nil {
			return fmt.Errorf("read the log at %d: %w", seq, err)
		}
	}
	if len(h.ahead) == 0 || h.ahead[0].Pos != seq || h.ahead[0].Hash.String() != hash {
		return fmt.Errorf("message %d is not the log's: %w", seq, ErrMessage)
	}
	if seq > h.at.Load() {
		h.at.Store(seq)
	}
	select {
	case h.more <- struct{}{}:
	default:
	}
	return nil
}

var errUnfed = errors.New("JetStream hands nothing out")
