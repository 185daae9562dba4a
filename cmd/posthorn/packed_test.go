package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestAGameIsTheSameWhetherItsPackIsThereOrTornOrGone(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	l := posthorntest.Lives(t, cfg)
	ana, bo := l.Guest("ana@example.org"), l.Guest("bolek@example.org")
	h := l.Seated()
	table := h.Starts("rivals", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	h.Random(table, rand.New(rand.NewPCG(3, 3)), 60)
	packed := func() []string {
		files, err := filepath.Glob(filepath.Join(cfg.Data, house.PacksFolder, "*"))
		require.NoError(t, err)
		return files
	}
	// walk returns what each seat and a spectator see after each event.
	walk := func() (seen []string) {
		look, err := l.Desk.Look(l.Ctx, table)
		require.NoError(t, err)
		require.NoError(t, l.Desk.Walk(l.Ctx, look, look.LineName, func(line *domain.Line, _ *events.Record) error {
			for _, viewer := range []domain.Viewer{domain.ViewOf(0), domain.ViewOf(1), domain.Spectator} {
				view, err := json.Marshal(line.Rulebook.View(line.State, viewer))
				require.NoError(t, err)
				seen = append(seen, string(view))
			}
			return nil
		}))
		return seen
	}
	want := walk()
	require.Eventually(t, func() bool { walk(); return len(packed()) == 1 }, posthorntest.Patient, time.Millisecond)
	file := packed()[0]
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, change := range []func(){
		func() {},
		func() { require.NoError(t, os.Truncate(file, int64(len(good)/2))) },
		func() {
			require.NoError(t, os.WriteFile(file, append(slices.Clone(good[:len(good)-100]), make([]byte, 100)...),
				0o600))
		},
		func() { require.NoError(t, os.RemoveAll(filepath.Dir(file))) },
	} {
		l.Stop()
		if len(packed()) == 0 {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		}
		require.NoError(t, os.WriteFile(file, good, 0o600))
		change()
		done(t, "verify", "--data", cfg.Data)
		l = posthorntest.Lives(t, cfg)
		require.Equal(t, want, walk())
	}
	l.Stop()
	back := filepath.Join(t.TempDir(), "copy")
	done(t, "backup", "--data", cfg.Data, back)
	require.NoDirExists(t, filepath.Join(back, house.PacksFolder))
}
