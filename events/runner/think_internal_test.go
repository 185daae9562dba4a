package runner

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
)

func TestAStandInThatThinksRestsAsLongAsItWorked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		inTime := breathing(t.Context(), began.Add(time.Second))
		require.True(t, inTime())
		require.Zero(t, time.Since(began), "it has done nothing yet")
		time.Sleep(5 * time.Millisecond)
		require.True(t, inTime())
		require.Equal(t, 10*time.Millisecond, time.Since(began))
		time.Sleep(time.Second)
		require.False(t, inTime(), "and thinks no longer than it may")
	})
}

func TestNoMoreStandInsThinkThanThePoolHasPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r, thinking, done := &Runner{}, make(chan struct{}), make(chan struct{})
		places := cap(r.places())
		require.Positive(t, places)
		for range places {
			go func() {
				_, _, _ = r.think(ctx, slow{thinking, done}, &standin.Sight{})
			}()
			<-thinking
		}
		ended := make(chan error)
		go func() {
			_, _, err := r.think(ctx, slow{thinking, done}, &standin.Sight{})
			ended <- err
		}()
		synctest.Wait()
		select {
		case <-thinking:
			t.Fatal("one more thinks")
		default:
		}
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled, "who waits for a place goes when the house closes")
		close(done)
	})
}

// slow signals when it thinks, and thinks until it is told it is done.
type slow struct{ thinking, done chan struct{} }

func (slow) Name() string { return "slow" }

func (s slow) Choose(*standin.Sight) (domain.Move, bool) {
	s.thinking <- struct{}{}
	<-s.done
	return nil, false
}
