// Package standby is a server that waits: it fills its own log from the stream that the writer publishes to, and
// takes over when the lease is free. What must not live here: what a house does once it writes, and anything about
// people and mails (they have copies of their own).
package standby

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"

	"posthorn/events"
	"posthorn/events/lease"
	"posthorn/events/relay"
	"posthorn/events/sqlite"
	"posthorn/events/watch"
	"posthorn/migrations"
)

// lookEvery is how often a standby asks how far the stream goes.
const lookEvery = 250 * time.Millisecond

// offerTells is how often a server that brings its log into the cluster reports what hinders it.
const offerTells = 2 * time.Second

// ErrBehind is returned if the cluster's stream is empty, or missing, and the log is not: only a server told to be
// the writer may fill the stream.
var ErrBehind = errors.New("the cluster has nothing of this log: start the server whose log goes " +
	"furthest with --role all")

// Standby says how a server waits.
type Standby struct {
	Path  string // of the log's file
	Keys  *events.Keys
	Relay relay.Options
	Lease lease.Options
	// First says that this server may fill a stream that is behind its log, or create it.
	First bool
	// Ready prepares a log that was just opened, new or not, before anything is read into it.
	Ready func(ctx context.Context, log *sqlite.Log) error
	// Fit, if set, returns why this server may not take over what the log holds. It is called before the server asks
	// for the lease, after each new record, and again when this server is elected and has read the stream to its end.
	Fit func(ctx context.Context, log *sqlite.Log, elected bool) error
	// At is called with each position that the log has reached.
	At func(pos uint64)
	// Aside is called for records that nobody was answered for and that were moved from the log into a file.
	Aside func(file string, from, to uint64)
	// Trouble is called with what goes wrong and is tried again, possibly by several goroutines at once.
	Trouble func(err error)
	Now     func() time.Time
}

// Wait fills the log until this server is elected, has read the stream to its end and has noted in it that it took
// over. Then the log is closed, and the caller owns the lease. The error is the context's, or one that a person must
// look at.
func (s *Standby) Wait(ctx context.Context) (*lease.Lease, error) {
	for {
		l, err := s.session(ctx)
		if l != nil && err == nil {
			return l, nil
		}
		switch {
		case errors.Is(err, errAside):
			continue
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, relay.ErrForeign), errors.Is(err, relay.ErrIncomplete), errors.Is(err, events.ErrChain),
			errors.Is(err, sqlite.ErrLocked),
			errors.Is(err, ErrBehind), errors.Is(err, errOwn), errors.Is(err, migrations.ErrNewer):
			return nil, err
		}
		s.Trouble(err)
		if err := watch.Pause(ctx, 4*lookEvery); err != nil {
			return nil, err
		}
	}
}

// errOwn marks errors of the caller's own functions.
var errOwn = errors.New("the log is not opened")

// session is one opening of the log and one connection.
func (s *Standby) session(ctx context.Context) (l *lease.Lease, err error) {
	log, err := sqlite.Open(ctx, s.Path)
	if err != nil {
		return nil, err
	}
	closed := false
	shut := func() error {
		if closed {
			return nil
		}
		closed = true
		return log.Close()
	}
	defer func() { err = errors.Join(err, shut()) }()
	if err := s.Ready(ctx, log); err != nil {
		return nil, fmt.Errorf("%w: %w", errOwn, err)
	}
	m, err := relay.OpenMirror(s.relay(), log)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	met, err := s.meets(ctx, m)
	if err != nil {
		return nil, err
	}
	if met.Tail() {
		if err := shut(); err != nil {
			return nil, err
		}
		return nil, s.setAside(ctx, met)
	}
	return s.stand(ctx, m, log)
}

// relay returns the options of the relay, with the keys of the house.
func (s *Standby) relay() relay.Options {
	o := s.Relay
	o.Keys = s.Keys
	return o
}

// errAside is returned by a session that has set a tail aside: the next one opens the new log.
var errAside = errors.New("records that were never answered were set aside")

func (s *Standby) setAside(ctx context.Context, met relay.Meeting) error {
	file, err := SetAside(ctx, s.Path, met.Common)
	if err != nil {
		return err
	}
	s.Aside(file, met.Common+1, met.Log)
	return errAside
}

// meets compares log and stream. A log can only go further than its stream by records that nobody was answered for,
// or because the stream is new.
func (s *Standby) meets(ctx context.Context, m *relay.Mirror) (relay.Meeting, error) {
	met, err := m.Meet(ctx)
	switch {
	case errors.Is(err, relay.ErrNoStream) && s.First:
		return relay.Meeting{Log: met.Log}, nil
	case err != nil:
		return met, err
	case !s.First && met.Ahead() && (met.Stream == 0 || met.Log-met.Stream > relay.MostTail):
		return met, ErrBehind
	}
	return met, nil
}

// stand reads along until this server has the lease, and takes over.
func (s *Standby) stand(ctx context.Context, m *relay.Mirror, log *sqlite.Log) (*lease.Lease, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type elected struct {
		lease *lease.Lease
		err   error
	}
	taken := make(chan elected, 1)
	go func() {
		o := s.Lease
		o.Replicas, o.Trouble = s.Relay.Replicas, s.Trouble
		if o.Dial == nil {
			o.Dial = func() (*nats.Conn, error) { return s.Relay.Dial("posthorn lease") }
		}
		l, err := lease.Take(ctx, o)
		taken <- elected{l, err}
	}()
	told := ""
	release := func(l *lease.Lease) {
		if l != nil {
			_ = l.Release(context.WithoutCancel(ctx)) // or it expires
		}
	}
	for {
		met, err := s.meets(ctx, m)
		switch {
		case err != nil:
		case met.Tail():
			err = errAside // the next session sets it aside
		case met.Stream > met.Log:
			err = s.follow(ctx, m)
		}
		if err == nil {
			if unfit := s.fit(ctx, log, false); unfit != nil && unfit.Error() != told { // it keeps reading along
				told = unfit.Error()
				s.Trouble(unfit)
			}
		}
		if err != nil {
			cancel()
			release((<-taken).lease)
			return nil, err
		}
		select {
		case e := <-taken:
			if e.err != nil {
				return nil, e.err
			}
			if err := s.takeOver(ctx, m, log, e.lease); err != nil {
				release(e.lease)
				return nil, err
			}
			return e.lease, nil
		case <-time.After(lookEvery):
		case <-ctx.Done():
		}
	}
}

func (s *Standby) follow(ctx context.Context, m *relay.Mirror) error {
	pos, err := m.CatchUp(ctx)
	if err == nil || errors.Is(err, relay.ErrOver) { // nobody of this house goes on there, before somebody is elected
		s.At(pos)
		return nil
	}
	return err
}

func (s *Standby) fit(ctx context.Context, log *sqlite.Log, elected bool) error {
	if s.Fit == nil {
		return nil
	}
	return s.Fit(ctx, log, elected)
}

// takeOver reads the stream to its end and writes there, as the next record, that this server took over. The write is
// refused if somebody else writes; then there is more to read first.
func (s *Standby) takeOver(ctx context.Context, m *relay.Mirror, log *sqlite.Log, l *lease.Lease) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.Context(), func() { cancel(context.Cause(l.Context())) })()
	for {
		again, err := s.ready(ctx, m, log)
		if err != nil {
			return cause(ctx, err)
		}
		if again {
			continue
		}
		stream, rec, err := events.TookOver(ctx, log, s.Keys, l.Term, s.Now())
		if err != nil {
			return err
		}
		failed := m.Publish(ctx, stream, &rec)
		if failed != nil && !errors.Is(failed, relay.ErrOvertaken) && ctx.Err() != nil {
			return cause(ctx, failed)
		}
		if ours, err := s.comesBack(ctx, m, log, &rec, failed == nil); ours || err != nil {
			return cause(ctx, err)
		}
	}
}

// ready brings log and stream to the same end, in a generation of the stream that goes on. It returns true if it has to
// look once more.
func (s *Standby) ready(ctx context.Context, m *relay.Mirror, log *sqlite.Log) (again bool, err error) {
	met, err := s.meets(ctx, m)
	if err == nil && met.Tail() {
		err = errAside
	}
	if err == nil && s.First && met.Stream == 0 && !met.Renew {
		err = s.offer(ctx, log, met.Log) // there may be no stream yet
	}
	if err == nil {
		err = s.follow(ctx, m)
	}
	if err == nil {
		met, err = s.meets(ctx, m) // as it is after that
	}
	if err == nil {
		err = s.fit(ctx, log, true)
	}
	switch {
	case err != nil:
		return false, err
	case met.Stream > met.Log:
		return true, nil
	case met.Renew:
		return true, m.Renew(ctx)
	case met.Ahead(), met.Unfilled:
		return true, s.offer(ctx, log, met.Log)
	}
	return false, nil
}

// offer publishes what the log holds beyond the stream, or creates the stream, as every relay does.
func (s *Standby) offer(ctx context.Context, log *sqlite.Log, last uint64) error {
	r, err := relay.Start(log, s.relay())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		for {
			select {
			case <-r.Alarmed():
				cancel(r.Health().Alarm)
			case <-ctx.Done():
			case <-time.After(offerTells):
				if why := r.Health().Trouble; why != nil {
					s.Trouble(fmt.Errorf("bring the log into the cluster: %w", why))
				}
				continue
			}
			return
		}
	}()
	return errors.Join(cause(ctx, r.Synced(ctx, last)), r.Close())
}

// comesBack reads on until a record is in the log, or another in its place. If the record is known to be stored, it
// waits for it.
func (s *Standby) comesBack(ctx context.Context, m *relay.Mirror, log *sqlite.Log, rec *events.Record,
	stored bool) (bool, error) {
	for {
		if err := s.follow(ctx, m); err != nil {
			return false, err
		}
		there, err := log.Read(ctx, rec.Pos-1, 1)
		if err != nil {
			return false, err
		}
		if len(there) > 0 {
			return there[0].Hash == rec.Hash, nil
		}
		if !stored {
			return false, nil
		}
		if err := watch.Pause(ctx, lookEvery/10); err != nil {
			return false, err
		}
	}
}

// cause returns the reason a context ended rather than the mere fact.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// unanswered returns a file name for a tail: the first one free.
func unanswered(path string, n int) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("unanswered-%d.jsonl", n))
}
