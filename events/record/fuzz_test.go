package record_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
	"posthorn/events/sqlite"
)

// FuzzRecord changes up to three things in a real record, recomputes all hashes, and verifies the whole. The result
// must be a report or a fault: a rulebook's panic, which the guard at the edge would turn into a fault, is a failure
// here.
func FuzzRecord(f *testing.F) {
	files, keys := provenGames(f, 40)
	files = append(files, story(f), finished(f))
	for i := range files {
		f.Add([]byte{byte(i), 0, 3, 1, 7, 9, 2})
		f.Add([]byte{byte(i), 1, 0, 40, 0, 11, 2, 90, 1, 3, 60, 1, 5})
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := rulebooktest.Choices(b)
		g := forgers(t, files[c.Pick(len(files))], keys)
		for range 1 + c.Pick(3) {
			e := &g.Events[c.Pick(len(g.Events))]
			switch what := c.Pick(8); {
			case what == 0:
				e.Meta = rulebooktest.Alter(e.Meta, c.Pick)
			case what == 1:
				e.At += int64(c.Pick(1<<16)-1<<15) << c.Pick(40)
			case what == 2:
				e.Type = g.Events[c.Pick(len(g.Events))].Type
			case what == 3:
				s := &g.Header.Streams[c.Pick(len(g.Header.Streams))]
				s.Fork, s.Parent = uint64(c.Pick(8)), g.Header.Streams[c.Pick(len(g.Header.Streams))].Name
			case what < 6 && len(e.Parts) > 0 && e.Parts[0].Text != nil:
				p := &e.Parts[c.Pick(len(e.Parts))]
				text := string(rulebooktest.Alter([]byte(*p.Text), c.Pick))
				p.Text, p.To = &text, p.To^domain.Audience(c.Pick(3))
			default:
				e.Data = rulebooktest.Alter(e.Data, c.Pick)
			}
		}
		var forged []byte
		if c.Pick(8) == 0 {
			forged = g.lines(t)
		} else {
			forged = g.written(t)
		}
		file, err := record.Read(bytes.NewReader(forged))
		if err != nil {
			return
		}
		if _, err = record.Verify(file, desktest.Named); err != nil {
			require.NotContains(t, err.Error(), "cannot be what a server wrote")
		}
	})
}

// FuzzDatabaseRow edits one column of one row of a real events.db: verify --data may or may not name it, but opening
// the log and looking at its tables must give an answer or an error.
func FuzzDatabaseRow(f *testing.F) {
	d := newDatabase(f)
	columns := strings.Fields(`streams.id streams.name streams.kind streams.rulebook streams.tbl streams.parent streams.fork streams.origin
		events.pos events.stream events.version events.tbl events.type events.at events.cmd events.meta events.codec events.data events.parts events.hash
		parts.stream parts.version parts.n parts.audience parts.digest parts.sealed`)
	for i := range columns {
		f.Add(byte(i), byte(i), int64(1), "table")
	}
	f.Fuzz(func(t *testing.T, which, row byte, number int64, text string) {
		table, column, _ := strings.Cut(columns[int(which)%len(columns)], ".")
		key := "rowid"
		if table == "parts" {
			key = "stream * 1000 + version * 10 + n"
		}
		value := fmt.Sprintf(`CASE typeof(%[1]s) WHEN 'integer' THEN %[2]d WHEN 'text' THEN CAST(x'%[3]x' AS TEXT) ELSE x'%[3]x' END`, column, number, text)
		path, err := d.altered(t, `PRAGMA ignore_check_constraints = ON`,
			fmt.Sprintf(`UPDATE %[1]s SET %[2]s = %[3]s WHERE %[4]s = (SELECT %[4]s FROM %[1]s LIMIT 1 OFFSET %[5]d %% (SELECT count(*) FROM %[1]s))`, table, column, value, key, row))
		if err != nil {
			return // another row already has this key
		}
		_, _ = verifyFile(t, path, d.receipts...)
		log, err := sqlite.OpenReadOnly(context.Background(), path)
		if err != nil {
			return
		}
		desk := desk.NewDesk(log, desktest.Keys(t), desktest.Named, desktest.Clock())
		for _, line := range d.receipts {
			r, err := events.ParseReceipt(line)
			require.NoError(t, err)
			_, _ = desk.Look(context.Background(), r.Table)
			_, _ = log.Load(context.Background(), r.Stream, 0, 0)
		}
		require.NoError(t, log.Close())
	})
}
