package relay

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

const (
	readBatch   = 512              // records read from the log at once
	window      = 1024             // messages under way, unacknowledged
	connectTime = 5 * time.Second  // to connect, and for one question to the server
	ackTime     = 10 * time.Second // for one acknowledgement
	checkEvery  = 5 * time.Second  // how often an idle relay checks that the stream is still whole
	tailCheck   = 2 * window       // messages at the end that are compared with the log on the first meeting
)

var (
	errGone     = errors.New("the connection to NATS was closed")
	errLost     = errors.New("JetStream has lost messages")
	errUnstored = errors.New("JetStream has not stored it")
)

// session is one connection to NATS: it finds or makes the stream, checks that it is a copy of the log, and publishes
// what it lacks until something goes wrong. It never returns nil.
func (r *Relay) session(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var feeding sync.WaitGroup
	defer feeding.Wait()
	defer cancel(nil)
	nc, err := r.connect(func(err error) { cancel(errors.Join(errGone, err)) })
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(2*window),
		jetstream.WithDefaultTimeout(connectTime))
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	stream, err := r.stream(ctx, js)
	if err != nil {
		return err
	}
	at, err := r.check(ctx, stream)
	if err != nil {
		return cause(ctx, err)
	}
	r.up(js, at)
	r.announce()
	feeding.Go(func() { r.feeds(ctx, stream) })
	p := &publisher{relay: r, js: js, stream: stream, acked: at, told: at}
	return cause(ctx, p.run(ctx, at+1))
}

// cause returns the reason a session's context ended rather than the mere fact that it did.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil && !errors.Is(err, events.ErrClosed) {
		return c
	}
	return err
}

// connect connects once; sessions themselves repeat forever.
func (r *Relay) connect(closed func(error)) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("posthorn relay"), nats.NoReconnect(), nats.Timeout(connectTime),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(ackTime),
		nats.ClosedHandler(func(nc *nats.Conn) { closed(nc.LastError()) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // errors show again where they matter
	}
	url := r.opts.URL
	if r.server != nil {
		if err := r.server.ensure(); err != nil {
			return nil, err
		}
		url = "nats://in-process"
		options = append(options, nats.InProcessServer(r.server))
	}
	nc, err := nats.Connect(url, append(options, r.opts.Connect...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return nc, nil
}

// jsOverlap is JetStream's error for a stream whose subjects another stream already has.
const jsOverlap = 10065

// stream finds the newest generation of the stream, or makes the first. It leaves a stream that the host made as it is.
func (r *Relay) stream(ctx context.Context, js jetstream.JetStream) (jetstream.Stream, error) {
	g, err := r.opts.newest(ctx, js, r.opts.Stream)
	if errors.Is(err, ErrNoStream) {
		var s jetstream.Stream
		if s, err = js.CreateStream(ctx, streamConfig(r.opts.Stream, r.opts.Replicas)); err == nil {
			g, _ = r.opts.read(s)
		}
	}
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) && api.ErrorCode == jsOverlap {
		return nil, &alarm{Stream: r.opts.Stream, Reason: "another stream has its subjects"}
	}
	if err != nil {
		return nil, fmt.Errorf("find or make the stream %s: %w", r.opts.Stream, err)
	}
	if !g.hooked {
		return nil, &alarm{Stream: g.name, Reason: fmt.Sprintf("its subjects are %q", g.CachedInfo().Config.Subjects)}
	}
	r.prover = newProver(r.opts.Keys, g.name)
	return g.Stream, nil
}

// check compares the stream with the log and returns the position up to which the stream holds the log. It returns an
// *Alarm if the stream holds anything else.
func (r *Relay) check(ctx context.Context, s jetstream.Stream) (uint64, error) {
	info, err := s.Info(ctx)
	if err != nil {
		return 0, fmt.Errorf("look at the stream: %w", err)
	}
	last, err := r.log.Last(ctx)
	if err != nil {
		return 0, fmt.Errorf("look at the log: %w", err)
	}
	state := info.State
	switch {
	case state.LastSeq == 0:
		return 0, nil
	case state.LastSeq > last:
		return 0, &alarm{Stream: r.opts.Stream,
			Reason: fmt.Sprintf("it goes up to %d, the log only to %d", state.LastSeq, last), ahead: true}
	case state.FirstSeq != 1 || state.Msgs != state.LastSeq:
		return 0, &alarm{Stream: r.opts.Stream,
			Reason: fmt.Sprintf("it holds %d messages from %d to %d, so some are missing", state.Msgs, state.FirstSeq,
				state.LastSeq)}
	}
	// Check what the relay has not itself put there or compared before. On the first meeting, check the first message
	// and the end: no two logs share an end, and after a foreign message at most a window of the log's own can
	// follow.
	from, known := uint64(1), r.Health().Published
	if state.LastSeq > tailCheck {
		from = state.LastSeq - tailCheck
	}
	if known > 0 {
		from = min(from, known+1)
	} else if from > 1 {
		if err := r.compare(ctx, s, 1, 1); err != nil {
			return 0, err
		}
	}
	return state.LastSeq, r.compare(ctx, s, from, state.LastSeq)
}

// compare checks that the messages between two positions are the log's records.
func (r *Relay) compare(ctx context.Context, s jetstream.Stream, from, to uint64) error {
	it, err := messagesFrom(ctx, s, from, nil, jetstream.PullMaxMessages(int(min(readBatch, to-from+1))))
	if err != nil {
		return err
	}
	defer it.Stop()
	for from <= to {
		records, err := r.log.Read(ctx, from-1, int(min(readBatch, to-from+1)))
		if err != nil {
			return fmt.Errorf("read the log at %d: %w", from, err)
		}
		if len(records) == 0 {
			return fmt.Errorf("the log lacks position %d", from)
		}
		for i := range records {
			if err := r.next(ctx, it, &records[i]); err != nil {
				return err
			}
		}
		from += uint64(len(records))
	}
	return nil
}

// messagesFrom reads a stream from a sequence on. Only the server remembers the consumer, and forgets it when nobody
// asks for more. otherwise, if given, changes the consumer's settings.
func messagesFrom(ctx context.Context, s jetstream.ConsumerManager, from uint64,
	otherwise func(*jetstream.ConsumerConfig), how ...jetstream.PullMessagesOpt) (jetstream.MessagesContext, error) {
	asking, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	config := jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: 30 * time.Second,
	}
	if otherwise != nil {
		otherwise(&config)
	}
	c, err := s.CreateConsumer(asking, config)
	if err != nil {
		return nil, fmt.Errorf("open a consumer at %d: %w", from, err)
	}
	it, err := c.Messages(how...)
	if err != nil {
		return nil, fmt.Errorf("read messages from %d: %w", from, err)
	}
	return it, nil
}

// got is a message that was read.
type got struct {
	rec   events.Record
	under place
	seq   uint64
}

// fetch reads the next message, which should exist and have the given sequence.
func (p prover) fetch(ctx context.Context, it jetstream.MessagesContext, seq uint64, patience time.Duration) (m got,
	err error) {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	msg, err := it.Next(jetstream.NextContext(asking))
	if err != nil {
		return m, fmt.Errorf("read message %d: %w", seq, err)
	}
	meta, err := msg.Metadata()
	if err != nil {
		return m, fmt.Errorf("read the place of message %d: %w", seq, err)
	}
	m.under, m.seq = place{msg.Subject(), msg.Headers()}, meta.Sequence.Stream
	m.rec, err = p.received(m.seq, m.under, msg.Data())
	return m, err
}

// next compares the next message with the log's record.
func (r *Relay) next(ctx context.Context, it jetstream.MessagesContext, rec *events.Record) error {
	m, err := r.prover.fetch(ctx, it, rec.Pos, ackTime)
	if err != nil && !errors.Is(err, ErrMessage) {
		return err
	}
	of, failed := r.published(ctx, rec.Stream)
	if failed != nil {
		return failed
	}
	if err != nil || m.under.subject != of.subject || m.rec.Pos != rec.Pos || m.rec.Hash != rec.Hash {
		return &alarm{Stream: r.prover.stream,
			Reason: fmt.Sprintf("message %d is not the log's record %d", m.seq, rec.Pos)}
	}
	return nil
}

// subjectsKept is how many streams' subjects are remembered.
const subjectsKept = 100_000

// published is what messages say about a stream.
type published struct {
	subject string
	kind    events.Kind
	parent  events.Name
	fork    uint64
}

func (r *Relay) published(ctx context.Context, name events.Name) (published, error) {
	if s, ok := r.subjects[name]; ok {
		return s, nil
	}
	stream, err := r.log.Stream(ctx, name)
	if err != nil {
		return published{}, fmt.Errorf("find the stream %s of a record: %w", name, err)
	}
	if len(r.subjects) >= subjectsKept {
		clear(r.subjects)
	}
	s := published{subject(stream), stream.Kind, stream.Parent, stream.Fork}
	r.subjects[name] = s
	return s, nil
}
