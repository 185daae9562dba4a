package pages

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"
)

// aside does what an answer must not wait for, or its time would tell something.
type aside struct{ *semaphore.Weighted }

const (
	asideMost  = 256              // pieces of work at a time
	asideLasts = 30 * time.Second // for one
)

func newAside() aside { return aside{semaphore.NewWeighted(asideMost)} }

// do starts a piece of work; it is false where there is too much under way already.
func (a aside) do(work func(context.Context)) bool {
	if !a.TryAcquire(1) {
		return false
	}
	go func() {
		defer a.Release(1)
		ctx, stop := context.WithTimeout(context.Background(), asideLasts)
		defer stop()
		work(ctx)
	}()
	return true
}

// Settle waits for the work that answers did not wait for. Call it when no request can come
// any more, before the stores are closed.
func (s *Site) Settle() {
	if s.aside.Acquire(context.Background(), asideMost) == nil {
		s.aside.Release(asideMost)
	}
}
