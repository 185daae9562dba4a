package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/programtest"
)

// The faults that a file of a data folder may have.
var faults = map[string]func(t *testing.T, path, other string){
	"truncated": func(t *testing.T, path, _ string) {
		st, err := os.Stat(path)
		require.NoError(t, err)
		require.NoError(t, os.Truncate(path, st.Size()/2))
	},
	"emptied": func(t *testing.T, path, _ string) { require.NoError(t, os.Truncate(path, 0)) },
	"zeroed": func(t *testing.T, path, _ string) {
		st, err := os.Stat(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, make([]byte, st.Size()), 0o600))
	},
	"a random page": func(t *testing.T, path, _ string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		dice := rand.New(rand.NewPCG(1, 2))
		at := somePage(t, path, len(text)/pageSize) * pageSize
		for i := at; i < min(at+pageSize, len(text)); i++ {
			text[i] = byte(dice.IntN(256))
		}
		require.NoError(t, os.WriteFile(path, text, 0o600))
	},
	"missing": func(t *testing.T, path, _ string) { require.NoError(t, os.RemoveAll(path)) },
	"of another house": func(t *testing.T, path, other string) {
		require.NoError(t, os.RemoveAll(path))
		putBack(t, other, path)
	},
	"unreadable": func(t *testing.T, path, _ string) { // for root, too, whom no mode keeps out
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, os.Symlink(filepath.Base(path), path))
	},
}

const pageSize = 4096

// somePage returns a page of a file that is in use: of people and mails one that holds a table together, since those
// that are free hold nothing.
func somePage(t *testing.T, path string, pages int) (page int) {
	t.Helper()
	table, ok := map[string]string{"people.db": "people", "mail.db": "outbox"}[filepath.Base(path)]
	if !ok {
		return pages / 2
	}
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	require.NoError(t, db.QueryRow(`SELECT rootpage - 1 FROM sqlite_schema WHERE name = ?`, table).Scan(&page))
	require.NoError(t, db.Close())
	return page
}

// closed lets nobody else read a folder and its files.
func closed(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.Chmod(dir, 0o700))
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.Chmod(f, 0o600))
	}
}

// putBack copies a file or a folder.
func putBack(t *testing.T, from, to string) {
	t.Helper()
	st, err := os.Stat(from)
	require.NoError(t, err)
	if st.IsDir() {
		require.NoError(t, os.CopyFS(to, os.DirFS(from)))
		return
	}
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, text, 0o600))
}

// What becomes of a house whose file has a fault: it does not start, and says why and what to do; it starts, and its
// log says so; or it starts as if nothing were, because the file is made anew.
const (
	refused = "refused: "
	told    = "told: "
	nothing = "nothing"
)

// becomes says what becomes of each file with each fault. A file without a fault of a name has no such fault: a folder
// is not truncated.
var becomes = map[string]map[string]string{
	"server.key": {"emptied": refused + "server.key does not hold",
		"truncated":     refused + "server.key does not hold 64 random hexadecimal digits. Put it back",
		"zeroed":        refused + "Put it back from your backup",
		"a random page": refused + "Put it back from your backup", "missing": refused + "server.key is missing",
		"of another house": refused + "server.key is not the one",
		"unreadable":       refused + "server.key cannot be opened",
	},
	"events.db": {"emptied": refused + "events.db is gone or empty",
		"truncated":     refused + "events.db is damaged. Put it back",
		"zeroed":        refused + "events.db is damaged. Put it back",
		"a random page": told + "events.db is damaged. Put it back", "missing": refused + "events.db is gone or empty",
		"of another house": refused + "is not the one that events.db was written with",
		"unreadable":       refused + "events.db cannot be opened",
	},
	"people.db": {"emptied": refused + "people.db is gone or empty",
		"truncated":        refused + "people.db is damaged. Put it back",
		"zeroed":           refused + "people.db is damaged. Put it back",
		"a random page":    refused + "people.db is damaged. Put it back",
		"missing":          refused + "people.db is gone or empty",
		"of another house": refused + "events.db and people.db are of different houses",
		"unreadable":       refused + "people.db cannot be opened",
	},
	"mail.db": {"emptied": told + "mail.db is new beside an older log",
		"truncated": refused + "mail.db is damaged. Put it back", "zeroed": refused + "mail.db is damaged. Put it back",
		"a random page":    refused + "mail.db is damaged. Put it back",
		"missing":          told + "mail.db is new beside an older log",
		"of another house": refused + "mail.db is of another house", "unreadable": refused + "mail.db cannot be opened",
	},
	"views-1.db": {"emptied": nothing,
		"truncated": told + "made anew from the log", "zeroed": told + "made anew from the log",
		"a random page": told + "made anew from the log",
		"missing":       nothing, "of another house": nothing, "unreadable": told + "made anew from the log",
	},
	"checkpoints.txt": {"emptied": nothing,
		"truncated": nothing, "zeroed": told + "checkpoints.txt is damaged. Put it back",
		"a random page":    told + "checkpoints.txt is damaged. Put it back",
		"missing":          told + "checkpoints.txt is missing: put it back",
		"of another house": told + "checkpoints.txt is of another house. Put it back",
		"unreadable":       told + "checkpoints.txt cannot be opened",
	},
	"checkpoints.tree": {"emptied": nothing, "truncated": nothing, "zeroed": nothing, "a random page": nothing,
		"missing": nothing, "of another house": nothing, "unreadable": nothing},
	"nats": {"missing": nothing, "of another house": nothing, "unreadable": nothing},
	"mailbox": {"missing": nothing, "of another house": nothing,
		"unreadable": refused + "mailbox cannot be opened"},
	"alive": {"truncated": nothing, "zeroed": nothing, "a random page": nothing, "missing": nothing,
		"of another house": nothing, "unreadable": told + "delete it: it is made anew"},
	"events.db-lock": {"missing": nothing, "of another house": nothing},
}

// lasting are the faults that a house which runs keeps, and speaks of until they are mended.
var lasting = map[string]bool{"events.db a random page": true, "mail.db missing": true, "mail.db emptied": true,
	"checkpoints.txt zeroed":        true,
	"checkpoints.txt a random page": true, "checkpoints.txt of another house": true, "checkpoints.txt unreadable": true}

func TestEveryFaultOfEveryFileIsSaid(t *testing.T) {
	programtest.Long(t)
	t.Parallel()
	cfg, table := inhabited(t)
	other, _ := inhabited(t)
	files, err := os.ReadDir(cfg.Data)
	require.NoError(t, err)
	for _, f := range files {
		require.Contains(t, becomes, f.Name(), "a file of the house that nobody says what becomes of")
	}
	for name, all := range becomes {
		for fault, want := range all {
			t.Run(name+" "+fault, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "house")
				putBack(t, cfg.Data, dir)
				closed(t, dir)
				faulty := cfg
				faulty.Data = dir
				faults[fault](t, filepath.Join(dir, name), filepath.Join(other.Data, name))
				if why, ok := strings.CutPrefix(want, refused); ok {
					isRefused(t, faulty, why)
				} else {
					goesOn(t, faulty, table, strings.TrimPrefix(want, told), want == nothing, lasting[name+" "+fault])
				}
				// What the sentence says is done, and nothing was lost.
				posthorntest.RemoveAll(t, faulty, name+"*")
				putBack(t, filepath.Join(cfg.Data, name), filepath.Join(dir, name))
				if name == "events.db" { // and, as a backup has it, the checkpoint of that log
					posthorntest.RemoveAll(t, faulty, "checkpoints.txt")
					putBack(t, filepath.Join(cfg.Data, "checkpoints.txt"), filepath.Join(dir, "checkpoints.txt"))
				}
				l := posthorntest.Lives(t, faulty)
				look, err := l.Desk.Look(l.Ctx, table)
				require.NoError(t, err)
				require.NotNil(t, look.Line)
				l.CaughtUp()
				l.Stop()
				text, status := says("", "verify", "--data", dir)
				require.NotEqual(t, 1, status, text)
			})
		}
	}
}

// The keys that sign mails are there with a mail server alone. A house that lacks one makes another; with one that
// cannot be used it does not start.
func TestAFaultOfAKeyThatSignsMailsIsSaid(t *testing.T) {
	t.Parallel()
	signs := func(data string) house.Settings {
		cfg := posthorntest.Settings(data)
		cfg.SMTP, cfg.From, cfg.PublicURL, cfg.DKIM = "smtp://127.0.0.1:1", "games@example.org",
			"https://games.example.org", true
		return cfg
	}
	cfg, other := signs(t.TempDir()), signs(t.TempDir())
	require.NoError(t, posthorntest.Starts(cfg))
	require.NoError(t, posthorntest.Starts(other))
	for _, name := range []string{"dkim-rsa.pem", "dkim-ed25519.pem"} {
		for fault, does := range faults {
			dir := filepath.Join(t.TempDir(), "house")
			putBack(t, cfg.Data, dir)
			closed(t, dir)
			does(t, filepath.Join(dir, name), filepath.Join(other.Data, name))
			if fault == "missing" || fault == "of another house" {
				require.NoError(t, posthorntest.Starts(signs(dir)), "%s %s", name, fault)
				continue
			}
			why := "put it back from your backup, or delete it for a new key and a new DNS record"
			require.ErrorContains(t, posthorntest.Starts(signs(dir)), why, "%s %s", name, fault)
			text, status := says("", "doctor", "--data", dir, "--smtp", "smtp://127.0.0.1:1", "--from", cfg.From,
				"--dkim")
			require.Equal(t, 1, status, text)
			require.Contains(t, text, why, "%s %s", name, fault)
			posthorntest.RemoveAll(t, signs(dir), name)
			putBack(t, filepath.Join(cfg.Data, name), filepath.Join(dir, name))
			require.NoError(t, posthorntest.Starts(signs(dir)), "%s %s", name, fault)
		}
	}
}

// isRefused starts a house and expects it to say why it does not, with what to do; the doctor says the same.
func isRefused(t *testing.T, cfg house.Settings, why string) {
	t.Helper()
	err := posthorntest.Starts(cfg)
	require.ErrorContains(t, err, why)
	require.Regexp(t, `backup|chown|away|belong`, err.Error(), "it says what to do")
	require.NotRegexp(t, `^(migrations|SQL|open |stat )`, err.Error(), "it is a sentence")
	if strings.HasPrefix(why, "mailbox") {
		return // without --smtp alone, and no doctor looks there
	}
	text, status := says("", "doctor", "--data", cfg.Data)
	require.Equal(t, 1, status, text)
	require.Contains(t, strings.ReplaceAll(text, "\n       ", "\n"), "WRONG", text)
	require.Contains(t, text, why)
}

// goesOn starts a house that goes on in spite of a fault, and expects it to say so, or nothing. What lasts is said
// wherever its host looks.
func goesOn(t *testing.T, cfg house.Settings, table events.Name, sentence string, silent, lasts bool) {
	t.Helper()
	cfg.Host = []string{"host@example.org"}
	l := posthorntest.Lives(t, cfg)
	defer l.Stop()
	host := l.Guest("host@example.org")
	require.NoError(t, l.Health.Examine(l.Ctx))
	l.CaughtUp()
	status, _ := l.Get("/t/"+table.String(), host, "en")
	require.Less(t, status, 500)
	if silent {
		return
	}
	logged := func() bool { return strings.Contains(l.Log.String(), sentence) }
	require.Eventually(t, logged, posthorntest.Patient, 5*time.Millisecond, "%s", l.Log)
	if !lasts {
		return
	}
	web := httptest.NewServer(l.Watched.Handler())
	defer web.Close()
	_, ready := posthorntest.Fetched(t, web.Client(), web.URL+"/readyz")
	require.Contains(t, ready, sentence)
	file, _, _ := strings.Cut(sentence, " ")
	for _, lang := range []string{"en", "pt-BR", "pt-PT", "pl"} {
		_, page := l.Get("/host", host, lang)
		todo, _, _ := strings.Cut(page, `id="tables"`)
		require.Contains(t, todo, "posthorn doctor", lang)
		require.Contains(t, todo, file, lang)
	}
	text, status := says("", "doctor", "--data", cfg.Data)
	require.Equal(t, 1, status, text)
	require.Contains(t, text, sentence)
}

func TestAStepBackToAnOlderProgramSaysWhatToDo(t *testing.T) {
	t.Parallel()
	whole, _ := inhabited(t)
	for _, file := range []string{"events.db", "people.db", "mail.db"} {
		cfg := whole
		cfg.Data = filepath.Join(t.TempDir(), "house")
		putBack(t, whole.Data, cfg.Data)
		db, err := sql.Open("sqlite", filepath.Join(cfg.Data, file))
		require.NoError(t, err)
		_, err = db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1); PRAGMA user_version = 9999`)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		for _, sentence := range []string{file + " was changed by a newer Posthorn", "nothing was changed",
			"Start the newer program again",
			"put back the backup that was made before the upgrade", "posthorn restore"} {
			require.ErrorContains(t, posthorntest.Starts(cfg), sentence)
			text, status := says("", "doctor", "--data", cfg.Data)
			require.Equal(t, 1, status, text)
			require.Contains(t, text, sentence)
		}
	}
}

func TestWhatOthersCanReadIsWarnedOf(t *testing.T) {
	t.Parallel()
	cfg, _ := inhabited(t)
	closed(t, cfg.Data)
	cfg.Host = []string{"host@example.org"}
	warned := func(sentence, file string) {
		t.Helper()
		l := posthorntest.Lives(t, cfg)
		defer l.Stop()
		require.NoError(t, l.Health.Examine(l.Ctx))
		web := httptest.NewServer(l.Watched.Handler())
		defer web.Close()
		status, ready := posthorntest.Fetched(t, web.Client(), web.URL+"/readyz")
		require.Equal(t, 200, status)
		_, page := l.Get("/host", l.Guest("host@example.org"), "en")
		text, status := says("", "doctor", "--data", cfg.Data)
		require.Equal(t, 0, status, text)
		if sentence == "" {
			require.Equal(t, "ok\n", ready)
			require.NotContains(t, text, "other users")
			return
		}
		require.Contains(t, ready, sentence)
		require.Contains(t, l.Log.String(), sentence)
		require.Contains(t, page, "Other users of the server can read "+file)
		require.Contains(t, text, "note   "+sentence)
	}
	warned("", "")
	key := filepath.Join(cfg.Data, "server.key")
	require.NoError(t, os.Chmod(key, 0o640))
	warned("other users of this machine can read "+key, "server.key")
	require.NoError(t, os.Chmod(key, 0o600))
	require.NoError(t, os.Chmod(cfg.Data, 0o755))
	warned("other users of this machine can look into the folder "+cfg.Data, cfg.Data)
}

func TestAPageThatIsDamagedWhileTheHouseRunsIsSaid(t *testing.T) {
	t.Parallel()
	cfg, _ := inhabited(t)
	closed(t, cfg.Data)
	l := posthorntest.Lives(t, cfg)
	defer l.Stop()
	web := httptest.NewServer(l.Watched.Handler())
	defer web.Close()
	ready := func() string {
		_, body := posthorntest.Fetched(t, web.Client(), web.URL+"/readyz")
		return body
	}
	require.NoError(t, l.Health.Examine(l.Ctx))
	require.Equal(t, "ok\n", ready())
	path := filepath.Join(cfg.Data, "people.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	// from another process: closing the file here would end SQLite's locks
	good, err := exec.Command("cat", path).Output()
	require.NoError(t, err)
	at := len(good) / pageSize / 2
	write := func(with string) {
		t.Helper()
		cmd := exec.Command("dd", "of="+path, "bs=4096", "count=1", fmt.Sprint("seek=", at), "conv=notrunc")
		cmd.Stdin = strings.NewReader(with)
		require.NoError(t, cmd.Run())
	}
	write(strings.Repeat("x", pageSize))
	require.NoError(t, l.People.Rest(l.Ctx)) // nothing is kept of it
	met := l.People.Sound(l.Ctx)
	require.Error(t, met)
	l.Logger.Error("request failed", "error", met) // as a page does that meets it
	require.Eventually(t, func() bool { return strings.Contains(ready(), "people.db is damaged. Put it back") },
		posthorntest.Patient, 5*time.Millisecond)
	_, figures := posthorntest.Fetched(t, web.Client(), web.URL+"/metrics")
	require.Contains(t, figures, "posthorn_file_faults 1")
	write(string(good[at*pageSize : (at+1)*pageSize]))
	require.NoError(t, l.Health.Examine(l.Ctx))
	require.Equal(t, "ok\n", ready(), "while it lasts, and no longer")
}
