package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// Parsing its text is most of the cost of a small statement, so a connection keeps the statements it has parsed. The
// driver keeps none, and database/sql only those that its caller prepares, which code that is handed a transaction
// cannot do once for all.

// open is sql.Open with connections that keep their statements.
func open(name string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(name)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keeping{c}), nil
}

type keeping struct{ driver.Connector }

// Connect opens a connection that keeps its statements.
func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := c.(fullConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("the driver's connection is a %T, which cannot do all that is needed", c),
			c.Close())
	}
	return &keeper{fullConn: full, kept: map[string]*keptStmt{}}, nil
}

// fullConn is what the driver's connections can do.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keeper is a connection; like any, it is for one goroutine at a time.
type keeper struct {
	fullConn
	kept map[string]*keptStmt
}

// keptStmt is a parsed statement. While rows of it are open it is busy, and cannot run again.
type keptStmt struct {
	driver.Stmt
	busy bool
}

// mostKept is how many statements a connection keeps.
const mostKept = 200

// statement returns a kept statement that is free, or nil: then the query runs without one.
func (k *keeper) statement(ctx context.Context, query string) *keptStmt {
	s, ok := k.kept[query]
	if ok && s.busy || !plain(query) {
		return nil
	}
	if ok {
		return s
	}
	if len(k.kept) >= mostKept && k.forget() != nil {
		return nil
	}
	st, err := k.PrepareContext(ctx, query)
	if err != nil {
		return nil // running it says why
	}
	s = &keptStmt{Stmt: st}
	k.kept[query] = s
	return s
}

// plain reports whether a statement reads or changes rows; others are rare, and some must not be kept open.
func plain(query string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(query, " \t\n"), " ")
	switch word {
	case "SELECT", "INSERT", "UPDATE", "DELETE":
		return true
	}
	return false
}

// forget closes the statements that are not busy.
func (k *keeper) forget() error {
	var errs []error
	for query, s := range k.kept {
		if !s.busy {
			errs = append(errs, s.Close())
			delete(k.kept, query)
		}
	}
	return errors.Join(errs...)
}

// ExecContext implements driver.ExecerContext.
func (k *keeper) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if s := k.statement(ctx, query); s != nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// For each statement with a context that can be cancelled, the driver starts a goroutine; these statements
		// finish at once, so they need none.
		return s.Stmt.(driver.StmtExecContext).ExecContext(context.WithoutCancel(ctx), args)
	}
	return k.fullConn.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext.
func (k *keeper) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s := k.statement(ctx, query)
	if s == nil {
		return k.fullConn.QueryContext(ctx, query, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &keptRows{rows, s}, nil
}

// keptRows are rows of a kept statement.
type keptRows struct {
	driver.Rows
	of *keptStmt
}

// Close frees the statement.
func (r *keptRows) Close() error {
	r.of.busy = false
	return r.Rows.Close()
}

// Close closes the statements, and then the connection.
func (k *keeper) Close() error {
	var errs []error
	for _, s := range k.kept {
		errs = append(errs, s.Close())
	}
	clear(k.kept)
	return errors.Join(append(errs, k.fullConn.Close())...)
}
