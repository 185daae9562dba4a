package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Follow does a CatchUp, then adopts what comes as it comes, until the context ends or something goes wrong. It calls
// told with each position that the log has reached.
func (m *Mirror) Follow(ctx context.Context, told func(pos uint64)) error {
	at, err := m.CatchUp(ctx)
	if err != nil {
		return err
	}
	told(at)
	m.drop()
	if at > m.at.last || !m.at.hooked {
		return errUnfilled
	}
	it, err := messagesFrom(ctx, m.at.Stream, at+1, nil, jetstream.PullMaxMessages(readBatch),
		jetstream.PullExpiry(5*time.Second), jetstream.PullHeartbeat(2*time.Second))
	if err != nil {
		return err
	}
	defer it.Stop()
	for {
		first, err := it.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("wait for message %d: %w", at+1, err)
		}
		meta, err := first.Metadata()
		if err != nil {
			return fmt.Errorf("read the place of message %d: %w", at+1, err)
		}
		// Include everything waiting behind it, so that a burst is one transaction.
		last := at + 1 + min(meta.NumPending, readBatch-1)
		if err := m.fill(ctx, newProver(m.opts.Keys, m.at.name), &beginning{MessagesContext: it, first: first}, at+1,
			last, mirrorTime); err != nil {
			m.builder = newRebuilder(m.log)
			return err
		}
		at = last
		told(at)
	}
}

// beginning hands out an already taken message before the others.
type beginning struct {
	jetstream.MessagesContext
	first jetstream.Msg
}

// Next implements [jetstream.MessagesContext].
func (b *beginning) Next(o ...jetstream.NextOpt) (jetstream.Msg, error) {
	if m := b.first; m != nil {
		b.first = nil
		return m, nil
	}
	m, err := b.MessagesContext.Next(o...)
	if err != nil {
		return nil, fmt.Errorf("read the stream: %w", err)
	}
	return m, nil
}

var errUnfilled = errors.New("a new generation of the stream is being filled")

var errBehind = errors.New("the log goes further than the stream")

// Stands compares the ends of log and stream for a server that only reads: its log must hold nothing that the stream
// lacks.
func (m *Mirror) Stands(ctx context.Context) (Meeting, error) {
	met, err := m.Meet(ctx)
	if err == nil && met.Ahead() {
		err = fmt.Errorf("%w: %d and %d", errBehind, met.Log, met.Stream)
	}
	return met, err
}
