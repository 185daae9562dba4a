package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/domain"
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
	f := filling{log: r.log, builder: newRebuilder(r.log), prover: newProver(r.opts.Keys, s.name),
		trust: &trust{without: r.opts.Unproved || r.server != nil}}
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
	trust   *trust

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

// take finds out which stream a message's record belongs to, if the message counts.
func (f *filling) take(ctx context.Context, m *got) error {
	if err := f.trust.takes(*m); err != nil {
		return err
	}
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

// rebuilder works out what each stream is from its events: messages of older programs do not say. For events that
// only a newer program knows, the messages do.
type rebuilder struct {
	log     events.Log // it holds what was read before
	tables  map[events.Name]*domain.Table
	streams map[events.Name]events.Stream
	first   map[events.Name]events.Hash // of each table's first event
}

// streamOf returns the stream that a record belongs to. Records must come in order of position.
func (b *rebuilder) streamOf(ctx context.Context, rec *events.Record, under place) (events.Stream, error) {
	s, known := b.streams[rec.Stream]
	if !known {
		var err error
		if s, err = b.log.Stream(ctx, rec.Stream); errors.Is(err, events.ErrNoStream) {
			s, err = b.opened(ctx, rec, under)
		}
		if err != nil {
			return s, err
		}
		b.streams[rec.Stream] = s
	}
	if s.Kind == events.KindTable {
		if err := b.recall(ctx, s.Name); err != nil {
			return s, err
		}
		if t := b.tables[rec.Stream]; t != nil {
			// An event that a table cannot make sense of does not change its lines.
			_ = events.FoldTable(t, []events.Record{*rec}, nil)
		}
	}
	return s, nil
}

// opened works out from a stream's first event what the stream is: a table's says so itself; a line was named by an
// earlier event of its table; everything else goes by its type.
func (b *rebuilder) opened(ctx context.Context, rec *events.Record, under place) (events.Stream, error) {
	rulebook, name := under.table()
	switch {
	case domain.IsTableEvent[*domain.Opened](rec.Type):
		e, err := events.DecodeTable(rec, nil)
		if err != nil {
			return events.Stream{}, err
		}
		b.tables[rec.Stream], b.first[rec.Stream] = &domain.Table{}, rec.Hash
		return events.Stream{Name: rec.Stream, Kind: events.KindTable, Rulebook: e.(*domain.Opened).Rulebook,
			Table: rec.Stream}, nil
	case slices.Contains(events.HouseTypes, rec.Type), under.says(events.KindHouse):
		return events.Stream{Name: rec.Stream, Kind: events.KindHouse, Table: rec.Stream}, nil
	case under.says(events.KindTable) && name == rec.Stream:
		b.tables[rec.Stream], b.first[rec.Stream] = &domain.Table{}, rec.Hash
		return events.Stream{Name: rec.Stream, Kind: events.KindTable, Rulebook: rulebook, Table: rec.Stream}, nil
	}
	if err := b.recall(ctx, name); err != nil {
		return events.Stream{}, err
	}
	t := b.tables[name]
	if t == nil {
		return events.Stream{}, fmt.Errorf("nothing says what stream %s is: %w", rec.Stream, ErrMessage)
	}
	s := events.Stream{Name: rec.Stream, Kind: events.KindSeat, Rulebook: cmp.Or(t.Rulebook, rulebook), Table: name,
		Origin: b.first[name]}
	// A table with unknown events may have its lines wrong, so what the message says comes first.
	if under.says(events.KindLine) {
		fork, err := strconv.ParseUint(cmp.Or(under.header.Get(HeaderFork), "0"), 10, 64)
		if err != nil {
			return s, fmt.Errorf("where line %s forked: %w: %w", rec.Stream, ErrMessage, err)
		}
		return b.line(rec, s, domain.TableLine{Parent: under.header.Get(HeaderParent), Fork: fork})
	}
	for _, l := range t.Lines {
		if l.Name == rec.Stream.String() {
			return b.line(rec, s, l)
		}
	}
	return s, nil
}

func (p place) says(kind events.Kind) bool { return p.header.Get(HeaderKind) == string(kind) }

func (b *rebuilder) line(rec *events.Record, s events.Stream, l domain.TableLine) (events.Stream, error) {
	s.Kind, s.Fork, s.Origin = events.KindLine, l.Fork, events.Hash{}
	if l.Parent != "" {
		var err error
		s.Parent, err = events.ParseName(l.Parent)
		return s, err
	}
	meta, err := events.ReadMeta(rec)
	if err != nil || meta.Opened == nil {
		return s, errors.Join(err, fmt.Errorf("line %s does not name the event that opened it: %w", rec.Stream,
			ErrMessage))
	}
	s.Origin = *meta.Opened
	return s, nil
}
