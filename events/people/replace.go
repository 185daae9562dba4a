package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"posthorn/events/database"
)

// Replace replaces these people, in one change, with those of another file that nobody has open: for a server that
// only reads what another one wrote. It first brings the file to this program's schema.
func (s *Store) Replace(ctx context.Context, path string) error {
	newer, err := database.Open(ctx, path, "people")
	if err == nil {
		err = newer.Close()
	}
	if err != nil {
		return fmt.Errorf("replace the people: %w", err)
	}
	defer func() {
		s.persons.Forget()
		s.tokens.Forget()
		s.sessions.Forget()
		s.bans.Forget()
	}()
	conn, err := s.write.Conn(ctx) // an attached file belongs to one connection
	if err == nil {
		_, err = conn.ExecContext(ctx, `ATTACH DATABASE ? AS newer`, path)
	}
	if err == nil {
		err = replace(ctx, conn)
		_, left := conn.ExecContext(context.WithoutCancel(ctx), `DETACH DATABASE newer`)
		err = errors.Join(err, left)
	}
	if conn != nil {
		err = errors.Join(err, conn.Close())
	}
	if err != nil {
		return fmt.Errorf("replace the people: %w", err)
	}
	return nil
}

func replace(ctx context.Context, conn *sql.Conn) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after the commit there is nothing to roll back
	if _, err := tx.ExecContext(ctx, `PRAGMA defer_foreign_keys = ON`); err != nil {
		return err
	}
	names := func(query string, args ...any) ([]string, error) {
		return database.All(ctx, tx, func(row database.Row) (string, error) { return database.Value[string](row) },
			query, args...)
	}
	tables, err := names(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE 'goose\_%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	for _, table := range tables { // all are emptied first: whatever refers to a row goes with it
		if _, err := tx.ExecContext(ctx, `DELETE FROM main."`+table+`"`); err != nil {
			return err
		}
	}
	for _, table := range tables {
		columns, err := names(`SELECT '"' || name || '"' FROM pragma_table_info(?)`, table)
		if err != nil {
			return err
		}
		list := strings.Join(columns, ", ")
		if _, err := tx.ExecContext(ctx, `INSERT INTO main."`+table+`" (`+list+`) SELECT `+list+` FROM newer."`+table+
			`"`); err != nil {
			return err
		}
	}
	return tx.Commit()
}
