// Package migrations holds the SQL that makes and changes the databases, a folder a
// database, and applies what a file still lacks. What may not live here: queries.
package migrations

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed */*.sql
var files embed.FS

// ErrNewer is returned for a file that a newer program has changed in a way which this one cannot go on from.
var ErrNewer = errors.New("a newer program has changed it; start that one")

// expands begins the line of a step after which programs that do not know it may still read and write the file: it adds tables,
// or columns that are filled by themselves, and takes nothing away. The schema that a program must know at least
// stands in the file, as its user_version: 0 in files of programs that did not say so.
const expands = "-- expands:"

// Apply brings a database to its newest schema, one transaction a step. The database is
// named by its folder: "events". Steps already applied are left alone, and so is a file to which a newer program
// has only added; an unknown name, and a file that it has changed otherwise ([ErrNewer]), is an error.
func Apply(ctx context.Context, db *sql.DB, database string) error {
	return apply(ctx, db, database, 0)
}

// ApplyUpTo brings a database to the schema of a step: what a file looks like that an older
// program wrote last. A step that there is not is the newest.
func ApplyUpTo(ctx context.Context, db *sql.DB, database string, step int64) error {
	return apply(ctx, db, database, step)
}

func apply(ctx context.Context, db *sql.DB, database string, step int64) error {
	steps, least, err := stepsOf(database)
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, nil, goose.WithGoMigrations(steps...), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	have, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrations of %s: read the schema's version: %w", database, err)
	}
	if have > newest {
		return newer(ctx, db, database, have, newest)
	}
	if step > 0 && step < newest {
		_, err = provider.UpTo(ctx, step)
	} else if _, err = provider.Up(ctx); err == nil {
		err = note(ctx, db, least)
	}
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	return nil
}

// Newest is the newest step of a database that this program knows.
func Newest(database string) (int64, error) {
	steps, _, err := stepsOf(database)
	if err != nil {
		return 0, fmt.Errorf("migrations of %s: %w", database, err)
	}
	return steps[len(steps)-1].Version, nil
}

// Opens reports whether this program could open a file, which it does not change: nil, or why not.
func Opens(ctx context.Context, db *sql.DB, database string) error {
	newest, err := Newest(database)
	if err != nil {
		return err
	}
	var have int64
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).Scan(&have); err != nil {
		return fmt.Errorf("migrations of %s: read the schema's version: %w", database, err)
	}
	if have <= newest {
		return nil
	}
	return newer(ctx, db, database, have, newest)
}

// newer reports whether a file of a newer program may be gone on from.
func newer(ctx context.Context, db *sql.DB, database string, have, newest int64) error {
	least, err := leastOf(ctx, db)
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	if least > 0 && least <= newest {
		return nil
	}
	return fmt.Errorf("migrations of %s: the file is of schema %d, this program knows %d: %w", database, have, newest, ErrNewer)
}

func leastOf(ctx context.Context, db *sql.DB) (least int64, err error) {
	return least, db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&least)
}

// note says in a file which schema a program must know at least.
func note(ctx context.Context, db *sql.DB, least int64) error {
	if noted, err := leastOf(ctx, db); err != nil || noted == least {
		return err
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, least)) // which takes no argument
	return err
}

// stepsOf reads the steps of a database in their order, and which of them is the last that does not only add. SQLite takes a
// whole step at once, so goose need not take its file apart, for which it asks for four megabytes a step.
func stepsOf(database string) (out []*goose.Migration, least int64, err error) {
	names, err := fs.Glob(files, database+"/*.sql")
	if err == nil && len(names) == 0 {
		err = fs.ErrNotExist
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, 0, err
		}
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, 0, err
		}
		if !strings.Contains("\n"+string(text), "\n"+expands) {
			least = max(least, version)
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		out = append(out, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, up)
			return err
		}}, nil))
	}
	slices.SortFunc(out, func(a, b *goose.Migration) int { return cmp.Compare(a.Version, b.Version) })
	return out, least, err
}
