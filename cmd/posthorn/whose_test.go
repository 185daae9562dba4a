package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
)

// inhabited is a data folder of a house in which people play.
func inhabited(t *testing.T) (cfg houseSettings, table events.Name) {
	t.Helper()
	cfg = livingSettings(t.TempDir())
	l := lives(t, cfg)
	ana := l.guest("ana@example.org")
	table = l.seated().Starts("carcassonne", nil, desktest.Player(ana.id), desktest.StandIn())
	l.caughtUp()
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	last, err := l.house.log.Last(ctx)
	require.NoError(t, err)
	require.NoError(t, l.relay.Synced(ctx, last), "NATS has its copy")
	l.stop()
	require.NoError(t, starts(cfg), "it starts again")
	return cfg, table
}

// aged takes out of a house what older programs did not write.
func aged(t *testing.T, cfg houseSettings) {
	t.Helper()
	for file, texts := range map[string][]string{
		"events.db": {`DROP TABLE house`, `DELETE FROM goose_db_version WHERE version_id = 2`},
		"people.db": {`DELETE FROM settings WHERE key = 'log'`},
	} {
		db, err := sql.Open("sqlite", filepath.Join(cfg.Data, file))
		require.NoError(t, err)
		for _, text := range texts {
			_, err := db.Exec(text)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
	}
}

func TestAnotherKeyIsRefused(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]func(*testing.T, houseSettings){"a log that names its key": nil, "a log from before": aged} {
		t.Run(name, func(t *testing.T) {
			cfg, table := inhabited(t)
			if age != nil {
				age(t, cfg)
			}
			path := filepath.Join(cfg.Data, "server.key")
			right, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, []byte(hex.EncodeToString(fresh())+"\n"), 0o600))

			require.ErrorIs(t, starts(cfg), errOtherKey)
			fails(t, 1, "server.key is not the one", "export", "--data", cfg.Data, table.String())
			fails(t, 1, "server.key is not the one", "verify", "--data", cfg.Data)
			fails(t, 1, "server.key is not the one", "rebuild", "--data", cfg.Data)

			require.NoError(t, os.WriteFile(path, right, 0o600))
			require.NoError(t, starts(cfg))
			require.NoError(t, starts(cfg), "and again, now that the log names its key")
		})
	}
}

func fresh() []byte {
	a, b := events.NewName(), events.NewName()
	return append(a[:], b[:]...)
}

func TestALostLogIsNotBegunAnewBesideItsPeople(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(t *testing.T, cfg houseSettings){
		"gone": func(t *testing.T, cfg houseSettings) { removeAll(t, cfg, "events.db*") },
		"emptied": func(t *testing.T, cfg houseSettings) {
			removeAll(t, cfg, "events.db-*")
			require.NoError(t, os.Truncate(filepath.Join(cfg.Data, "events.db"), 0))
		},
		"gone, and from before": func(t *testing.T, cfg houseSettings) {
			aged(t, cfg)
			removeAll(t, cfg, "events.db*")
		},
		"made anew": func(t *testing.T, cfg houseSettings) {
			removeAll(t, cfg, "events.db*")
			elsewhere := livingSettings(t.TempDir())
			key, err := os.ReadFile(filepath.Join(cfg.Data, "server.key"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere.Data, "server.key"), key, 0o600))
			require.NoError(t, starts(elsewhere))
			made := folded(t, filepath.Join(elsewhere.Data, "events.db"))
			require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "events.db"), made, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, table := inhabited(t)
			lose(t, cfg)
			before := size(t, filepath.Join(cfg.Data, "nats"))
			require.Positive(t, before)

			require.ErrorIs(t, starts(cfg), errLostLog)
			require.ErrorIs(t, starts(cfg), errLostLog, "nor the second time")
			require.ErrorContains(t, errLostLog, "restore-from-nats")
			require.Equal(t, before, size(t, filepath.Join(cfg.Data, "nats")), "NATS's copy is the last one")

			removeAll(t, cfg, "events.db*")
			require.Contains(t, done(t, "restore-from-nats", "--data", cfg.Data, "--until", "2"), "restored up to position 2.")
			left, err := filepath.Glob(filepath.Join(cfg.Data, "events.db*"))
			require.NoError(t, err)
			require.Len(t, left, 1, "nothing is left of the rest")
			removeAll(t, cfg, "events.db*")
			require.Contains(t, done(t, "restore-from-nats", "--data", cfg.Data), "restored up to position")
			fails(t, 1, "is there", "restore-from-nats", "--data", cfg.Data)
			require.NoError(t, starts(cfg))
			text, status := says("", "verify", "--data", cfg.Data)
			require.NotEqual(t, 1, status, text)
			l := lives(t, cfg)
			code, body := l.get("/t/"+table.String(), l.guest("ana@example.org"), "en")
			require.Equal(t, 200, code, body)
		})
	}
}

// size is how many bytes the files of a folder have.
func size(t *testing.T, dir string) (n int64) {
	t.Helper()
	require.NoError(t, filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			n += info.Size()
		}
		return err
	}))
	return n
}

func TestLostPeopleAreNotReplacedInSilence(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]func(*testing.T, houseSettings){"now": nil, "a log from before": aged} {
		t.Run(name, func(t *testing.T) {
			cfg, table := inhabited(t)
			if age != nil {
				age(t, cfg)
			}
			kept := filepath.Join(t.TempDir(), "people.db")
			require.NoError(t, os.Rename(filepath.Join(cfg.Data, "people.db"), kept))
			removeAll(t, cfg, "people.db*")

			require.ErrorIs(t, starts(cfg), errLostPeople)
			require.ErrorIs(t, starts(cfg), errLostPeople, "nor the second time")
			require.NoFileExists(t, filepath.Join(cfg.Data, "people.db"))

			t.Run("the backup is put back", func(t *testing.T) {
				text, err := os.ReadFile(kept)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "people.db"), text, 0o600))
				require.NoError(t, starts(cfg))
				removeAll(t, cfg, "people.db*")
			})
			t.Run("or everybody is a stranger and takes their seat again", func(t *testing.T) {
				cfg.NewPeople = true
				l := lives(t, cfg)
				text := done(t, "claims", "--data", cfg.Data, "--public-url", l.cfg.PublicURL)
				require.Contains(t, text, table.String())
				_, link, ok := strings.Cut(text, "seat A: "+l.cfg.PublicURL)
				require.True(t, ok, text)
				link = strings.TrimSpace(strings.SplitN(link, "\n", 2)[0])
				ana := l.guest("ana@example.org")
				code, body := l.get(link, ana, "en")
				require.Equal(t, 200, code, body)
				code, body = l.post(link+"/claim", ana, map[string][]string{"id": {events.NewCommandID().String()}})
				require.Less(t, code, 400, body)
				look, err := l.desk.Look(l.ctx, table)
				require.NoError(t, err)
				require.True(t, look.Table.Places[0].Holds(ana.id))
				l.stop()
				cfg.NewPeople = false
				require.NoError(t, starts(cfg), "once is enough")
			})
		})
	}
}

func TestNothingIsRestoredFromNothing(t *testing.T) {
	t.Parallel()
	cfg, _ := inhabited(t)
	removeAll(t, cfg, "events.db*")
	require.NoError(t, os.Rename(filepath.Join(cfg.Data, "nats"), filepath.Join(cfg.Data, "elsewhere")))
	fails(t, 1, "no copy to restore from", "restore-from-nats", "--data", cfg.Data)
	require.NoError(t, os.Mkdir(filepath.Join(cfg.Data, "nats"), 0o700))
	fails(t, 1, "", "restore-from-nats", "--data", cfg.Data)
	require.NoFileExists(t, filepath.Join(cfg.Data, "events.db"))
	require.NoError(t, os.Remove(filepath.Join(cfg.Data, "server.key")))
	fails(t, 1, "server's key", "restore-from-nats", "--data", cfg.Data)
}

func TestACopyThatGoesFurtherThanTheLogIsKept(t *testing.T) {
	t.Parallel()
	cfg, table := inhabited(t)
	backup := folded(t, filepath.Join(cfg.Data, "events.db"))
	l := lives(t, cfg)
	code, body := l.chats(table, l.guest("ana@example.org"), events.NewCommandID())
	require.Less(t, code, 400, body)
	last, err := l.house.log.Last(l.ctx)
	require.NoError(t, err)
	require.NoError(t, l.relay.Synced(l.ctx, last))
	l.stop()
	removeAll(t, cfg, "events.db*")
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "events.db"), backup, 0o600))

	l = lives(t, cfg)
	require.NoError(t, l.relay.Synced(l.ctx, last-1))
	require.DirExists(t, filepath.Join(cfg.Data, "nats-kept-1"))
	require.Contains(t, l.log.String(), "nats-kept-1")
	l.stop()
	removeAll(t, cfg, "events.db*")
	removeAll(t, cfg, "nats")
	require.NoError(t, os.Rename(filepath.Join(cfg.Data, "nats-kept-1"), filepath.Join(cfg.Data, "nats")))
	require.Contains(t, done(t, "restore-from-nats", "--data", cfg.Data), fmt.Sprint("up to position ", last))
	require.NoError(t, starts(cfg))
}

func TestFilesOfDifferentHousesAreRefused(t *testing.T) {
	t.Parallel()
	cfg, _ := inhabited(t)
	other, _ := inhabited(t)
	key := folded(t, filepath.Join(other.Data, "people.db"))
	removeAll(t, cfg, "people.db*")
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "people.db"), key, 0o600))
	require.ErrorIs(t, starts(cfg), errOtherHouse)
}

func TestAYoungHouseStartsAgain(t *testing.T) {
	cfg := livingSettings(t.TempDir())
	cfg.Host = []string{"host@example.org"}
	require.NoError(t, starts(cfg))
	require.NoError(t, starts(cfg), "with a host, and no table yet")
	aged(t, cfg)
	require.NoError(t, starts(cfg), "also one that an older program began")
}

func TestTheNameOfTheFolderMayHoldAnything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a #1?b=%41&ç")
	require.NoError(t, starts(livingSettings(dir)))
	for _, file := range []string{"events.db", "people.db", "mail.db", "views-1.db"} {
		require.FileExists(t, filepath.Join(dir, file))
	}
}
