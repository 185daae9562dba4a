package views

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	lib "modernc.org/sqlite/lib"

	"posthorn/events"
	"posthorn/events/database"
)

// errForeign means that a file holds something other than these views.
var errForeign = errors.New("it does not hold the views of this program")

// primary returns SQLite's primary result code, without its extension; 0 for an error of another kind.
func primary(err error) int {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code() & 0xff
	}
	return 0
}

// damaged reports whether an error means that a file is corrupt.
func damaged(err error) bool {
	code := primary(err)
	return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB || errors.Is(err, errForeign)
}

// keeps reports whether to keep a file that could not be opened: nothing is wrong with it, but it cannot be written
// now.
func keeps(ctx context.Context, err error) bool {
	code := primary(err)
	return ctx.Err() != nil || code == lib.SQLITE_FULL || code == lib.SQLITE_READONLY
}

// mostAtOnce is the largest file size, in bytes, to check completely on opening, which takes a moment. A larger file is
// checked while pages already use it, so that starting takes no longer however many tables there are.
const mostAtOnce = 16 << 20

// open opens the views' file and checks that it is sound.
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
	have, err := database.Schema(ctx, v.db)
	if err != nil {
		return err
	}
	err = database.Fresh(ctx, "views", 0, func(fresh *sql.DB) error {
		want, err := database.Schema(ctx, fresh)
		if err == nil && !slices.Equal(have, want) {
			err = errForeign
		}
		return err
	})
	if err != nil {
		return err
	}
	size, err := database.Value[int64](v.db.QueryRowContext(ctx,
		`SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`))
	if err != nil {
		return fmt.Errorf("the size of the file: %w", err)
	}
	if v.unread = size > mostAtOnce; !v.unread {
		if err := whole(ctx, v.db, 1); err != nil {
			return err
		}
	}
	pos, err := database.Value[int64](v.db.QueryRowContext(ctx, `SELECT pos FROM checkpoint`))
	if err != nil || pos < 0 {
		return fmt.Errorf("checkpoint %d: %w", pos, errors.Join(errForeign, err))
	}
	v.tip.Move(uint64(pos))
	return nil
}

// stray reports whether the views show a table that the log does not have: they are of another house.
func (v *Views) stray(ctx context.Context) (bool, error) {
	name, err := database.Value[string](v.db.QueryRowContext(ctx, `SELECT name FROM tables LIMIT 1`))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	var table events.Name
	if err == nil {
		table, err = events.ParseName(name)
	}
	if err != nil {
		return false, fmt.Errorf("views: whose they are: %w", err)
	}
	head, err := v.desk.Log().Head(ctx, table)
	if errors.Is(err, events.ErrNoStream) {
		return true, nil
	}
	return err == nil && head.Version == 0, err
}

// whole reads what a PRAGMA integrity_check reads: a file, up to a number of faults, or one of its tables.
func whole(ctx context.Context, db *sql.DB, of any) error {
	said, err := database.Value[string](db.QueryRowContext(ctx, fmt.Sprintf(`PRAGMA integrity_check(%v)`, of)))
	if err != nil {
		return fmt.Errorf("check the file: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("%w: %s", errForeign, said)
	}
	return nil
}

// reads checks a file that was too large to check on opening, table by table, so that no transaction is long.
func (v *Views) reads(ctx context.Context) error {
	if !v.unread {
		return nil
	}
	v.mu.RLock()
	db := v.db
	v.mu.RUnlock()
	tables, err := database.All(ctx, db, database.Value[string],
		`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
	for _, name := range tables {
		if err == nil {
			err = whole(ctx, db, "'"+name+"'")
		}
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	if db != v.db { // it was replaced meanwhile
		return nil
	}
	if damaged(v.noted(err)) {
		return nil // heal does the rest
	}
	return err
}

// noted returns the error it gets. If that means a damaged file, the views will soon be rebuilt.
func (v *Views) noted(err error) error {
	if damaged(err) {
		select {
		case v.sick <- struct{}{}:
		default: // already known
		}
	}
	return err
}

// heal rebuilds the views whenever their file proves damaged, until the context ends.
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
