package relay

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// sounds looks at a generation for the first time: whether the end of what the log shares with it counts.
func (m *Mirror) sounds(ctx context.Context) error {
	at, err := m.log.Last(ctx)
	if err != nil {
		return fmt.Errorf("look at the log: %w", err)
	}
	if to := min(at, m.at.last); to > 0 {
		if err := m.scan(ctx, max(to, MostTail)-MostTail+1, to); err != nil {
			return err
		}
	}
	m.sounded = true
	return nil
}

// scan looks for a message that does not count where the log has records already: its writer may have published more
// before it noticed.
func (m *Mirror) scan(ctx context.Context, from, to uint64) error {
	by := newProver(m.opts.Keys, m.at.name)
	it, err := messagesFrom(ctx, m.at.Stream, from, nil, jetstream.PullMaxMessages(readBatch))
	if err != nil {
		return err
	}
	defer it.Stop()
	for seq := from; seq <= to; seq++ {
		_, err := by.fetch(ctx, it, seq, mirrorTime)
		switch {
		case err != nil && !errors.Is(err, ErrMessage):
			return err
		case err != nil && seq == from:
			return fmt.Errorf("%w: %w", errKey, err)
		case err != nil:
			m.over = seq
			return nil
		}
	}
	return nil
}

// stranger is a message that does not count.
type stranger struct {
	seq uint64
	why error
}

func (s *stranger) Error() string { return s.why.Error() }
func (s *stranger) Unwrap() error { return s.why }

// Renew opens the next generation of the stream, after this server was elected: the one there takes nothing more, what
// counts of it is adopted, and the new one begins with that. The new one is empty until a relay fills it.
func (m *Mirror) Renew(ctx context.Context) error {
	if m.end() == 0 {
		return fmt.Errorf("%w, from its first message on", ErrOver)
	}
	asking, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	if m.at.hooked {
		if err := m.at.unhook(asking, m.js); err != nil {
			return err
		}
	}
	if _, err := m.CatchUp(ctx); err != nil && !errors.Is(err, ErrOver) {
		return err
	}
	return m.opts.open(ctx, m.js, m.at, m.end())
}
