package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"posthorn/events"
	"posthorn/events/database"
	"posthorn/migrations"
)

// fault is the first thing in a log's file that no server writes. Stream and Version say where it is; they are zero
// if it concerns the whole file.
type fault struct {
	Stream  events.Name
	Version uint64
	What    string
}

func (f *fault) Error() string {
	if f.Stream.IsZero() {
		return f.What
	}
	return fmt.Sprintf("stream %s, version %d: %s", f.Stream, f.Version, f.What)
}

// InspectRows checks what the chain does not cover: that the columns which say where things are agree with one
// another. It returns a *Fault if they do not.
func InspectRows(ctx context.Context, path string) error {
	return inspect(ctx, path, inspectRows)
}

// InspectSchema checks that the file is intact, and that its schema is the one the migrations make, including
// triggers. It returns a *Fault if not.
func InspectSchema(ctx context.Context, path string) error {
	return inspect(ctx, path, inspectPages, inspectSchema, inspectSteps)
}

func inspect(ctx context.Context, path string, checks ...func(context.Context, *sql.DB) error) (err error) {
	path, err = resolve(path)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(path, "query_only(ON)"))
	if err != nil {
		return fmt.Errorf("inspect the log: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	for _, check := range checks {
		if err := check(ctx, db); err != nil {
			return err
		}
	}
	return nil
}

// inspectSchema compares the file's schema, and the steps that made it, with a freshly made one.
func inspectSchema(ctx context.Context, db *sql.DB) error {
	step, err := database.Value[int64](db.QueryRowContext(ctx,
		`SELECT coalesce(max(version_id), 0) FROM goose_db_version`))
	if err != nil {
		return &fault{What: "goose_db_version is missing: " + err.Error()}
	}
	newest, err := migrations.Newest("events")
	if err != nil {
		return err
	}
	if step > newest {
		return &fault{What: fmt.Sprintf(
			"the file is of schema %d, and this program knows %d: if a newer program has changed "+
				"it, let that one check it", step, newest)}
	}
	return database.Fresh(ctx, "events", step, func(fresh *sql.DB) error {
		if err := sameSchema(ctx, fresh, db); err != nil {
			return err
		}
		return sameSteps(ctx, fresh, db)
	})
}

func sameSchema(ctx context.Context, fresh, db *sql.DB) error {
	want, err := database.Schema(ctx, fresh)
	if err != nil {
		return err
	}
	parts, err := database.Schema(ctx, db)
	if err != nil {
		return err
	}
	have := map[string]string{}
	for _, p := range parts {
		have[p.What] = p.Statement
	}
	for _, p := range want {
		switch has, ok := have[p.What]; {
		case !ok:
			return &fault{What: "the schema lacks " + p.What}
		case has != p.Statement && p.What != "table goose_db_version" && p.What != "table sqlite_sequence":
			// the library's own
			return &fault{What: "the schema has another " + p.What + " than this program makes"}
		}
		delete(have, p.What)
	}
	for what := range have {
		return &fault{What: "the schema has " + what + ", which this program does not make"}
	}
	return nil
}

// sameSteps compares the list of applied migrations with a fresh one, except for the times.
func sameSteps(ctx context.Context, fresh, db *sql.DB) error {
	const steps = `SELECT coalesce(group_concat(id || ' ' || version_id || ' ' || is_applied, ','), '') FROM (SELECT * FROM goose_db_version ORDER BY id)`
	want, err := database.Value[string](fresh.QueryRowContext(ctx, steps))
	if err != nil {
		return err
	}
	have, err := database.Value[string](db.QueryRowContext(ctx, steps))
	if err != nil {
		return err
	}
	if have != want {
		return &fault{What: "goose_db_version lists other steps of the schema than this program makes"}
	}
	return nil
}

// inspectSteps checks what else is stored about the schema's steps.
func inspectSteps(ctx context.Context, db *sql.DB) error {
	odd, err := database.Value[int](db.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM goose_db_version WHERE datetime(tstamp) IS NULL OR datetime(tstamp) > datetime('now', '+1 day') OR datetime(tstamp) < '2020-01-01')
		+ (SELECT count(*) FROM sqlite_sequence WHERE name IS NOT 'goose_db_version' OR seq IS NOT (SELECT max(id) FROM goose_db_version))`))
	if err != nil {
		return fmt.Errorf("the steps of the schema: %w", err)
	}
	if odd > 0 {
		return &fault{What: "goose_db_version or sqlite_sequence is not as the steps of the schema leave it"}
	}
	return nil
}

func inspectPages(ctx context.Context, db *sql.DB) error {
	says, err := database.Value[string](db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`))
	if err != nil {
		return fmt.Errorf("integrity check: %w", err)
	}
	if says != "ok" {
		return &fault{What: "the file does not hold together: " + says}
	}
	return nil
}

// oddities are queries for rows that no server writes: a stream's name, a version, and what is wrong. Only the first
// row of each is used.
var oddities = []struct{ what, query string }{
	{"the stream has no event of its own",
		`SELECT name, fork + 1 FROM streams s WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.stream = s.id)`},
	{"its stream is missing", `SELECT NULL, version FROM events e WHERE NOT EXISTS (SELECT 1 FROM streams s WHERE s.id = e.stream)`},
	{"the stream is of a kind that there is not",
		`SELECT name, fork + 1 FROM streams WHERE kind NOT IN ('table', 'line', 'seat', 'house')`},
	{"a table, and only a table or the house's stream, is its own table",
		`SELECT name, fork + 1 FROM streams WHERE (kind IN ('table', 'house')) <> (tbl = id)`},
	{"the stream's table is missing",
		`SELECT name, fork + 1 FROM streams s WHERE tbl <> id AND NOT EXISTS (SELECT 1 FROM streams t WHERE t.id = s.tbl AND t.kind = 'table')`},
	{"only a line forks, at a version of another line",
		`SELECT name, fork + 1 FROM streams s WHERE (parent = 0) <> (fork = 0) OR fork < 0 OR parent <> 0 AND (kind <> 'line'
		OR NOT EXISTS (SELECT 1 FROM streams p WHERE p.id = s.parent AND p.kind = 'line' AND p.id <> s.id))`},
	{"the stream's number is out of line",
		`SELECT name, fork + 1 FROM (SELECT name, fork, id, row_number() OVER (ORDER BY id) AS n FROM streams) WHERE id <> n`},
	{"the stream was opened out of its turn",
		`SELECT name, fork + 1 FROM (SELECT s.name, s.fork, min(e.pos) AS pos, lag(min(e.pos)) OVER (ORDER BY s.id) AS before
		FROM streams s JOIN events e ON e.stream = s.id GROUP BY s.id) WHERE pos < before`},
	{"a position is missing or out of line before it",
		`SELECT name, version FROM (SELECT s.name, e.version, e.pos, row_number() OVER (ORDER BY e.pos) AS n
		FROM events e JOIN streams s ON s.id = e.stream) WHERE pos <> n ORDER BY pos`},
	{"the version does not follow from the one before it",
		`SELECT name, version FROM (SELECT s.name, e.version, e.pos, s.fork + row_number() OVER (PARTITION BY e.stream ORDER BY e.pos) AS n
		FROM events e JOIN streams s ON s.id = e.stream) WHERE version <> n ORDER BY pos`},
	{"the event is said to be of another table than its stream",
		`SELECT s.name, e.version FROM events e JOIN streams s ON s.id = e.stream WHERE e.tbl <> s.tbl ORDER BY e.pos`},
	{"it has another number of secret parts than it says",
		`SELECT s.name, e.version FROM events e JOIN streams s ON s.id = e.stream
		WHERE e.parts <> (SELECT count(*) FROM parts p WHERE p.stream = e.stream AND p.version = e.version) ORDER BY e.pos`},
	{"a secret part belongs to no event",
		`SELECT (SELECT name FROM streams s WHERE s.id = p.stream), version FROM parts p
		WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.stream = p.stream AND e.version = p.version)`},
	{"its secret parts are not numbered from 0",
		`SELECT s.name, p.version FROM parts p JOIN streams s ON s.id = p.stream
		WHERE p.n < 0 OR p.n >= (SELECT count(*) FROM parts o WHERE o.stream = p.stream AND o.version = p.version)`},
	{"a secret part is for seats that there are not",
		`SELECT s.name, p.version FROM parts p JOIN streams s ON s.id = p.stream WHERE p.audience < 0 OR p.audience > 255`},
	{"its fields are not of the size or type that they have",
		`SELECT s.name, e.version FROM events e JOIN streams s ON s.id = e.stream
		WHERE typeof(e.meta) <> 'blob' OR typeof(e.data) <> 'blob' OR length(e.cmd) <> 16 OR length(e.hash) <> 32 OR instr(e.type, char(0)) OR instr(e.codec, char(0)) OR e.codec <> 'json'`},
	{"its stream's name or origin is not of the size that it has",
		`SELECT substr(name || zeroblob(16), 1, 16), fork + 1 FROM streams WHERE length(name) <> 16 OR length(origin) <> 32`},
}

// inspectRows looks for rows that no server writes.
func inspectRows(ctx context.Context, db *sql.DB) error {
	for _, odd := range oddities {
		faults, err := database.All(ctx, db, func(row database.Row) (*fault, error) {
			var name []byte
			var version int64
			err := row.Scan(&name, &version)
			f := &fault{What: odd.what, Version: uint64(version)}
			if copy(f.Stream[:], name); len(name) == 0 {
				f.What = fmt.Sprintf("version %d of a stream that is missing: %s", version, odd.what)
			}
			return f, err
		}, odd.query+` LIMIT 1`)
		if err != nil {
			return fmt.Errorf("inspect rows: %w", err)
		}
		for _, f := range faults {
			return f
		}
	}
	return nil
}
