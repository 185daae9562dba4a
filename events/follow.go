package events

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// Follower hands out the whole log, as it was and as it grows. It is what projections
// and the notifier read through; where the records come from is its own matter.
type Follower interface {
	// Follow calls handle with the records after a position, in the order of their
	// positions, each once and none left out, in batches of one or more, and goes on with
	// new ones until the context ends (its error is returned) or handle returns an error
	// (returned as it is). The batch's last position is where a later Follow goes on.
	// The slice is handle's to keep; the records are shared and must not be changed. The
	// context that handle is given ends with the whole following, not with its batch.
	Follow(ctx context.Context, after uint64, handle func(context.Context, []Record) error) error
}

// followBatch is how many records FollowLog hands over at once.
const followBatch = 512

// FollowLog is a Follower that reads straight from a log, for tests, tools, and wherever
// no broker stands between.
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

// Touched lists the tables that records are about, each once, in the order of their names: by
// their own streams, their lines' or their seats'. What reads the log table by table begins here,
// and then asks the desk how each of them stands, so that a batch that comes twice does no harm.
func Touched(ctx context.Context, l Log, recs []Record) ([]Name, error) {
	var tables []Name
	for i := range recs {
		s, err := l.Stream(ctx, recs[i].Stream)
		if err != nil {
			return nil, fmt.Errorf("stream of position %d: %w", recs[i].Pos, err)
		}
		if s.Kind != KindHouse {
			tables = append(tables, s.Table)
		}
	}
	slices.SortFunc(tables, func(a, b Name) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(tables), nil
}
