package copies

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A copy may disappear while it is read, because its writer has put a newer one there. The object store does not say
// so; it waits for bytes that never come. So when nothing has come for a moment, the reader checks whether there is
// still something to wait for.
const (
	stillTime = time.Second // without a byte
	mostStill = 10          // such moments in a row
)

var (
	errTakenAway = errors.New("it was taken away while it was read")
	errStill     = errors.New("nothing of it comes any more")
)

// coming is a copy on its way.
type coming struct {
	store  *Store
	ctx    context.Context //nolint:containedctx // of the fetch, which reads through an io.Reader
	cancel context.CancelCauseFunc
	from   jetstream.ObjectResult
	info   *jetstream.ObjectInfo
	still  int
}

// open starts to read an object. Close it.
func (s *Store) open(ctx context.Context, name string) (*coming, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	// until it is open; its bytes may take longer
	late := time.AfterFunc(askTime, func() { cancel(context.DeadlineExceeded) })
	defer late.Stop()
	c := &coming{store: s, ctx: ctx, cancel: cancel}
	bucket, err := s.js.ObjectStore(ctx, s.o.Bucket)
	if err == nil {
		c.from, err = bucket.Get(moments{ctx}, name)
	}
	if err == nil {
		c.info, err = c.from.Info()
	}
	if err != nil {
		cancel(nil)
		return nil, err
	}
	return c, nil
}

// Read implements [io.Reader].
func (c *coming) Read(p []byte) (int, error) {
	for {
		n, err := c.from.Read(p)
		quiet := n == 0 && (err == nil || errors.Is(err, os.ErrDeadlineExceeded))
		if !quiet || len(p) == 0 {
			c.still = 0
			return n, err
		}
		if c.ctx.Err() != nil {
			return 0, context.Cause(c.ctx)
		}
		if c.still++; c.still > mostStill {
			return 0, errStill
		}
		if err := c.store.has(c.ctx, c.info); err != nil {
			return 0, err
		}
	}
}

// Close stops reading.
func (c *coming) Close() error {
	defer c.cancel(nil)
	return c.from.Close()
}

// has returns an error if an object is no longer there as a whole.
func (s *Store) has(ctx context.Context, o *jetstream.ObjectInfo) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.stream())
	if err != nil {
		return fmt.Errorf("look whether it is still there: %w", err)
	}
	subject := fmt.Sprintf("$O.%s.C.%s", s.o.Bucket, o.NUID)
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return fmt.Errorf("look whether it is still there: %w", err)
	}
	if info.State.Subjects[subject] < uint64(o.Chunks) {
		return errTakenAway
	}
	return nil
}

// moments is a context whose deadline moves along with the time: the object store waits that long for the next bytes,
// and reports if none came. The parent context still ends it.
type moments struct{ context.Context }

// Deadline implements [context.Context].
func (m moments) Deadline() (time.Time, bool) {
	soon := time.Now().Add(stillTime)
	if end, ok := m.Context.Deadline(); ok && end.Before(soon) {
		return end, true
	}
	return soon, true
}
