// Package lease elects the writer: a key in a replicated bucket of NATS, which its holder renews and which expires.
// It only elects. What keeps two writers apart is the sequence that each message to the stream expects
// (events/relay): a server that holds a lease too long can do no harm.
package lease

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events/watch"
)

// The defaults of a lease.
const (
	DefaultBucket = "POSTHORN_LEASE"
	DefaultTTL    = 6 * time.Second
	key           = "writer"
)

// ErrLost is the cause of a lease's end if its holder could not renew it in time, or somebody else has taken it.
var ErrLost = errors.New("the lease is lost")

// ErrReleased is the cause of a lease's end if its holder gave it back.
var ErrReleased = errors.New("the lease was given back")

// Options say which lease to take.
type Options struct {
	Dial   func() (*nats.Conn, error) // a connection of the lease's own
	Bucket string                     // DefaultBucket if empty
	// for a bucket that is created: how long nobody writes after a holder has died. DefaultTTL if 0
	TTL      time.Duration
	Replicas int           // for a bucket that is created
	Renew    time.Duration // how often the holder renews it; a sixth of the TTL if 0
	Name     string        // of the asking server, for people who look
	// Trouble, if set, is called while waiting, with what goes wrong and is tried again.
	Trouble func(err error)
}

// Fractions of the TTL: how soon the holder and those waiting retry after a failure, and how often those waiting
// check that the bucket is unchanged.
const (
	againShare = 24
	lookShare  = 2
	lookTime   = 5 * time.Second // for a look at the bucket
)

// holder is the value in the bucket.
type holder struct {
	ID   string `json:"id"` // of this holding, to recognise its own writes
	Name string `json:"name"`
}

// Lease is held until its context ends.
type Lease struct {
	// Term grows with each holder.
	Term uint64

	nc     *nats.Conn
	kv     jetstream.KeyValue
	ttl    time.Duration
	every  time.Duration // between renewals
	value  []byte
	ctx    context.Context
	end    context.CancelCauseFunc
	done   chan struct{} // closed when renewing has ended
	rev    uint64        // used by the renewal, and then by the release
	mu     sync.Mutex
	expiry time.Time // until when nobody else has it, by this machine's steady clock
	wall   time.Time // and by the wall clock
}

// Context returns a context that ends when the lease is lost or given back; its cause is [ErrLost] or [ErrReleased].
func (l *Lease) Context() context.Context { return l.ctx }

// Held reports whether nobody else can have the lease now. It does not block.
func (l *Lease) Held() bool { return l.ctx.Err() == nil && l.left() > 0 }

// left returns how long nobody else can have it: the shorter time of the two clocks, since the steady clock stands
// still while a machine is suspended, and the wall clock may be set back.
func (l *Lease) left() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	return min(l.expiry.Sub(now), l.wall.Sub(now.Round(0)))
}

func (l *Lease) lasts(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expiry, l.wall = until, until.Round(0)
}

// Take waits until the lease is free, takes it and renews it from then on. The error is the context's, or says that
// the bucket is wrong; while NATS is away Take keeps trying.
func Take(ctx context.Context, o Options) (l *Lease, err error) {
	value, err := json.Marshal(holder{ID: rand.Text(), Name: o.Name})
	if err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	var nc *nats.Conn
	defer func() {
		if nc != nil && l == nil {
			nc.Close()
		}
	}()
	wait := 50 * time.Millisecond
	var kv jetstream.KeyValue
	var ttl time.Duration
	var looked time.Time
	unsure := false // whether an attempt went unanswered
	for {
		if nc == nil {
			if nc, err = o.Dial(); err != nil {
				nc = nil
			}
		}
		if nc != nil && (kv == nil || time.Since(looked) > ttl/lookShare) {
			looked = time.Now()
			kv, ttl, err = bucket(ctx, nc, o)
		}
		if errors.Is(err, errEndless) {
			return nil, err
		}
		if err == nil {
			wait = ttl / againShare
			if l, err = attempt(ctx, kv, ttl, value, unsure); l != nil {
				l.nc, l.every = nc, cmp.Or(o.Renew, ttl/6)
				go l.renew()
				return l, nil
			}
			unsure = unsure || err != nil
		}
		if err != nil {
			if o.Trouble != nil && ctx.Err() == nil {
				o.Trouble(fmt.Errorf("wait for the lease: %w", err))
			}
			if nc != nil && !errors.As(err, new(*jetstream.APIError)) {
				// no answer: perhaps nobody is at the other end any more
				nc.Close()
				nc = nil
			}
			kv, err = nil, nil
		}
		if err := watch.Pause(ctx, wait); err != nil {
			return nil, fmt.Errorf("wait for the lease: %w", err)
		}
	}
}

var errEndless = errors.New("the bucket of the lease keeps its keys for ever, so nobody could take over: " +
	"give it a TTL, or delete it")

// bucket finds or creates the bucket. Everybody uses the time that the bucket gives.
func bucket(ctx context.Context, nc *nats.Conn, o Options) (jetstream.KeyValue, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, 0, fmt.Errorf("open JetStream: %w", err)
	}
	name := cmp.Or(o.Bucket, DefaultBucket)
	kv, err := js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx,
			jetstream.KeyValueConfig{Bucket: name, Description: "Who writes Posthorn's log",
				TTL: cmp.Or(o.TTL, DefaultTTL), Replicas: max(o.Replicas, 1), History: 1,
				Storage: jetstream.FileStorage})
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the bucket of the lease: %w", err)
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("the bucket of the lease: %w", err)
	}
	if status.TTL() <= 0 {
		return nil, 0, errEndless
	}
	return kv, status.TTL(), nil
}

// attempt takes the lease if it is free; it returns nil if somebody has it. An earlier attempt without an answer may
// have been written all the same: then the lease is this server's.
func attempt(ctx context.Context, kv jetstream.KeyValue, ttl time.Duration, value []byte, unsure bool) (*Lease, error) {
	asking, cancel := context.WithTimeout(ctx, ttl/2)
	defer cancel()
	began := time.Now()
	rev, err := kv.Create(asking, key, value)
	if errors.Is(err, jetstream.ErrKeyExists) && unsure {
		var there jetstream.KeyValueEntry
		if there, err = kv.Get(asking, key); err == nil && string(there.Value()) != string(value) {
			return nil, nil
		}
		if err == nil {
			rev, err = kv.Update(asking, key, value, there.Revision()) // it lasts from now on
		}
	}
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take the lease: %w", err)
	}
	l := &Lease{Term: rev, kv: kv, ttl: ttl, value: value, done: make(chan struct{}), rev: rev}
	l.ctx, l.end = context.WithCancelCause(context.Background())
	l.lasts(began.Add(ttl))
	return l, nil
}

// renew keeps the lease until it cannot be kept.
func (l *Lease) renew() {
	defer close(l.done)
	defer func() {
		if !errors.Is(context.Cause(l.ctx), ErrReleased) {
			l.nc.Close()
		}
	}()
	wait := l.every
	for l.ctx.Err() == nil {
		if watch.Pause(l.ctx, min(wait, l.left())) != nil {
			return
		}
		if l.left() <= 0 {
			l.end(fmt.Errorf("%w: NATS has not answered for %v", ErrLost, l.ttl))
			return
		}
		renewed, gone := l.once()
		if gone {
			l.end(fmt.Errorf("%w: somebody else has it", ErrLost))
			return
		}
		if wait = l.ttl / againShare; renewed {
			wait = l.every
		}
	}
}

// once renews the lease. gone reports whether somebody else has it. Any other failure is tried again.
func (l *Lease) once() (renewed, gone bool) {
	asking, cancel := context.WithTimeout(l.ctx, min(l.left(), l.ttl/4))
	defer cancel()
	began := time.Now()
	rev, err := l.kv.Update(asking, key, l.value, l.rev)
	if err == nil {
		l.rev = rev
		l.lasts(began.Add(l.ttl))
		return true, false
	}
	if !moved(err) {
		return false, false
	}
	// Perhaps an earlier renewal arrived although its answer did not.
	now, err := l.kv.Get(asking, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return false, true
	case err != nil:
		return false, false
	case string(now.Value()) != string(l.value):
		return false, true
	}
	l.rev = now.Revision()
	return false, false
}

// moved reports whether a change was refused because the lease was changed since.
func moved(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

// Release gives the lease back, so that the next holder need not wait until it expires, and ends its context. On an
// error the lease is left to expire.
func (l *Lease) Release(ctx context.Context) error {
	l.end(ErrReleased)
	<-l.done
	if !errors.Is(context.Cause(l.ctx), ErrReleased) {
		return nil
	}
	defer l.nc.Close()
	ctx, cancel := context.WithTimeout(ctx, l.ttl)
	defer cancel()
	err := l.kv.Delete(ctx, key, jetstream.LastRevision(l.rev))
	if moved(err) { // the last renewal arrived, and its answer was no longer waited for
		now, get := l.kv.Get(ctx, key)
		switch {
		case errors.Is(get, jetstream.ErrKeyNotFound) || get == nil && string(now.Value()) != string(l.value):
			return nil // it is no longer this one's to give
		case get == nil:
			err = l.kv.Delete(ctx, key, jetstream.LastRevision(now.Revision()))
		}
	}
	if err != nil {
		return fmt.Errorf("give the lease back: %w", err)
	}
	return nil
}
