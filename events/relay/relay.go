// Package relay carries the log to NATS JetStream and back to its followers.
//
// SQLite decides, JetStream distributes: the relay publishes the record at position n only if the stream's last
// sequence is n-1, so the stream's sequence is the log's position. That needs no checkpoint and no window for
// duplicates, and whatever JetStream lost at its end is published again. A stream that holds anything other than the
// log is a bad copy: the embedded server's is wiped and refilled; an external one is never touched, and the relay
// stops with an alarm (see [Relay.Health]).
//
// Projections and the notifier read through one shared subscription, [Relay.Follow]. JetStream says what has been
// published; whenever NATS is away, slow or in alarm, Follow continues from the log alone. Nothing in the house ever
// waits for NATS.
//
// What must not live here: what the events mean, and unsealing them.
package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
	"posthorn/events/watch"
)

// Options say where the relay publishes. Either URL or Dir is required.
type Options struct {
	// URL names an external server or cluster ("nats://a:4222,nats://b:4222"). Empty: the
	// embedded server.
	URL string
	// Connect holds further options for an external server: credentials, certificates.
	Connect []nats.Option
	// AckWait is how long a message may wait for its acknowledgement before the relay starts over; 10 s if 0.
	AckWait time.Duration
	// Dir is the embedded server's store, a folder of its own: the relay wipes it if it differs from the log.
	Dir string
	// Kept is called for an embedded store that goes further than the log, for example after an older backup of the
	// log was restored: the store is renamed, not wiped.
	Kept func(dir string)
	// Stream is the JetStream stream's name; DefaultStream if empty.
	Stream string
	// Keys are the house's: messages carry MACs under them.
	Keys *events.Keys
	// Replicas is how many copies an external cluster keeps of a stream the relay creates; 1 if 0.
	Replicas int
}

// Health is the relay's state.
type Health struct {
	Up        bool   // whether NATS is there and its stream is a true copy
	Published uint64 // the position up to which the stream is known to be a true copy
	Wipes     int    // how often the embedded copy was deleted since the start
	Trouble   error  // why it is not up; nil if it is. The relay keeps trying
	Alarm     error  // why it has stopped for good: an *Alarm; nil if it has not
}

// alarm is a stream that holds anything other than the log, on an external server. The relay has stopped and changed
// nothing. The log and all its followers continue. Once the host has repaired or deleted the stream, a restart fills
// it.
type alarm struct {
	Stream string
	Reason string
	ahead  bool // it goes further than the log: it may be the last copy of what the log lacks
}

func (a *alarm) Error() string {
	return fmt.Sprintf("the JetStream stream %s is not a copy of this log: %s", a.Stream, a.Reason)
}

// The shortest and longest wait before the relay tries again.
const (
	leastWait = 20 * time.Millisecond
	mostWait  = 5 * time.Second
)

// mostFailures is how many sessions in a row may fail with the embedded server before its store counts as damaged and
// is deleted.
const mostFailures = 6

// Relay publishes a log to JetStream and lets callers follow it. Make one with Start.
type Relay struct {
	log    events.Log
	opts   Options
	server *embedded // nil for an external one
	cancel context.CancelFunc
	done   chan struct{}
	alarm  chan struct{}

	subjects map[events.Name]published // of the streams seen; only the publishing goroutine uses it
	prover   prover                    // of the session's stream; likewise

	mu      sync.Mutex
	health  Health
	epoch   uint64              // counts sessions: anything received in an older one is not trusted
	js      jetstream.JetStream // of the session, nil if not up
	note    string              // the latest checkpoint
	feeding bool                // whether JetStream hands out what it has
	fed     uint64              // how far it has
	changed chan struct{}       // closed and replaced whenever any of these change
	moved   chan struct{}       // likewise, whenever followers may go further, or can no longer go this way

	follows  sync.Once
	followed chan struct{} // closed once somebody follows
}

var _ events.Follower = (*Relay)(nil)

// Start starts relaying and returns at once: NATS need not be there, now or ever. The relay runs until Close, or
// until the log is closed. Start returns an error only for bad options.
func Start(log events.Log, o Options) (*Relay, error) {
	if (o.URL == "") == (o.Dir == "") {
		return nil, errors.New("the relay needs either the address of a NATS server or a folder for its own")
	}
	if o.Keys == nil {
		return nil, errNoKeys
	}
	o.Stream = named(o.Stream)
	o.Replicas = max(o.Replicas, 1)
	o.AckWait = cmp.Or(o.AckWait, ackTime)
	r := &Relay{
		log: log, opts: o, done: make(chan struct{}), alarm: make(chan struct{}),
		subjects: map[events.Name]published{}, changed: make(chan struct{}), moved: make(chan struct{}),
		followed: make(chan struct{}),
		health:   Health{Trouble: errStarting},
	}
	if o.URL == "" {
		r.server = &embedded{dir: o.Dir}
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go r.run(ctx)
	return r, nil
}

// DefaultStream is the stream's name if the options give none.
const DefaultStream = "POSTHORN"

// named returns the stream's name.
func named(stream string) string { return cmp.Or(stream, DefaultStream) }

var (
	errNoKeys   = errors.New("the relay needs the keys of the house")
	errStarting = errors.New("the relay is starting")
	errClosed   = errors.New("the relay is closed")
)

// Health returns the relay's state now.
func (r *Relay) Health() Health {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.health
}

// Alarmed returns a channel that is closed when the relay has stopped with an alarm.
func (r *Relay) Alarmed() <-chan struct{} { return r.alarm }

// Synced waits until the stream is known to hold the log up to a position, or the context ends.
func (r *Relay) Synced(ctx context.Context, pos uint64) error {
	for {
		v := r.look()
		if v.js != nil && v.published >= pos {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-v.changed:
		}
	}
}

// Standing returns the position up to which the stream is known to be a true copy, and whether NATS is there now.
func (r *Relay) Standing() (published uint64, up bool) {
	v := r.look()
	return v.published, v.js != nil
}

// Close stops relaying and the embedded server. Followers continue from the log.
func (r *Relay) Close() error {
	r.cancel()
	<-r.done
	return nil
}

// run holds one session after another until the relay is closed.
func (r *Relay) run(ctx context.Context) {
	defer close(r.done)
	if r.server != nil {
		defer r.server.stop()
	}
	wait, failures := leastWait, 0
	for {
		before, began := r.Health().Published, time.Now()
		err := r.session(ctx)
		if ctx.Err() != nil || errors.Is(err, events.ErrClosed) {
			r.down(errClosed)
			return
		}
		if alarm := (*alarm)(nil); errors.As(err, &alarm) {
			if r.server == nil {
				r.down(alarm)
				close(r.alarm)
				return
			}
			err, failures = r.wipe(alarm), 0
		}
		unstored := errors.Is(err, errUnstored)
		if unstored && r.server != nil {
			r.server.stop() // a stream that hit a full disk takes nothing more until it is reopened
		}
		if r.Health().Published > before || !unstored && time.Since(began) > checkEvery {
			wait, failures = leastWait, 0
		} else if failures++; failures >= mostFailures && r.server != nil {
			err, failures = r.wipe(err), 0
		}
		r.down(err)
		if watch.Pause(ctx, wait/2+rand.N(wait)) != nil {
			continue // the loop's head sees that the context ended
		}
		wait = min(wait*2, mostWait)
	}
}

// wipe deletes the embedded server's copy, or sets it aside if it holds what the log lacks. It returns an error that
// says why.
func (r *Relay) wipe(why error) error {
	if alarm := (*alarm)(nil); errors.As(why, &alarm) && alarm.ahead {
		dir, err := r.server.setAside()
		if err != nil {
			return err
		}
		if r.opts.Kept != nil {
			r.opts.Kept(dir)
		}
	} else if err := r.server.wipe(); err != nil {
		return err
	}
	r.set(func() {
		r.health.Published = 0
		r.health.Wipes++
	})
	return fmt.Errorf("the embedded copy is filled anew: %w", why)
}

// set changes shared fields under the lock and wakes everybody waiting for a change.
func (r *Relay) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.seen()
	change()
	close(r.changed)
	r.changed = make(chan struct{})
	if now := r.seen(); now.due() != before.due() || now.epoch != before.epoch || now.js != before.js ||
		now.feeding != before.feeding {
		close(r.moved)
		r.moved = make(chan struct{})
	}
}

func (r *Relay) up(js jetstream.JetStream, published uint64) {
	r.set(func() {
		r.epoch++
		r.js, r.feeding, r.fed = js, false, 0
		r.health.Up, r.health.Trouble, r.health.Published = true, nil, published
	})
}

func (r *Relay) down(why error) {
	r.set(func() {
		r.js, r.feeding = nil, false
		r.health.Up, r.health.Trouble = false, why
		if alarm, ok := why.(*alarm); ok { // and not one for which the embedded copy was deleted
			r.health.Alarm = alarm
		}
	})
}

func (r *Relay) advance(published uint64) {
	r.set(func() { r.health.Published = published })
}

// view is what a follower sees of the relay at one moment.
type view struct {
	js             jetstream.JetStream
	epoch          uint64
	published, fed uint64
	feeding        bool
	changed, moved <-chan struct{} // closed at the next change, and at the next that concerns followers
}

// due returns the position up to which JetStream has handed out what is known to be a true copy.
func (v view) due() uint64 { return min(v.published, v.fed) }

func (r *Relay) look() view {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen()
}

// seen returns the current view; the caller holds the lock.
func (r *Relay) seen() view {
	return view{js: r.js, epoch: r.epoch, published: r.health.Published, fed: r.fed, feeding: r.feeding,
		changed: r.changed, moved: r.moved}
}
