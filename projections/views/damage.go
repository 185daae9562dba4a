package views

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	lib "modernc.org/sqlite/lib"

	"posthorn/migrations"
)

// errForeign is a file that holds something else than these views.
var errForeign = errors.New("it does not hold the views of this program")

// primary is SQLite's result code without what it adds, 0 for an error of another kind.
func primary(err error) int {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code() & 0xff
	}
	return 0
}

// damaged tells whether an error is of a file that does not hold together.
func damaged(err error) bool {
	code := primary(err)
	return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB || errors.Is(err, errForeign)
}

// keeps tells whether a file that could not be opened is to be kept: nothing is wrong with it,
// but nothing can be written now.
func keeps(ctx context.Context, err error) bool {
	code := primary(err)
	return ctx.Err() != nil || code == lib.SQLITE_FULL || code == lib.SQLITE_READONLY
}

// open opens the file that the views are in and looks whether it is whole.
func (v *Views) open(ctx context.Context) (err error) {
	path := v.path(v.number)
	if v.db, err = openFile(ctx, path); err != nil {
		return err
	}
	if err = v.sound(ctx); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, err), v.db.Close())
	}
	return nil
}

func (v *Views) sound(ctx context.Context) error {
	want, err := schemaOfViews(ctx)
	if err != nil {
		return err
	}
	have, err := schema(ctx, v.db)
	if err != nil {
		return err
	}
	if have != want {
		return errForeign
	}
	var said string
	if err := v.db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return fmt.Errorf("check the file: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("%w: %s", errForeign, said)
	}
	var pos int64
	if err := v.db.QueryRowContext(ctx, `SELECT pos FROM checkpoint`).Scan(&pos); err != nil || pos < 0 {
		return fmt.Errorf("checkpoint %d: %w", pos, errors.Join(errForeign, err))
	}
	v.pos = uint64(pos)
	return nil
}

func schema(ctx context.Context, db *sql.DB) (text string, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce(group_concat(type || name || sql, ';'), '') FROM
		(SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name)`).Scan(&text)
	if err != nil {
		return "", fmt.Errorf("read the schema: %w", err)
	}
	return text, nil
}

// schemaOfViews is the schema that the views of this program have.
func schemaOfViews(ctx context.Context) (text string, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return "", fmt.Errorf("views: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // or each connection has a database of its own
	if err := migrations.Apply(ctx, db, "views"); err != nil {
		return "", err
	}
	return schema(ctx, db)
}

// noted passes an error on. If it is of a damaged file, the views are made anew soon.
func (v *Views) noted(err error) error {
	if damaged(err) {
		select {
		case v.sick <- struct{}{}:
		default: // it is known
		}
	}
	return err
}

// heal makes the views anew after somebody has found their file damaged, until the context ends.
func (v *Views) heal(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-v.sick:
		}
		if v.Alarm != nil {
			v.Alarm(fmt.Errorf("%s is damaged; it is thrown away and made anew from the log", v.path(v.number)))
		}
		if err := v.Rebuild(ctx, nil); err != nil {
			return err
		}
	}
}
