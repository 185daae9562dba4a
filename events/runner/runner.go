// Package runner gives the commands that nobody typed: what must follow at a table on its own (a full one starts, a
// line opens, an end is noted), the moves of standing orders at once, and those of stand-ins after a pause that feels
// like play. Every command has an id derived from its cause, so a runner that was killed and restarted does nothing
// twice.
//
// An event in the log makes it look after a table. That work depends only on the runner: the subscription that
// brought the event may end meanwhile, and anything that fails is tried again until it succeeds. A sweep finds
// anything else that waits for the house.
package runner

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sethvargo/go-retry"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/watch"
)

// Runner watches tables.
type Runner struct {
	Desk *desk.Desk
	// Live lists the tables to look after at the start: those that had not ended at a position of the log, or ended
	// sealed. The log is followed from there.
	Live func(context.Context) (tables []events.Name, at uint64, err error)
	// Waiting lists the tables that wait for the house at a position of the log, for the sweeps. Without it a sweep
	// uses the log alone.
	Waiting func(context.Context) (tables []events.Name, at uint64, err error)
	// Sweep is the time between two sweeps; DefaultSweep if 0.
	Sweep time.Duration
	// Pause is how long a stand-in thinks before it moves.
	Pause time.Duration
	// Hasty stand-ins play the best move that they see at first, without thinking on.
	Hasty bool
	// Alarm is called for every failure: at a table or, with the zero name, of the runner's own reading. A failure is
	// tried again after Retry (DefaultRetry if 0), then after twice as long each time, up to mostRetry.
	Alarm func(events.Name, error)
	Retry time.Duration

	mu      sync.Mutex
	working map[events.Name]bool      // true: something happened meanwhile, look again
	waiting map[events.Name]time.Time // when the grace that the house waits for is over
	pool    chan struct{}             // one for each thinking stand-in
	tasks   sync.WaitGroup
}

// DefaultSweep and DefaultRetry keep a table from waiting for the house longer than a minute after an obstacle is
// gone, whatever became of an event or a try.
const (
	DefaultSweep = 20 * time.Second
	DefaultRetry = time.Second
	mostRetry    = 20 * time.Second
	farBehind    = 4096 // once this many events behind the log, it no longer follows it table by table
)

// Run looks after tables until the context ends or the log is closed. It waits for the work it has begun. The error
// says that it could not list the live tables, or why it ended.
func (r *Runner) Run(ctx context.Context, f events.Follower) error {
	defer r.tasks.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // runs before the waiting: when the log is closed, nothing is left to try
	live, at, err := r.begin(ctx)
	if err != nil {
		return err
	}
	r.tasks.Go(func() { r.gradually(ctx, live) })
	began := at
	r.tasks.Go(func() { r.sweeps(ctx, began) })
	return r.again(ctx, events.Name{}, func(ctx context.Context) error {
		return r.Desk.Follow(ctx, f, at, func(_ context.Context, b desk.Batch) error {
			r.touched(ctx, b)
			at = b.Pos
			return nil
		})
	})
}

// mostAbout is how many tables About may list at once when the views are behind the log.
const mostAbout = 1 << 20

// begin looks after the tables that wait for the house. It returns which others may have something to follow, and
// from where on the log covers it.
func (r *Runner) begin(ctx context.Context) (live []events.Name, at uint64, err error) {
	if live, at, err = r.Live(ctx); err != nil {
		return nil, 0, fmt.Errorf("runner: %w", err)
	}
	if r.Waiting != nil {
		waiting, _, _ := r.Waiting(ctx) // the first sweep reports a failure, and tries again
		for _, name := range waiting {
			r.look(ctx, name)
		}
	}
	last, err := r.Desk.Log().Last(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("runner: %w", err)
	}
	if last > at+farBehind {
		var newer []events.Name
		if newer, at, err = r.Desk.About(ctx, at, mostAbout); err != nil {
			return nil, 0, fmt.Errorf("runner: %w", err)
		}
		live = append(live, newer...)
	}
	return live, at, nil
}

// gradually checks whether tables have something to follow, one after another and at most half of the time, so that a
// start leaves the machine to people asking for pages.
func (r *Runner) gradually(ctx context.Context, tables []events.Name) {
	for _, name := range tables {
		began := time.Now()
		var turns []desk.Move
		err := r.Desk.Guard(name, func() (err error) {
			if turns, err = r.Desk.Advance(ctx, name); err == nil {
				err = r.waits(ctx, name)
			}
			return err
		})
		if err != nil || len(turns) > 0 {
			r.look(ctx, name) // it reports the failure and tries again
		}
		if watch.Pause(ctx, time.Since(began)) != nil {
			return
		}
	}
}

// touched looks after the tables that a batch is about, and after branches that waited for an end.
func (r *Runner) touched(ctx context.Context, b desk.Batch) {
	for _, table := range b.Tables {
		r.look(ctx, table)
		if !b.Ends {
			continue
		}
		for _, branch := range r.Desk.Waiting(table) {
			r.look(ctx, branch)
		}
	}
}

// sweeps looks now and then after every table that waits for the house. The views know these up to where they have
// come; anything newer is read from the log itself, without a broker.
func (r *Runner) sweeps(ctx context.Context, swept uint64) {
	every := r.Sweep
	if every == 0 {
		every = DefaultSweep
	}
	for watch.Pause(ctx, every) == nil {
		err := r.again(ctx, events.Name{}, func(ctx context.Context) (err error) {
			swept, err = r.sweep(ctx, swept)
			return err
		})
		if err != nil {
			return // the context has ended, or the log is closed
		}
	}
}

func (r *Runner) sweep(ctx context.Context, swept uint64) (uint64, error) {
	if r.Waiting != nil {
		tables, at, err := r.Waiting(ctx)
		if err != nil {
			return swept, fmt.Errorf("runner: tables that wait: %w", err)
		}
		for _, name := range tables {
			r.look(ctx, name)
		}
		swept = max(swept, at)
	}
	return r.Desk.CatchUp(ctx, swept, func(_ context.Context, b desk.Batch) error {
		r.touched(ctx, b)
		return nil
	})
}

// again does something until it succeeds, with growing pauses, and reports every failure. The error is why it gave
// up: the context has ended, the log is closed, or the table cannot be read, which the desk has reported.
func (r *Runner) again(ctx context.Context, table events.Name, do func(context.Context) error) error {
	first := r.Retry
	if first == 0 {
		first = DefaultRetry
	}
	growing := retry.WithCappedDuration(mostRetry, retry.NewExponential(first))
	return retry.Do(ctx, growing, func(ctx context.Context) error {
		err := do(ctx)
		if err == nil || ctx.Err() != nil || errors.Is(err, events.ErrClosed) ||
			errors.As(err, new(*desk.Unreadable)) {
			return err
		}
		if r.Alarm != nil {
			r.Alarm(table, err)
		}
		return retry.RetryableError(err)
	})
}

// look starts looking after a table, once at a time.
func (r *Runner) look(ctx context.Context, table events.Name) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.working == nil {
		r.working = map[events.Name]bool{}
	}
	if _, busy := r.working[table]; busy {
		r.working[table] = true
		return
	}
	r.working[table] = false
	r.tasks.Go(func() { r.work(ctx, table) })
}

func (r *Runner) work(ctx context.Context, table events.Name) {
	for {
		err := r.serve(ctx, table)
		r.mu.Lock()
		if again := r.working[table]; !again || err != nil {
			delete(r.working, table)
			r.mu.Unlock()
			return
		}
		r.working[table] = false
		r.mu.Unlock()
	}
}

// serve does everything that can be done at a table now, and retries until it is done.
func (r *Runner) serve(ctx context.Context, table events.Name) error {
	for {
		moved := false
		err := r.again(ctx, table, func(ctx context.Context) error {
			return r.Desk.Guard(table, func() (err error) {
				moved, err = r.step(ctx, table)
				return err
			})
		})
		if err != nil || !moved {
			return err
		}
	}
}

// step does what must follow at a table and lets one stand-in move, if one is awaited.
func (r *Runner) step(ctx context.Context, table events.Name) (moved bool, err error) {
	turns, err := r.Desk.Advance(ctx, table)
	if err == nil && len(turns) == 0 {
		err = r.waits(ctx, table)
	}
	if err != nil || len(turns) == 0 {
		return false, err
	}
	if err := watch.Pause(ctx, r.Pause); err != nil {
		return false, err
	}
	err = r.move(ctx, turns[0])
	if _, refused := domain.AsRefusal(err); !refused {
		return true, err
	}
	now, failed := r.Desk.Advance(ctx, table)
	if failed == nil && len(now) > 0 && now[0].ID == turns[0].ID {
		return false, fmt.Errorf("seat %s's stand-in: %w", now[0].Seat.Letter(), err)
	}
	return true, failed // the table has moved on meanwhile
}

// waits arranges to look after a table again when its grace is over, if the house waits for that.
func (r *Runner) waits(ctx context.Context, table events.Name) error {
	until, err := r.Desk.HeldUntil(ctx, table)
	if err != nil || until.IsZero() {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting == nil {
		r.waiting = map[events.Name]time.Time{}
	}
	if r.waiting[table].Equal(until) {
		return nil
	}
	r.waiting[table] = until
	r.tasks.Go(func() {
		err := watch.Pause(ctx, until.Sub(r.Desk.Now()))
		r.mu.Lock()
		if r.waiting[table].Equal(until) {
			delete(r.waiting, table)
		}
		r.mu.Unlock()
		if err == nil {
			r.look(ctx, table)
		}
	})
	return nil
}

// move plays one decision of a stand-in.
func (r *Runner) move(ctx context.Context, m desk.Move) error {
	look, err := r.Desk.Look(ctx, m.Table)
	if err != nil {
		return err
	}
	if look.Line == nil || look.LineName != m.Line || !slices.Contains(look.Line.Awaited(), m.Decision) {
		return nil
	}
	seat := look.Table.Places[m.Seat]
	if seat.StandIn == "" {
		return nil // its people came back between the listing of this move and now
	}
	who, err := standin.Named(seat.StandIn)
	if err != nil {
		return fmt.Errorf("stand-in at table %s: %w", m.Table, err)
	}
	sight := standin.Look(look.Rulebook, look.Line.State, m.Seat, binary.BigEndian.Uint64(m.ID[:]))
	move, ok, err := r.think(ctx, who, sight)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("stand-in at table %s: seat %s is awaited and has no move", m.Table, m.Seat.Letter())
	}
	m.Move = move
	_, err = r.Desk.Play(ctx, m.Actor(), m)
	return err
}
