// Package migrations holds the SQL that makes and changes the databases, one folder per database, and applies the steps
// that a file still lacks. What must not live here: queries.
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

// ErrNewer is returned for a file that a newer program has changed in a way that this one cannot work with.
var ErrNewer = errors.New("a newer program has changed it; start that one")

// expands begins the line of a step after which older programs may still read and write the file: it adds tables, or
// columns that fill themselves, and takes nothing away. The oldest schema that a program must know is stored in the
// file as its user_version: 0 in files from programs that did not set it.
const expands = "-- expands:"

// Apply brings a database to its newest schema, one transaction per step. The database is named by its folder:
// "events". Apply skips steps already applied, and leaves alone a file to which a newer program has only added. It
// fails for an unknown name, and returns [ErrNewer] for a file that a newer program has changed in any other way.
func Apply(ctx context.Context, db *sql.DB, database string) error {
	return apply(ctx, db, database, 0)
}

// ApplyUpTo brings a database to the schema of a step: what a file looks like if an older program wrote it last. For a
// step that does not exist it uses the newest.
func ApplyUpTo(ctx context.Context, db *sql.DB, database string, step int64) error {
	return apply(ctx, db, database, step)
}

func apply(ctx context.Context, db *sql.DB, database string, step int64) error {
	steps, least, err := stepsOf(database)
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, nil, goose.WithGoMigrations(steps...),
		goose.WithDisableGlobalRegistry(true))
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

// Newest returns the newest step of a database that this program knows.
func Newest(database string) (int64, error) {
	steps, _, err := stepsOf(database)
	if err != nil {
		return 0, fmt.Errorf("migrations of %s: %w", database, err)
	}
	return steps[len(steps)-1].Version, nil
}

// Opens checks whether this program could open a file, without changing it: it returns nil, or why not.
func Opens(ctx context.Context, db *sql.DB, database string) error {
	newest, err := Newest(database)
	if err != nil {
		return err
	}
	var have int64
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).
		Scan(&have); err != nil {
		return fmt.Errorf("migrations of %s: read the schema's version: %w", database, err)
	}
	if have <= newest {
		return nil
	}
	return newer(ctx, db, database, have, newest)
}

// newer returns nil if this program may use a file of a newer one.
func newer(ctx context.Context, db *sql.DB, database string, have, newest int64) error {
	least, err := leastOf(ctx, db)
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	if least > 0 && least <= newest {
		return nil
	}
	return fmt.Errorf("migrations of %s: the file is of schema %d, this program knows %d: %w", database, have, newest,
		ErrNewer)
}

func leastOf(ctx context.Context, db *sql.DB) (least int64, err error) {
	return least, db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&least)
}

// note records in a file the oldest schema that a program must know.
func note(ctx context.Context, db *sql.DB, least int64) error {
	if noted, err := leastOf(ctx, db); err != nil || noted == least {
		return err
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, least)) // a PRAGMA takes no argument
	return err
}

// stepsOf reads the steps of a database in order, and which is the last that does more than add. SQLite takes a whole
// step at once, so goose need not split its file, for which it wants four megabytes per step.
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
		out = append(out, goose.NewGoMigration(version,
			&goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, up)
				return err
			}}, nil))
	}
	slices.SortFunc(out, func(a, b *goose.Migration) int { return cmp.Compare(a.Version, b.Version) })
	return out, least, err
}
