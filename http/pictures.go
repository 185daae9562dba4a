package http

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// queue lets so much costly work be done at a time, and so much wait for it. What waits holds
// nothing but its place: neither a table nor a picture is made for it yet.
type queue struct {
	desks   chan struct{}
	waiting atomic.Int32
	most    int32 // at work and waiting
}

// pictureQueue is how many callers may wait for a picture, for each that is being made.
const pictureQueue = 16

// pictureWait is when whoever was turned away is asked to come again.
const pictureWait = 2 * time.Second

func newQueue(desks, each int) *queue {
	return &queue{desks: make(chan struct{}, desks), most: int32(desks * (each + 1))}
}

func newPictureQueue() *queue { return newQueue(runtime.GOMAXPROCS(0), pictureQueue) }

// enter waits for a desk; leave gives it up. The error is an errFull where too many wait
// already, or that of the context.
func (q *queue) enter(ctx context.Context) (leave func(), err error) {
	if q.waiting.Add(1) > q.most {
		q.waiting.Add(-1)
		return nil, errFull{pictureWait}
	}
	select {
	case q.desks <- struct{}{}:
		return func() {
			<-q.desks
			q.waiting.Add(-1)
		}, nil
	case <-ctx.Done():
		q.waiting.Add(-1)
		return nil, ctx.Err()
	}
}
