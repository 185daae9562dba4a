package pages

import (
	"context"
	"sync"
	"time"
)

// aside does what an answer must not wait for, or its time would tell something.
type aside struct {
	mu    sync.Mutex
	idle  sync.Cond
	under int // pieces of work under way
}

const (
	asideMost  = 256              // pieces of work at a time
	asideLasts = 30 * time.Second // for one
)

func newAside() *aside {
	a := &aside{}
	a.idle.L = &a.mu
	return a
}

// do starts a piece of work; it is false where there is too much under way already.
func (a *aside) do(work func(context.Context)) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.under >= asideMost {
		return false
	}
	a.under++
	go func() {
		defer a.done()
		ctx, stop := context.WithTimeout(context.Background(), asideLasts)
		defer stop()
		work(ctx)
	}()
	return true
}

func (a *aside) done() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.under--; a.under == 0 {
		a.idle.Broadcast()
	}
}

// settle waits until nothing is under way.
func (a *aside) settle() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.under > 0 {
		a.idle.Wait()
	}
}

// Settle waits for the work that answers did not wait for. Call it when no request can come
// any more, before the stores are closed.
func (s *Site) Settle() { s.aside.settle() }
