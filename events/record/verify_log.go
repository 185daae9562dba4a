package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// LogReport says what was checked in a whole log.
type LogReport struct {
	Tables  int
	Events  int
	Moves   int // that were judged again
	Draws   int // that were computed again
	Skipped []string
	Open    []Open // why, each reason once
	// Witnessed reports whether receipts were checked against the log.
	Witnessed bool
}

// VerifyLog checks every event of a log in place, with the server's keys: that no position is missing, that each
// event follows from the one before it in its stream, that every secret part opens and fits, that each stream is what
// its table says, and every table as Verify does, including those still being played. It checks receipts against the
// log, including those of seats' orders. It calls progress with how far it is. It returns a *Fault if something is
// wrong.
func VerifyLog(ctx context.Context, log events.Log, keys *events.Keys, named func(string) (domain.Rulebook, bool),
	receipts []string,
	progress func(what string, done, total int)) (*LogReport, error) {
	l := &logVerifier{ctx: ctx, log: log, keys: keys, named: named, report: &LogReport{},
		streams: map[events.Name]events.Stream{},
		heads:   map[events.Name]events.Head{}, given: map[events.Name][]string{}, progress: progress}
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
	order    []events.Name // of streams, in the order they began
	heads    map[events.Name]events.Head
	given    map[events.Name][]string // receipts by table
	progress func(string, int, int)
}

func (l *logVerifier) all(receipts []string) (err error) {
	defer caught(&err)
	for _, line := range receipts {
		r, err := events.ParseReceipt(line)
		Fault{}.unless(err == nil, "receipt %.60s…: %v", line, err)
		l.given[r.Table] = append(l.given[r.Table], line)
	}
	l.report.Witnessed = len(receipts) > 0
	l.everyEvent()
	var tables []events.Name
	for _, name := range l.order {
		if l.streams[name].Kind == events.KindTable {
			tables = append(tables, name)
		}
	}
	for i, name := range tables {
		l.progress("tables", i, len(tables))
		l.table(name)
	}
	l.progress("tables", len(tables), len(tables))
	l.absent()
	return nil
}

// failed is what a check panics with if it could not run, or found a fault.
type failed struct{ error }

// works ends the verification of a log with an error, unless it is nil.
func works(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// unless ends the verification of a log with this fault unless a condition holds.
func (f Fault) unless(holds bool, format string, args ...any) {
	if !holds {
		panic(failed{&Fault{Pos: f.Pos, Stream: f.Stream, Version: f.Version, What: fmt.Sprintf(format, args...)}})
	}
}

// caught returns the error with which a check ended the verification of a log.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case failed:
		*err = r.error
	default:
		panic(r)
	}
}

// everyEvent walks the whole log.
func (l *logVerifier) everyEvent() {
	last, err := l.log.Last(l.ctx)
	works(err)
	for pos := uint64(0); pos < last; {
		recs, err := l.log.Read(l.ctx, pos, 4096)
		if err != nil {
			works(fmt.Errorf("after position %d: %w", pos, err))
		}
		Fault{}.unless(len(recs) > 0, "position %d is missing", pos+1)
		for i := range recs {
			r := &recs[i]
			pos++
			Fault{Stream: r.Stream, Version: r.Version}.unless(r.Pos == pos, "position %d is missing before it", pos)
			l.event(r)
		}
		l.progress("events", int(pos), int(last))
	}
}

// event checks one event in place.
func (l *logVerifier) event(r *events.Record) {
	at := Fault{Pos: r.Pos, Stream: r.Stream, Version: r.Version}
	head, ok := l.heads[r.Stream]
	if !ok {
		s, err := l.log.Stream(l.ctx, r.Stream)
		at.unless(err == nil, "%v", err)
		l.belongs(s)
		l.streams[s.Name], l.order = s, append(l.order, s.Name)
		head = events.Head{Version: s.Fork, Hash: s.Origin}
		if !s.Parent.IsZero() {
			before, err := events.LoadOne(l.ctx, l.log, s.Parent, s.Fork)
			at.unless(err == nil, "the version it forked from is missing: %v", err)
			head.Hash = before.Hash
		}
	}
	at.unless(r.Version == head.Version+1, "version %d should come here", head.Version+1)
	at.unless(events.ChainHash(head.Hash, r) == r.Hash, "the event was altered: its hash does not fit")
	for n := range r.Parts {
		if len(r.Parts[n].Sealed) == 0 {
			l.report.skip(OpenLuck, "version %d of stream %s has a secret part that stayed at another server",
				r.Version, r.Stream)
			continue
		}
		_, _, err := l.keys.Unseal(r, n)
		at.unless(err == nil, "secret part %d: %v", n, err)
	}
	at.unless(l.streams[r.Stream].Kind != events.KindHouse || json.Valid(r.Data), "it cannot be read")
	if l.streams[r.Stream].Kind == events.KindHouse && !slices.Contains(events.HouseTypes, r.Type) {
		l.report.skip(OpenUnknown, "version %d of the house's own stream %s is an event of the type %q, which "+
			"this program does not know", r.Version, r.Stream, r.Type)
	}
	l.heads[r.Stream] = events.Head{Version: r.Version, Hash: r.Hash}
	l.report.Events++
}

func (r *LogReport) skip(why Open, format string, args ...any) {
	r.Open = oneMore(r.Open, why)
	r.Skipped = append(r.Skipped, fmt.Sprintf(format, args...))
}

// belongs checks that a stream belongs to a table that began before it, or to the house.
func (l *logVerifier) belongs(s events.Stream) {
	at := Fault{Stream: s.Name, Version: s.Fork + 1}
	switch s.Kind {
	case events.KindTable:
		at.unless(s.Table == s.Name && s.Parent.IsZero(), "a table is its own table, and forks from nothing")
	case events.KindLine, events.KindSeat:
		at.unless(l.streams[s.Table].Kind == events.KindTable, "its table did not begin before it")
		at.unless(s.Rulebook == l.streams[s.Table].Rulebook, "it is of another game than its table")
	case events.KindHouse:
		at.unless(s.Name == l.keys.HouseStream() && s.Table == s.Name && s.Rulebook == "" &&
			s.Origin == (events.Hash{}), "it is not the house's stream")
	default:
		at.unless(false, "there are no streams of the kind %q", s.Kind)
	}
}

// table verifies the record of a table, and what its seats did in private.
func (l *logVerifier) table(name events.Name) {
	private := map[events.Name]bool{}
	for _, s := range l.order {
		if s := l.streams[s]; s.Kind == events.KindSeat && s.Table == name {
			private[s.Name] = true
		}
	}
	v := newVerifier(l.fileOf(name))
	var public []string
	var orders []events.Receipt
	for _, line := range l.given[name] {
		r, err := events.ReadReceipt(l.keys.PublicKey(), line)
		_, held := l.streams[r.Stream]
		Fault{Stream: r.Stream, Version: r.Version}.unless(err != nil || held,
			"there is a receipt of a stream that the log does not hold: it was cut out")
		if err == nil && private[r.Stream] {
			orders = append(orders, r)
		} else {
			public = append(public, line)
		}
	}
	works(v.all(l.named, public))
	l.report.Tables++
	l.report.Moves += v.report.Moves
	l.report.Draws += v.report.Draws
	for _, s := range v.report.Skipped {
		l.report.Skipped = append(l.report.Skipped, fmt.Sprintf("table %s: %s", name, s))
	}
	for _, why := range v.report.Open {
		l.report.Open = oneMore(l.report.Open, why)
	}
	if l.report.Witnessed && !v.report.Witnessed {
		l.report.skip(OpenReceipts, "table %s: no receipt of it was given", name)
	}
	for s := range private {
		works(l.seat(v, l.streams[s]))
	}
	for _, r := range orders {
		l.orderReceipt(r)
	}
}

// orderReceipt checks a receipt of a seat's orders against the log.
func (l *logVerifier) orderReceipt(r events.Receipt) {
	at := Fault{Stream: r.Stream, Version: r.Version}
	at.unless(r.Version > 0 && r.Version <= l.heads[r.Stream].Version,
		"there is a receipt of a version that the log does not hold: it was cut off")
	rec, err := events.LoadOne(l.ctx, l.log, r.Stream, r.Version)
	if err != nil {
		at.What = "it cannot be loaded"
		works(errors.Join(&at, err))
	}
	at.unless(rec.Hash == r.Hash, "there is a receipt of another history")
}

// absent looks at the receipts of tables that the log does not hold.
func (l *logVerifier) absent() {
	for table, lines := range l.given {
		if l.streams[table].Kind == events.KindTable {
			continue
		}
		for _, line := range lines {
			r, err := events.ReadReceipt(l.keys.PublicKey(), line)
			Fault{Stream: r.Stream, Version: r.Version}.unless(err != nil,
				"there is a receipt of this server for table %s, which the log does not hold", table)
			l.report.skip(OpenReceipts, "a receipt is of table %s, which is not here, and of another server", table)
		}
	}
}

// fileOf makes the record of a table from the log, with all secrets that the keys open.
func (l *logVerifier) fileOf(table events.Name) *File {
	streams, err := withAncestors(l.ctx, l.log, table)
	works(err)
	f := &File{Header: Header{Format: Format, Table: table, Viewer: "everything", Exported: time.Now(),
		Key: l.keys.PublicKey()}, log: true}
	for _, s := range streams {
		f.Header.Streams = append(f.Header.Streams, s.Stream)
		works(exportStream(l.ctx, l.log, s, l.open, func(r *events.Record, e Event) error {
			f.Events, f.lines = append(f.Events, e), append(f.lines, 0)
			if r.Stream == table && r.Version == 1 {
				te, _ := events.DecodeTable(r, nil) // folding the table finds what cannot be read
				if o, ok := te.(*domain.Opened); ok {
					f.Header.Rulebook, f.Header.Edition = o.Rulebook, o.Edition
				}
			}
			return nil
		}))
	}
	return f
}

func (l *logVerifier) open(_ events.Stream, r *events.Record, n int) (Part, error) {
	if len(r.Parts[n].Sealed) == 0 {
		return shut(r, n), nil
	}
	return opened(l.keys, r, n)
}

// seat checks what a seat did in private against its table: that the stream belongs to one of its seats, that the
// seat's holders gave the orders, and that every order noted as obeyed made its move.
func (l *logVerifier) seat(v *verifier, s events.Stream) (err error) {
	defer v.guard(&err)
	seat := domain.Nobody
	for i := range v.table.Places {
		if l.keys.SeatStream(s.Table, domain.Seat(i)) == s.Name {
			seat = domain.Seat(i)
		}
	}
	first, _ := v.tableEvent(1)
	at := Fault{Stream: s.Name, Version: 1}
	at.unless(seat != domain.Nobody, "the table has no seat with this stream")
	at.unless(s.Parent.IsZero() && s.Origin == v.f.Events[first].Hash,
		"it does not start from the opening of its table")
	recs, err := l.log.Load(l.ctx, s.Name, 0, 0)
	works(err)
	for i := range recs {
		l.private(v, seat, &recs[i])
	}
	return nil
}

// orderText is the content of the secret parts of a seat's events: see events.TypeOrdered and events.TypeObeyed.
type orderText struct {
	Line    events.Name `json:"line"`
	Version uint64      `json:"version"`
}

func (l *logVerifier) private(v *verifier, seat domain.Seat, r *events.Record) {
	at := Fault{Stream: r.Stream, Version: r.Version}
	meta, err := events.ReadMeta(r)
	at.unless(err == nil, "%v", err)
	at.unless(len(r.Parts) == 1 && r.Parts[0].To == domain.To(seat) && string(r.Data) == "{}",
		"what a seat does in private is one part for it alone")
	_, text, err := l.keys.Unseal(r, 0)
	at.unless(err == nil, "%v", err)
	var says orderText
	err = json.Unmarshal(text, &says)
	at.unless(err == nil, "%v", err)
	at.unless(v.line(says.Line.String()) != nil, "the table has no line %s", says.Line)
	switch r.Type {
	case events.TypeOrdered:
		held := slices.ContainsFunc(v.statesAt(r.At.UnixMilli()), func(t *domain.Table) bool {
			return t.Plays(meta.By, seat) == nil
		})
		at.unless(held && slices.Contains(doors, meta.Door) && meta.Door != domain.DoorOrder,
			"the orders were given by somebody who did not hold seat %s", seat.Letter())
	case events.TypeObeyed:
		at.unless(meta.By == "" && meta.Door == events.House.Door, "the house alone notes what it obeyed")
		if says.Version > 0 { // otherwise it was refused
			i, ok := v.find(says.Line, says.Version)
			at.unless(ok, "it notes version %d of line %s, which is missing", says.Version, says.Line)
			at.unless(v.publicOf(i).Seat == seat && v.metaOf(i).Door == domain.DoorOrder,
				"version %d of line %s is no move of an order of seat %s", says.Version, says.Line, seat.Letter())
		}
	default:
		at.unless(false, "a seat has no event %q", r.Type)
	}
}
