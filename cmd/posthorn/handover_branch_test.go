package main

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/archive"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestABranchIsHandedOverOnceItsFirstGameHasEnded(t *testing.T) {
	t.Parallel()
	s, there := newSmallHouse(t), t.TempDir()
	var branch, free events.Name
	s.at(func(h *desktest.House) {
		running, err1 := events.ParseName(s.running)
		ended, err2 := events.ParseName(s.ended)
		require.NoError(t, errors.Join(err1, err2))
		branch = h.Starts("carcassonne", h.BranchOf(running, 3, "game"), desktest.Player(boID), desktest.Player(anaID))
		free = h.Starts("carcassonne", h.BranchOf(ended, 3, "game"), desktest.Player(boID), desktest.Player(anaID))
	})
	key := strings.TrimSpace(done(t, "key", "--data", there))
	fails(t, 1, "once every game that it goes on from has ended", "handover", "--data", s.dir, "--to", key, "-o",
		s.file("out"), branch.String())
	s.at(func(h *desktest.House) {
		require.Equal(t, domain.TableStarted, h.Sees(branch).Table.Status, "it is not closed for nothing")
		h.Random(branch, rand.New(rand.NewPCG(5, 5)), 2)
	})
	require.Contains(t, done(t, "verify", "--data", s.dir), "4 tables: unaltered.\n")

	done(t, "handover", "--data", s.dir, "--to", key, "-o", s.file("out"), free.String())
	fails(t, 3, "moves judged again", "verify", s.file("out"))
	for range 2 {
		text := done(t, "import", "--data", there, "--public-url", "https://there.example", s.file("out"))
		require.Contains(t, text, "Table "+free.String()+
			" goes on here, with the finished table that it goes on from: "+s.ended+".")
	}
	smallHouse{t: t, dir: there}.at(func(h *desktest.House) {
		h.Random(free, rand.New(rand.NewPCG(2, 2)), 2)
		h.Ends(free)
		h.Follows(free)
	})
	require.Contains(t, done(t, "verify", "--data", there), "2 tables: unaltered.\n")
	done(t, "export", "--data", there, "-o", s.file("home"), free.String())
	done(t, "export", "--data", there, "-o", s.file("kept"), s.ended)
	ours, theirs, known := keyOf(t, s.file("out")), keyOf(t, s.file("home")), s.file("known")
	fails(t, 3, "not everything could be checked", "verify", "--key", ours, s.file("home")) // which was given away
	fails(t, 1, "signed with another key", "verify", "--key", ours, s.file("kept"))
	done(t, "verify", "--key", theirs, s.file("kept"))
	text := done(t, "verify", "--known", known, s.file("kept"))
	require.Contains(t, text, "Nothing shows that the former server gave it away.\n")
	require.Contains(t, text, "It is not remembered: nothing shows that the table was given to that server.")
	require.NoFileExists(t, known, "anybody can write a table's arrival after its end")
	archived := archive.Folder(filepath.Join(t.TempDir(), "archive"))
	require.Regexp(t, `^2 games archived, `, done(t, "archive", "--data", there, string(archived)))
	fails(t, 1, "1 of 2 archived games are not as they should be", "verify", "--key", ours, string(archived))
	fails(t, 1, "signed with another key: that of the house is "+theirs, "verify", "--key", ours, "--data", there)
	done(t, "verify", "--key", theirs, "--data", there)
	require.Contains(t, done(t, "import", "--data", s.dir, archived.Path(free)), "has ended at the other server")
	require.Contains(t, done(t, "import", "--data", s.dir, s.file("home")), "has ended at the other server")
}

// keyOf returns the key that the last header of a file names.
func keyOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	_, after, ok := strings.Cut(string(text[strings.LastIndex(string(text), `"format":"posthorn-record-1"`):]),
		`"key":"`)
	require.True(t, ok)
	key, _, _ := strings.Cut(after, `"`)
	return key
}

// Anything the other server would refuse is reported before the branch is closed here.
func TestABranchIsNotClosedForAServerThatCannotTakeIt(t *testing.T) {
	t.Parallel()
	s, there := newSmallHouse(t), t.TempDir()
	table, err := events.ParseName(s.running)
	require.NoError(t, err)
	key := strings.TrimSpace(done(t, "key", "--data", there))
	done(t, "handover", "--data", s.dir, "--to", key, "-o", s.file("out"), s.running)
	done(t, "import", "--data", there, s.file("out"))
	var branch events.Name
	at := smallHouse{t: t, dir: there}
	at.at(func(h *desktest.House) {
		h.Random(table, rand.New(rand.NewPCG(7, 7)), 2)
		h.Ends(table)
		h.Follows(table)
		branch = h.Starts("carcassonne", h.BranchOf(table, h.Sees(table).LineHead.Version, "game"),
			desktest.Player(boID), desktest.Player(anaID))
	})
	key = strings.TrimSpace(done(t, "key", "--data", s.dir))
	for range 2 {
		fails(t, 1, "nothing was closed", "handover", "--data", there, "--to", key, "-o", s.file("back"),
			branch.String())
		at.at(func(h *desktest.House) { require.Equal(t, domain.TableStarted, h.Sees(branch).Table.Status) })
	}
	key = strings.TrimSpace(done(t, "key", "--data", t.TempDir()))
	done(t, "handover", "--data", there, "--taken", "--to", key, "-o", s.file("on"), branch.String())
	// already closed: written again
	done(t, "handover", "--data", there, "--to", key, "-o", s.file("on"), branch.String())
}

// A branch and the game it goes on from, as people see them on the new server.
func TestABranchCanBeReadWhereItWasHandedOverTo(t *testing.T) {
	t.Parallel()
	here, there := posthorntest.Lives(t, posthorntest.Settings(t.TempDir())), posthorntest.Settings(t.TempDir())
	h, ana, bo := here.Seated(), here.Guest("ana@example.org"), here.Guest("boo@example.org")
	source := h.StartsBy(ana.ID, "catan", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	h.Random(source, rand.New(rand.NewPCG(1, 1)), 9)
	h.Ends(source)
	h.Follows(source)
	branch := h.StartsBy(ana.ID, "catan", h.BranchOf(source, 7, "game"), desktest.Player(ana.ID),
		desktest.Player(bo.ID))
	h.Random(branch, rand.New(rand.NewPCG(2, 2)), 3)
	here.CaughtUp()
	here.Stop()
	posthorntest.Lives(t, there).Stop()
	key := strings.TrimSpace(done(t, "key", "--data", there.Data))
	file := filepath.Join(t.TempDir(), "moving")
	done(t, "handover", "--data", here.Config.Data, "--to", key, "-o", file, branch.String())
	require.Contains(t, done(t, "import", "--data", there.Data, file), source.String())

	l := posthorntest.Lives(t, there)
	cid := l.Guest("cid@example.org")
	l.Seated().Does(cid.ID, branch, desk.Claim{Seat: 0, Was: ana.ID})
	l.CaughtUp()
	for _, who := range []posthorntest.Guest{cid, {}} {
		for _, table := range []events.Name{branch, source} {
			for _, page := range []string{"", "/story", "/print", "/audit", "/tree", "/receipts", "/record",
				"/line/" + l.Seated().Sees(table).LineName.String() + "/5"} {
				status, body := l.Get("/t/"+table.String()+page, who, "en")
				require.Equal(t, 200, status, "%s: %s", page, body)
			}
		}
	}
	// Its players do not exist here: all mails about its end are dropped.
	db, err := sql.Open("sqlite", filepath.Join(there.Data, "mail.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	require.Eventually(t, func() bool {
		var all, dropped int
		err := db.QueryRow(`SELECT count(*), count(*) FILTER (WHERE state = 'dropped') FROM outbox WHERE table_name = ?`, source.String()).Scan(&all, &dropped)
		return err == nil && all == dropped
	}, posthorntest.Patient, 10*time.Millisecond, "somebody is mailed about a game that is over: %s", l.Log)
}
