package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// publisher sends the log's records, many at a time. Each message names the sequence it
// expects before it, so a record is stored at its own place or not at all: what is on its
// way can be sent again at any time, and lands once. If something foreign takes a record's
// place the rest of the window may still follow it; the record itself is refused, nothing
// after it is confirmed to the followers, and the next session finds the stranger.
type publisher struct {
	relay  *Relay
	js     jetstream.JetStream
	stream jetstream.Stream
	sent   []jetstream.PubAckFuture // not yet acknowledged, oldest first
	acked  uint64                   // position of the newest acknowledged
	told   uint64                   // position the followers were last told of
}

// run publishes from a position on until something goes wrong.
func (p *publisher) run(ctx context.Context, next uint64) error {
	for {
		records, err := p.relay.log.Read(ctx, next-1, readBatch)
		if err != nil {
			return fmt.Errorf("read the log at %d: %w", next, err)
		}
		if len(records) == 0 {
			if err := p.collect(ctx, 0); err != nil {
				return err
			}
			if err := p.idle(ctx, next-1); err != nil {
				return err
			}
			continue
		}
		for i := range records {
			rec := &records[i]
			if rec.Pos != next {
				return fmt.Errorf("the log has %d after %d", rec.Pos, next-1)
			}
			subject, err := p.relay.subject(ctx, rec.Stream)
			if err != nil {
				return err
			}
			m, err := message(p.relay.opts.Stream, subject, rec)
			if err != nil {
				return err
			}
			if err := p.send(ctx, m); err != nil {
				return fmt.Errorf("publish record %d: %w", next, err)
			}
			next++
		}
		if err := p.take(); err != nil {
			return err
		}
	}
}

func (p *publisher) send(ctx context.Context, m *nats.Msg) error {
	if len(p.sent) >= window {
		if err := p.collect(ctx, window/2); err != nil {
			return err
		}
	}
	f, err := p.js.PublishMsgAsync(m, jetstream.WithRetryAttempts(0), jetstream.WithStallWait(ackTime))
	if errors.Is(err, nats.ErrMaxPayload) && p.relay.server == nil {
		return &Alarm{Stream: p.relay.opts.Stream, Reason: "its server does not take messages as large as the log's records"}
	}
	if err != nil {
		return fmt.Errorf("hand over to NATS: %w", err)
	}
	p.sent = append(p.sent, f)
	return nil
}

// collect waits for acknowledgements until no more than so many are missing.
func (p *publisher) collect(ctx context.Context, left int) error {
	for {
		if err := p.take(); err != nil {
			return err
		}
		if len(p.sent) <= left {
			return nil
		}
		select {
		case ack := <-p.sent[0].Ok():
			if err := p.confirm(ack); err != nil {
				return err
			}
		case err := <-p.sent[0].Err():
			return fmt.Errorf("record %d was not stored: %w", p.acked+1, err)
		case <-time.After(ackTime):
			return fmt.Errorf("record %d: no acknowledgement in %v", p.acked+1, ackTime)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take notes the acknowledgements that are there already and tells the followers.
func (p *publisher) take() error {
	defer p.tell()
	for len(p.sent) > 0 {
		select {
		case ack := <-p.sent[0].Ok():
			if err := p.confirm(ack); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func (p *publisher) confirm(ack *jetstream.PubAck) error {
	if ack.Sequence != p.acked+1 {
		return &Alarm{Stream: p.relay.opts.Stream, Reason: fmt.Sprintf("record %d became message %d", p.acked+1, ack.Sequence)}
	}
	p.acked = ack.Sequence
	p.sent = p.sent[1:]
	return nil
}

func (p *publisher) tell() {
	if p.told != p.acked {
		p.told = p.acked
		p.relay.advance(p.acked)
	}
}

// idle waits until the log goes on, and looks now and then whether the stream is still whole.
func (p *publisher) idle(ctx context.Context, at uint64) error {
	waiting, cancel := context.WithTimeout(ctx, checkEvery)
	defer cancel()
	err := p.relay.log.Wait(waiting, at)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || waiting.Err() == nil {
		return fmt.Errorf("wait for the log: %w", err)
	}
	info, err := p.stream.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at the stream: %w", err)
	}
	if s := info.State; s.LastSeq != at || s.Msgs != at {
		return fmt.Errorf("up to %d of %d: %w", s.LastSeq, at, errLost)
	}
	return nil
}
