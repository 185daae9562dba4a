package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Transport hands a message to the next server.
type Transport interface {
	// Send returns the server's answer once it has accepted the message. It returns a *Verdict if the server judged
	// this letter, a *Lost if the connection broke during it, and any other error if there is no session for sending
	// letters. It must be safe for concurrent use.
	Send(ctx context.Context, from, to string, message []byte) (answer string, err error)
}

// Sender writes and sends what is in the outbox.
type Sender struct {
	Outbox    *Outbox
	Composer  *Composer
	Transport Transport
	// Alarm gets the faults of single letters that somebody should look at; sending goes on.
	Alarm func(error)
	// Tell is called when the whole queue starts to wait, every hour while it waits, and when it continues.
	Tell func(Standing)
	Now  func() time.Time
	// Here returns until when somebody is taken to be at a table's page; zero if they are not. Nil knows of nobody.
	Here func(ctx context.Context, id domain.PersonID, table events.Name) (until time.Time, err error)
	// Return makes the addresses that undeliverable letters come back to; nil uses their From address.
	Return *ReturnAddress
	// Connections is how many letters may be on their way at once; 0 means one.
	Connections int
	// Rest is the longest time before looking at the queue again; 0 means longestWait.
	Rest time.Duration
	// Delays are the pauses between tries of a letter; the last one repeats.
	Delays []time.Duration
	// GiveUp is how long to keep trying a letter that the server defers.
	GiveUp time.Duration

	ownOnly atomic.Bool // the server takes mails from the account's own address alone: they do not come back to us

	tidied time.Time // when what is over was last taken out of the queue
}

// DefaultDelays are the pauses between tries.
var DefaultDelays = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// DefaultGiveUp is how long to keep trying a letter.
const DefaultGiveUp = 4 * 24 * time.Hour

// Run sends until the context ends. A letter that was being sent when the program stopped is sent again with the same
// bytes, if it is still needed.
func (s *Sender) Run(ctx context.Context) error {
	for {
		next, err := s.flush(ctx)
		if err == nil {
			err = s.tidies(ctx)
		}
		if err != nil {
			return err
		}
		if err := s.wait(ctx, next); err != nil {
			return err
		}
	}
}

// longestWait is the longest time before looking at the queue again: another program may have requested letters again
// (see Outbox.Resend), and clocks jump.
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

// fate is what became of a letter, and what that says about the server.
type fate struct {
	letter   Letter
	response response
	why      error // a fault of the session, or how the connection broke
	err      error // of the queue itself
}

// response is how the server responded.
type response int

const (
	unasked  response = iota // we did not contact it
	answered                 // it took or judged the letter
	lost                     // the connection broke during the letter
	away                     // there is no session
)

// handle takes one letter as far as it gets. It notes a letter's faults with the letter.
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
	if from != s.Composer.From && RefusesSender(err) {
		if answer, err = s.Transport.Send(ctx, s.Composer.From, w.To, w.Message); err == nil {
			s.ownOnly.Store(true)
		}
	}
	if err == nil {
		f.response, f.err = answered, s.Outbox.sent(context.WithoutCancel(ctx), l, w.Told, answer)
		return f
	}
	if ctx.Err() != nil {
		f.err = ctx.Err()
		return f
	}
	f.response, f.why = away, err
	var verdict *Verdict
	switch {
	case errors.As(err, &verdict):
		f.response, f.err = answered, s.judged(ctx, l, verdict)
	case errors.As(err, new(*Lost)):
		f.response = lost
	default:
		f.err = s.anew(ctx, l)
	}
	return f
}

// anew has a letter written again at the next try, because its deadline may have moved by then: the server has
// certainly not taken it. If a try was already under way before, the letter keeps its bytes, because its fate is
// unknown.
func (s *Sender) anew(ctx context.Context, l Letter) error {
	if l.State == StateSending {
		return nil
	}
	return s.Outbox.anew(ctx, l.ID)
}

// prepare writes a letter that is not written yet, and checks that it is still needed. It returns false if there is
// nothing to send now.
func (s *Sender) prepare(ctx context.Context, l Letter) (ready bool, err error) {
	if l.State == StateNew {
		if seen, err := s.seen(ctx, l); err != nil || seen {
			return false, err
		}
		if held, err := s.hold(ctx, l); err != nil || held {
			return false, err
		}
		if unwelcome, err := s.Outbox.unwelcome(ctx, l); err != nil {
			return false, err
		} else if unwelcome {
			return false, s.Outbox.drop(ctx, l.ID, "complained")
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
	case errors.As(err, new(*desk.Unreadable)):
		return false, s.retry(ctx, l, err) // the desk has reported the table
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

// judged notes the server's verdict on a letter.
func (s *Sender) judged(ctx context.Context, l Letter, v *Verdict) error {
	if !v.forGood() {
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

// retry puts a letter off, or gives up on it.
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
