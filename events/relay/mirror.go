package relay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/domain"
	"posthorn/events"
)

var (
	// ErrForeign is returned for a stream and a log that have nothing in common.
	ErrForeign = errors.New("the stream is not of this log")
	// ErrOvertaken is returned by [Mirror.Publish] if the stream has another record at that position.
	ErrOvertaken = errors.New("somebody else has written to the stream")
	// ErrNoStream is returned while nobody has made the stream.
	ErrNoStream = errors.New("there is no stream yet")
)

// MostTail is how many records a log may have beyond what it shares with the stream. A writer that waits for each
// answer has no more under way.
const MostTail = 4096

// mirrorTime is how long a mirror waits for a message that the stream has before it asks again: the consumer may be
// gone with the server that kept it, and a server that takes over must not wait for that.
const mirrorTime = 2 * time.Second

// Mirror fills a log from the stream that another server publishes to: positions are the stream's sequences, and
// every record must follow in its chain, so both hold the same. One goroutine may use it.
type Mirror struct {
	log     events.Log
	name    string
	js      jetstream.JetStream
	nc      *nats.Conn
	stream  jetstream.Stream
	builder *rebuilder
	it      jetstream.MessagesContext // of the next message; nil if it must be opened
}

// pingEvery is how often a lasting connection checks the other end. After two unanswered pings it is replaced:
// otherwise a machine that lost its power would go unnoticed for hours.
const pingEvery = 3 * time.Second

// Dial connects to the external server that the options name, and reconnects when the connection is lost, even if the
// server refuses for a while: a cluster whose passwords are being changed comes back.
func (o Options) Dial(name string) (*nats.Conn, error) {
	nc, err := nats.Connect(o.URL, append([]nats.Option{nats.Name(name), nats.Timeout(connectTime), nats.MaxReconnects(-1), nats.CustomReconnectDelay(againAfter),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(ackTime), nats.ReconnectOnFlusherError(), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})}, o.Connect...)...) // errors show again where they matter
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return nc, nil
}

// againAfter is how long to wait after that many failed rounds of connecting in a row.
func againAfter(times int) time.Duration {
	wait := min(leastWait<<min(max(times, 0), 6), time.Second)
	return wait/2 + rand.N(wait)
}

// OpenMirror connects to the stream that the options name. NATS must be there; the stream need not be.
func OpenMirror(o Options, log events.Log) (*Mirror, error) {
	nc, err := o.Dial("posthorn standby")
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(connectTime))
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	return &Mirror{log: log, name: named(o.Stream), js: js, nc: nc, builder: newRebuilder(log)}, nil
}

// Close closes the connection; the log stays open.
func (m *Mirror) Close() {
	m.drop()
	m.nc.Close()
}

func (m *Mirror) drop() {
	if m.it != nil {
		m.it.Stop()
		m.it = nil
	}
}

// state reads how far the stream goes now.
func (m *Mirror) state(ctx context.Context) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	s, err := m.js.Stream(ctx, m.name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, ErrNoStream
	}
	if err != nil {
		return 0, fmt.Errorf("look at the stream %s: %w", m.name, err)
	}
	m.stream = s
	state := s.CachedInfo().State
	if state.LastSeq > 0 && (state.FirstSeq != 1 || state.Msgs != state.LastSeq) {
		return 0, fmt.Errorf("%w: it holds %d messages from %d to %d", ErrIncomplete, state.Msgs, state.FirstSeq, state.LastSeq)
	}
	return state.LastSeq, nil
}

// Meeting is how log and stream compare.
type Meeting struct {
	Log, Stream uint64 // how far each goes
	Common      uint64 // the position up to which they hold the same
}

// Tail reports whether the log holds records where the stream has others: nobody was ever answered for those.
func (m Meeting) Tail() bool { return m.Common < min(m.Log, m.Stream) }

// Ahead reports whether the log merely goes further than the stream.
func (m Meeting) Ahead() bool { return m.Common == m.Stream && m.Log > m.Stream }

// Meet compares the ends of log and stream. Even when it returns [ErrNoStream], it says how far the log goes.
func (m *Mirror) Meet(ctx context.Context) (at Meeting, err error) {
	if at.Log, err = m.log.Last(ctx); err != nil {
		return at, fmt.Errorf("look at the log: %w", err)
	}
	if at.Stream, err = m.state(ctx); err != nil {
		return at, err
	}
	least := min(at.Log, at.Stream)
	for at.Common = least; at.Common > 0; at.Common-- {
		if least-at.Common > MostTail {
			return at, fmt.Errorf("%w: they differ for more than %d records", ErrForeign, MostTail)
		}
		same, err := m.same(ctx, at.Common)
		if err != nil {
			return at, err
		}
		if same {
			return at, nil
		}
	}
	if least > 0 {
		return at, ErrForeign
	}
	return at, nil
}

// same reports whether the stream has the log's record at a position.
func (m *Mirror) same(ctx context.Context, pos uint64) (bool, error) {
	recs, err := m.log.Read(ctx, pos-1, 1)
	if err != nil || len(recs) == 0 {
		return false, errors.Join(err, fmt.Errorf("read the log at %d", pos))
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	raw, err := m.stream.GetMsg(ctx, pos)
	if err != nil {
		return false, fmt.Errorf("read message %d: %w", pos, err)
	}
	got, err := received(pos, raw.Header, raw.Data)
	return err == nil && got.Hash == recs[0].Hash, nil
}

// CatchUp adopts what the stream holds beyond the log, and returns how far the log goes then. The log must not have a
// tail, nor go further than the stream (see Meet). CatchUp returns an error for a record that does not fit the log's
// chain.
func (m *Mirror) CatchUp(ctx context.Context) (uint64, error) {
	last, err := m.state(ctx)
	if err != nil {
		return 0, err
	}
	at, err := m.log.Last(ctx)
	if err != nil {
		return 0, fmt.Errorf("look at the log: %w", err)
	}
	if at >= last {
		return at, nil
	}
	opened := m.it == nil
	if opened {
		if m.it, err = messagesFrom(ctx, m.stream, at+1, nil, jetstream.PullMaxMessages(readBatch)); err != nil {
			m.it = nil
			return at, err
		}
	}
	if err := fill(ctx, m.log, m.builder, m.it, at+1, last, mirrorTime); err != nil {
		m.drop() // a consumer that was idle too long is gone; the next one is new
		m.builder = newRebuilder(m.log)
		if opened {
			return at, err
		}
		return m.CatchUp(ctx)
	}
	return last, nil
}

// Publish offers a record for the position after the stream's end. It becomes the log's record only once the stream
// returns it: call CatchUp afterwards, whatever the error. [ErrOvertaken] says that another record has its place.
func (m *Mirror) Publish(ctx context.Context, s events.Stream, rec *events.Record) error {
	msg, err := message(m.name, Subject(s), rec)
	if err != nil {
		return err
	}
	published{Subject(s), s.Kind, s.Parent, s.Fork}.describe(msg.Header, rec.Stream)
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	_, err = m.js.PublishMsg(ctx, msg)
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		return fmt.Errorf("%w: %w", ErrOvertaken, err)
	}
	if err != nil {
		return fmt.Errorf("publish record %d: %w", rec.Pos, err)
	}
	return nil
}

// mostBuilt is how many tables a rebuilder keeps folded over the log that it fills.
const mostBuilt = 2048

// newRebuilder returns a rebuilder that knows what a log already holds.
func newRebuilder(log events.Log) *rebuilder {
	return &rebuilder{log: log, tables: map[events.Name]*domain.Table{}, streams: map[events.Name]events.Stream{}, first: map[events.Name]events.Hash{}}
}

// settled tells the rebuilder that everything read so far is in the log.
func (b *rebuilder) settled() {
	if len(b.tables) > mostBuilt || len(b.streams) > 8*mostBuilt {
		clear(b.tables)
		clear(b.streams)
		clear(b.first)
	}
}

// recall reads a table from the log, unless it is already known. No record of it may have been read but not adopted.
func (b *rebuilder) recall(ctx context.Context, name events.Name) error {
	if b.tables[name] != nil || name.IsZero() {
		return nil
	}
	recs, err := b.log.Load(ctx, name, 0, 0)
	if errors.Is(err, events.ErrNoStream) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read table %s: %w", name, err)
	}
	if len(recs) == 0 {
		return nil
	}
	b.tables[name], b.first[name] = &domain.Table{}, recs[0].Hash
	for i := range recs { // one by one: an event that a table cannot make sense of does not change its lines
		_ = events.FoldTable(b.tables[name], recs[i:i+1], nil)
	}
	return nil
}
