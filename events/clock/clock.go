// Package clock gives the commands that follow from deadlines, through the door clock. It keeps no state: it asks the
// views for the earliest deadline, sleeps until then or until something changes, and lets the desk judge what is due.
// So a restart costs nothing, and a repeated command is done once.
package clock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Views know which tables have deadlines. Their answers may be late: the desk judges.
type Views interface {
	// Due lists the tables with a deadline up to a moment. It also returns the first later deadline (zero for none),
	// and the log position up to which the views know.
	Due(ctx context.Context, upTo time.Time) (tables []events.Name, next time.Time, pos uint64, err error)
	// Await returns when the views have reached a log position.
	Await(ctx context.Context, pos uint64) error
}

// Told is what became of the mail about an ask.
type Told struct {
	Waits bool      // it has not gone out yet, but still will
	At    time.Time // when it went out; zero if it did not: it was not wanted, or nothing is known of it
}

// Clock watches deadlines.
type Clock struct {
	Desk  *desk.Desk
	Views Views
	// Told returns what became of the mail about an ask; nil if there are no mails.
	Told func(context.Context, desk.Ask) (Told, error)
	// Lived is when this house was last known to be up before this start; zero if it is new.
	Lived time.Time
	// Alive is called now and then to note that the house is up, for the next Lived. It may be nil.
	Alive func(time.Time) error
	// Alarm is called with what the host should know.
	Alarm func(error)
	// Wall is the wall clock, and Steady a clock that nobody sets; the machine's if nil.
	Wall   func() time.Time
	Steady func() time.Duration
	// Rest is the longest it sleeps before it looks at the clock again; DefaultRest if 0.
	Rest time.Duration

	suspended atomic.Pointer[error] // why deadlines currently have no consequences; nil if they have
	stamped   time.Time
}

// The clock's limits.
const (
	// LeastNotice is the least time, by their own calendar, that people have from when they were told of an ask.
	LeastNotice = 12 * time.Hour
	// LeastInvited is how long an invitation is good, at least, from when it was mailed.
	LeastInvited = 72 * time.Hour
	// DefaultRest is the longest it sleeps.
	DefaultRest = time.Minute
	// Jump is how far the wall clock may drift from the steady one before deadlines are left alone.
	Jump = 5 * time.Minute
	// Outage is how long a house may be down before it also moves deadlines that did not pass meanwhile.
	Outage = time.Hour
)

// ErrJumped reports that the clock jumped.
var ErrJumped = errors.New("the clock of this machine jumped: nothing follows from deadlines until it is as before, " +
	"or the program is started again")

// ErrDown reports an outage that moves deadlines: if the outage was shorter, this machine's clock is wrong.
var ErrDown = errors.New("the house was down: deadlines that fell meanwhile, or soon after, move by that time")

// ErrFuture reports that the log's last event is later than now.
var ErrFuture = errors.New("the last event of the log is later than the clock of this machine says: nothing follows " +
	"from deadlines until it has caught up")

// Resting returns why nothing follows from deadlines for now: ErrJumped or ErrFuture; nil if they count. Anybody may
// ask, while Run runs or not.
func (c *Clock) Resting() error {
	if why := c.suspended.Load(); why != nil {
		return *why
	}
	return nil
}

// Run watches deadlines until the context ends or the log is closed.
func (c *Clock) Run(ctx context.Context) error {
	if c.Wall == nil {
		c.Wall = time.Now
	}
	if c.Steady == nil {
		began := time.Now()
		c.Steady = func() time.Duration { return time.Since(began) }
	}
	if c.Rest == 0 {
		c.Rest = DefaultRest
	}
	wall, steady := c.Wall().Round(0), c.Steady()
	if err := c.lastStamp(ctx); err != nil {
		return err
	}
	caughtUp := false
	for {
		drift := c.Wall().Round(0).Sub(wall) - (c.Steady() - steady)
		c.judge(drift)
		var next time.Time
		var err error
		if c.Resting() == nil {
			if !caughtUp {
				if err = c.afterOutage(ctx); err == nil {
					caughtUp = true
				}
			}
			if err == nil {
				next, err = c.step(ctx)
			}
		}
		if caughtUp && err == nil && c.Alive != nil {
			err = c.Alive(c.Wall())
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, events.ErrClosed) || events.Unstored(err):
			return err
		case err != nil:
			c.alarm(err)
		}
		if err := c.sleep(ctx, next); err != nil {
			return err
		}
	}
}

// lastStamp notes the time of the log's last event if that is later than now.
func (c *Clock) lastStamp(ctx context.Context) error {
	log := c.Desk.Log()
	last, err := log.Last(ctx)
	if err != nil || last == 0 {
		return err
	}
	recs, err := log.Read(ctx, last-1, 1)
	if err == nil && len(recs) > 0 && recs[0].At.Sub(c.Wall()) > events.ClockSet {
		c.stamped = recs[0].At
	}
	return err
}

// judge decides whether the wall clock can be believed.
func (c *Clock) judge(drift time.Duration) {
	var why error
	switch {
	case drift.Abs() > Jump:
		why = fmt.Errorf("%w (by %s)", ErrJumped, drift.Round(time.Second))
	case c.stamped.After(c.Wall()):
		why = fmt.Errorf("%w (%s)", ErrFuture, c.stamped.Format(time.RFC3339))
	}
	if why == nil {
		c.suspended.Store(nil)
		return
	}
	if c.suspended.Swap(&why) == nil {
		c.alarm(why)
	}
}

func (c *Clock) alarm(err error) {
	if c.Alarm != nil {
		c.Alarm(err)
	}
}

// sleep waits until a moment, but no longer than Rest: a deadline that comes up meanwhile is hours away.
func (c *Clock) sleep(ctx context.Context, until time.Time) error {
	rest := c.Rest
	if !until.IsZero() {
		rest = min(rest, max(until.Sub(c.Wall()), time.Millisecond))
	}
	t := time.NewTimer(rest)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// step does what is due now, and returns when the next deadline is.
func (c *Clock) step(ctx context.Context) (next time.Time, err error) {
	now := c.Wall()
	tables, next, pos, err := c.Views.Due(ctx, now)
	if err != nil || len(tables) == 0 {
		return next, err
	}
	done := uint64(0)
	err = c.Desk.Each(ctx, tables, func(look desk.Look) error {
		for _, d := range look.Deadlines() {
			if d.At.After(now) {
				continue
			}
			at, err := c.passed(ctx, look, d)
			if err != nil && (ctx.Err() != nil || errors.Is(err, events.ErrClosed) || events.Unstored(err)) {
				return err
			}
			if err != nil {
				c.alarm(err) // of one table; it is tried again
			}
			done = max(done, at)
		}
		for _, e := range look.Expiries() {
			at, err := c.expired(ctx, look, e, now)
			if err != nil {
				return err
			}
			done = max(done, at)
		}
		return nil
	})
	if err != nil || done <= pos {
		return time.Time{}, err
	}
	seen, stop := context.WithTimeout(ctx, c.Rest)
	defer stop()
	if err := c.Views.Await(seen, done); err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return time.Time{}, nil // they are behind; the desk does nothing twice
	}
	return c.Wall(), ctx.Err()
}

// expired ends an invitation whose time is over, unless its mail is still waiting or went out late: then the clock
// looks at it again later.
func (c *Clock) expired(ctx context.Context, look desk.Look, e desk.Expiry, now time.Time) (uint64, error) {
	if e.Until.After(now) {
		return 0, nil
	}
	if c.Told != nil {
		told, err := c.Told(ctx, e.Ask)
		if err != nil {
			return 0, err
		}
		if told.Waits || now.Sub(told.At) < LeastInvited {
			return 0, nil
		}
	}
	pos, _, err := c.try(ctx, look.Name, desk.Expire{Seat: e.Open.Seat, Person: e.Person, Until: e.Until},
		domain.Deadline{Seat: e.Open.Seat, Since: e.Open.Since, At: e.Until})
	return pos, err
}

// passed does what follows from a deadline that has passed. First it gives people what they should have had: if they
// were told late, are away, or have a day to spare. It returns the position of what it did.
func (c *Clock) passed(ctx context.Context, look desk.Look, d domain.Deadline) (uint64, error) {
	asks := look.AsksOf(d)
	late, err := c.toldLate(ctx, asks, d)
	if err != nil {
		return 0, err
	}
	if !late.IsZero() {
		pos, done, err := c.try(ctx, look.Name,
			desk.Postpone{Why: domain.DeferMail, Due: d, From: late, Allowed: LeastNotice}, d)
		if done || err != nil {
			return pos, err
		}
	}
	if d.Seat == domain.Nobody {
		pos, _, err := c.try(ctx, look.Name, desk.CloseProposal{Due: d}, d)
		return pos, err
	}
	away, err := c.Desk.AwayNow(ctx, look.Table.Places[d.Seat].Holders)
	if err != nil {
		return 0, err
	}
	switch {
	case away:
		from := c.Wall()
		pos, _, err := c.try(ctx, look.Name,
			desk.Postpone{Why: domain.DeferAway, Due: d, From: from,
				Allowed: time.Duration(look.Table.Clock.Hours) * time.Hour}, d)
		return pos, err
	case look.Table.SpareLeft(d.Seat) > 0:
		pos, _, err := c.try(ctx, look.Name, desk.TakeSpare{Due: d}, d)
		return pos, err
	}
	pos, _, err := c.try(ctx, look.Name, desk.TimeOut{Due: d}, d)
	return pos, err
}

// try gives a command. A refused one was overtaken: done is false.
func (c *Clock) try(ctx context.Context, table events.Name, cmd desk.Command, d domain.Deadline) (pos uint64,
	done bool, err error) {
	ans, err := c.Desk.DoCaused(ctx, events.Clock, table, desk.CauseOf(cmd.Row().Wish, table, d), cmd)
	if _, refused := domain.AsRefusal(err); refused {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("%s at table %s: %w", cmd.Row().Wish, table, err)
	}
	return ans.Record.Pos, true, nil
}

// toldLate returns from when the people asked should get the least notice: when the mail went out, or now while it
// waits; zero if nothing kept it from them. For a team, any member told is enough; for consent, the one told last
// counts.
func (c *Clock) toldLate(ctx context.Context, asks []desk.Ask, d domain.Deadline) (from time.Time, err error) {
	if c.Told == nil {
		return from, nil
	}
	var when []time.Time
	for _, a := range asks {
		told, err := c.Told(ctx, a)
		if err != nil {
			return from, err
		}
		if told.Waits {
			told.At = c.Wall()
		}
		when = append(when, told.At)
	}
	if len(when) == 0 {
		return from, nil
	}
	if d.Seat == domain.Nobody {
		return slices.MaxFunc(when, time.Time.Compare), nil
	}
	return slices.MinFunc(when, time.Time.Compare), nil
}

// afterOutage moves the deadlines that passed while the house was down, and those with less time left than the outage
// took, by its length.
func (c *Clock) afterOutage(ctx context.Context) error {
	if c.Lived.IsZero() {
		return nil
	}
	last, err := c.Desk.Log().Last(ctx)
	if err == nil {
		err = c.Views.Await(ctx, last) // otherwise deadlines they have not seen yet would time out first
	}
	if err != nil {
		return err
	}
	now := c.Wall()
	span := now.Sub(c.Lived)
	upTo := now
	if span > Outage {
		upTo = now.Add(span)
	} else if span <= Jump {
		return nil
	}
	tables, _, _, err := c.Views.Due(ctx, upTo)
	if err != nil {
		return err
	}
	if len(tables) > 0 {
		c.alarm(fmt.Errorf("%w, from %s for %s", ErrDown, c.Lived.UTC().Format(time.RFC3339), span.Round(time.Minute)))
	}
	return c.Desk.Each(ctx, tables, func(look desk.Look) error {
		for _, d := range look.Deadlines() {
			if d.At.After(upTo) || d.At.Before(c.Lived) {
				continue
			}
			cmd := desk.Postpone{Why: domain.DeferHouse, Due: d, From: d.At, Allowed: max(span, Outage)}
			cause := events.Because("outage", look.Name[:],
				[]byte(fmt.Sprintf("%s %d %d %d", d.Line, d.Seat, d.Since, c.Lived.UnixMilli())))
			_, err := c.Desk.DoCaused(ctx, events.Clock, look.Name, cause, cmd)
			if _, refused := domain.AsRefusal(err); err != nil && !refused {
				return fmt.Errorf("%s at table %s: %w", cmd.Row().Wish, look.Name, err)
			}
		}
		return nil
	})
}
