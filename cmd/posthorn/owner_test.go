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

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/desktest"
)

// inhabited makes the data folder of a house in which people play.
func inhabited(t *testing.T) (cfg house.Settings, table events.Name) {
	t.Helper()
	cfg = posthorntest.Settings(t.TempDir())
	l := posthorntest.Lives(t, cfg)
	ana := l.Guest("ana@example.org")
	table = l.Seated().Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.StandIn())
	l.CaughtUp()
	ctx, cancel := context.WithCancel(l.Ctx)
	defer cancel()
	last, err := l.House.Log.Last(ctx)
	require.NoError(t, err)
	require.NoError(t, l.Relay.Synced(ctx, last), "NATS has its copy")
	l.Stop()
	require.NoError(t, posthorntest.Starts(cfg), "it starts again")
	return cfg, table
}

// aged removes from a house what older programs did not write.
func aged(t *testing.T, cfg house.Settings) {
	t.Helper()
	for file, texts := range map[string][]string{
		"events.db": {`DROP TABLE house`, `DELETE FROM goose_db_version WHERE version_id = 2`},
		"people.db": {`DELETE FROM settings WHERE key = 'log'`},
		"mail.db":   {`DELETE FROM house`},
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
	for name, age := range map[string]func(*testing.T, house.Settings){"a log that names its key": nil,
		"a log from before": aged} {
		t.Run(name, func(t *testing.T) {
			cfg, table := inhabited(t)
			if age != nil {
				age(t, cfg)
			}
			path := filepath.Join(cfg.Data, "server.key")
			right, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, []byte(hex.EncodeToString(fresh())+"\n"), 0o600))

			require.ErrorIs(t, posthorntest.Starts(cfg), folder.ErrOtherKey)
			fails(t, 1, "server.key is not the one", "export", "--data", cfg.Data, table.String())
			fails(t, 1, "server.key is not the one", "verify", "--data", cfg.Data)
			fails(t, 1, "server.key is not the one", "rebuild", "--data", cfg.Data)

			require.NoError(t, os.WriteFile(path, right, 0o600))
			require.NoError(t, posthorntest.Starts(cfg))
			require.NoError(t, posthorntest.Starts(cfg), "and again, now that the log names its key")
		})
	}
}

func fresh() []byte {
	a, b := events.NewName(), events.NewName()
	return append(a[:], b[:]...)
}

func TestALostLogIsNotBegunAnewBesideItsPeople(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(t *testing.T, cfg house.Settings){
		"gone": func(t *testing.T, cfg house.Settings) { posthorntest.RemoveAll(t, cfg, "events.db*") },
		"emptied": func(t *testing.T, cfg house.Settings) {
			posthorntest.RemoveAll(t, cfg, "events.db-*")
			require.NoError(t, os.Truncate(filepath.Join(cfg.Data, "events.db"), 0))
		},
		"gone, and from before": func(t *testing.T, cfg house.Settings) {
			aged(t, cfg)
			posthorntest.RemoveAll(t, cfg, "events.db*")
		},
		"made anew": func(t *testing.T, cfg house.Settings) {
			posthorntest.RemoveAll(t, cfg, "events.db*")
			elsewhere := posthorntest.Settings(t.TempDir())
			key, err := os.ReadFile(filepath.Join(cfg.Data, "server.key"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere.Data, "server.key"), key, 0o600))
			require.NoError(t, posthorntest.Starts(elsewhere))
			made := posthorntest.Folded(t, filepath.Join(elsewhere.Data, "events.db"))
			require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "events.db"), made, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, table := inhabited(t)
			lose(t, cfg)
			before := size(t, filepath.Join(cfg.Data, "nats"))
			require.Positive(t, before)

			require.ErrorIs(t, posthorntest.Starts(cfg), folder.ErrLostLog)
			require.ErrorIs(t, posthorntest.Starts(cfg), folder.ErrLostLog, "nor the second time")
			require.ErrorContains(t, folder.ErrLostLog, "restore-from-nats")
			require.Equal(t, before, size(t, filepath.Join(cfg.Data, "nats")), "NATS's copy is the last one")

			posthorntest.RemoveAll(t, cfg, "events.db*")
			require.Contains(t, done(t, "restore-from-nats", "--data", cfg.Data, "--until", "2"),
				"restored up to position 2.")
			left, err := filepath.Glob(filepath.Join(cfg.Data, "events.db*"))
			require.NoError(t, err)
			require.Len(t, left, 1, "nothing is left of the rest")
			posthorntest.RemoveAll(t, cfg, "events.db*")
			require.Contains(t, done(t, "restore-from-nats", "--data", cfg.Data), "restored up to position")
			fails(t, 1, "is there", "restore-from-nats", "--data", cfg.Data)
			require.NoError(t, posthorntest.Starts(cfg))
			text, status := says("", "verify", "--data", cfg.Data)
			require.NotEqual(t, 1, status, text)
			l := posthorntest.Lives(t, cfg)
			code, body := l.Get("/t/"+table.String(), l.Guest("ana@example.org"), "en")
			require.Equal(t, 200, code, body)
		})
	}
}

// size returns the total size of a folder's files, in bytes.
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
	for name, age := range map[string]func(*testing.T, house.Settings){"now": nil, "a log from before": aged} {
		t.Run(name, func(t *testing.T) {
			cfg, table := inhabited(t)
			if age != nil {
				age(t, cfg)
			}
			kept := filepath.Join(t.TempDir(), "people.db")
			require.NoError(t, os.Rename(filepath.Join(cfg.Data, "people.db"), kept))
			posthorntest.RemoveAll(t, cfg, "people.db*")

			require.ErrorIs(t, posthorntest.Starts(cfg), folder.ErrLostPeople)
			require.ErrorIs(t, posthorntest.Starts(cfg), folder.ErrLostPeople, "nor the second time")
			require.NoFileExists(t, filepath.Join(cfg.Data, "people.db"))

			t.Run("the backup is put back", func(t *testing.T) {
				text, err := os.ReadFile(kept)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "people.db"), text, 0o600))
				require.NoError(t, posthorntest.Starts(cfg))
				posthorntest.RemoveAll(t, cfg, "people.db*")
			})
			t.Run("or all accounts are gone and players take their seats again", func(t *testing.T) {
				cfg.NewPeople = true
				l := posthorntest.Lives(t, cfg)
				text := done(t, "claims", "--data", cfg.Data, "--public-url", l.Config.PublicURL)
				require.Contains(t, text, table.String())
				_, link, ok := strings.Cut(text, "seat A: "+l.Config.PublicURL)
				require.True(t, ok, text)
				link = strings.TrimSpace(strings.SplitN(link, "\n", 2)[0])
				ana := l.Guest("ana@example.org")
				code, body := l.Get(link, ana, "en")
				require.Equal(t, 200, code, body)
				code, body = l.Post(link+"/claim", ana, map[string][]string{"id": {events.NewCommandID().String()}})
				require.Less(t, code, 400, body)
				look, err := l.Desk.Look(l.Ctx, table)
				require.NoError(t, err)
				require.True(t, look.Table.Places[0].Holds(ana.ID))
				l.Stop()
				cfg.NewPeople = false
				require.NoError(t, posthorntest.Starts(cfg), "once is enough")
			})
		})
	}
}

func TestNothingIsRestoredFromNothing(t *testing.T) {
	t.Parallel()
	cfg, _ := inhabited(t)
	posthorntest.RemoveAll(t, cfg, "events.db*")
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
	backup := posthorntest.Folded(t, filepath.Join(cfg.Data, "events.db"))
	l := posthorntest.Lives(t, cfg)
	code, body := l.Chats(table, l.Guest("ana@example.org"), events.NewCommandID())
	require.Less(t, code, 400, body)
	last, err := l.House.Log.Last(l.Ctx)
	require.NoError(t, err)
	require.NoError(t, l.Relay.Synced(l.Ctx, last))
	_, err = l.Checkpoints.Sign(l.Ctx)
	require.NoError(t, err)
	l.Stop()
	posthorntest.RemoveAll(t, cfg, "events.db*")
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "events.db"), backup, 0o600))
	fails(t, 1, "checkpoints.txt: the log does not go on from the latest checkpoint", "verify", "--data", cfg.Data)

	l = posthorntest.Lives(t, cfg)
	require.NoError(t, l.Relay.Synced(l.Ctx, last-1))
	require.DirExists(t, filepath.Join(cfg.Data, "nats-kept-1"))
	require.Contains(t, l.Log.String(), "nats-kept-1")
	l.Stop()
	posthorntest.RemoveAll(t, cfg, "events.db*")
	posthorntest.RemoveAll(t, cfg, "nats")
	require.NoError(t, os.Rename(filepath.Join(cfg.Data, "nats-kept-1"), filepath.Join(cfg.Data, "nats")))
	require.Contains(t, done(t, "restore-from-nats", "--data", cfg.Data), fmt.Sprint("up to position ", last))
	require.NoError(t, posthorntest.Starts(cfg))
}

func TestFilesOfDifferentHousesAreRefused(t *testing.T) {
	t.Parallel()
	cfg, _ := inhabited(t)
	other, _ := inhabited(t)
	key := posthorntest.Folded(t, filepath.Join(other.Data, "people.db"))
	posthorntest.RemoveAll(t, cfg, "people.db*")
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "people.db"), key, 0o600))
	require.ErrorIs(t, posthorntest.Starts(cfg), folder.ErrOtherHouse)
}

func TestAYoungHouseStartsAgain(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Host = []string{"host@example.org"}
	require.NoError(t, posthorntest.Starts(cfg))
	require.NoError(t, posthorntest.Starts(cfg), "with a host, and no table yet")
	aged(t, cfg)
	require.NoError(t, posthorntest.Starts(cfg), "also one that an older program began")
}

func TestTheNameOfTheFolderMayHoldAnything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a #1?b=%41&ç")
	require.NoError(t, posthorntest.Starts(posthorntest.Settings(dir)))
	for _, file := range []string{"events.db", "people.db", "mail.db", "views-1.db"} {
		require.FileExists(t, filepath.Join(dir, file))
	}
}
