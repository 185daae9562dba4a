// Package runner gives the commands that nobody typed: what must follow at a table by
// itself (a full one starts, a line is opened, an end is noted), the moves of standing orders
// at once, and those of stand-ins after a pause that feels like play. Every command has an id
// derived from its cause, so a runner that was killed and started again does nothing twice.
package runner

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
)

// Runner watches tables.
type Runner struct {
	Desk *events.Desk
	// Live lists the tables that had not ended at a position of the log, to be looked after
	// at the start; the log is followed from there.
	Live func(context.Context) (tables []events.Name, at uint64, err error)
	// Pause is how long a stand-in thinks before it moves.
	Pause time.Duration
	// Alarm is told what went wrong at a table; it is tried again after Retry.
	Alarm func(events.Name, error)
	Retry time.Duration

	mu      sync.Mutex
	working map[events.Name]bool // true: something happened meanwhile, look again
	tasks   sync.WaitGroup
}

// Run follows the log until the context ends. It waits for what it has begun.
func (r *Runner) Run(ctx context.Context, f events.Follower) error {
	defer r.tasks.Wait()
	live, at, err := r.Live(ctx)
	if err != nil {
		return fmt.Errorf("runner: %w", err)
	}
	for _, name := range live {
		r.look(ctx, name)
	}
	return f.Follow(ctx, at, func(ctx context.Context, recs []events.Record) error {
		for i := range recs {
			s, err := r.Desk.Log().Stream(ctx, recs[i].Stream)
			if err != nil {
				return fmt.Errorf("runner: position %d: %w", recs[i].Pos, err)
			}
			if s.Kind != events.KindHouse {
				r.look(ctx, s.Table)
			}
		}
		return nil
	})
}

// look makes somebody look after a table, once at a time.
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
		err := r.Desk.Guard(table, func() error { return r.serve(ctx, table) })
		if errors.As(err, new(*events.Unreadable)) {
			err = nil // the table stands still, and the desk has told of it
		}
		if err != nil && ctx.Err() == nil {
			if r.Alarm != nil {
				r.Alarm(table, err)
			}
			if wait(ctx, r.Retry) == nil {
				continue
			}
		}
		r.mu.Lock()
		if again := r.working[table]; !again || ctx.Err() != nil {
			delete(r.working, table)
			r.mu.Unlock()
			return
		}
		r.working[table] = false
		r.mu.Unlock()
	}
}

// serve does everything that can be done at a table now.
func (r *Runner) serve(ctx context.Context, table events.Name) error {
	for {
		turns, err := r.Desk.Chores(ctx, table)
		if err != nil || len(turns) == 0 {
			return err
		}
		if err := wait(ctx, r.Pause); err != nil {
			return err
		}
		if err := r.move(ctx, turns[0]); err != nil {
			return err
		}
	}
}

// move plays one decision of a stand-in. A refusal means that the table has moved on.
func (r *Runner) move(ctx context.Context, m events.Move) error {
	look, err := r.Desk.Look(ctx, m.Table)
	if err != nil {
		return err
	}
	if look.Line == nil || look.LineName != m.Line || !slices.Contains(look.Line.Awaited(), m.Decision) {
		return nil
	}
	who, err := standin.Named(look.Table.Places[m.Seat].StandIn)
	if err != nil {
		return fmt.Errorf("stand-in at table %s: %w", m.Table, err)
	}
	move, ok := who.Choose(standin.Look(look.Rulebook, look.Line.State, m.Seat, binary.BigEndian.Uint64(m.ID[:])))
	if !ok {
		return fmt.Errorf("stand-in at table %s: seat %s is awaited and has no move", m.Table, m.Seat.Letter())
	}
	m.Move = move
	_, err = r.Desk.Play(ctx, events.House, m)
	if _, refused := domain.AsRefusal(err); refused {
		return nil
	}
	return err
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return errors.Join(ctx.Err())
	}
}
