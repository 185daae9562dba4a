package standby

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"posthorn/events"
	"posthorn/events/relay"
	"posthorn/events/watch"
)

// ErrTail is returned for a log opened for reading that holds records where the stream has others: close it, then set
// those records aside.
var ErrTail = errors.New("the log holds records that were never answered")

// Reader fills a log from the stream while others read it. It never writes to the stream, and never asks for the
// lease.
type Reader struct {
	Log   events.Log
	Relay relay.Options
	// At is called with each position that the log has reached.
	At func(pos uint64)
	// Trouble is called with what goes wrong and is tried again.
	Trouble func(err error)
}

// Run fills the log until the context ends. Any other error needs a person to look at it, or is [ErrTail], with where
// log and stream diverge.
func (r *Reader) Run(ctx context.Context) (relay.Meeting, error) {
	for wait := lookEvery / 5; ; wait = min(2*wait, 4*lookEvery) {
		began := time.Now()
		met, err := r.session(ctx)
		switch {
		case ctx.Err() != nil:
			return met, ctx.Err()
		case errors.Is(err, ErrTail), errors.Is(err, relay.ErrForeign), errors.Is(err, relay.ErrIncomplete),
			errors.Is(err, events.ErrChain), errors.Is(err, events.ErrClosed):
			return met, err
		case time.Since(began) > time.Minute:
			wait = lookEvery / 5
		}
		r.Trouble(err)
		if err := watch.Pause(ctx, wait); err != nil {
			return met, err
		}
	}
}

// session is one connection. A consumer never resends what was under way when the connection broke, and while nobody
// writes nothing would show that: so the session does not reconnect.
func (r *Reader) session(ctx context.Context) (met relay.Meeting, err error) {
	o := r.Relay
	o.Connect = slices.Concat(o.Connect, []nats.Option{nats.NoReconnect()})
	m, err := relay.OpenMirror(o, r.Log)
	if err != nil {
		return met, err
	}
	defer m.Close()
	if met, err = m.Stands(ctx); err != nil {
		return met, err
	}
	if met.Tail() {
		return met, ErrTail
	}
	return met, m.Follow(ctx, r.At)
}
