// Package lease elects who writes: a key in a replicated bucket of NATS, which its holder renews and
// which expires. It only elects. What keeps two writers apart is the sequence that each message
// to the stream expects (events/relay): whoever holds a lease too long can do no harm.
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

// What a lease is where its options do not say.
const (
	DefaultBucket = "POSTHORN_LEASE"
	DefaultTTL    = 5 * time.Second
	key           = "writer"
)

// ErrLost is the cause with which a lease ends that its holder could not renew in time, or that somebody
// else has taken.
var ErrLost = errors.New("the lease is lost")

// ErrReleased is the cause with which a lease ends that its holder gave back.
var ErrReleased = errors.New("the lease was given back")

// Options say which lease it is.
type Options struct {
	Dial     func() (*nats.Conn, error) // a connection of the lease's own
	Bucket   string                     // DefaultBucket if empty
	TTL      time.Duration              // of a bucket that is made: how long nobody writes after a holder has died. DefaultTTL if 0
	Replicas int                        // of a bucket that is made
	Renew    time.Duration              // how often the holder renews it; a quarter of the TTL if 0
	Name     string                     // of whoever asks, for people who look
}

// holder is what stands in the bucket.
type holder struct {
	ID   string `json:"id"` // of this holding, so that its own writes are known again
	Name string `json:"name"`
}

// Lease is held until its context ends.
type Lease struct {
	// Term grows with each holder.
	Term uint64

	nc     *nats.Conn
	kv     jetstream.KeyValue
	ttl    time.Duration
	every  time.Duration // it is renewed
	value  []byte
	ctx    context.Context
	end    context.CancelCauseFunc
	done   chan struct{} // nobody renews any more
	mu     sync.Mutex
	rev    uint64
	expiry time.Time // when it has surely not expired yet, by this machine's steady clock
}

// Context ends when the lease is lost or given back: [ErrLost], [ErrReleased] are its cause.
func (l *Lease) Context() context.Context { return l.ctx }

// Held tells whether nobody else can have the lease now.
func (l *Lease) Held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ctx.Err() == nil && time.Now().Before(l.expiry)
}

// Take waits until the lease is free, takes it and renews it from then on. The error is the context's, or
// that the bucket is not what it must be; while NATS is away it goes on trying.
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
	for {
		var kv jetstream.KeyValue
		var ttl time.Duration
		if nc == nil {
			nc, err = o.Dial()
		}
		if nc != nil {
			kv, ttl, err = bucket(ctx, nc, o)
		}
		if errors.Is(err, errEndless) {
			return nil, err
		}
		if err == nil {
			wait = ttl / 8
			if l := attempt(ctx, kv, ttl, value); l != nil {
				l.nc, l.every = nc, cmp.Or(o.Renew, ttl/4)
				go l.renew()
				return l, nil
			}
		}
		if err := watch.Pause(ctx, wait); err != nil {
			return nil, fmt.Errorf("wait for the lease: %w", err)
		}
	}
}

var errEndless = errors.New("the bucket of the lease keeps its keys for ever, so nobody could take over: give it a TTL, or delete it")

// bucket finds or makes the bucket. All who ask go by the time that it says.
func bucket(ctx context.Context, nc *nats.Conn, o Options) (jetstream.KeyValue, time.Duration, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, 0, fmt.Errorf("open JetStream: %w", err)
	}
	name := cmp.Or(o.Bucket, DefaultBucket)
	kv, err := js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Description: "Who writes Posthorn's log",
			TTL: cmp.Or(o.TTL, DefaultTTL), Replicas: max(o.Replicas, 1), History: 1, Storage: jetstream.FileStorage})
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

// attempt takes the lease if it is free.
func attempt(ctx context.Context, kv jetstream.KeyValue, ttl time.Duration, value []byte) *Lease {
	asking, cancel := context.WithTimeout(ctx, ttl/2)
	defer cancel()
	began := time.Now()
	rev, err := kv.Create(asking, key, value)
	if err != nil {
		return nil // somebody has it, or NATS does not answer; what was written all the same expires
	}
	l := &Lease{Term: rev, kv: kv, ttl: ttl, value: value, done: make(chan struct{}), rev: rev, expiry: began.Add(ttl)}
	l.ctx, l.end = context.WithCancelCause(context.Background())
	return l
}

// renew keeps the lease until it cannot be kept.
func (l *Lease) renew() {
	defer close(l.done)
	defer func() {
		if !errors.Is(context.Cause(l.ctx), ErrReleased) {
			l.nc.Close()
		}
	}()
	for l.ctx.Err() == nil {
		if watch.Pause(l.ctx, min(l.every, time.Until(l.expiry))) != nil {
			return
		}
		if !time.Now().Before(l.expiry) {
			l.end(fmt.Errorf("%w: NATS has not answered for %v", ErrLost, l.ttl))
			return
		}
		if gone := l.once(); gone {
			l.end(fmt.Errorf("%w: somebody else has it", ErrLost))
			return
		}
	}
}

// once renews the lease, and tells whether it is somebody else's. Whatever else goes wrong is tried again.
func (l *Lease) once() (gone bool) {
	asking, cancel := context.WithDeadline(l.ctx, l.expiry)
	defer cancel()
	asking, cancel = context.WithTimeout(asking, l.ttl/4)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	began := time.Now()
	rev, err := l.kv.Update(asking, key, l.value, l.rev)
	if err == nil {
		l.rev, l.expiry = rev, began.Add(l.ttl)
		return false
	}
	if api := (*jetstream.APIError)(nil); !errors.As(err, &api) || api.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence {
		return false
	}
	// Perhaps an earlier renewal came through whose answer did not.
	now, err := l.kv.Get(asking, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return true
	case err != nil:
		return false
	case string(now.Value()) != string(l.value):
		return true
	}
	l.rev = now.Revision()
	return false
}

// Release gives the lease back, so that the next one need not wait until it expires, and ends its context.
// An error says that it is left to expire.
func (l *Lease) Release(ctx context.Context) error {
	l.end(ErrReleased)
	<-l.done
	if !errors.Is(context.Cause(l.ctx), ErrReleased) {
		return nil
	}
	defer l.nc.Close()
	ctx, cancel := context.WithTimeout(ctx, l.ttl)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.kv.Delete(ctx, key, jetstream.LastRevision(l.rev)); err != nil {
		return fmt.Errorf("give the lease back: %w", err)
	}
	return nil
}
