package mail

import (
	"context"
	"time"
)

// atOnce is how many letters to take up before looking at the queue again.
const atOnce = 64

// Flush works on everything that is due now, and returns.
func (s *Sender) Flush(ctx context.Context) error {
	_, err := s.flush(ctx)
	return err
}

// flush works on what is due now. It returns when the next letter is due or when to try the server again; zero if
// nothing is left.
func (s *Sender) flush(ctx context.Context) (time.Time, error) {
	for {
		standing, err := s.Outbox.circuit(ctx)
		if err != nil {
			return time.Time{}, err
		}
		if standing.Stopped() {
			next, err := s.probe(ctx, standing)
			if err != nil || !next.IsZero() {
				return next, err
			}
		}
		next, err := s.drain(ctx)
		if err != nil {
			return time.Time{}, err
		}
		if next.IsZero() || next.After(s.Now()) {
			return next, nil
		}
	}
}

// probe tests with one letter whether the server takes mail again. It returns when to try next; zero if the server
// takes mail.
func (s *Sender) probe(ctx context.Context, was Standing) (time.Time, error) {
	if now := s.Now(); was.Next.After(now) && was.Next.Sub(now) <= probePause*longestProbes {
		return was.Next, s.Outbox.expire(ctx)
	}
	for {
		letters, next, err := s.take(ctx, 1, nil)
		if err != nil {
			return time.Time{}, err
		}
		if len(letters) == 0 {
			if next.IsZero() {
				next = s.Now().Add(probePause * longestProbes)
			}
			return next, nil
		}
		f := s.handle(ctx, letters[0])
		switch {
		case f.err != nil:
			return time.Time{}, f.err
		case f.response == answered:
			return time.Time{}, s.restarted(ctx, was)
		case f.response == lost || f.response == away:
			if err := s.Outbox.behind(ctx, f.letter.ID); err != nil {
				return time.Time{}, err
			}
			return s.stop(ctx, f.why)
		}
	}
}

// stop makes the whole queue wait and reports that, at first and then every hour.
func (s *Sender) stop(ctx context.Context, why error) (time.Time, error) {
	now, err := s.Outbox.broke(ctx, why)
	if err != nil {
		return time.Time{}, err
	}
	if now.Tries == 1 || now.Tries%12 == 0 {
		all, err := s.Outbox.Standing(ctx)
		if err != nil {
			return time.Time{}, err
		}
		s.tell(all)
	}
	return now.Next, nil
}

func (s *Sender) restarted(ctx context.Context, was Standing) error {
	if err := s.Outbox.works(ctx); err != nil {
		return err
	}
	all, err := s.Outbox.Standing(ctx)
	if err != nil {
		return err
	}
	all.Why, all.Tries = was.Why, was.Tries
	s.tell(all)
	return nil
}

// take lists letters to work on, after dropping those that are no longer of use.
func (s *Sender) take(ctx context.Context, limit int, but []string) ([]Letter, time.Time, error) {
	if err := s.Outbox.expire(ctx); err != nil {
		return nil, time.Time{}, err
	}
	return s.Outbox.due(ctx, limit, but)
}
