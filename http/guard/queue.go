package guard

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

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
