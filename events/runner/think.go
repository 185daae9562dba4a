package runner

import (
	"context"
	"runtime"
	"time"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events/watch"
)

// Stand-ins think on half of the processors at most, and each half of the time: they can wait, and a page or a
// mail cannot.
const (
	aBreath = 2 * time.Millisecond
	// longThought ends what a machine is much too busy for. No stand-in thinks so long where it has a processor: what
	// it plays follows from the counts of its work, and only then from how fast that went.
	longThought = 30 * time.Second
)

// think lets a stand-in choose, when one of the pool's places is free.
func (r *Runner) think(ctx context.Context, who standin.Standin, sight *standin.Sight) (m domain.Move, ok bool, err error) {
	pool := r.places()
	select {
	case pool <- struct{}{}:
		defer func() { <-pool }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	sight.Between = breathing(ctx, time.Now().Add(longThought))
	m, ok = who.Choose(sight)
	return m, ok, ctx.Err()
}

// places are the pool's.
func (r *Runner) places() chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool == nil {
		r.pool = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	}
	return r.pool
}

// breathing makes whoever asks rest as long as they worked, and reports whether there is time to go on.
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
