package relay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

var (
	// ErrForeign is returned for a stream and a log that have nothing in common.
	ErrForeign = errors.New("the stream is not of this log")
	// ErrOvertaken is returned by [Mirror.Publish] if the stream has another record at that position.
	ErrOvertaken = errors.New("somebody else has written to the stream")
	// ErrOver is returned for a generation of the stream that holds a message of nobody of this house: what comes after
	// it does not count.
	ErrOver = errors.New("the stream holds what no server of this house wrote")
	// ErrNoStream is returned while nobody has made the stream.
	ErrNoStream = errors.New("there is no stream yet")
)

// errKey is ErrForeign for a stream whose MACs are of another key.
var errKey = fmt.Errorf("%w, or server.key is not the one of this house", ErrForeign)

// MostTail is how many records a log may have beyond what it shares with the stream. A writer that waits for each
// answer has no more under way.
const MostTail = 4096

// mirrorTime is how long a mirror waits for a message that the stream has before it asks again: the consumer may be
// gone with the server that kept it, and a server that takes over must not wait for that.
const mirrorTime = 2 * time.Second

// Mirror fills a log from the stream that another server publishes to: positions are the stream's sequences, every
// message must prove that a server of this house wrote it, and every record must follow in its chain, so both hold the
// same. One goroutine may use it.
type Mirror struct {
	log     events.Log
	opts    Options
	js      jetstream.JetStream
	nc      *nats.Conn
	at      *generation // found last
	over    uint64      // the first message of it that does not count; 0 if none is known
	sounded bool        // whether its end was looked at
	builder *rebuilder
	it      jetstream.MessagesContext // of the next message; nil if it must be opened
}

// pingEvery is how often a lasting connection checks the other end. After two unanswered pings it is replaced:
// otherwise a machine that lost its power would go unnoticed for hours. Tests check more often.
var pingEvery = 3 * time.Second

// Dial connects to the external server that the options name, and reconnects when the connection is lost, even if the
// server refuses for a while: a cluster whose passwords are being changed comes back.
func (o Options) Dial(name string) (*nats.Conn, error) {
	nc, err := nats.Connect(o.URL,
		append([]nats.Option{nats.Name(name), nats.Timeout(connectTime), nats.MaxReconnects(-1),
			nats.CustomReconnectDelay(againAfter),
			nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(ackTime),
			nats.ReconnectOnFlusherError(), nats.IgnoreAuthErrorAbort(),
			// errors show again where they matter
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})}, o.Connect...)...)
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
	if o.Keys == nil {
		return nil, errNoKeys
	}
	nc, err := o.Dial("posthorn standby")
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(connectTime))
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	o.Stream = named(o.Stream)
	return &Mirror{log: log, opts: o, js: js, nc: nc, builder: newRebuilder(log)}, nil
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

// state reads how far the stream goes now, as far as it counts.
func (m *Mirror) state(ctx context.Context) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	known := m.opts.Stream
	if m.at != nil {
		known = m.at.name
	}
	g, err := m.opts.newest(ctx, m.js, known)
	if err != nil {
		return 0, err
	}
	if m.at == nil || g.name != m.at.name {
		m.drop()
		m.over, m.sounded = 0, false
	}
	m.at = g
	state := g.CachedInfo().State
	if state.LastSeq > 0 && (state.FirstSeq != 1 || state.Msgs != state.LastSeq) {
		return 0, fmt.Errorf("%w: it holds %d messages from %d to %d", ErrIncomplete, state.Msgs, state.FirstSeq,
			state.LastSeq)
	}
	if !m.sounded {
		if err := m.sounds(ctx); err != nil {
			return 0, err
		}
	}
	return m.end(), nil
}

// end returns the position up to which the stream counts.
func (m *Mirror) end() uint64 {
	if m.over > 0 {
		return max(m.over-1, m.at.upTo)
	}
	return m.at.end()
}

// Meeting is how log and stream compare.
type Meeting struct {
	Log, Stream uint64 // how far each goes
	Common      uint64 // the position up to which they hold the same
	Renew       bool   // only a new generation of the stream goes on
	Unfilled    bool   // this generation does not hold all yet that the one before it does
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
	at.Renew, at.Unfilled = m.over > 0 || !m.at.hooked, m.at.last < m.at.upTo
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

// holds returns the stream that holds a position, and who checks its messages.
func (m *Mirror) holds(ctx context.Context, pos uint64) (jetstream.Stream, prover, error) {
	if pos <= m.at.last || pos > m.at.upTo {
		return m.at.Stream, newProver(m.opts.Keys, m.at.name), nil
	}
	s, err := m.js.Stream(ctx, m.at.before)
	if err != nil {
		return nil, prover{}, fmt.Errorf("look at the stream %s: %w", m.at.before, err)
	}
	return s, newProver(m.opts.Keys, m.at.before), nil
}

// same reports whether the stream has the log's record at a position.
func (m *Mirror) same(ctx context.Context, pos uint64) (bool, error) {
	recs, err := m.log.Read(ctx, pos-1, 1)
	if err != nil || len(recs) == 0 {
		return false, errors.Join(err, fmt.Errorf("read the log at %d", pos))
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	s, by, err := m.holds(ctx, pos)
	if err != nil {
		return false, err
	}
	got, err := by.get(ctx, s, pos)
	if err != nil && !errors.Is(err, ErrMessage) {
		return false, err
	}
	return err == nil && got.Hash == recs[0].Hash, nil
}

// get reads one message.
func (p prover) get(ctx context.Context, s jetstream.Stream, pos uint64) (rec events.Record, err error) {
	raw, err := s.GetMsg(ctx, pos)
	if err != nil {
		return rec, fmt.Errorf("read message %d: %w", pos, err)
	}
	return p.received(pos, place{raw.Subject, raw.Header}, raw.Data)
}

// CatchUp adopts what the stream holds beyond the log, and returns how far the log goes then. The log must not have a
// tail, nor go further than the stream (see Meet). CatchUp returns an error for a record that does not fit the log's
// chain, and [ErrOver] once it has adopted all that comes before a message that does not count.
func (m *Mirror) CatchUp(ctx context.Context) (uint64, error) {
	last, err := m.state(ctx)
	if err != nil {
		return 0, err
	}
	at, err := m.log.Last(ctx)
	if err != nil {
		return 0, fmt.Errorf("look at the log: %w", err)
	}
	for at < last {
		if at, err = m.adopts(ctx, at, last); err != nil {
			return at, err
		}
	}
	if m.over > 0 {
		return at, fmt.Errorf("%w: message %d", ErrOver, m.over)
	}
	return at, nil
}

// adopts adopts what one generation holds beyond the log.
func (m *Mirror) adopts(ctx context.Context, at, last uint64) (uint64, error) {
	s, by, err := m.holds(ctx, at+1)
	if err != nil {
		return at, err
	}
	if by.stream != m.at.name {
		last = m.at.upTo
		m.drop()
	} else if last > m.at.last { // the rest is in the one before, unless this one grows meanwhile
		last = m.at.last
	}
	opened := m.it == nil
	if opened {
		if m.it, err = messagesFrom(ctx, s, at+1, nil, jetstream.PullMaxMessages(readBatch)); err != nil {
			m.it = nil
			return at, err
		}
	}
	err = m.fill(ctx, by, m.it, at+1, last, mirrorTime)
	if err != nil || by.stream != m.at.name {
		m.drop() // a consumer that was idle too long is gone; the next one is new
	}
	if err == nil {
		return last, nil
	}
	m.builder = newRebuilder(m.log)
	if opened || errors.Is(err, ErrOver) {
		at, failed := m.log.Last(ctx)
		return at, errors.Join(err, failed)
	}
	return m.CatchUp(ctx)
}

// fill is fill for this mirror's log. It notes a message that does not count.
func (m *Mirror) fill(ctx context.Context, by prover, it jetstream.MessagesContext, first, last uint64,
	patience time.Duration) error {
	f := filling{log: m.log, builder: m.builder, prover: by}
	err := f.fill(ctx, it, first, last, patience)
	if bad := (*stranger)(nil); errors.As(err, &bad) {
		if by.stream == m.at.name {
			m.over = bad.seq
		}
		if bad.seq == 1 && !errors.Is(bad.why, ErrUnproved) {
			return fmt.Errorf("%w: %w", errKey, bad.why)
		}
		return fmt.Errorf("%w: %w", ErrOver, bad.why)
	}
	return err
}

// Publish offers a record for the position after the stream's end. It becomes the log's record only once the stream
// returns it: call CatchUp afterwards, whatever the error. [ErrOvertaken] says that another record has its place.
func (m *Mirror) Publish(ctx context.Context, s events.Stream, rec *events.Record) error {
	if m.at == nil {
		if _, err := m.state(ctx); err != nil {
			return err
		}
	}
	msg, err := newProver(m.opts.Keys, m.at.name).message(published{subject(s), s.Kind, s.Parent, s.Fork}, rec)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	_, err = m.js.PublishMsg(ctx, msg)
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) &&
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		return fmt.Errorf("%w: %w", ErrOvertaken, err)
	}
	if err != nil {
		return fmt.Errorf("publish record %d: %w", rec.Pos, err)
	}
	return nil
}
