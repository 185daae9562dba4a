package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"posthorn/events"
)

// Transport hands a message to the next server.
type Transport interface {
	// Send returns the server's answer once it has accepted the message. The error is a *Verdict
	// where the server judged this letter, a *Lost where the connection was lost over it, and
	// anything else where there is no session to send letters in. It may be called by several at
	// once.
	Send(ctx context.Context, from, to string, message []byte) (answer string, err error)
}

// Sender writes and sends what is in the outbox.
type Sender struct {
	Outbox    *Outbox
	Composer  *Composer
	Transport Transport
	// Alarm is told of faults of single letters that somebody should look at; sending goes on.
	Alarm func(error)
	// Tell is told when the queue begins to wait as a whole, every hour while it does, and when
	// it goes on.
	Tell func(Standing)
	Now  func() time.Time
	// Return is where letters come back to that cannot be delivered; nil is the address they are from.
	Return *ReturnAddress
	// Connections is how many letters are on their way at once; 0 is one.
	Connections int
	// Rest is after how long the queue is looked at again at the latest; longestWait if 0.
	Rest time.Duration
	// Delays between the tries of a letter; the last one repeats.
	Delays []time.Duration
	// GiveUp is how long a letter is tried that the server puts off.
	GiveUp time.Duration
}

// DefaultDelays are the pauses between tries.
var DefaultDelays = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// DefaultGiveUp is how long a letter is tried.
const DefaultGiveUp = 4 * 24 * time.Hour

// Run sends until the context ends. What was being sent when the program stopped is sent
// again, the same bytes, if it is still to the point.
func (s *Sender) Run(ctx context.Context) error {
	for {
		next, err := s.flush(ctx)
		if err != nil {
			return err
		}
		if err := s.wait(ctx, next); err != nil {
			return err
		}
	}
}

// longestWait is after how long the queue is looked at again at the latest: another program may have
// let letters be sent again (see Outbox.Resend), and clocks jump.
const longestWait = time.Minute

func (s *Sender) wait(ctx context.Context, next time.Time) error {
	pause := cmp.Or(s.Rest, longestWait)
	if !next.IsZero() {
		pause = min(pause, max(next.Sub(s.Now()), time.Millisecond))
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.Outbox.wake:
	case <-t.C:
	}
	return nil
}

// fate is what became of a letter, and what it tells of the server.
type fate struct {
	letter Letter
	server fared
	why    error // a fault of the session, or how the connection was lost
	err    error // of the queue itself
}

// fared is how the server did.
type fared int

const (
	unasked  fared = iota // it was not spoken to
	answered              // it took the letter, or judged it
	lost                  // the connection was lost over the letter
	away                  // there is no session
)

// handle brings one letter as far as it gets. What goes wrong with one letter is noted with it.
func (s *Sender) handle(ctx context.Context, l Letter) fate {
	f := fate{letter: l}
	ready, err := s.prepare(ctx, l)
	if err != nil || !ready {
		f.err = err
		return f
	}
	w, err := s.Outbox.bytes(ctx, l.ID)
	if errors.Is(err, events.ErrSealed) {
		f.err = s.Outbox.fail(ctx, l.ID, err.Error())
		return f
	}
	if err == nil {
		err = s.Outbox.sending(ctx, l.ID)
	}
	if err != nil {
		f.err = err
		return f
	}
	from, err := s.returnPath(ctx, l.ID)
	if err != nil {
		f.err = err
		return f
	}
	answer, err := s.Transport.Send(ctx, from, w.To, w.Message)
	if err == nil {
		f.server, f.err = answered, s.Outbox.sent(context.WithoutCancel(ctx), l, w.Told, answer)
		return f
	}
	if ctx.Err() != nil {
		f.err = ctx.Err()
		return f
	}
	f.server, f.why = away, err
	var verdict *Verdict
	switch {
	case errors.As(err, &verdict):
		f.server, f.err = answered, s.judged(ctx, l, verdict)
	case errors.As(err, new(*Lost)):
		f.server = lost
	default:
		f.err = s.anew(ctx, l)
	}
	return f
}

// anew has a letter written again at the next try, whose deadline may have moved by then: the server has
// certainly not taken it. What became of one that was being sent before is not known; it keeps its bytes.
func (s *Sender) anew(ctx context.Context, l Letter) error {
	if l.State == StateSending {
		return nil
	}
	return s.Outbox.anew(ctx, l.ID)
}

// prepare writes a letter that is not written yet, and asks whether it is still to the point;
// false if there is nothing to send now.
func (s *Sender) prepare(ctx context.Context, l Letter) (ready bool, err error) {
	if l.State == StateNew {
		if held, err := s.hold(ctx, l); err != nil || held {
			return false, err
		}
		if ready, err := s.compose(ctx, l); err != nil || !ready {
			return false, err
		}
	}
	var gone errGone
	if err := s.Composer.StillNeeded(ctx, l.Notice); errors.As(err, &gone) {
		return false, s.Outbox.drop(ctx, l.ID, gone.why)
	} else if err != nil {
		return false, s.retry(ctx, l, err)
	}
	return true, nil
}

func (s *Sender) compose(ctx context.Context, l Letter) (written bool, err error) {
	if l, err = s.Outbox.thread(ctx, l); err != nil {
		return false, err
	}
	var w Written
	err = s.Composer.Desk.Guard(l.Table, func() (err error) {
		w, err = s.Composer.Compose(ctx, l)
		return err
	})
	var gone errGone
	switch {
	case errors.As(err, new(*events.Unreadable)):
		return false, s.retry(ctx, l, err) // the desk has told of the table
	case errors.As(err, &gone):
		return false, s.Outbox.drop(ctx, l.ID, gone.why)
	case err != nil && ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		s.alarm(fmt.Errorf("compose letter %d: %w", l.ID, err))
		return false, s.retry(ctx, l, err)
	}
	return true, s.Outbox.composed(ctx, l, w)
}

// judged notes what the server says about a letter.
func (s *Sender) judged(ctx context.Context, l Letter, v *Verdict) error {
	if !v.ForGood() {
		if err := s.anew(ctx, l); err != nil {
			return err
		}
		return s.retry(ctx, l, v)
	}
	if r := returnedAtOnce(v); r.Kind != "" {
		if _, err := s.Outbox.returned(ctx, l, r); err != nil {
			return err
		}
	}
	s.alarm(fmt.Errorf("letter %d of table %s was refused for good: %s", l.ID, l.Table, withoutAddresses(v.Error())))
	return s.Outbox.fail(ctx, l.ID, v.Error())
}

// retry puts a letter off, or gives it up.
func (s *Sender) retry(ctx context.Context, l Letter, why error) error {
	if !l.Tried.IsZero() && s.Now().Sub(l.Tried) > s.GiveUp {
		s.alarm(fmt.Errorf("letter %d of table %s is given up: %s", l.ID, l.Table, withoutAddresses(why.Error())))
		return s.Outbox.fail(ctx, l.ID, why.Error())
	}
	delay := s.Delays[min(l.Attempts, len(s.Delays)-1)]
	return s.Outbox.later(ctx, l.ID, s.Now().Add(delay), why.Error())
}

func (s *Sender) alarm(err error) {
	if s.Alarm != nil {
		s.Alarm(err)
	}
}

func (s *Sender) tell(st Standing) {
	if s.Tell != nil {
		s.Tell(st)
	}
}
