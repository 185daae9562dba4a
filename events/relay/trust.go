package relay

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

// trust decides which messages without a MAC a log adopts: those of a writer of an older program that the log already
// follows. That is over once the log has a takeover by a newer program, or the stream a message with a MAC. A log that
// begins takes none.
type trust struct{ without bool }

// takes returns why a message is not adopted.
func (t *trust) takes(m got) error {
	switch {
	case m.proved:
		t.without = false
		return nil
	case !t.without || m.rec.Type == events.TypeTookOver:
		return fmt.Errorf("message %d has no MAC: %w", m.seq, ErrUnproved)
	}
	return nil
}

// sounds looks at a generation for the first time: whether the end of what the log shares with it counts, and whether
// it began under an older program.
func (m *Mirror) sounds(ctx context.Context) error {
	at, err := m.log.Last(ctx)
	if err != nil {
		return fmt.Errorf("look at the log: %w", err)
	}
	t := &trust{}
	first, by, err := m.holds(ctx, 1)
	if err == nil && by.stream == m.opts.Stream && m.at.end() > 0 {
		_, proved, err := by.get(ctx, first, 1)
		if err != nil && !errors.Is(err, ErrMessage) {
			return err
		}
		m.legacy = err == nil && !proved
	}
	if m.legacy && at > 0 {
		t.without, err = m.follows(ctx)
	}
	if err != nil {
		return err
	}
	if to := min(at, m.at.last); to > 0 {
		if err := m.scan(ctx, t, max(to, MostTail)-MostTail+1, to); err != nil {
			return err
		}
	}
	m.trust = t
	return nil
}

// follows reports whether no newer program has taken over this log yet.
func (m *Mirror) follows(ctx context.Context) (bool, error) {
	all, err := m.log.Load(ctx, m.opts.Keys.HouseStream(), 0, 0)
	if err != nil && !errors.Is(err, events.ErrNoStream) {
		return false, fmt.Errorf("look at the house's events: %w", err)
	}
	for i := range all {
		if all[i].Type == events.TypeTookOver {
			return false, nil
		}
	}
	return true, nil
}

// scan looks for a message that does not count where the log has records already: its writer may have published more
// before it noticed. What has no MAC counts if the log has it.
func (m *Mirror) scan(ctx context.Context, t *trust, from, to uint64) error {
	by := newProver(m.opts.Keys, m.at.name)
	it, err := messagesFrom(ctx, m.at.Stream, from, nil, jetstream.PullMaxMessages(readBatch))
	if err != nil {
		return err
	}
	defer it.Stop()
	var own []events.Record
	for seq := from; seq <= to; seq++ {
		if len(own) == 0 {
			if own, err = m.log.Read(ctx, seq-1, readBatch); err != nil || len(own) == 0 {
				return errors.Join(err, fmt.Errorf("read the log at %d", seq))
			}
		}
		g, err := by.fetch(ctx, it, seq, mirrorTime)
		if err == nil && !g.proved && (g.rec.Hash != own[0].Hash && !t.without || m.at.n > 1) {
			err = ErrUnproved
		}
		if err != nil && !errors.Is(err, ErrMessage) {
			return err
		}
		if err != nil {
			if seq == from {
				return fmt.Errorf("%w: %w", errKey, err)
			}
			m.over = seq
			return nil
		}
		t.without = t.without && !g.proved
		own = own[1:]
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
