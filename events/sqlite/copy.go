package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"posthorn/events"
)

// copyBatch is how many records are copied at once.
const copyBatch = 512

// LastBefore returns the last position whose event is not later than a moment; 0 if there is none. A log's times
// never go back.
func (l *Log) LastBefore(ctx context.Context, moment time.Time) (uint64, error) {
	last, err := l.Last(ctx)
	if err != nil {
		return 0, err
	}
	n := sort.Search(int(last), func(i int) bool {
		if err != nil {
			return true
		}
		var recs []events.Record
		if recs, err = l.Read(ctx, uint64(i), 1); err == nil && len(recs) == 0 {
			err = fmt.Errorf("the log lacks position %d", i+1)
		}
		return err != nil || recs[0].At.After(moment)
	})
	return uint64(n), err
}

// CopyUpTo makes a new log at path from the records of another up to a position: byte for byte, under the same
// hashes, and for the same house.
func CopyUpTo(ctx context.Context, from *Log, path string, last uint64) (err error) {
	to, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, to.Close()); err == nil {
			err = Settle(path)
		}
	}()
	if house, known, err := from.Owner(ctx); err != nil {
		return err
	} else if known {
		if err := to.SetOwner(ctx, house); err != nil {
			return err
		}
	}
	for at := uint64(0); at < last; {
		recs, err := from.Read(ctx, at, int(min(copyBatch, last-at)))
		if err != nil {
			return err
		}
		if len(recs) == 0 {
			return fmt.Errorf("the log lacks position %d", at+1)
		}
		streams, err := from.streamsOf(ctx, recs)
		if err != nil {
			return err
		}
		if err := to.Adopt(ctx, streams, recs); err != nil {
			return err
		}
		at = recs[len(recs)-1].Pos
	}
	return nil
}

// streamsOf returns the streams that records belong to, each once.
func (l *Log) streamsOf(ctx context.Context, recs []events.Record) (streams []events.Stream, err error) {
	met := map[events.Name]bool{}
	for i := range recs {
		if met[recs[i].Stream] {
			continue
		}
		met[recs[i].Stream] = true
		s, err := l.Stream(ctx, recs[i].Stream)
		if err != nil {
			return nil, err
		}
		streams = append(streams, s)
	}
	return streams, nil
}
