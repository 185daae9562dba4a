package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/sqlite"
	"posthorn/projections/words"
)

// Passes are made for people whose ids look like those in people.db.
const anaID, boID = domain.PersonID("a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0"),
	domain.PersonID("b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0")

// smallHouse is a data folder with two tables: a running one that was rewound once, and one that has ended.
type smallHouse struct {
	t              testing.TB
	dir            string
	running, ended string
	receipt        string // of the running table's line
}

func newSmallHouse(t testing.TB) smallHouse {
	t.Helper()
	s := smallHouse{t: t, dir: t.TempDir()}
	s.settles()
	s.at(func(h *desktest.House) {
		rnd := rand.New(rand.NewPCG(1, 1))
		running := h.Starts("carcassonne", nil, desktest.Player(anaID), desktest.Player(boID))
		h.Random(running, rnd, 6)
		h.Rewinds(running, 4)
		h.Random(running, rnd, 2)
		ended := h.Starts("carcassonne", nil, desktest.Player(anaID), desktest.Player(boID))
		h.Random(ended, rnd, 5)
		h.Resigns(boID, ended, 1)
		h.Follows(ended)
		look := h.Sees(running)
		s.running, s.ended, s.receipt = running.String(), ended.String(),
			h.Receipt(running, look.LineName, look.LineHead)
	})
	return s
}

// settles makes the files that belong together.
func (s smallHouse) settles() {
	s.t.Helper()
	keys, err := folder.ServerKeys(s.dir)
	require.NoError(s.t, err)
	log, err := folder.OpenEvents(context.Background(), s.dir, keys, false)
	require.NoError(s.t, err)
	require.NoError(s.t, log.Close())
}

// at runs do at the desk of the house.
func (s smallHouse) at(do func(*desktest.House)) {
	s.t.Helper()
	s.after(0, do)
}

// after runs do at the desk, as if the given time had passed.
func (s smallHouse) after(wait time.Duration, do func(*desktest.House)) {
	s.t.Helper()
	now := func() time.Time { return time.Now().Add(wait) }
	keys, err := folder.ServerKeys(s.dir)
	require.NoError(s.t, err)
	log, err := sqlite.Open(context.Background(), filepath.Join(s.dir, "events.db"))
	require.NoError(s.t, err)
	do(&desktest.House{Desk: desk.NewDesk(log, keys, rulebooks.Named, now), T: s.t, Ctx: context.Background()})
	require.NoError(s.t, log.Close())
}

// says runs a sub-command in this process.
func says(in string, args ...string) (text string, status int) {
	var out bytes.Buffer
	status = run(context.Background(), args, console.Console{In: strings.NewReader(in), Out: &out, Err: &out})
	return out.String(), status
}

// done requires a sub-command to succeed, and returns its output.
func done(t testing.TB, args ...string) string {
	t.Helper()
	text, status := says("", args...)
	require.Zero(t, status, text)
	return text
}

// fails requires a sub-command to end with a status and to print something.
func fails(t testing.TB, status int, saying string, args ...string) {
	t.Helper()
	text, got := says("", args...)
	require.Equal(t, status, got, text)
	require.Contains(t, text, saying)
}

func (s smallHouse) file(name string) string { return filepath.Join(s.dir, name) }

func TestARunningTableIsExportedAsItsReaderMayKnowIt(t *testing.T) {
	s := newSmallHouse(t)
	record := done(t, "export", "--data", s.dir, s.running)
	require.Contains(t, record, `"viewer":"spectator"`)
	text, status := says(record, "verify", "-")
	require.Equal(t, 3, status, text)
	require.Contains(t, text, "Table "+s.running+": no fault found, but not everything could be checked.")
	require.Contains(t, text, "\n  left open: luck and moves, whose secrets are not open\n")
	require.Contains(t, text, "not open to the reader")
	require.Contains(t, text, "not checked:")
	require.Contains(t, done(t, "export", "--data", s.dir, "--as", "b", s.running), `"viewer":"B"`)
	fails(t, 1, "name spectator, or a seat from A", "export", "--data", s.dir, "--as", "C", s.running)
	fails(t, 1, "no such stream", "export", "--data", s.dir, events.NewName().String())
	fails(t, 1, "32", "export", "--data", s.dir, "mygame")
	fails(t, 1, "there is no house in", "export", "--data", t.TempDir(), s.running)
}

func TestAnEndedTableIsExportedWholeAndProved(t *testing.T) {
	s := newSmallHouse(t)
	file := s.file("game.jsonl")
	done(t, "export", "--data", s.dir, "-o", file, s.ended)
	text := done(t, "verify", file)
	require.Contains(t, text, "moves judged again")
	require.NotContains(t, text, "not checked")
	record, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(record), `"viewer":"everything"`)
	i := bytes.Index(record, []byte(`"move":"`))
	require.Positive(t, i)
	record[i+9] ^= 1
	require.NoError(t, os.WriteFile(file, record, 0o600))
	line := 1 + bytes.Count(record[:i], []byte("\n"))
	fails(t, 1, fmt.Sprintf("line %d: ", line), "verify", file)
	_, err = os.Stat(file + ".part")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestVerifySaysWhatItCannotMakeSenseOf(t *testing.T) {
	fails(t, 2, "name a record to check, or a house with --data", "verify")
	fails(t, 2, "read the record", "verify", filepath.Join(t.TempDir(), "nothing"))
	fails(t, 1, "there is no house in", "verify", "--data", t.TempDir())
	text, status := says("not a record\n", "verify", "-")
	require.Equal(t, 1, status)
	require.Contains(t, text, "not a record of this form")
	fails(t, 2, "no-such-flag", "verify", "--no-such-flag")
}

func TestAReceiptFromAMailIsHeldAgainstTheRecord(t *testing.T) {
	s := newSmallHouse(t)
	file := s.file("game.jsonl")
	done(t, "export", "--data", s.dir, "-o", file, s.running)
	fails(t, 3, "come after the last receipt", "verify", "--receipt", s.receipt, file)
	other := newSmallHouse(t)
	fails(t, 1, "receipt", "verify", "--receipt", other.receipt, file)
	fails(t, 1, "receipt", "verify", "--receipt", s.receipt[:len(s.receipt)-4]+"AAAA", file)
}

// Given receipts in a saved mail, quoted and wrapped, then they are checked against the record and the whole house, and
// they reveal a tail that was cut off.
func TestReceiptsOfASavedMailAreHeldAgainstAHouse(t *testing.T) {
	s := newSmallHouse(t)
	mail := s.file("mail.txt")
	require.NoError(t, os.WriteFile(mail,
		[]byte("On Monday Ana wrote:\n> The receipt:\n> "+s.receipt[:70]+"\n> "+s.receipt[70:]+"\n"), 0o600))
	text, status := says("", "verify", "--data", s.dir, "--receipt", mail)
	require.Equal(t, 3, status, text)
	require.Contains(t, text, "2 tables: no fault found, but not everything could be checked.")
	require.Contains(t, text, "come after the last receipt")
	require.Contains(t, text, "table "+s.ended+": no receipt of it was given")
	require.NotContains(t, text, "No receipt was held against it")
	fails(t, 2, "neither a receipt nor a file", "verify", "--data", s.dir, "--receipt", s.file("nothing"))
	require.NoError(t, os.WriteFile(mail, []byte(s.receipt[:90]), 0o600))
	fails(t, 2, "0 whole receipts, and 1 that are not whole", "verify", "--data", s.dir, "--receipt", mail)

	db, err := sql.Open("sqlite", s.file("events.db"))
	require.NoError(t, err)
	_, err = db.Exec(`DROP TRIGGER events_remain`)
	require.NoError(t, err)
	_, err = db.Exec(`DELETE FROM events WHERE pos >= (SELECT max(pos) FROM events WHERE hash = (SELECT hash FROM events WHERE hex(hash) = upper(?)))`,
		strings.Split(s.receipt, ":")[4])
	require.NoError(t, err)
	require.NoError(t, db.Close())
	text, status = says("", "verify", "--data", s.dir, "--receipt", s.receipt)
	require.Equal(t, 1, status, text)
	require.Regexp(t, `stream [0-9a-f]{32}, version \d+: `, text)
	require.Contains(t, text, "the schema lacks trigger events_remain")
}

// Given a log that names another house or another key, then verify says so.
func TestWhoseHouseItIsIsVerified(t *testing.T) {
	for column, says := range map[string]string{"name": "are of different houses", "key": "server.key is not the one"} {
		s := newSmallHouse(t)
		keys, err := folder.ServerKeys(s.dir)
		require.NoError(t, err)
		log, err := folder.OpenEvents(context.Background(), s.dir, keys, true)
		require.NoError(t, err)
		require.NoError(t, log.Close())
		require.Contains(t, done(t, "verify", "--data", s.dir), "unaltered")
		db, err := sql.Open("sqlite", s.file("events.db"))
		require.NoError(t, err)
		var trigger string
		require.NoError(t, db.QueryRow(`SELECT sql FROM sqlite_master WHERE name = 'house_stays'`).Scan(&trigger))
		for _, statement := range []string{`DROP TRIGGER house_stays`,
			`UPDATE house SET ` + column + ` = randomblob(length(` + column + `))`, trigger} {
			_, err = db.Exec(statement)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
		fails(t, 1, says, "verify", "--data", s.dir)
	}
}

func TestAHouseIsVerifiedAsAWhole(t *testing.T) {
	s := newSmallHouse(t)
	text := done(t, "verify", "--data", s.dir)
	require.Contains(t, text, "2 tables: unaltered.\n")
	require.Contains(t, text, "No receipt was held against it", "what cannot be known is said")
}

func TestADamagedHouseIsToldWhere(t *testing.T) {
	for name, damage := range map[string]struct{ statement, says string }{
		"a changed move": {`UPDATE events SET data = CAST(replace(CAST(data AS TEXT), '"', '''') AS BLOB) WHERE pos = 7`, `position 7, stream [0-9a-f]{32}, version \d+: .*altered`},
		"a changed time": {`UPDATE events SET at = at + 1 WHERE pos = 9`,
			`position 9, stream [0-9a-f]{32}, version \d+: .*altered`},
		"an event taken out":  {`DELETE FROM events WHERE pos = 8`, `position 8|version`},
		"somebody else's cmd": {`UPDATE events SET cmd = randomblob(16) WHERE pos = 6`, `position 6, .*altered`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSmallHouse(t)
			db, err := sql.Open("sqlite", s.file("events.db"))
			require.NoError(t, err)
			for _, trigger := range triggers(t, db) {
				_, err = db.Exec("DROP TRIGGER " + trigger)
				require.NoError(t, err)
			}
			done, err := db.Exec(damage.statement)
			require.NoError(t, err)
			n, err := done.RowsAffected()
			require.NoError(t, err)
			require.EqualValues(t, 1, n)
			require.NoError(t, db.Close())
			text, status := says("", "verify", "--data", s.dir)
			require.Equal(t, 1, status, text)
			require.Regexp(t, damage.says, text)
		})
	}
}

func triggers(t *testing.T, db *sql.DB) (names []string) {
	t.Helper()
	rows, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'trigger'`)
	require.NoError(t, err)
	for rows.Next() {
		var n string
		require.NoError(t, rows.Scan(&n))
		names = append(names, n)
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	return names
}

func TestATableMovesToAnotherServer(t *testing.T) {
	here, there, third := newSmallHouse(t), t.TempDir(), t.TempDir()
	key := strings.TrimSpace(done(t, "key", "--data", there, "--public-url", "https://there.example/"))
	require.Equal(t, strings.TrimSpace(done(t, "key", "--data", there))+"@https://there.example", key)
	fails(t, 1, "is not the address of one", "key", "--data", there, "--public-url", "there.example")
	file := here.file("moving.jsonl")
	fails(t, 1, "not the public key of a server", "handover", "--data", here.dir, "--to", "rubbish", "-o", file,
		here.running)
	_, err := os.Stat(file)
	require.ErrorIs(t, err, os.ErrNotExist)
	fails(t, 1, "table-ended", "handover", "--data", here.dir, "--to", key, "-o", file, here.ended)
	done(t, "handover", "--data", here.dir, "--to", key, "-o", file, here.running)
	require.NoError(t, os.Remove(file))
	// the file was lost and is written again
	done(t, "handover", "--data", here.dir, "--to", key, "-o", file, here.running)

	fails(t, 1, "not a handover for this server", "import", "--data", third, file)
	fails(t, 2, "read the record", "import", "--data", third, here.file("nothing"))
	plain := here.file("plain.jsonl")
	done(t, "export", "--data", here.dir, "-o", plain, here.ended)
	fails(t, 1, "it is a record for people", "import", "--data", third, plain)

	text := done(t, "import", "--data", there, "--public-url", "https://there.example", file)
	require.Contains(t, text, "Table "+here.running+" goes on here.")
	require.Len(t, regexp.MustCompile(`(?m)^  seat [AB]: https://there\.example/p/\S+$`).FindAllString(text, -1), 2)
	done(t, "import", "--data", there, file)
	require.Contains(t, done(t, "verify", "--data", there), "1 tables: unaltered.\n")
	fails(t, 3, "no fault found", "verify", "--receipt", here.receipt, file)

	smallHouse{t: t, dir: there}.at(func(h *desktest.House) {
		name, err := events.ParseName(here.running)
		require.NoError(t, err)
		require.Equal(t, domain.TableStarted, h.Sees(name).Table.Status)
		h.Random(name, rand.New(rand.NewPCG(2, 2)), 2)
	})
	fails(t, 3, "come after the last receipt", "verify", "--data", there, "--receipt", here.receipt)
	on := here.file("on.jsonl")
	done(t, "export", "--data", there, "-o", on, here.running)
	fails(t, 3, "come after the last receipt", "verify", "--receipt", here.receipt, on)
	fails(t, 1, "receipt", "verify", "--data", there, "--receipt", here.receipt[:len(here.receipt)-4]+"AAAA")
	here.at(func(h *desktest.House) {
		name, err := events.ParseName(here.running)
		require.NoError(t, err)
		require.Equal(t, domain.EndHanded, h.Sees(name).Table.End)
	})
	require.Contains(t, done(t, "verify", "--data", here.dir), "2 tables: unaltered.\n")
}

func TestViewsAreFilledAnew(t *testing.T) {
	s := newSmallHouse(t)
	for range 2 {
		require.Regexp(t, `^The views are filled anew, up to position \d+\.\n$`, done(t, "rebuild", "--data", s.dir))
	}
	files, err := filepath.Glob(s.file("views-*.db"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func TestOneFolderIsOneProcess(t *testing.T) {
	s := newSmallHouse(t)
	p := posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "serve", "--data", s.dir)
	for _, args := range [][]string{
		{"serve", "--data", s.dir, "--listen", "127.0.0.1:0"},
		{"rebuild", "--data", s.dir},
		{"handover", "--data", s.dir, "--to", strings.TrimSpace(done(t, "key", "--data", t.TempDir())), "-o",
			s.file("out"), s.running},
	} {
		text, status := posthorntest.Command(t, posthorntest.Binary(t), args...)
		require.Equal(t, 1, status, text)
		require.Contains(t, text, "another process has this log open")
	}
	require.Contains(t, done(t, "verify", "--data", s.dir), "2 tables: unaltered.\n", "looking is allowed")
	require.Contains(t, done(t, "export", "--data", s.dir, s.running), s.running)
	p.Stop()
	require.NotContains(t, p.Log.String(), "level=ERROR")
	q := posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "serve", "--data", s.dir)
	q.Stop()
}

func TestEveryTextOfTheHouseIsThereInEveryLanguage(t *testing.T) {
	book, err := words.New(rulebooks.All())
	require.NoError(t, err)
	for _, code := range refusals(t, "../../domain/*.go", "../../events/*.go", "../../events/desk/*.go") {
		require.True(t, book.Has("refuse."+code), "refuse.%s has no text", code)
	}
}

// refusals lists the refusal codes in source files.
func refusals(t *testing.T, globs ...string) (codes []string) {
	t.Helper()
	for _, g := range globs {
		files, err := filepath.Glob(g)
		require.NoError(t, err)
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`Refuse\("([a-z-]+)"`).FindAllSubmatch(text, -1) {
				codes = append(codes, string(m[1]))
			}
		}
	}
	require.Greater(t, len(codes), 40)
	return codes
}
