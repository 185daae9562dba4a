package relay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

// ErrIncomplete is returned if a stream does not hold a log from its first record on.
var ErrIncomplete = errors.New("the stream does not hold the whole log")

// errLeftOut is returned if a later message came instead of the expected one. The same consumer never resends what
// was under way when a connection broke, so a new consumer must ask for it; the stream's figures say whether it has
// it.
var errLeftOut = errors.New("a message was lost on its way")

// Restore fills an empty log from JetStream's copy, and returns how many records the copy held. Positions are the
// stream's sequences again, and every record must follow from the one before it in its chain. Anything that had not
// reached JetStream when the log was lost is lost. After an error the log is half filled: throw it away.
func Restore(ctx context.Context, o Options, log events.Log) (n uint64, err error) {
	if last, err := log.Last(ctx); err != nil || last > 0 {
		return 0, errors.Join(err, errors.New("the log is not empty"))
	}
	if o.Keys == nil {
		return 0, errNoKeys
	}
	o.Stream = named(o.Stream)
	r := &Relay{log: log, opts: o}
	if o.URL == "" {
		r.server = &embedded{dir: o.Dir}
		defer r.server.stop()
	}
	nc, err := r.connect(func(error) {})
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	return r.restore(ctx, nc)
}

func (r *Relay) restore(ctx context.Context, nc *nats.Conn) (uint64, error) {
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(connectTime))
	if err != nil {
		return 0, fmt.Errorf("open JetStream: %w", err)
	}
	s, err := r.opts.newest(ctx, js, r.opts.Stream)
	if err != nil {
		return 0, fmt.Errorf("find the stream %s: %w", r.opts.Stream, err)
	}
	state := s.CachedInfo().State
	if state.LastSeq > 0 && (state.FirstSeq != 1 || state.Msgs != state.LastSeq) {
		return 0, fmt.Errorf("%w: it holds %d messages from %d to %d", ErrIncomplete, state.Msgs, state.FirstSeq,
			state.LastSeq)
	}
	if state.LastSeq < s.upTo {
		return 0, fmt.Errorf("%w: %s holds %d messages, and %s held %d", ErrIncomplete, s.name, state.LastSeq, s.before,
			s.upTo)
	}
	if state.LastSeq == 0 {
		return 0, nil
	}
	it, err := messagesFrom(ctx, s, 1, nil, jetstream.PullMaxMessages(readBatch))
	if err != nil {
		return 0, err
	}
	defer it.Stop()
	f := filling{log: r.log, builder: newRebuilder(r.log), prover: newProver(r.opts.Keys, s.name)}
	err = f.fill(ctx, it, 1, state.LastSeq, ackTime)
	if errors.Is(err, errLeftOut) { // this connection is made once
		err = fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	return state.LastSeq, err
}

// filling fills a log from a stream.
type filling struct {
	log     events.Log
	builder *rebuilder
	prover  prover

	streams []events.Stream
	recs    []events.Record
	held    map[events.Name]bool
}

// fill reads the messages between two sequences, and has the log adopt them, many at a time. At a message that does
// not count, it has adopted those before it, and returns a *stranger.
func (f *filling) fill(ctx context.Context, it jetstream.MessagesContext, first, last uint64,
	patience time.Duration) error {
	f.held = map[events.Name]bool{}
	for seq := first; seq <= last; seq++ {
		m, err := f.prover.fetch(ctx, it, seq, patience)
		if m.seq != 0 && m.seq != seq {
			err = fmt.Errorf("%w: number %d", errLeftOut, seq)
		}
		if err == nil {
			err = f.take(ctx, &m)
		}
		if errors.Is(err, ErrMessage) {
			return errors.Join(f.adopt(ctx, seq-1), &stranger{seq, err})
		}
		if err != nil {
			return err
		}
		if len(f.recs) < readBatch && seq < last {
			continue
		}
		if err := f.adopt(ctx, seq); err != nil {
			return err
		}
	}
	return nil
}

// take finds out which stream a message's record belongs to.
func (f *filling) take(ctx context.Context, m *got) error {
	st, err := f.builder.streamOf(ctx, &m.rec, m.under)
	if err != nil {
		return fmt.Errorf("message %d: %w", m.seq, err)
	}
	if subject(st) != m.under.subject {
		return fmt.Errorf("message %d stands under %s: %w", m.seq, m.under.subject, ErrMessage)
	}
	if !f.held[st.Name] {
		f.held[st.Name] = true
		f.streams = append(f.streams, st)
	}
	f.recs = append(f.recs, m.rec)
	return nil
}

func (f *filling) adopt(ctx context.Context, seq uint64) error {
	if len(f.recs) == 0 {
		return nil
	}
	if err := f.log.Adopt(ctx, f.streams, f.recs); err != nil {
		return fmt.Errorf("up to message %d: %w", seq, err)
	}
	f.streams, f.recs = nil, nil
	clear(f.held)
	f.builder.settled()
	return nil
}

// place is what a message says about itself besides its payload.
type place struct {
	subject string
	header  nats.Header
}

// table returns the table that the subject names, and its game: both zero for what concerns no table.
func (p place) table() (rulebook string, name events.Name) {
	rulebook, text, _ := strings.Cut(strings.TrimPrefix(p.subject, SubjectPrefix), ".")
	name, err := events.ParseName(text)
	if err != nil {
		return "", events.Name{}
	}
	return rulebook, name
}

// rebuilder says what each stream is, as the messages of its events say.
type rebuilder struct {
	log     events.Log // it holds what was read before
	streams map[events.Name]events.Stream
	first   map[events.Name]events.Hash // of each table's first event, unless the log has it
}

// newRebuilder returns a rebuilder that knows what a log already holds.
func newRebuilder(log events.Log) *rebuilder {
	return &rebuilder{log: log, streams: map[events.Name]events.Stream{}, first: map[events.Name]events.Hash{}}
}

// mostBuilt is how many streams a rebuilder keeps in mind.
const mostBuilt = 16384

// settled tells the rebuilder that everything read so far is in the log.
func (b *rebuilder) settled() {
	clear(b.first)
	if len(b.streams) > mostBuilt {
		clear(b.streams)
	}
}

// streamOf returns the stream that a record belongs to. Records must come in order of position.
func (b *rebuilder) streamOf(ctx context.Context, rec *events.Record, under place) (events.Stream, error) {
	s, known := b.streams[rec.Stream]
	if known {
		return s, nil
	}
	s, err := b.log.Stream(ctx, rec.Stream)
	if errors.Is(err, events.ErrNoStream) {
		s, err = b.opened(ctx, rec, under)
	}
	if err == nil {
		b.streams[rec.Stream] = s
	}
	return s, err
}

// opened returns the stream that an event opens.
func (b *rebuilder) opened(ctx context.Context, rec *events.Record, under place) (s events.Stream, err error) {
	s = events.Stream{Name: rec.Stream, Kind: events.Kind(under.header.Get(HeaderKind)), Table: rec.Stream}
	if s.Kind == events.KindHouse {
		return s, nil
	}
	s.Rulebook, s.Table = under.table()
	switch s.Kind {
	case events.KindTable:
		b.first[s.Table] = rec.Hash
	case events.KindSeat:
		s.Origin, err = b.firstOf(ctx, s.Table)
	case events.KindLine:
		err = b.line(rec, &s, under.header.Get(HeaderParent), under.header.Get(HeaderFork))
	default:
		err = fmt.Errorf("nothing says what stream %s is: %w", rec.Stream, ErrMessage)
	}
	return s, err
}

// firstOf returns the hash of a table's first event.
func (b *rebuilder) firstOf(ctx context.Context, table events.Name) (events.Hash, error) {
	if first, ok := b.first[table]; ok {
		return first, nil
	}
	recs, err := b.log.Load(ctx, table, 0, 1)
	if errors.Is(err, events.ErrNoStream) {
		err = ErrMessage
	}
	if err != nil {
		return events.Hash{}, fmt.Errorf("read table %s: %w", table, err)
	}
	return recs[0].Hash, nil
}

// line completes a line's stream: one that forked names its parent, another one the event that opened it.
func (b *rebuilder) line(rec *events.Record, s *events.Stream, parent, fork string) (err error) {
	if parent == "" {
		meta, err := events.ReadMeta(rec)
		if err != nil || meta.Opened == nil {
			return errors.Join(err, fmt.Errorf("line %s does not name the event that opened it: %w", rec.Stream,
				ErrMessage))
		}
		s.Origin = *meta.Opened
		return nil
	}
	if s.Fork, err = strconv.ParseUint(fork, 10, 64); err != nil {
		return fmt.Errorf("where line %s forked: %w: %w", rec.Stream, ErrMessage, err)
	}
	s.Parent, err = events.ParseName(parent)
	return err
}
