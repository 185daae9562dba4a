package sqlite_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

func TestAStreamThatIsItsOwnAncestorIsAnError(t *testing.T) {
	for name, statement := range map[string]string{
		"itself":      `UPDATE streams SET parent = id, fork = 9 WHERE id = 3`,
		"each of two": `UPDATE streams SET parent = 5 - id, fork = 9 WHERE id IN (2, 3)`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, path := context.Background(), filepath.Join(t.TempDir(), "events.db")
			l, err := sqlite.Open(ctx, path)
			require.NoError(t, err)
			table := logtest.Opening(events.Stream{Name: events.NewName(), Kind: events.KindTable})
			table.Open.Table = table.Stream
			first := logtest.Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: table.Stream})
			second := logtest.Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: table.Stream,
				Parent: first.Stream, Fork: 1})
			for _, d := range []events.Draft{table, first, second} {
				_, err = l.Append(ctx, d)
				require.NoError(t, err)
			}
			require.NoError(t, l.Close())
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = db.Exec(`DROP TRIGGER streams_stay`)
			require.NoError(t, err)
			_, err = db.Exec(statement)
			require.NoError(t, err)
			require.NoError(t, db.Close())

			l, err = sqlite.OpenReadOnly(ctx, path)
			require.NoError(t, err)
			_, err = l.Load(ctx, second.Stream, 0, 0)
			require.ErrorContains(t, err, "its own ancestor")
			require.NoError(t, l.Close())
			w, err := sqlite.Open(ctx, path)
			require.NoError(t, err)
			fork := logtest.Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: table.Stream,
				Parent: second.Stream, Fork: 1})
			_, err = w.Append(ctx, fork)
			require.ErrorContains(t, err, "its own ancestor")
			require.NoError(t, w.Close())
		})
	}
}
