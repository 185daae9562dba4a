package standby_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// Given a server that was elected and only then sees that it cannot read what was written, then it gives the lease
// back, notes nothing in the stream, and keeps reading along; and another takes over.
func TestWhoCannotReadWhatWasWrittenDoesNotTakeOver(t *testing.T) {
	h := newHouse(t, time.Second)
	first, unfit, next := h.node(t.TempDir(), true), h.node(t.TempDir(), false), h.node(t.TempDir(), false)
	asked := make(chan struct{}, 1000)
	unfit.fit = func(elected bool) error {
		if !elected {
			return nil
		}
		select {
		case asked <- struct{}{}:
		default:
		}
		return errors.New("it does not know what this is")
	}
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	first.start()
	writer, log := h.writes(ctx, nil)
	require.Same(t, first, writer)
	c := &client{h: h, table: events.NewName()}
	for n := range uint64(3) {
		_, err := c.give(ctx, n, events.NewCommandID())
		require.NoError(t, err)
	}
	end, err := log.Last(ctx)
	require.NoError(t, err)
	unfit.start()
	unfit.holds(end)
	first.end(errKilled)
	for range 2 { // it is elected, refuses, and tries again
		select {
		case <-asked:
		case <-ctx.Done():
			t.Fatal("it is not elected")
		}
	}
	next.start()
	writer, log = h.writes(ctx, first)
	require.Same(t, next, writer)
	last, err := log.Last(ctx)
	require.NoError(t, err)
	unfit.holds(last)
	unfit.end(nil)
	next.end(nil)
	terms := 0
	for _, r := range next.records() {
		if r.Type == events.TypeTookOver {
			terms++
		}
	}
	require.Equal(t, 2, terms, "the first one, and the one that took over")
	require.Equal(t, next.records()[:last], unfit.records()[:last])
}
