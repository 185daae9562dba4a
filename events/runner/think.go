package runner

import (
	"context"
	"runtime"
	"time"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events/watch"
)

// Stand-ins think on at most half of the processors, and each for half of the time: they can wait; a page or a mail
// cannot.
const (
	aBreath = 2 * time.Millisecond
	// longThought ends thinking on a machine that is much too busy. No stand-in with a processor thinks that long:
	// its play depends on how much work it counts, and only after that on how fast that went.
	longThought = 30 * time.Second
)

// think lets a stand-in choose, once the pool has a free place.
func (r *Runner) think(ctx context.Context, who standin.Standin, sight *standin.Sight) (m domain.Move, ok bool,
	err error) {
	pool := r.places()
	select {
	case pool <- struct{}{}:
		defer func() { <-pool }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	sight.Between = breathing(ctx, time.Now().Add(longThought))
	if r.Hasty {
		sight.Between = func() bool { return false }
	}
	m, ok = who.Choose(sight)
	return m, ok, ctx.Err()
}

// places returns the pool's places.
func (r *Runner) places() chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool == nil {
		r.pool = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	}
	return r.pool
}

// breathing makes its caller rest as long as it worked, and reports whether there is time to go on.
func breathing(ctx context.Context, until time.Time) func() bool {
	began := time.Now()
	return func() bool {
		worked := time.Since(began)
		if worked >= aBreath {
			if watch.Pause(ctx, worked) != nil {
				return false
			}
			began = time.Now()
		}
		return ctx.Err() == nil && began.Before(until)
	}
}
