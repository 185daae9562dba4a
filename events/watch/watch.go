// Package watch lets many wait for a log to grow, and anybody wait for a moment.
package watch

import (
	"context"
	"fmt"
	"sync"
	"time"

	"posthorn/events"
)

// Tip is the position of a log's newest record, for reading, moving and waiting. The zero value is the tip of an
// empty log.
type Tip struct {
	mu     sync.Mutex
	last   uint64
	closed bool
	moved  chan struct{} // closed at the next move; nil while nobody waits
}

// Last returns the position of the newest record.
func (t *Tip) Last() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// Move sets the newest position and wakes everybody waiting.
func (t *Tip) Move(last uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = last
	t.wake()
}

// Close wakes everybody waiting now or later, with [events.ErrClosed].
func (t *Tip) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.wake()
}

func (t *Tip) wake() {
	if t.moved != nil {
		close(t.moved)
		t.moved = nil
	}
}

// Wait returns when the newest position is above after. It returns the context's error if that ends first, or
// [events.ErrClosed].
func (t *Tip) Wait(ctx context.Context, after uint64) error {
	for {
		moved, err := t.look(after)
		if moved == nil || err != nil {
			return err
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("wait for a position above %d: %w", after, ctx.Err())
		}
	}
}

// look returns what to wait for, or nil when there is nothing to wait for.
func (t *Tip) look(after uint64) (<-chan struct{}, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, events.ErrClosed
	case t.last > after:
		return nil, nil
	case t.moved == nil:
		t.moved = make(chan struct{})
	}
	return t.moved, nil
}

// Pause waits for d, or until the context ends, and then returns its error.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
