package guard

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAQueueLetsSoManyWorkAndSoManyWait(t *testing.T) {
	q := NewQueue(2, 3)
	// given two running
	var leave []func()
	for range 2 {
		l, err := q.Enter(context.Background())
		require.NoError(t, err)
		leave = append(leave, l)
	}
	// and six waiting
	entered := make(chan func())
	for range 6 {
		go func() {
			l, err := q.Enter(context.Background())
			if err != nil {
				l = func() { panic(err) }
			}
			entered <- l
		}()
	}
	for q.waiting.Load() < 8 {
		runtime.Gosched()
	}
	// then the next is turned away at once
	_, err := q.Enter(context.Background())
	var full Full
	require.True(t, errors.As(err, &full))
	select {
	case <-entered:
		t.Fatal("nobody has a place before somebody leaves")
	default:
	}
	// and one by one the others enter, and there is room again
	for _, l := range leave {
		l()
	}
	for range 6 {
		(<-entered)()
	}
	require.Zero(t, q.waiting.Load())
	l, err := q.Enter(context.Background())
	require.NoError(t, err)
	l()
}

func TestWhoGoesAwayLeavesTheQueue(t *testing.T) {
	q := NewQueue(1, 1)
	leave, err := q.Enter(context.Background())
	require.NoError(t, err)
	gone, stop := context.WithCancel(context.Background())
	stop()
	_, err = q.Enter(gone)
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 1, q.waiting.Load())
	leave()
	require.Zero(t, q.waiting.Load())
}
