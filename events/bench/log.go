// Package bench measures the log alongside the disk it is on, so that a figure means something on any machine. What
// must not live here: a test; a figure is not a verdict.
package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/events"
	"posthorn/events/sqlite"
)

// Options say how long and where to measure.
type Options struct {
	Dir    string        // a folder on the disk to measure; files made there are removed
	Length time.Duration // of each measurement
}

// Appends is what a number of callers did, each waiting for its answer before the next append.
type Appends struct {
	Callers   int           `json:"callers"`
	PerSecond float64       `json:"per_second"`
	Disk      float64       `json:"disk_per_second"` // the disk alone, just before and just after
	Median    time.Duration `json:"median_ns"`       // how long an answer takes
	Slowest   time.Duration `json:"slowest_percent_ns"`
}

// Loads is how fast one caller loads a line of that many events.
type Loads struct {
	Events int           `json:"events"`
	Load   time.Duration `json:"load_ns"`
	Bare   time.Duration `json:"bare_ns"`   // scanning the same rows with database/sql and discarding them
	Verify time.Duration `json:"verify_ns"` // recomputing its hashes, once loaded
}

// LogReport is what [Log] found.
type LogReport struct {
	Appends []Appends     `json:"appends"`
	Loads   []Loads       `json:"loads"`
	Scan    time.Duration `json:"scan_ns"` // reading the whole log by position, per event
	Events  uint64        `json:"events"`
	Bytes   float64       `json:"bytes"` // of the file, per event
}

// Log measures durable appends by 1, 64 and 512 callers, each to a line of its own and guarded by its table's
// version, then loading and scanning, in a fresh log.
func Log(ctx context.Context, o Options) (out LogReport, err error) {
	dir, err := os.MkdirTemp(o.Dir, "posthorn-bench-")
	if err != nil {
		return out, fmt.Errorf("measure the log: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "events.db")
	l, err := sqlite.Open(ctx, path)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	for _, callers := range []int{1, 64, 512} {
		a, err := beside(ctx, l, dir, callers, o.Length)
		if err != nil {
			return out, err
		}
		out.Appends = append(out.Appends, a)
	}
	for _, n := range []int{72, 300} {
		a, err := loads(ctx, l, path, n, o.Length)
		if err != nil {
			return out, err
		}
		out.Loads = append(out.Loads, a)
	}
	return out, scan(ctx, l, path, &out)
}

// beside measures appends between two looks at the disk.
func beside(ctx context.Context, l events.Log, dir string, callers int, length time.Duration) (Appends, error) {
	before, err := Disk(ctx, dir, length/2)
	if err != nil {
		return Appends{}, err
	}
	a, err := appends(ctx, l, callers, length)
	if err != nil {
		return a, err
	}
	after, err := Disk(ctx, dir, length/2)
	a.Disk = (before + after) / 2
	return a, err
}

func appends(ctx context.Context, l events.Log, callers int, length time.Duration) (Appends, error) {
	lines := make([]events.Draft, callers)
	if err := all(callers, func(i int) (err error) {
		lines[i], err = begin(ctx, l)
		return err
	}); err != nil {
		return Appends{}, err
	}
	took := make([][]time.Duration, callers)
	start := time.Now()
	err := all(callers, func(i int) error {
		for time.Since(start) < length {
			began := time.Now()
			if err := appendNext(ctx, l, &lines[i]); err != nil {
				return err
			}
			took[i] = append(took[i], time.Since(began))
		}
		return nil
	})
	elapsed := time.Since(start)
	every := slices.Concat(took...)
	slices.Sort(every)
	out := Appends{Callers: callers, PerSecond: float64(len(every)) / elapsed.Seconds()}
	if n := len(every); n > 0 {
		out.Median, out.Slowest = every[n/2], every[n*99/100]
	}
	return out, err
}

// all runs f in n goroutines and returns the first error.
func all(n int, f func(i int) error) error {
	var g errgroup.Group
	for i := range n {
		g.Go(func() error { return f(i) })
	}
	return g.Wait()
}

// begin opens a table and its line, and returns the draft of the line's next event.
func begin(ctx context.Context, l events.Log) (events.Draft, error) {
	table := events.NewName()
	d := move(events.NewCommandID())
	d.Stream, d.Open = table, &events.Stream{Name: table, Kind: events.KindTable, Rulebook: "bench", Table: table}
	opened, err := l.Append(ctx, d)
	if err != nil {
		return d, err
	}
	d.Command, d.Stream = events.NewCommandID(), events.NewName()
	d.Open = &events.Stream{Name: d.Stream, Kind: events.KindLine, Rulebook: "bench", Table: table, Origin: opened.Hash}
	d.Guards = []events.Guard{{Stream: table, Version: 1}}
	if _, err := l.Append(ctx, d); err != nil {
		return d, err
	}
	d.Open, d.Expect = nil, 1
	return d, nil
}

// appendNext appends the line's next event.
func appendNext(ctx context.Context, l events.Log, d *events.Draft) error {
	d.Command, d.At = events.NewCommandID(), time.Now()
	if _, err := l.Append(ctx, *d); err != nil {
		return err
	}
	d.Expect++
	return nil
}

// move returns an event as large as a typical move at a table.
func move(id events.CommandID) events.Draft {
	return events.Draft{
		Command: id, Type: "played.v1", Codec: "json", At: time.Now(), Meta: []byte(`{"seat":1,"door":"page"}`),
		Data: []byte(`{"s":1,"m":"3,-2 180 city S","d":[["tile",17,55]],"b":{"t":"V","next":"E"}}`),
	}
}

func loads(ctx context.Context, l events.Log, path string, n int, length time.Duration) (Loads, error) {
	d, err := begin(ctx, l)
	if err != nil {
		return Loads{}, err
	}
	for d.Expect < uint64(n) {
		if err := appendNext(ctx, l, &d); err != nil {
			return Loads{}, err
		}
	}
	var records []events.Record
	load, err := each(length/2, func() (err error) {
		records, err = l.Load(ctx, d.Stream, 0, 0)
		return err
	})
	if err != nil {
		return Loads{}, err
	}
	rows, err := BareScan(ctx, path, d.Stream)
	if err != nil {
		return Loads{}, err
	}
	bare, err := each(length/2, func() error { return rows.Once(ctx) })
	if err = errors.Join(err, rows.Close()); err != nil {
		return Loads{}, err
	}
	s, err := l.Stream(ctx, d.Stream)
	if err != nil {
		return Loads{}, err
	}
	verify, err := each(length/2, func() error { return verify(s.Origin, records) })
	return Loads{Events: len(records), Load: load, Bare: bare, Verify: verify}, err
}

// Scan reads the rows of a line in the ordinary way.
type Scan struct {
	db    *sql.DB
	query *sql.Stmt
	line  events.Name
	into  []any
}

// BareScan opens a log's file to measure what reading a line's rows in the ordinary way costs. Close it after use.
func BareScan(ctx context.Context, path string, line events.Name) (*Scan, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	query, err := db.PrepareContext(ctx, `SELECT pos, version, type, at, cmd, meta, codec, data, parts, hash FROM events
		WHERE stream = (SELECT id FROM streams WHERE name = ?) ORDER BY version`)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("scan: %w", err), db.Close())
	}
	s := &Scan{db: db, query: query, line: line}
	for range 10 {
		s.into = append(s.into, new(sql.RawBytes))
	}
	return s, nil
}

// Once reads all rows and discards them.
func (s *Scan) Once(ctx context.Context) (err error) {
	rows, err := s.query.QueryContext(ctx, s.line[:])
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := rows.Scan(s.into...); err != nil {
			return fmt.Errorf("scan: %w", err)
		}
	}
	return rows.Err()
}

// Close closes the query and the database.
func (s *Scan) Close() error { return errors.Join(s.query.Close(), s.db.Close()) }

// each returns how long f takes, on average.
func each(length time.Duration, f func() error) (time.Duration, error) {
	start := time.Now()
	for n := 1; ; n++ {
		if err := f(); err != nil {
			return 0, err
		}
		if took := time.Since(start); took >= length {
			return took / time.Duration(n), nil
		}
	}
}

func verify(prev events.Hash, records []events.Record) error {
	for i := range records {
		if prev = events.ChainHash(prev, &records[i]); prev != records[i].Hash {
			return fmt.Errorf("version %d has another hash than its chain", records[i].Version)
		}
	}
	return nil
}

func scan(ctx context.Context, l events.Log, path string, out *LogReport) error {
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	for out.Events < last {
		page, err := l.Read(ctx, out.Events, 1000)
		if err != nil {
			return err
		}
		out.Events += uint64(len(page))
	}
	out.Scan = time.Since(start) / time.Duration(max(1, out.Events))
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("measure the log: %w", err)
	}
	out.Bytes = float64(info.Size()) / float64(max(1, out.Events))
	return nil
}

// Disk measures what the disk alone can do: appends of 4 KiB to one file, each followed by fdatasync, by one caller.
// It removes the file.
func Disk(ctx context.Context, dir string, length time.Duration) (perSecond float64, err error) {
	f, err := os.Create(filepath.Join(dir, "disk.bench"))
	if err != nil {
		return 0, fmt.Errorf("measure the disk: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	block := make([]byte, 4096)
	start, n := time.Now(), 0
	for ; time.Since(start) < length && ctx.Err() == nil; n++ {
		block[n%len(block)]++
		if _, err := f.Write(block); err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
		if err := datasync(f); err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
	}
	return float64(n) / time.Since(start).Seconds(), ctx.Err()
}
