// Package migrations holds the SQL that makes and changes the databases, a folder a
// database, and applies what a file still lacks. What may not live here: queries.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed */*.sql
var files embed.FS

// Apply brings a database to its newest schema, one transaction a step. The database is
// named by its folder: "events". Steps already applied are left alone; an unknown name,
// and a file that a newer program has changed, is an error.
func Apply(ctx context.Context, db *sql.DB, database string) error {
	return apply(ctx, db, database, 0)
}

// ApplyUpTo brings a database to the schema of a step: what a file looks like that an older
// program wrote last. A step that there is not is the newest.
func ApplyUpTo(ctx context.Context, db *sql.DB, database string, step int64) error {
	return apply(ctx, db, database, step)
}

func apply(ctx context.Context, db *sql.DB, database string, step int64) error {
	steps, err := stepsOf(database)
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
		return fmt.Errorf("migrations of %s: the file is of schema %d, this program knows %d", database, have, newest)
	}
	if step > 0 && step < newest {
		_, err = provider.UpTo(ctx, step)
	} else {
		_, err = provider.Up(ctx)
	}
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", database, err)
	}
	return nil
}

// stepsOf reads the steps of a database. SQLite takes a whole step at once, so goose need not take its file apart,
// for which it asks for four megabytes a step.
func stepsOf(database string) (out []*goose.Migration, err error) {
	names, err := fs.Glob(files, database+"/*.sql")
	if err == nil && len(names) == 0 {
		err = fs.ErrNotExist
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		out = append(out, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, up)
			return err
		}}, nil))
	}
	return out, err
}
