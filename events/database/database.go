// Package database opens a house's SQLite files and has the few ways to read and write them. What must not live here:
// their contents, and the connections of the log, which are the log's own (events/sqlite).
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // the driver

	"posthorn/migrations"
)

// Name returns the driver's name for a file, with what every connection to it needs: the driver's own options, and
// pragmas. The folder may have any name.
func Name(path string, options url.Values, pragmas ...string) string {
	q := url.Values{"_pragma": pragmas}
	for key, values := range options {
		q[key] = values
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}
	return u.String()
}

// Connect opens a file as it is, for any number of readers, or one writer. A writing transaction waits for another's
// end when it begins, not half way. Each connection keeps a megabyte of pages: the system keeps the rest of these
// small files.
func Connect(path string, pragmas ...string) (*sql.DB, error) {
	pragmas = append([]string{"busy_timeout(10000)", "trusted_schema(OFF)", "mmap_size(0)", "cache_size(-1024)"},
		pragmas...)
	db, err := open(Name(path, url.Values{"_txlock": {"immediate"}}, pragmas...))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// Open opens a file for its one writer, creates it if it does not exist, and brings it to the newest version of the
// named schema (see migrations).
func Open(ctx context.Context, path, schema string, pragmas ...string) (*sql.DB, error) {
	db, err := Connect(path, append([]string{"journal_mode(WAL)"}, pragmas...)...)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := migrations.Apply(ctx, db, schema); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Change runs one transaction. Its error says what it was changing.
func Change(ctx context.Context, db *sql.DB, what string, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := f(tx); err != nil {
		if back := tx.Rollback(); back != nil && !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, back)
		}
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Reader is a database or a transaction.
type Reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Row is a row to be scanned.
type Row interface{ Scan(to ...any) error }

// All reads all rows of a query.
func All[T any](ctx context.Context, from Reader, scan func(Row) (T, error), query string, args ...any) (out []T,
	err error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("%.40s…: %w", query, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// Value scans a row of one column.
func Value[T any](row Row) (v T, err error) { return v, row.Scan(&v) }

// Part is one of the objects in a database, with the statement that made it.
type Part struct{ What, Statement string }

// Schema lists the objects in a database, by kind and name.
func Schema(ctx context.Context, db *sql.DB) ([]Part, error) {
	return All(ctx, db, func(row Row) (p Part, err error) {
		return p, row.Scan(&p.What, &p.Statement)
	}, `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name`)
}

// Fresh calls do with an empty in-memory database, with the schema of a step; 0 is the newest.
func Fresh(ctx context.Context, schema string, step int64, do func(*sql.DB) error) (err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return fmt.Errorf("a fresh database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // otherwise each connection would get its own database
	if err := migrations.ApplyUpTo(ctx, db, schema, step); err != nil {
		return err
	}
	return do(db)
}
