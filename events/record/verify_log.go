package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// LogReport is what was checked of a whole log.
type LogReport struct {
	Tables  int
	Events  int
	Moves   int // that were judged again
	Draws   int // that were computed again
	Skipped []string
	// Witnessed tells whether receipts were held against the log.
	Witnessed bool
}

// VerifyLog checks every event of a log where it stands, with the server's keys: that no
// position is missing, that each follows from the one before it in its stream, that every
// secret part opens and fits, that each stream is what its table says, and every table as
// Verify does, those that are still being played too. Receipts are held against it, also
// those of seats' orders. progress is told how far it is. What is wrong is a *Fault.
func VerifyLog(ctx context.Context, log events.Log, keys *events.Keys, named func(string) (domain.Rulebook, bool), receipts []string,
	progress func(what string, done, total int)) (*LogReport, error) {
	l := &logVerifier{ctx: ctx, log: log, keys: keys, named: named, report: &LogReport{}, streams: map[events.Name]events.Stream{},
		heads: map[events.Name]events.Head{}, given: map[events.Name][]string{}, progress: progress}
	err := l.all(receipts)
	return l.report, err
}

type logVerifier struct {
	ctx      context.Context
	log      events.Log
	keys     *events.Keys
	named    func(string) (domain.Rulebook, bool)
	report   *LogReport
	streams  map[events.Name]events.Stream
	order    []events.Name // of streams, as they began
	heads    map[events.Name]events.Head
	given    map[events.Name][]string // receipts by table
	progress func(string, int, int)
}

func (l *logVerifier) all(receipts []string) (err error) {
	for _, line := range receipts {
		r, err := events.ParseReceipt(line)
		if err != nil {
			return &Fault{What: fmt.Sprintf("receipt %.60s…: %v", line, err)}
		}
		l.given[r.Table] = append(l.given[r.Table], line)
	}
	l.report.Witnessed = len(receipts) > 0
	if err := l.everyEvent(); err != nil {
		return err
	}
	var tables []events.Name
	for _, name := range l.order {
		if l.streams[name].Kind == events.KindTable {
			tables = append(tables, name)
		}
	}
	for i, name := range tables {
		l.progress("tables", i, len(tables))
		if err := l.table(name); err != nil {
			return err
		}
	}
	l.progress("tables", len(tables), len(tables))
	return l.absent()
}

// everyEvent walks the whole log.
func (l *logVerifier) everyEvent() error {
	last, err := l.log.Last(l.ctx)
	if err != nil {
		return err
	}
	for pos := uint64(0); pos < last; {
		recs, err := l.log.Read(l.ctx, pos, 4096)
		if err != nil {
			return fmt.Errorf("after position %d: %w", pos, err)
		}
		if len(recs) == 0 {
			return &Fault{What: fmt.Sprintf("position %d is missing", pos+1)}
		}
		for i := range recs {
			r := &recs[i]
			if pos++; r.Pos != pos {
				return &Fault{Stream: r.Stream, Version: r.Version, What: fmt.Sprintf("position %d is missing before it", pos)}
			}
			if err := l.event(r); err != nil {
				return err
			}
		}
		l.progress("events", int(pos), int(last))
	}
	return nil
}

// event checks one event where it stands.
func (l *logVerifier) event(r *events.Record) error {
	fault := func(format string, args ...any) error {
		return &Fault{Pos: r.Pos, Stream: r.Stream, Version: r.Version, What: fmt.Sprintf(format, args...)}
	}
	head, ok := l.heads[r.Stream]
	if !ok {
		s, err := l.log.Stream(l.ctx, r.Stream)
		if err != nil {
			return fault("%v", err)
		}
		if err := l.belongs(s); err != nil {
			return err
		}
		l.streams[s.Name], l.order = s, append(l.order, s.Name)
		head = events.Head{Version: s.Fork, Hash: s.Origin}
		if !s.Parent.IsZero() {
			before, err := events.LoadOne(l.ctx, l.log, s.Parent, s.Fork)
			if err != nil {
				return fault("the version it forked from is missing: %v", err)
			}
			head.Hash = before.Hash
		}
	}
	if r.Version != head.Version+1 {
		return fault("version %d should come here", head.Version+1)
	}
	if events.ChainHash(head.Hash, r) != r.Hash {
		return fault("the event was altered: its hash does not fit")
	}
	for n := range r.Parts {
		if len(r.Parts[n].Sealed) == 0 {
			l.report.skip("version %d of stream %s has a secret part that stayed at another server", r.Version, r.Stream)
			continue
		}
		if _, _, err := l.keys.Unseal(r, n); err != nil {
			return fault("secret part %d: %v", n, err)
		}
	}
	if l.streams[r.Stream].Kind == events.KindHouse && !json.Valid(r.Data) {
		return fault("it cannot be read")
	}
	l.heads[r.Stream] = events.Head{Version: r.Version, Hash: r.Hash}
	l.report.Events++
	return nil
}

func (r *LogReport) skip(format string, args ...any) {
	r.Skipped = append(r.Skipped, fmt.Sprintf(format, args...))
}

// belongs checks that a stream is of a table that began before it, or of the house.
func (l *logVerifier) belongs(s events.Stream) error {
	fault := func(what string) error { return &Fault{Stream: s.Name, Version: s.Fork + 1, What: what} }
	switch s.Kind {
	case events.KindTable:
		if s.Table != s.Name || !s.Parent.IsZero() {
			return fault("a table is its own table, and forks from nothing")
		}
	case events.KindLine, events.KindSeat:
		if l.streams[s.Table].Kind != events.KindTable {
			return fault("its table did not begin before it")
		}
		if s.Rulebook != l.streams[s.Table].Rulebook {
			return fault("it is of another game than its table")
		}
	case events.KindHouse:
		if s.Name != l.keys.HouseStream() || s.Table != s.Name || s.Rulebook != "" || s.Origin != (events.Hash{}) {
			return fault("it is not the house's stream")
		}
	default:
		return fault(fmt.Sprintf("there are no streams of the kind %q", s.Kind))
	}
	return nil
}

// table verifies the record of a table, and what its seats did in private.
func (l *logVerifier) table(name events.Name) error {
	f, err := l.fileOf(name)
	if err != nil {
		return err
	}
	private := map[events.Name]bool{}
	for _, s := range l.order {
		if s := l.streams[s]; s.Kind == events.KindSeat && s.Table == name {
			private[s.Name] = true
		}
	}
	var public []string
	var orders []events.Receipt
	for _, line := range l.given[name] {
		r, err := events.ReadReceipt(l.keys.PublicKey(), line)
		switch _, held := l.streams[r.Stream]; {
		case err == nil && !held:
			return &Fault{Stream: r.Stream, Version: r.Version, What: "there is a receipt of a stream that the log does not hold: it was cut out"}
		case err == nil && private[r.Stream]:
			orders = append(orders, r)
		default:
			public = append(public, line)
		}
	}
	v := newVerifier(f)
	if err := v.all(l.named, public); err != nil {
		return err
	}
	l.report.Tables++
	l.report.Moves += v.report.Moves
	l.report.Draws += v.report.Draws
	for _, s := range v.report.Skipped {
		l.report.skip("table %s: %s", name, s)
	}
	if l.report.Witnessed && !v.report.Witnessed {
		l.report.skip("table %s: no receipt of it was given", name)
	}
	for s := range private {
		if err := l.seat(v, l.streams[s]); err != nil {
			return err
		}
	}
	for _, r := range orders {
		if err := l.orderReceipt(r); err != nil {
			return err
		}
	}
	return nil
}

// orderReceipt holds a receipt of a seat's orders against the log.
func (l *logVerifier) orderReceipt(r events.Receipt) error {
	if r.Version == 0 || r.Version > l.heads[r.Stream].Version {
		return &Fault{Stream: r.Stream, Version: r.Version, What: "there is a receipt of a version that the log does not hold: it was cut off"}
	}
	rec, err := events.LoadOne(l.ctx, l.log, r.Stream, r.Version)
	if err != nil {
		return errors.Join(&Fault{Stream: r.Stream, Version: r.Version, What: "it cannot be loaded"}, err)
	}
	if rec.Hash != r.Hash {
		return &Fault{Stream: r.Stream, Version: r.Version, What: "there is a receipt of another history"}
	}
	return nil
}

// absent looks at the receipts of tables that the log does not hold.
func (l *logVerifier) absent() error {
	for table, lines := range l.given {
		if l.streams[table].Kind == events.KindTable {
			continue
		}
		for _, line := range lines {
			if r, err := events.ReadReceipt(l.keys.PublicKey(), line); err == nil {
				return &Fault{Stream: r.Stream, Version: r.Version, What: fmt.Sprintf("there is a receipt of this server for table %s, which the log does not hold", table)}
			}
			l.report.skip("a receipt is of table %s, which is not here, and of another server", table)
		}
	}
	return nil
}

// fileOf makes the record of a table from the log, with all secrets that the keys open.
func (l *logVerifier) fileOf(table events.Name) (*File, error) {
	streams, err := withAncestors(l.ctx, l.log, table)
	if err != nil {
		return nil, err
	}
	f := &File{Header: Header{Format: Format, Table: table, Viewer: "everything", Exported: time.Now(), Key: l.keys.PublicKey()}, log: true}
	for _, s := range streams {
		f.Header.Streams = append(f.Header.Streams, s.Stream)
		err := exportStream(l.ctx, l.log, s, l.open, func(r *events.Record, e Event) error {
			f.Events, f.lines = append(f.Events, e), append(f.lines, 0)
			if r.Stream == table && r.Version == 1 {
				if te, err := events.DecodeTable(r, nil); err == nil {
					if o, ok := te.(*domain.Opened); ok {
						f.Header.Rulebook, f.Header.Edition = o.Rulebook, o.Edition
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (l *logVerifier) open(_ events.Stream, r *events.Record, n int) (Part, error) {
	if len(r.Parts[n].Sealed) == 0 {
		return shut(r, n), nil
	}
	return opened(l.keys, r, n)
}
