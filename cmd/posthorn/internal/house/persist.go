package house

import (
	"context"
	"time"

	"posthorn/events"
	"posthorn/events/watch"
)

// When the disk stops a part, it starts again after a pause that grows up to mostRest.
const (
	leastRest = 100 * time.Millisecond
	mostRest  = 10 * time.Second
)

// Persists runs a part of the house until the context ends. While the disk is full or does not answer, the part pauses
// and then starts again where it was, so reading goes on and the house recovers as soon as there is space. The host is
// told once per outage.
func (h *House) Persists(ctx context.Context, what string, run func(context.Context) error) error {
	rest, told := leastRest, false
	defer h.Health.rests(what, false)
	for {
		began := time.Now()
		err := run(ctx)
		if ctx.Err() != nil || !events.Unstored(err) {
			return err
		}
		if time.Since(began) > 2*mostRest {
			rest, told = leastRest, false
		}
		if !told {
			told = true
			h.Logger.Error("the disk is full or does not answer: what is there can be read, and nothing new is "+
				"written until there is space", "part", what, "error", err)
		}
		h.Health.rests(what, true)
		if err := watch.Pause(ctx, rest); err != nil {
			return err
		}
		h.Health.rests(what, false)
		rest = min(2*rest, mostRest)
	}
}
