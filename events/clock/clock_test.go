package clock_test

import (
	"bytes"
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
	"posthorn/events/calendar"
	"posthorn/events/clock"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
)

const ana, bo, cid = desktest.Ana, desktest.Bo, desktest.Cid

// seen are views that are rebuilt from the tables each time.
type seen struct {
	*house
}

func (s seen) Due(ctx context.Context, upTo time.Time) (tables []events.Name, next time.Time, pos uint64, err error) {
	for _, name := range s.tables {
		look, err := s.Look(ctx, name)
		if err != nil {
			return nil, next, 0, err
		}
		switch at := look.NextDeadline(); {
		case at.IsZero():
		case !at.After(upTo):
			tables = append(tables, name)
		case next.IsZero() || at.Before(next):
			next = at
		}
	}
	slices.SortFunc(tables, func(a, b events.Name) int { return bytes.Compare(a[:], b[:]) })
	pos, err = s.Log().Last(ctx)
	return tables, next, pos, err
}

func (s seen) Await(context.Context, uint64) error { return nil }

// house is a desk in a synctest bubble, with a running clock.
type house struct {
	*desktest.House
	tables    []events.Name
	calendars map[domain.PersonID]calendar.Calendar
	clock     *clock.Clock
	mu        sync.Mutex
	alarms    []error
	stop      func()
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{calendars: map[domain.PersonID]calendar.Calendar{}}
	h.House = desktest.Over(t, memory.New(), time.Now)
	h.KeepTime(func(context.Context, []domain.PersonID) (map[domain.PersonID]calendar.Calendar, error) {
		return h.calendars, nil
	})
	h.clock = &clock.Clock{Desk: h.Desk, Views: seen{h}, Alarm: func(err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.alarms = append(h.alarms, err)
	}}
	return h
}

// runs lets the clock run until it is stopped.
func (h *house) runs() {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.Ctx)
	done := make(chan error, 1)
	go func() { done <- h.clock.Run(ctx) }()
	h.stop = func() {
		h.T.Helper()
		cancel()
		require.ErrorIs(h.T, <-done, context.Canceled)
	}
}

func (h *house) starts(out domain.TimeOut, spare int, places ...domain.TablePlace) events.Name {
	h.T.Helper()
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Places: places, Pace: "daily",
			Clock: &domain.Clock{Hours: 24, Spare: spare, TimeOut: out}})
	require.NoError(h.T, err)
	for i, p := range places {
		for _, id := range p.Invited {
			h.Joins(id, ans.Table, domain.Seat(i))
		}
	}
	h.Follows(ans.Table)
	h.tables = append(h.tables, ans.Table)
	return ans.Table
}

// passes lets time pass, and the clock do what is due.
func (h *house) passes(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// told returns what the clock did at a table, by type of event and reason.
func (h *house) told(table events.Name) (out []string) {
	h.T.Helper()
	entries, err := h.TableHistory(h.Ctx, table, 0)
	require.NoError(h.T, err)
	for _, e := range entries {
		if e.Meta.Door != domain.DoorClock {
			continue
		}
		what := e.Record.Type
		switch f := e.Event.(type) {
		case *domain.Deferred:
			what += " " + string(f.Why)
		case *domain.TimedOut:
			what += " " + string(f.Does)
		}
		out = append(out, what)
	}
	return out
}

func TestTheClockTakesSpareDaysThenDoesAsTheTableChose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.starts(domain.TimeOutSeat, 1, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		h.Plays(table, 1, "keep")
		h.Plays(table, 2, "keep")
		h.runs()
		defer h.stop()
		h.passes(24*time.Hour - time.Second)
		require.Empty(t, h.told(table))
		h.passes(2 * time.Minute)
		require.Equal(t, []string{"table.deferred.v1 spare"}, h.told(table))
		h.passes(24*time.Hour - 4*time.Minute)
		require.Len(t, h.told(table), 1)
		h.passes(4 * time.Minute)
		require.Equal(t, []string{"table.deferred.v1 spare", "table.timed-out.v1 seat"}, h.told(table))
		h.passes(100 * time.Hour)
		require.Len(t, h.told(table), 2, "nothing more follows from it")
	})
}

func TestWhoeverIsAwayIsNotTimedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.starts(domain.TimeOutRemind, 0, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		today := calendar.DayOf(time.Now(), nil)
		// announced, but not to the table yet
		h.calendars[ana] = calendar.Calendar{Away: []calendar.Span{{From: today + 1, Until: today + 3}}}
		h.runs()
		defer h.stop()
		h.passes(24*time.Hour + time.Minute)
		require.ElementsMatch(t, []string{"table.deferred.v1 away", "table.timed-out.v1 remind",
			"table.timed-out.v1 remind"}, h.told(table))
		require.Equal(t, (today + 5).Begins(nil), h.Sees(table).NextDeadline().Truncate(24*time.Hour),
			"a day after the last of their holidays")
	})
}

func TestAMailThatCameLateOrNotAtAllMovesItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		began := time.Now()
		told := map[domain.PersonID]clock.Told{ana: {Waits: true}, bo: {At: began.Add(20 * time.Hour)},
			cid: {At: began.Add(time.Minute)}}
		var mu sync.Mutex
		h.clock.Told = func(_ context.Context, a desk.Ask) (clock.Told, error) {
			mu.Lock()
			defer mu.Unlock()
			return told[a.Person], nil
		}
		table := h.starts(domain.TimeOutRemind, 0, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		h.runs()
		defer h.stop()
		due := func() map[domain.Seat]time.Duration {
			out := map[domain.Seat]time.Duration{}
			for _, d := range h.Sees(table).Deadlines() {
				out[d.Seat] = d.At.Sub(began)
			}
			return out
		}
		h.passes(24*time.Hour + time.Minute)
		require.Equal(t, map[domain.Seat]time.Duration{0: 36 * time.Hour, 1: 32 * time.Hour}, due(),
			"twelve hours from now, and from when it went out; Cid was told in time")
		h.passes(12 * time.Hour)
		require.Equal(t, map[domain.Seat]time.Duration{0: 48 * time.Hour}, due(), "it still has not gone out")
		mu.Lock()
		told[ana] = clock.Told{At: began.Add(37 * time.Hour)}
		mu.Unlock()
		h.passes(12 * time.Hour)
		require.Equal(t, map[domain.Seat]time.Duration{0: 49 * time.Hour}, due())
		h.passes(time.Hour)
		require.Empty(t, due())
	})
}

func TestDeadlinesThatFellInADowntimeMoveFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		began := time.Now()
		fell := h.starts(domain.TimeOutLost, 0, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		lived := began.Add(time.Hour)
		h.passes(60 * time.Hour) // the house was down for 59 of them
		soon := h.starts(domain.TimeOutLost, 0, desktest.Player(ana), desktest.Player(bo))
		h.clock.Lived = lived
		for range 2 { // however often it is started
			h.runs()
			h.passes(time.Minute)
			h.stop()
		}
		require.Equal(t, []string{"table.deferred.v1 house", "table.deferred.v1 house", "table.deferred.v1 house"},
			h.told(fell))
		require.ErrorIs(t, errors.Join(h.alarms...), clock.ErrDown, "the host is told")
		require.Equal(t, began.UTC().Add((24+59)*time.Hour), h.Sees(fell).NextDeadline())
		require.Equal(t, began.UTC().Add((60+24+59)*time.Hour), h.Sees(soon).NextDeadline(),
			"one that leaves less than the outage took moves, too")
	})
}

func TestAClockThatJumpsCostsNobodyATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.starts(domain.TimeOutLost, 0, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		var off time.Duration
		var mu sync.Mutex
		began := time.Now()
		h.clock.Wall = func() time.Time { mu.Lock(); defer mu.Unlock(); return time.Now().Add(off) }
		h.clock.Steady = func() time.Duration { return time.Since(began) }
		h.runs()
		defer h.stop()
		h.passes(time.Hour)
		mu.Lock()
		off = 40 * 24 * time.Hour
		mu.Unlock()
		h.passes(time.Hour)
		require.Empty(t, h.told(table))
		require.Len(t, h.alarms, 1, "the host is told, once")
		require.ErrorIs(t, h.alarms[0], clock.ErrJumped)
		mu.Lock()
		off = time.Second
		mu.Unlock()
		h.passes(21*time.Hour + 50*time.Minute)
		require.Empty(t, h.told(table))
		h.passes(20 * time.Minute)
		require.NotEmpty(t, h.told(table), "it is as before")
	})
}

func TestAnEventOfTheFutureSuspendsTheClockUntilThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.starts(domain.TimeOutLost, 0, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		ahead := desktest.Over(t, h.Log(), func() time.Time { return time.Now().Add(60 * time.Hour) })
		ahead.Does(ana, table, desk.Say{Written: desk.Written{Text: []byte("by a clock that was wrong")}})
		h.runs()
		h.passes(50 * time.Hour)
		require.Empty(t, h.told(table))
		require.ErrorIs(t, errors.Join(h.alarms...), clock.ErrFuture)
		h.passes(11 * time.Hour)
		require.NotEmpty(t, h.told(table))
		h.stop()
	})
}

func TestARestartChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.starts(domain.TimeOutRemind, 2, desktest.Player(ana), desktest.Player(bo))
		for range 100 {
			h.runs()
			h.passes(61 * time.Minute)
			h.stop()
		}
		require.Equal(t, []string{"table.deferred.v1 spare", "table.deferred.v1 spare", "table.deferred.v1 spare",
			"table.deferred.v1 spare", "table.timed-out.v1 remind", "table.timed-out.v1 remind"}, h.told(table))
	})
}

func TestProposalsAreClosedByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		table := h.starts(domain.TimeOutRemind, 3, desktest.Player(ana), desktest.Player(bo), desktest.Player(cid))
		h.Does(ana, table, desk.ProposeEnd{})
		h.Agrees(cid, table)
		h.runs()
		defer h.stop()
		h.passes(24*time.Hour + time.Minute)
		require.Contains(t, h.told(table), "table.carried.v1")
		h.Follows(table)
		require.Equal(t, domain.EndAgreed, h.Sees(table).Table.End)
	})
}
