// Package relay carries the log to NATS JetStream and back to whoever follows it.
//
// SQLite decides, JetStream distributes: the relay publishes the record at position n
// under the condition that the stream's last sequence is n-1, so the stream's sequence is
// the log's position. That needs no checkpoint and no window for duplicates, and whatever
// JetStream lost at its end is published again. A stream that holds something else than
// the log is a copy gone wrong: the embedded server's is wiped and filled anew, an external
// one is never touched and the relay stops with an alarm (see [Relay.Health]).
//
// [Relay.Follow] is the one subscription through which projections and the notifier read, shared
// by all of them. JetStream says what has been published; whenever NATS is away, slow or in alarm
// it goes on from the log alone. Nothing in the house ever waits for NATS.
//
// What may not live here: what the events mean, and unsealing them.
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

// Options say where the relay publishes. URL or Dir must be given.
type Options struct {
	// URL names an external server or cluster ("nats://a:4222,nats://b:4222"). Empty: the
	// embedded server.
	URL string
	// Connect is how an external server is connected to beyond that: credentials, certificates.
	Connect []nats.Option
	// AckWait is how long a message may wait for its acknowledgement until the relay begins anew; 10 s if 0.
	AckWait time.Duration
	// Dir is the embedded server's store, a folder of its own: it is wiped where it differs
	// from the log.
	Dir string
	// Kept is told of an embedded store that goes further than the log, as when an older backup
	// of the log was put back: it is not wiped, but renamed.
	Kept func(dir string)
	// Stream is the JetStream stream's name; DefaultStream if empty.
	Stream string
	// Replicas is how many copies an external cluster keeps of a stream the relay creates; 1 if 0.
	Replicas int
}

// Health is how the relay stands.
type Health struct {
	Embedded  bool   // whether the server is the one in this process
	Up        bool   // whether NATS is there and its stream is a true copy
	Published uint64 // the position up to which the stream is known to be a true copy
	Wipes     int    // how often the embedded copy was thrown away since the start
	Trouble   error  // why it is not up; nil if it is. It goes on trying
	Alarm     error  // why it has stopped for good: an *Alarm; nil if it has not
}

// Alarm is a stream that holds something else than the log, on a server that is not the
// embedded one. The relay has stopped and changed nothing. The log and everything that
// follows it go on. Once the host has put the stream right, or deleted it, a restart fills it.
type Alarm struct {
	Stream string
	Reason string
	ahead  bool // it goes further than the log: it may be the last copy of what the log lacks
}

func (a *Alarm) Error() string {
	return fmt.Sprintf("the JetStream stream %s is not a copy of this log: %s", a.Stream, a.Reason)
}

// How long the relay waits before it tries again, at least and at most.
const (
	leastWait = 20 * time.Millisecond
	mostWait  = 5 * time.Second
)

// mostFailures is how many sessions with the embedded server may come to nothing, one after
// the other, before its store is taken for damaged and thrown away.
const mostFailures = 6

// Relay publishes a log to JetStream and lets it be followed. Make one with Start.
type Relay struct {
	log    events.Log
	opts   Options
	server *embedded // nil for an external one
	cancel context.CancelFunc
	done   chan struct{}
	alarm  chan struct{}

	subjects map[events.Name]published // of streams seen; the publishing goroutine's alone

	mu      sync.Mutex
	health  Health
	epoch   uint64              // counts sessions: what was received in an older one is not trusted
	js      jetstream.JetStream // of the session, nil if not up
	note    string              // the latest checkpoint
	feeding bool                // whether JetStream hands out what it has
	fed     uint64              // how far it has
	changed chan struct{}       // closed and replaced whenever any of these change
	moved   chan struct{}       // and whenever followers may go further, or no further this way

	follows  sync.Once
	followed chan struct{} // closed once somebody follows
}

var _ events.Follower = (*Relay)(nil)

// Start begins to relay, and returns at once: NATS need not be there, now or ever. The
// relay goes on until Close, or until the log is closed. The error is about the options.
func Start(log events.Log, o Options) (*Relay, error) {
	if (o.URL == "") == (o.Dir == "") {
		return nil, errors.New("the relay needs either the address of a NATS server or a folder for its own")
	}
	o.Stream = named(o.Stream)
	o.Replicas = max(o.Replicas, 1)
	o.AckWait = cmp.Or(o.AckWait, ackTime)
	r := &Relay{
		log: log, opts: o, done: make(chan struct{}), alarm: make(chan struct{}),
		subjects: map[events.Name]published{}, changed: make(chan struct{}), moved: make(chan struct{}), followed: make(chan struct{}),
		health: Health{Embedded: o.URL == "", Trouble: errStarting},
	}
	if o.URL == "" {
		r.server = &embedded{dir: o.Dir}
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go r.run(ctx)
	return r, nil
}

// DefaultStream is the stream's name where the options do not say.
const DefaultStream = "POSTHORN"

// named is the stream's name.
func named(stream string) string { return cmp.Or(stream, DefaultStream) }

var (
	errStarting = errors.New("the relay is starting")
	errClosed   = errors.New("the relay is closed")
)

// Health tells how the relay stands now.
func (r *Relay) Health() Health {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.health
}

// Alarmed is closed when the relay has stopped with an alarm.
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

// Standing is the position up to which the stream is known to be a true copy, and whether NATS is there now.
func (r *Relay) Standing() (published uint64, up bool) {
	v := r.look()
	return v.published, v.js != nil
}

// Close stops relaying and the embedded server. Followers go on from the log.
func (r *Relay) Close() error {
	r.cancel()
	<-r.done
	return nil
}

// run holds one session after the other until the relay is closed.
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
		if alarm := (*Alarm)(nil); errors.As(err, &alarm) {
			if r.server == nil {
				r.down(alarm)
				close(r.alarm)
				return
			}
			err, failures = r.wipe(alarm), 0
		}
		unstored := errors.Is(err, errUnstored)
		if unstored && r.server != nil {
			r.server.stop() // a stream that met a full disk takes nothing more until it is opened anew
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

// wipe throws the embedded server's copy away, unless it holds what the log lacks, and tells why.
func (r *Relay) wipe(why error) error {
	if alarm := (*Alarm)(nil); errors.As(why, &alarm) && alarm.ahead {
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

// set changes what is shared under the lock and wakes whoever waits for a change.
func (r *Relay) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.seen()
	change()
	close(r.changed)
	r.changed = make(chan struct{})
	if now := r.seen(); now.due() != before.due() || now.epoch != before.epoch || now.js != before.js || now.feeding != before.feeding {
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
		if alarm, ok := why.(*Alarm); ok { // and not one for which the embedded copy was thrown away
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
	changed, moved <-chan struct{} // closed at the next change, and at the next that is of followers
}

// due is the position up to which JetStream has handed out what is known to be a true copy.
func (v view) due() uint64 { return min(v.published, v.fed) }

func (r *Relay) look() view {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen()
}

// seen is the view of whoever holds the lock.
func (r *Relay) seen() view {
	return view{js: r.js, epoch: r.epoch, published: r.health.Published, fed: r.fed, feeding: r.feeding, changed: r.changed, moved: r.moved}
}
