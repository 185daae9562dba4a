package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/emersion/go-smtp"

	"posthorn/events"
)

// Transport hands a message to the next server.
type Transport interface {
	// Send returns the server's answer once it has accepted the message. A *smtp.SMTPError
	// tells whether a refusal is for good.
	Send(ctx context.Context, from, to string, message []byte) (answer string, err error)
}

// Sender writes and sends what is in the outbox.
type Sender struct {
	Outbox    *Outbox
	Composer  *Composer
	Transport Transport
	// Alarm is told of faults that somebody should look at; sending goes on.
	Alarm func(error)
	Now   func() time.Time
	// Delays between the tries of a letter; the last one repeats.
	Delays []time.Duration
	// GiveUp is how long a letter is tried.
	GiveUp time.Duration
}

// DefaultDelays are the pauses between tries.
var DefaultDelays = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// DefaultGiveUp is how long a letter is tried.
const DefaultGiveUp = 4 * 24 * time.Hour

// atOnce is how many letters are worked on before the queue is looked at again.
const atOnce = 64

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

// flush works on everything that is due now, and tells when the next letter will be due; zero if none is left.
func (s *Sender) flush(ctx context.Context) (time.Time, error) {
	for {
		letters, next, err := s.Outbox.due(ctx, atOnce)
		if err != nil || len(letters) == 0 {
			return next, err
		}
		for _, l := range letters {
			if err := s.handle(ctx, l); err != nil {
				return time.Time{}, err
			}
		}
	}
}

func (s *Sender) wait(ctx context.Context, next time.Time) error {
	pause := time.Hour
	if !next.IsZero() {
		pause = max(next.Sub(s.Now()), time.Millisecond)
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

// handle brings one letter as far as it gets. The error is of the queue itself; what goes
// wrong with one letter is noted with it.
func (s *Sender) handle(ctx context.Context, l Letter) error {
	if l.State == StateNew {
		l, err := s.Outbox.thread(ctx, l)
		if err != nil {
			return err
		}
		var w Written
		err = s.Composer.Desk.Guard(l.Table, func() (err error) {
			w, err = s.Composer.Compose(ctx, l)
			return err
		})
		var gone errGone
		switch {
		case errors.As(err, new(*events.Unreadable)):
			return s.retry(ctx, l, err) // the desk has told of the table
		case errors.As(err, &gone):
			return s.Outbox.drop(ctx, l.ID, gone.why)
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.alarm(fmt.Errorf("compose letter %d: %w", l.ID, err))
			return s.retry(ctx, l, err)
		}
		if err := s.Outbox.composed(ctx, l, w); err != nil {
			return err
		}
	}
	var gone errGone
	if err := s.Composer.StillNeeded(ctx, l.Notice); errors.As(err, &gone) {
		return s.Outbox.drop(ctx, l.ID, gone.why)
	} else if err != nil {
		return s.retry(ctx, l, err)
	}
	to, message, err := s.Outbox.bytes(ctx, l.ID)
	if errors.Is(err, events.ErrSealed) {
		return s.Outbox.fail(ctx, l.ID, err.Error())
	}
	if err != nil {
		return err
	}
	if err := s.Outbox.sending(ctx, l.ID); err != nil {
		return err
	}
	answer, err := s.Transport.Send(ctx, s.Composer.From, to, message)
	if err != nil {
		return s.refused(ctx, l, err)
	}
	return s.Outbox.sent(ctx, l.ID, answer)
}

func (s *Sender) refused(ctx context.Context, l Letter, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var answer *smtp.SMTPError
	if errors.As(err, &answer) && !answer.Temporary() {
		s.alarm(fmt.Errorf("letter %d was refused: %w", l.ID, err))
		return s.Outbox.fail(ctx, l.ID, answer.Error())
	}
	return s.retry(ctx, l, err)
}

func (s *Sender) retry(ctx context.Context, l Letter, why error) error {
	if s.Now().Sub(l.Made) > s.GiveUp {
		s.alarm(fmt.Errorf("letter %d is given up: %w", l.ID, why))
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
