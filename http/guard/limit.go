package guard

import (
	"context"
	"errors"
	"math"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"posthorn/events/desk"
	"posthorn/events/recent"
)

// Limiter limits how often one client may ask for something costly. Limits that must survive a restart (mails to a
// recipient) live elsewhere; this only keeps noise away.
type Limiter struct {
	by    *recent.Store[string, *rate.Limiter]
	each  rate.Limit
	burst int
}

// maxLimited is how many clients a limiter remembers. It forgets the one that has not asked for longest, so a client
// that keeps asking is remembered, however many others come in between.
const maxLimited = 4096

// NewLimiter returns a limiter that allows each client a steady rate, and a burst at once.
func NewLimiter(each rate.Limit, burst int) *Limiter {
	return &Limiter{by: recent.New[string, *rate.Limiter](maxLimited, nil), each: each, burst: burst}
}

// Allow counts one more request for a key; if that is too many, it returns how long to wait.
func (l *Limiter) Allow(key string) (wait time.Duration, ok bool) {
	bucket, now := l.by.Keep(key, func() *rate.Limiter { return rate.NewLimiter(l.each, l.burst) }), time.Now()
	r := bucket.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// Network returns what an address counts as: an IPv6 network of 64 bits is one client, since anybody with one of its
// addresses has them all.
func Network(ip string) string { return network(ip, 64) }

// Site is Network with an IPv6 network of 48 bits, which is what a provider gives to one customer: for what is worth
// asking from many networks of one's own.
func Site(ip string) string { return network(ip, 48) }

// Region is Network as coarsely as addresses are dealt out to providers: a phone's changes, but mostly within it.
func Region(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	bits := 32
	if a = a.Unmap(); a.Is4() {
		bits = 16
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return ip
	}
	return p.String()
}

func network(ip string, bits int) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return ip
	}
	return p.String()
}

// Busy is the error for requests that come too often. It says how long to wait.
type Busy struct{ Wait time.Duration }

func (e Busy) Error() string { return "asked for too often; wait " + e.Wait.String() }

// Full is the error if too many are already waiting for the same thing.
type Full struct{ Wait time.Duration }

func (e Full) Error() string { return "too many are waiting; come again in " + e.Wait.String() }

// TooOften reports whether an error means too many requests, and how long to wait.
func TooOften(err error) (wait time.Duration, yes bool) {
	if fast, ok := desk.AsTooFast(err); ok {
		return fast.Wait, true
	}
	var busy Busy
	yes = errors.As(err, &busy)
	return busy.Wait, yes
}

// Minutes returns a wait in whole minutes, at least one, for use in a sentence.
func Minutes(wait time.Duration) int { return max(1, int(math.Ceil(wait.Minutes()))) }

// RetryAfter returns a wait as the Retry-After header needs it: whole seconds, at least one.
func RetryAfter(wait time.Duration) string {
	return strconv.FormatInt(max(1, int64(math.Ceil(wait.Seconds()))), 10)
}

// Queue limits how much costly work runs at once, and how much may wait for it. Waiting work holds nothing but its
// place: neither a table nor a picture is made for it yet.
type Queue struct {
	desks   *semaphore.Weighted
	waiting atomic.Int32
	most    int32 // running and waiting
}

// queueWait is how long a client that was turned away should wait before it tries again.
const queueWait = 2 * time.Second

// NewQueue returns a queue that does up to desks pieces of work at once, and lets each more wait per desk.
func NewQueue(desks, each int) *Queue {
	return &Queue{desks: semaphore.NewWeighted(int64(desks)), most: int32(desks * (each + 1))}
}

// Enter waits for a desk; leave gives it up. It returns a [Full] if too many are already waiting, or the context's
// error.
func (q *Queue) Enter(ctx context.Context) (leave func(), err error) {
	if q.waiting.Add(1) > q.most {
		q.waiting.Add(-1)
		return nil, Full{queueWait}
	}
	if err := q.desks.Acquire(ctx, 1); err != nil {
		q.waiting.Add(-1)
		return nil, err
	}
	return func() {
		q.desks.Release(1)
		q.waiting.Add(-1)
	}, nil
}
