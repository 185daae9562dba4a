package events

import (
	"context"
	"fmt"
)

// Follower hands out the whole log, past and future. Projections and the notifier read through it; where the records
// come from is up to the implementation.
type Follower interface {
	// Follow calls handle with the records after a position: in order of position, each once, none left out, in
	// batches of one or more. It continues with new records until the context ends (it returns the context's error)
	// or handle returns an error (it returns that unchanged). A later Follow resumes at the batch's last position.
	// handle may keep the slice; the records are shared and must not be changed. handle's context ends with the whole
	// Follow, not with its batch.
	Follow(ctx context.Context, after uint64, handle func(context.Context, []Record) error) error
}

// followBatch is how many records FollowLog hands over at once.
const followBatch = 512

// FollowLog returns a Follower that reads straight from a log, for tests, tools, and wherever there is no broker in
// between.
func FollowLog(l Log) Follower { return logFollower{l} }

type logFollower struct{ log Log }

func (f logFollower) Follow(ctx context.Context, after uint64, handle func(context.Context, []Record) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch, err := f.log.Read(ctx, after, followBatch)
		if err != nil {
			return fmt.Errorf("read the log after %d: %w", after, err)
		}
		if len(batch) == 0 {
			if err := f.log.Wait(ctx, after); err != nil {
				return fmt.Errorf("wait for the log after %d: %w", after, err)
			}
			continue
		}
		if err := handle(ctx, batch); err != nil {
			return err
		}
		after = batch[len(batch)-1].Pos
	}
}
