package runner_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/runner"
)

// failing is a log whose appends a test can make fail.
type failing struct {
	events.Log
	mu    sync.Mutex
	fault error
}

func (f *failing) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	f.mu.Lock()
	err := f.fault
	f.mu.Unlock()
	if err != nil {
		return events.Record{}, err
	}
	return f.Log.Append(ctx, d)
}

func (f *failing) fails(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault = err
}

func TestAnErrorIsToldAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &failing{Log: memory.New()}
		h := &house{House: desktest.Over(t, log, time.Now)}
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana, bo)
		log.fails(errors.New("the disk is full"))
		defer h.runs(h.Desk)()
		synctest.Wait()
		require.Len(t, h.told(), 1)
		require.Contains(t, h.told()[0], table.String())
		require.Contains(t, h.told()[0], "the disk is full")
		time.Sleep(retry)
		synctest.Wait()
		require.Len(t, h.told(), 2)
		time.Sleep(retry)
		synctest.Wait()
		require.Len(t, h.told(), 2, "the pauses grow")
		log.fails(nil)
		time.Sleep(retry)
		synctest.Wait()
		require.Len(t, h.told(), 2)
		require.EqualValues(t, 1, h.played(table), "nobody had to come by")
	})
}

func TestWhatFailedForLongIsTriedSoonEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &failing{Log: memory.New()}
		h := &house{House: desktest.Over(t, log, time.Now)}
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana, bo)
		log.fails(errors.New("the disk is full"))
		defer h.runs(h.Desk)()
		time.Sleep(24 * time.Hour)
		log.fails(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.EqualValues(t, 1, h.played(table), "a minute after there is room again")
	})
}

func TestARunnerThatCannotStartSaysSo(t *testing.T) {
	h := desktest.New(t)
	lost := errors.New("no views")
	r := &runner.Runner{Desk: h.Desk, Live: func(context.Context) ([]events.Name, uint64, error) {
		return nil, 0, lost
	}}
	require.ErrorIs(t, r.Run(h.Ctx, events.FollowLog(h.Log())), lost)
}
