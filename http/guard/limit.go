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

	"posthorn/events"
	"posthorn/events/recent"
)

// Limiter bounds how often one asker may ask for something costly. What must survive a
// restart (mails to a recipient) is bounded elsewhere; this only keeps noise away.
type Limiter struct {
	by    *recent.Store[string, *rate.Limiter]
	each  rate.Limit
	burst int
}

// maxLimited is how many askers are remembered. Who has not asked for longest is forgotten
// first: whoever keeps asking stays remembered, however many others come meanwhile.
const maxLimited = 4096

// NewLimiter lets each asker ask so often, and a burst of times at once.
func NewLimiter(each rate.Limit, burst int) *Limiter {
	return &Limiter{by: recent.New[string, *rate.Limiter](maxLimited, nil), each: each, burst: burst}
}

// Allow counts one more time for a key; if that is once too often, it tells how long to wait.
func (l *Limiter) Allow(key string) (wait time.Duration, ok bool) {
	bucket, now := l.by.Keep(key, func() *rate.Limiter { return rate.NewLimiter(l.each, l.burst) }), time.Now()
	r := bucket.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// Network is whom an address counts as: an IPv6 network of 64 bits is one asker, since
// whoever has one address of it has them all.
func Network(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	p, err := a.WithZone("").Prefix(64)
	if err != nil {
		return ip
	}
	return p.String()
}

// Busy is returned for what is asked for too often, with when there is room again.
type Busy struct{ Wait time.Duration }

func (e Busy) Error() string { return "asked for too often; wait " + e.Wait.String() }

// Full is returned where too many wait for the same thing already.
type Full struct{ Wait time.Duration }

func (e Full) Error() string { return "too many are waiting; come again in " + e.Wait.String() }

// TooOften reports whether something was asked for too often, and when there is room again.
func TooOften(err error) (wait time.Duration, yes bool) {
	if fast, ok := events.AsTooFast(err); ok {
		return fast.Wait, true
	}
	var busy Busy
	yes = errors.As(err, &busy)
	return busy.Wait, yes
}

// Minutes is a wait as a sentence says it.
func Minutes(wait time.Duration) int { return max(1, int(math.Ceil(wait.Minutes()))) }

// RetryAfter is a wait as the header of that name has it: whole seconds, at least one.
func RetryAfter(wait time.Duration) string {
	return strconv.FormatInt(max(1, int64(math.Ceil(wait.Seconds()))), 10)
}

// Queue lets so much costly work be done at a time, and so much wait for it. What waits holds
// nothing but its place: neither a table nor a picture is made for it yet.
type Queue struct {
	desks   *semaphore.Weighted
	waiting atomic.Int32
	most    int32 // at work and waiting
}

// queueWait is when whoever was turned away is asked to come again.
const queueWait = 2 * time.Second

// NewQueue lets so many work at a time, and for each of them so many wait.
func NewQueue(desks, each int) *Queue {
	return &Queue{desks: semaphore.NewWeighted(int64(desks)), most: int32(desks * (each + 1))}
}

// Enter waits for a desk; leave gives it up. The error is a [Full] where too many wait
// already, or that of the context.
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
