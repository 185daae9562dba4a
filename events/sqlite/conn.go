package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"posthorn/events/database"
)

// settings are what every connection of a log needs. WAL and FULL make an acknowledged commit survive a power cut;
// recursive_triggers lets the triggers see the DELETE inside INSERT OR REPLACE; defensive mode refuses what would
// change the file behind SQL's back. Memory-mapped reading stays off: it made cold reads ten times slower.
var settings = []string{
	"busy_timeout(10000)",
	"synchronous(FULL)",
	"recursive_triggers(ON)",
	"trusted_schema(OFF)",
	"cell_size_check(ON)",
	"mmap_size(0)",
}

// dsn names a data file and how to set up a connection to it.
func dsn(path string, more ...string) string {
	options := url.Values{"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	return database.Name(path, options, slices.Concat(settings, more)...)
}

// conn is one connection with its prepared statements. It bypasses database/sql: the pool's conversions cost as much
// as the statements themselves. Only one goroutine may use it at a time.
type conn struct {
	c     driver.Conn
	args  []driver.NamedValue
	stmts []*stmt
}

// stmt is a prepared statement.
type stmt struct {
	on   *conn
	s    driver.Stmt
	row  []driver.Value
	text string
}

// connect opens a connection.
func connect(name string) (*conn, error) {
	c, err := new(sqlite.Driver).Open(name)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	return &conn{c: c}, nil
}

func (c *conn) prepare(text string) (*stmt, error) {
	s, err := c.c.Prepare(text)
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", text, err)
	}
	st := &stmt{on: c, s: s, text: text}
	c.stmts = append(c.stmts, st)
	return st, nil
}

// statement is a statement to prepare, and where to put it.
type statement struct {
	to   **stmt
	text string
}

func (c *conn) prepareAll(list ...statement) (err error) {
	for _, s := range list {
		if *s.to, err = c.prepare(s.text); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.s.Close())
	}
	return errors.Join(append(errs, c.c.Close())...)
}

func (c *conn) bind(values []driver.Value) []driver.NamedValue {
	c.args = c.args[:0]
	for i, v := range values {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return c.args
}

// exec runs a statement and returns how many rows it wrote.
func (s *stmt) exec(values ...driver.Value) (int64, error) {
	res, err := s.s.(driver.StmtExecContext).ExecContext(context.Background(), s.on.bind(values))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", firstWords(s.text), err)
	}
	return res.RowsAffected()
}

// each runs a query and calls f with every row. It reuses the slice for the next row, but not the values in it.
func (s *stmt) each(f func(row []driver.Value) error, values ...driver.Value) (err error) {
	rows, err := s.s.(driver.StmtQueryContext).QueryContext(context.Background(), s.on.bind(values))
	if err != nil {
		return fmt.Errorf("%s: %w", firstWords(s.text), err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if s.row == nil {
		s.row = make([]driver.Value, len(rows.Columns()))
	}
	for {
		switch err := rows.Next(s.row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", firstWords(s.text), err)
		}
		if err := f(s.row); err != nil {
			return err
		}
	}
}

// one runs a query that returns at most one row, and reports whether it returned one.
func (s *stmt) one(f func(row []driver.Value) error, values ...driver.Value) (found bool, err error) {
	err = s.each(func(row []driver.Value) error {
		found = true
		return f(row)
	}, values...)
	return found, err
}

func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.ToLower(strings.Join(words[:min(3, len(words))], " "))
}

// number runs a query that returns one number.
func (s *stmt) number() (n int64, err error) {
	_, err = s.one(func(row []driver.Value) error {
		n = num(row[0])
		return nil
	})
	return n, err
}

// The driver is C translated into Go against one version of its C library, and is sound only with that version. A
// test checks this pair against the driver's own go.mod.
const (
	driverPath, driverVersion = "modernc.org/sqlite", "v1.61.1"
	libcPath, libcVersion     = "modernc.org/libc", "v1.79.0"
)

// checkPair refuses a program linked with a pair other than the tested one. It accepts a program built without module
// information.
func checkPair() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	return checkModules(info.Deps)
}

func checkModules(deps []*debug.Module) error {
	for _, m := range deps {
		linked := m.Version
		if m.Replace != nil {
			linked = m.Replace.Path + "@" + m.Replace.Version
		}
		switch {
		case m.Path == driverPath && linked != driverVersion:
			return fmt.Errorf("this program has %s %s, and was made for %s", driverPath, linked, driverVersion)
		case m.Path == libcPath && linked != libcVersion:
			return fmt.Errorf("this program has %s %s, but %s %s needs %s", libcPath, linked, driverPath, driverVersion,
				libcVersion)
		}
	}
	return nil
}
