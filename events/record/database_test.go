package record_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
	"posthorn/events/sqlite"
)

// database is the file of a small house with everything that a log has: a table that was taken back and has ended,
// one in play, a seat's orders, a branch, and the house stream.
type database struct {
	file             []byte
	receipts         []string // of every stream as it stood before the last moves
	running, ordered events.Name
	line             events.Name // of the running table
}

func newDatabase(t testing.TB) *database {
	t.Helper()
	d := &database{}
	path := filepath.Join(t.TempDir(), "events.db")
	log, err := sqlite.Open(context.Background(), path)
	require.NoError(t, err)
	h := &desktest.House{Desk: desk.NewDesk(log, desktest.Keys(t), desktest.Named, desktest.Clock()), T: t,
		Ctx: context.Background()}
	rnd := rand.New(rand.NewPCG(9, 9))
	ended := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(ended, rnd, 5)
	first := h.Sees(ended)
	h.Rewinds(ended, 3)
	h.Random(ended, rnd, 3)
	d.running = h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(d.running, rnd, 2)
	ans, err := h.SetOrders(h.Ctx, desktest.By(desktest.Ana), d.running, 0, events.NewCommandID(), 0, []string{"keep"},
		nil)
	require.NoError(t, err)
	d.ordered = ans.Record.Stream
	h.Follows(d.running)
	branch := h.Starts("carcassonne", h.BranchOf(ended, 4, "game"), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Ana))
	h.Random(branch, rnd, 2)
	require.NoError(t, h.Forget(h.Ctx, events.Actor{Door: "host"}, "Eva"))
	h.Resigns(desktest.Bo, ended, 1)
	h.Follows(ended)
	for _, table := range []events.Name{ended, d.running, branch} {
		look := h.Sees(table)
		d.line = look.LineName
		d.receipts = append(d.receipts, h.Receipt(table, table, look.TableHead),
			h.Receipt(table, look.LineName, look.LineHead))
	}
	d.line = h.Sees(d.running).LineName
	d.receipts = append(d.receipts, h.Receipt(ended, first.LineName, first.LineHead))
	d.receipts = append(d.receipts, h.Receipt(d.running, d.ordered, events.Head{Version: 1, Hash: ans.Record.Hash}))
	h.Does(desktest.Bo, d.running, desk.Say{Written: desk.Written{Text: []byte("late")}})
	require.NoError(t, log.Close())
	db, err := sql.Open("sqlite", path) // the last writes may still be beside the file
	require.NoError(t, err)
	_, err = db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	require.NoError(t, errors.Join(err, db.Close()))
	d.file, err = os.ReadFile(path)
	require.NoError(t, err)
	return d
}

// altered returns a copy of the file after statements that its triggers would have refused; it puts the triggers
// back.
func (d *database) altered(t testing.TB, statements ...string) (path string, err error) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "events.db")
	require.NoError(t, os.WriteFile(path, d.file, 0o600))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var triggers, made []string
	rows, err := db.Query(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`)
	require.NoError(t, err)
	for rows.Next() {
		var name, text string
		require.NoError(t, rows.Scan(&name, &text))
		triggers, made = append(triggers, name), append(made, text)
	}
	require.NoError(t, rows.Close())
	for _, name := range triggers {
		_, err = db.Exec(`DROP TRIGGER ` + name)
		require.NoError(t, err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			return path, err
		}
	}
	for _, text := range made {
		_, err = db.Exec(text)
		require.NoError(t, err)
	}
	return path, nil
}

// verifyFile does to a log what verify --data does.
func verifyFile(t testing.TB, path string, receipts ...string) (*record.LogReport, error) {
	t.Helper()
	ctx := context.Background()
	r, err := (*record.LogReport)(nil), sqlite.InspectRows(ctx, path)
	if err == nil {
		log, opens := sqlite.OpenReadOnly(ctx, path)
		if opens != nil {
			return nil, opens
		}
		r, err = record.VerifyLog(ctx, log, desktest.Keys(t), desktest.Named, receipts, func(string, int, int) {})
		err = errors.Join(err, log.Close())
	}
	return r, errors.Join(err, sqlite.InspectSchema(ctx, path))
}

func TestAnHonestDatabaseIsUnaltered(t *testing.T) {
	d := newDatabase(t)
	path, err := d.altered(t)
	require.NoError(t, err)
	r, err := verifyFile(t, path)
	require.NoError(t, err)
	require.Empty(t, r.Skipped)
	require.False(t, r.Witnessed)
	require.Equal(t, 3, r.Tables)
	require.Greater(t, r.Moves, 10, "also of the tables that are being played")
	r, err = verifyFile(t, path, d.receipts...)
	require.NoError(t, err)
	require.Len(t, r.Skipped, 1, "%v", r.Skipped)
	require.Contains(t, r.Skipped[0], "come after the last receipt")
}

// flips are changes to a value, tried in turn until the schema's own checks accept one.
var flips = map[string][]string{
	"INTEGER": {"%s + 1", "%s + 1000", "%s + (1 << 40)", "-%s - 1"},
	"TEXT":    {"'x' || substr(%s, 2)"},
	"BLOB": {"CAST(substr(%[1]s, 1, length(%[1]s) - 1) || CASE hex(substr(%[1]s, -1)) WHEN '41' THEN x'42' " +
		"ELSE x'41' END AS BLOB)"},
}

// Given any change to any column of any table, in some rows and by some amounts, then it is found; if the row belongs
// to an event, stream and version are named.
func TestEveryColumnOfTheDatabaseIsBound(t *testing.T) {
	d := newDatabase(t)
	whole, err := d.altered(t)
	require.NoError(t, err)
	db, err := sql.Open("sqlite", whole)
	require.NoError(t, err)
	type column struct{ table, name, kind string }
	var columns []column
	// its columns concern other files: see TestWhoseHouseItIsIsVerified
	rows, err := db.Query(`SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name <> 'house'`)
	require.NoError(t, err)
	for rows.Next() {
		var c column
		require.NoError(t, rows.Scan(&c.table, &c.name, &c.kind))
		columns = append(columns, c)
	}
	require.NoError(t, rows.Close())
	require.NoError(t, db.Close())
	require.GreaterOrEqual(t, len(columns), 8+12+6+4+2)
	for _, c := range columns {
		t.Run(c.table+"."+c.name, func(t *testing.T) {
			kind := c.kind
			if kind == "" || kind == "TIMESTAMP" {
				kind = map[string]string{"name": "TEXT", "tstamp": "TEXT", "seq": "INTEGER"}[c.name]
			}
			tried := 0
			for _, flip := range flips[kind] {
				if c.name == "tstamp" {
					flip = "'9' || substr(%s, 2)"
				}
				for _, row := range []string{"0", "count(*) / 2", "count(*) - 1"} {
					key := "rowid"
					if c.table == "parts" {
						key = "stream * 1000 + version * 10 + n"
					}
					path, err := d.altered(t, fmt.Sprintf(
						`UPDATE %[1]s SET %[2]s = %[3]s WHERE %[4]s = (SELECT %[4]s FROM %[1]s ORDER BY 1 LIMIT 1 OFFSET (SELECT %[5]s FROM %[1]s))`,
						c.table, c.name, fmt.Sprintf(flip, c.name), key, row))
					if err != nil {
						require.ErrorContains(t, err, "constraint")
						continue
					}
					tried++
					_, err = verifyFile(t, path, d.receipts...)
					require.Error(t, err, "%s of row %s", flip, row)
					require.NotContains(t, err.Error(), "panic")
					require.NotContains(t, err.Error(), "cannot be what a server wrote")
					if c.table == "streams" || c.table == "events" || c.table == "parts" {
						require.Regexp(t, `stream [0-9a-f]{32}, version \d+|version -?\d+ of a stream that is missing`,
							err.Error(), "%s of row %s", flip, row)
					}
				}
			}
			require.Positive(t, tried)
		})
	}
}

func TestWhatIsTakenOutOfTheDatabaseIsFound(t *testing.T) {
	d := newDatabase(t)
	id := func(name events.Name) string { return fmt.Sprintf(`(SELECT id FROM streams WHERE name = x'%s')`, name) }
	last := func(name events.Name) string {
		return fmt.Sprintf(`stream = %[1]s AND version = (SELECT max(version) FROM events WHERE stream = %[1]s)`,
			id(name))
	}
	shift := `UPDATE events SET pos = -(SELECT count(*) FROM events o WHERE o.pos <= events.pos); UPDATE events SET pos = -pos`
	for name, c := range map[string]struct {
		says string
		do   []string
	}{
		"a trigger": {"the schema lacks trigger events_stay", nil},
		"an index":  {"the schema lacks index streams_of_table", []string{`DROP INDEX streams_of_table`}},
		"another trigger": {"which this program does not make",
			[]string{`CREATE TRIGGER more AFTER INSERT ON parts BEGIN SELECT 1; END`}},
		"the last move": {"there is a receipt of a version that the record does not hold", []string{
			`DELETE FROM parts WHERE ` + last(d.line), `DELETE FROM events WHERE ` + last(d.line), shift}},
		"a whole line": {"has no event of its own", []string{`DELETE FROM events WHERE stream = ` + id(d.line)}},
		"a seat's orders": {"a receipt of a stream that the log does not hold",
			[]string{`DELETE FROM parts WHERE stream = ` + id(d.ordered),
				`DELETE FROM events WHERE stream = ` + id(d.ordered),
				`DELETE FROM streams WHERE name = x'` + d.ordered.String() + `'`, shift,
				`UPDATE events SET stream = stream - 1 WHERE stream > 5; UPDATE events SET tbl = tbl - 1 WHERE tbl > 5; UPDATE parts SET stream = stream - 1 WHERE stream > 5`,
				`UPDATE streams SET id = id - 1 WHERE id > 5; UPDATE streams SET tbl = tbl - 1 WHERE tbl > 5; UPDATE streams SET parent = parent - 1 WHERE parent > 5`}},
		"a whole table": {"there is a receipt of this server for table", []string{
			`DELETE FROM parts WHERE stream IN (SELECT id FROM streams WHERE tbl = ` + id(d.running) + `)`,
			`DELETE FROM events WHERE tbl = ` + id(d.running), `DELETE FROM streams WHERE tbl = ` + id(d.running),
			shift,
			`UPDATE events SET stream = stream - 3 WHERE stream > 6; UPDATE events SET tbl = tbl - 3 WHERE tbl > 6; UPDATE parts SET stream = stream - 3 WHERE stream > 6`,
			`UPDATE streams SET id = id - 3 WHERE id > 6; UPDATE streams SET tbl = tbl - 3 WHERE tbl > 6; UPDATE streams SET parent = parent - 3 WHERE parent > 6`}},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := d.altered(t, c.do...)
			require.NoError(t, err)
			if c.do == nil {
				db, err := sql.Open("sqlite", path)
				require.NoError(t, err)
				_, err = db.Exec(`DROP TRIGGER events_stay`)
				require.NoError(t, errors.Join(err, db.Close()))
			}
			_, err = verifyFile(t, path, d.receipts...)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// Given a tail cut off after the last receipt, then nobody can know it, and no fault is reported.
func TestATailPastTheLastReceiptIsNotKnown(t *testing.T) {
	d := newDatabase(t)
	path, err := d.altered(t, `DELETE FROM events WHERE pos = (SELECT max(pos) FROM events)`)
	require.NoError(t, err)
	r, err := verifyFile(t, path, d.receipts...)
	require.NoError(t, err)
	require.True(t, r.Witnessed)
	require.Empty(t, strings.Join(r.Skipped, "\n"), "what is there is all covered")
}

// Given a stream that is its own parent, then verify says so, and no walk overflows.
func TestADatabaseWhoseStreamsGoInCirclesIsNamed(t *testing.T) {
	d := newDatabase(t)
	for _, statement := range []string{`UPDATE streams SET parent = id WHERE kind = 'line'`,
		`UPDATE streams SET parent = id, fork = 2 WHERE kind = 'line'`} {
		path, err := d.altered(t, statement)
		require.NoError(t, err)
		_, err = verifyFile(t, path)
		require.ErrorContains(t, err, "only a line forks, at a version of another line")
	}
}
