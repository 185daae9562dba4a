package runner_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/runner"
)

// cutOff follows the log through subscriptions that each end some time after a batch, like one to a broker that was
// stopped; what was handled stays handled.
type cutOff struct {
	log   events.Log
	after time.Duration
}

func (f cutOff) Follow(ctx context.Context, at uint64, handle func(context.Context, []events.Record) error) error {
	for {
		subscription, cancel := context.WithCancel(ctx)
		err := events.FollowLog(f.log).Follow(subscription, at, func(ctx context.Context, recs []events.Record) error {
			at = recs[len(recs)-1].Pos
			time.AfterFunc(f.after, cancel)
			return handle(ctx, recs)
		})
		cancel()
		if ctx.Err() != nil || !errors.Is(err, context.Canceled) {
			return err
		}
	}
}

// deaf is a follower that hands out nothing at all.
type deaf struct{}

func (deaf) Follow(ctx context.Context, _ uint64, _ func(context.Context, []events.Record) error) error {
	<-ctx.Done()
	return ctx.Err()
}

func nobody(context.Context) ([]events.Name, uint64, error) { return nil, 0, nil }

func TestAStandInsMoveOutlivesItsSubscription(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		h.starts(&runner.Runner{Desk: h.Desk, Pause: 4 * time.Second, Live: nobody, Sweep: 24 * time.Hour},
			cutOff{h.Log(), time.Second})
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(table, ana)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 2, h.played(table), "the stand-in was thinking when the subscription ended")
	})
}

// starts runs a runner until the test is over.
func (h *house) starts(r *runner.Runner, f events.Follower) {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.Ctx)
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx, f) }()
	h.stops = append(h.stops, func() {
		cancel()
		require.ErrorIs(h.T, <-done, context.Canceled)
	})
}

func TestATableWhoseEventsWereDroppedWaitsNoMinute(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		h.starts(&runner.Runner{Desk: h.Desk, Pause: pause, Live: nobody}, deaf{})
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(table, ana)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.EqualValues(t, 2, h.played(table), "it has started, its line is open, and the stand-in has moved")
	})
}

func TestWhatTheViewsSayWaitsForTheHouseWaitsNoMinute(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(table, ana)
		other := h.Opens("tiny", nil, desktest.Player(ana), desktest.StandIn())
		h.sits(other, ana)
		last, err := h.Log().Last(h.Ctx)
		require.NoError(t, err)
		h.starts(&runner.Runner{Desk: h.Desk, Pause: pause, Live: nobody,
			Waiting: func(context.Context) ([]events.Name, uint64, error) { return []events.Name{table}, last, nil },
		}, deaf{})
		time.Sleep(time.Minute)
		synctest.Wait()
		require.EqualValues(t, 2, h.played(table))
		require.EqualValues(t, 0, h.played(other), "the views know of it, and do not name it: it was not looked at")
	})
}

func TestASweepThatFailsIsToldAndTriedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		gone := errors.New("no views")
		h.starts(&runner.Runner{Desk: h.Desk, Pause: pause, Live: nobody, Alarm: h.alarm,
			Waiting: func(context.Context) ([]events.Name, uint64, error) { return nil, 0, gone }}, deaf{})
		time.Sleep(runner.DefaultSweep + runner.DefaultRetry)
		synctest.Wait()
		require.Len(t, h.told(), 2)
		require.Contains(t, h.told()[1], "no views")
	})
}

func TestAFollowerThatFailsIsToldAndFollowedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		fault := errors.New("cut off")
		fails := 2
		f := following(func(ctx context.Context, at uint64, handle func(context.Context, []events.Record) error) error {
			if fails--; fails >= 0 {
				return fault
			}
			return events.FollowLog(h.Log()).Follow(ctx, at, handle)
		})
		h.starts(&runner.Runner{Desk: h.Desk, Pause: pause, Retry: retry, Live: nobody, Alarm: h.alarm,
			Sweep: 24 * time.Hour}, f)
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana, bo)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, h.told(), 2)
		require.EqualValues(t, 1, h.played(table))
	})
}

func TestItIsFollowedAgainFromWhatWasHandledLast(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		var from []uint64
		f := following(func(ctx context.Context, at uint64, handle func(context.Context, []events.Record) error) error {
			from = append(from, at)
			if len(from) > 1 {
				return events.FollowLog(h.Log()).Follow(ctx, at, handle)
			}
			recs, err := h.Log().Read(ctx, at, 10)
			return errors.Join(err, handle(ctx, recs), errors.New("cut off"))
		})
		h.starts(&runner.Runner{Desk: h.Desk, Pause: pause, Retry: retry, Live: nobody, Sweep: 24 * time.Hour}, f)
		h.sits(table, ana, bo)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, from, 2)
		require.Positive(t, from[1])
		require.EqualValues(t, 1, h.played(table))
	})
}

type following func(context.Context, uint64, func(context.Context, []events.Record) error) error

func (f following) Follow(ctx context.Context, at uint64, handle func(context.Context, []events.Record) error) error {
	return f(ctx, at, handle)
}

// stale is a log that shows a table as it stood a moment ago: it holds back the table's next head until the test
// releases it.
type stale struct {
	events.Log
	mu    sync.Mutex
	of    events.Name
	letGo chan struct{} // nil: nothing is held back
}

func (s *stale) Head(ctx context.Context, name events.Name) (events.Head, error) {
	head, err := s.Log.Head(ctx, name)
	s.mu.Lock()
	letGo := s.letGo
	if name == s.of {
		s.letGo = nil
	} else {
		letGo = nil
	}
	s.mu.Unlock()
	if letGo != nil {
		<-letGo
	}
	return head, err
}

func TestWhatHappensWhileTheRunnerLooksIsNotMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &stale{Log: memory.New()}
		h := &house{House: desktest.Over(t, log, time.Now)}
		defer h.stopAll()
		looks := desk.NewDesk(log, h.Keys(), desktest.Named, time.Now) // the runner's, with its own rooms
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(table, ana)
		letGo := make(chan struct{})
		log.of, log.letGo = table, letGo
		h.starts(&runner.Runner{Desk: looks, Pause: pause, Live: nobody, Sweep: 24 * time.Hour},
			events.FollowLog(log.Log))
		synctest.Wait() // the runner has seen a table with an empty seat, but not read it to the end
		h.Joins(bo, table, 1)
		synctest.Wait() // that has reached it, too
		close(letGo)
		synctest.Wait()
		require.Equal(t, domain.TableStarted, h.Sees(table).Table.Status)
	})
}

// taken is a log in which somebody already has the ids of whatever is done at a table.
type taken struct {
	events.Log
	by events.Record
}

func (l *taken) Find(ctx context.Context, table events.Name, id events.CommandID) (events.Record, error) {
	if l.by.Pos > 0 {
		return l.by, nil
	}
	return l.Log.Find(ctx, table, id)
}

func TestWhatIsRefusedToTheHouseIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &taken{Log: memory.New()}
		h := &house{House: desktest.Over(t, log, time.Now)}
		defer h.stopAll()
		full := h.Opens("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.sits(full, ana, bo)
		turn := h.Starts("tiny", nil, desktest.Player(ana), desktest.StandIn())
		recs, err := h.Log().Load(h.Ctx, full, 0, 1)
		require.NoError(t, err)
		log.by = recs[0]
		h.starts(&runner.Runner{Desk: h.Desk, Pause: pause, Retry: time.Hour, Alarm: h.alarm,
			Live: func(context.Context) ([]events.Name, uint64, error) {
				return []events.Name{full, turn}, recs[0].Pos, nil
			}}, deaf{})
		time.Sleep(time.Minute)
		synctest.Wait()
		told := h.told()
		slices.Sort(told)
		want := []string{full.String() + " start at table " + full.String() + ": command-used",
			turn.String() + " seat B's stand-in: command-used"}
		slices.Sort(want)
		require.Equal(t, want, slices.Compact(told), "and again and again, with pauses")
	})
}
