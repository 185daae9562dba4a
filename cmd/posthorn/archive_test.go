package main

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/desktest"
)

// Given a house with a finished and a running game, when it is archived twice, once while it is running, then the
// finished game is written once and can be verified on its own; and one changed byte is noticed and named.
func TestFinishedGamesAreArchivedAndVerifyByThemselves(t *testing.T) {
	s, bin := newSmallHouse(t), posthorntest.Binary(t)
	dir := filepath.Join(t.TempDir(), "archive")
	does := func(status int, args ...string) string {
		t.Helper()
		text, got := posthorntest.Command(t, bin, args...)
		require.Equal(t, status, got, text)
		return text
	}
	p := posthorntest.Start(t, bin, "127.0.0.1:0", "serve", "--data", s.dir)
	require.Regexp(t, `^1 games archived, \d+ bytes\.\n$`, does(0, "archive", "--data", s.dir, dir))
	require.Equal(t, "0 games archived, 0 bytes.\n", does(0, "archive", "--data", s.dir, dir))
	p.Stop()
	name, err := events.ParseName(s.ended)
	require.NoError(t, err)
	file := archive.Folder(dir).Path(name)
	require.Regexp(t, `^1 archived games, \d+ bytes: unaltered\.\n$`, does(0, "verify", dir))
	text := does(0, "verify", file)
	require.Contains(t, text, "An archived game.\nTable "+s.ended+": unaltered.")
	require.Contains(t, text, "moves judged again")

	// It is a record again, for any program that reads records.
	back, written := s.file("back.jsonl"), s.file("written.jsonl")
	does(0, "unpack", file, "-o", back)
	does(0, "verify", back)
	done(t, "export", "--data", s.dir, "-o", written, s.ended)
	require.Equal(t, linesBehindHeader(t, written), linesBehindHeader(t, back))
	packed, err := os.ReadFile(file)
	require.NoError(t, err)
	text, status := says(string(packed), "verify", "-")
	require.Zero(t, status, text)
	require.Contains(t, text, "An archived game.")
	done(t, "script", file, "-o", s.file("game.script"))
	done(t, "play", "--strict", s.file("game.script"))

	// Another name, another byte, an empty file.
	other := archive.Folder(dir).Path(events.NewName())
	require.NoError(t, os.MkdirAll(filepath.Dir(other), 0o700))
	require.NoError(t, os.WriteFile(other, packed, 0o600))
	text = does(1, "verify", dir)
	require.Contains(t, text, other+": the file has the name of another table\n")
	require.Contains(t, text, "1 of 2 archived games are not as they should be")
	require.NoError(t, os.Remove(other))
	packed[rand.IntN(len(packed)-20)+20] ^= 4
	require.NoError(t, os.WriteFile(file, packed, 0o600))
	require.Contains(t, does(1, "verify", dir), file+": the archived game was damaged or altered")
	require.Contains(t, does(1, "verify", file), "damaged or altered")
	fails(t, 1, "damaged or altered", "unpack", file)
	fails(t, 1, "damaged or altered", "script", file)
	fails(t, 1, "not an archived game", "unpack", written)
	fails(t, 2, "no archived game is in", "verify", t.TempDir())
	fails(t, 2, "name its file", "verify", "--receipt", s.receipt, dir)
	require.NoError(t, os.Remove(file))
	fails(t, 2, "no archived game is in", "verify", dir)

	// A folder of another house is left alone.
	fails(t, 1, "the games of another house", "archive", "--data", newSmallHouse(t).dir, dir)
}

func linesBehindHeader(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	return lines[1 : len(lines)-2] // the header has the time of writing, and the sum covers it
}

// Given a running house with an archive, when a game ends, then it is in the archive, without any name, address, chat
// text or person's key; and it stays the same when a player is forgotten.
func TestNobodyIsInTheArchiveOfAServedHouse(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Archive = filepath.Join(t.TempDir(), "archive")
	l := posthorntest.Lives(t, cfg)
	ana, bo := l.Guest("ana@example.org"), l.Guest("bolek@example.org")
	h := l.Seated()
	table := h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	h.Random(table, rand.New(rand.NewPCG(1, 1)), 4)
	status, body := l.Chats(table, ana, events.NewCommandID())
	require.Less(t, status, 400, body)
	h.Resigns(bo.ID, table, 1)
	file := archive.Folder(cfg.Archive).Path(table)
	var packed []byte
	require.Eventually(t, func() bool {
		b, err := os.ReadFile(file)
		packed = b
		return err == nil
	}, posthorntest.Patient, 5*time.Millisecond, "it is not archived: %s", l.Log)
	text, err := archive.Unpack(packed)
	require.NoError(t, err)
	require.Contains(t, string(text), `"table.said.v1"`)

	secrets := map[string][]byte{"a name": []byte("Bol"), "an address": []byte("example.org"),
		"a word": []byte("hello"), "a session": []byte(ana.Session), "a token": []byte(ana.Token),
		"the key of people's keys": l.Keys.For("people keys")}
	box, err := events.NewBox(l.Keys.For("people keys"))
	require.NoError(t, err)
	db, err := sql.Open("sqlite", l.Path("people.db"))
	require.NoError(t, err)
	for _, id := range []string{string(ana.ID), string(bo.ID)} {
		raw, err := hex.DecodeString(id)
		require.NoError(t, err)
		var wrapped []byte
		require.NoError(t, db.QueryRow(`SELECT text_key FROM people WHERE id = ?`, raw).Scan(&wrapped))
		key, err := box.Open(nil, nil, wrapped, raw)
		require.NoError(t, err)
		require.Len(t, key, 32)
		secrets["the sealed key of "+id], secrets["the key of "+id] = wrapped, key
	}
	require.NoError(t, db.Close())
	for what, secret := range secrets {
		for _, in := range [][]byte{packed, text} {
			for _, form := range [][]byte{secret, []byte(hex.EncodeToString(secret)),
				[]byte(base64.StdEncoding.EncodeToString(secret)),
				[]byte(base64.RawURLEncoding.EncodeToString(secret))} {
				require.False(t, bytes.Contains(in, form), what)
			}
		}
	}

	l.Stop()
	done(t, "forget", "--data", cfg.Data, "ana@example.org")
	require.Equal(t, "0 games archived, 0 bytes.\n", done(t, "archive", "--data", cfg.Data, cfg.Archive))
	require.Contains(t, done(t, "verify", cfg.Archive), "1 archived games")
	still, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, packed, still)
}

// Given an archive that cannot be written, then people play on, and the host is told.
func TestAnArchiveThatCannotBeWrittenStopsNobody(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	cfg.Archive = filepath.Join(file, "archive")
	l := posthorntest.Lives(t, cfg)
	require.Eventually(t, func() bool { return strings.Contains(l.Log.String(), "the archive cannot be written") },
		posthorntest.Patient, 5*time.Millisecond)
	ana := l.Guest("ana@example.org")
	status, _ := l.Get("/api/v1/me", ana, "en")
	require.Less(t, status, 500)
}

// Given a program that is killed while archiving, when it runs again, then each game is there once, and whole.
func TestAnArchiveThatWasKilledGoesOn(t *testing.T) {
	const games = 6
	s, dir := newSmallHouse(t), filepath.Join(t.TempDir(), "archive")
	s.at(func(h *desktest.House) {
		for range games - 1 {
			table := h.Starts("carcassonne", nil, desktest.Player(anaID), desktest.Player(boID))
			h.Resigns(boID, table, 1)
			h.Follows(table)
		}
	})
	there := func() (n int) {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*"+archive.Ending))
		require.NoError(t, err)
		return len(files)
	}
	for there() < games { // killed again and again, each time after at least one more game
		before := there()
		cmd := exec.CommandContext(t.Context(), posthorntest.Binary(t), "archive", "--data", s.dir, dir)
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		require.Eventually(t, func() bool { return there() > before }, posthorntest.Patient, time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	}
	done(t, "archive", "--data", s.dir, dir)
	require.Regexp(t, `^6 archived games, \d+ bytes: unaltered\.\n$`, done(t, "verify", dir))
}
