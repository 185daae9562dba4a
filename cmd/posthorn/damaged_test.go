package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/desktest"
)

// damage writes nonsense over a part of a database file, or over all of it.
func damage(t *testing.T, path string, from, to int) {
	t.Helper()
	text := posthorntest.Folded(t, path)
	to = min(to, len(text))
	require.Less(t, from, to)
	copy(text[from:to], strings.Repeat("damaged ", (to-from)/8+1))
	require.NoError(t, os.WriteFile(path, text, 0o600))
	for _, rest := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + rest) // after a clean close they hold nothing
	}
}

func TestADamagedFileIsSaidWithWhatToDo(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{"mail.db": "--remind", "people.db": "--new-people"} {
		for _, at := range []int{0, 4096} { // its header; a page in the middle
			if name == "people.db" && at > 0 {
				continue // SQLite decides which page it reads at the start
			}
			cfg := posthorntest.Settings(t.TempDir())
			posthorntest.Lives(t, cfg).Stop()
			damage(t, filepath.Join(cfg.Data, name), at, at+40_000)
			h, err := house.Open(context.Background(), cfg, slog.New(slog.DiscardHandler))
			require.NoError(t, h.Close())
			require.ErrorContains(t, err, name)
			require.ErrorContains(t, err, "is damaged")
			require.ErrorContains(t, err, "from your backup")
			require.ErrorContains(t, err, says)
			if name == "mail.db" {
				for _, rest := range []string{"", "-wal", "-shm"} {
					_ = os.Remove(filepath.Join(cfg.Data, name+rest)) // as the error says
				}
				cfg.Remind = true
				again := posthorntest.Lives(t, cfg)
				again.CaughtUp()
				again.Stop()
			}
		}
	}
}

func TestAnEventOfTheHouseThatIsUnknownIsNamed(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	l := posthorntest.Lives(t, cfg)
	bo := l.Guest("bolek@example.org")
	require.NoError(t, l.Desk.Ban(l.Ctx, events.House, bo.ID, nil))
	name := l.Keys.HouseStream()
	head, err := l.House.Log.Head(l.Ctx, name)
	require.NoError(t, err)
	_, err = l.House.Log.Append(l.Ctx,
		events.Draft{Stream: name, Expect: head.Version, Type: "person.praised.v1", Codec: "json",
			Command: events.NewCommandID(), At: time.Now(), Meta: []byte(`{"door":"host"}`), Data: []byte(`{}`)})
	require.NoError(t, err)
	l.CaughtUp()
	l.Stop()
	text, status := says("", "verify", "--data", cfg.Data)
	require.Equal(t, 3, status, text)
	require.Contains(t, text, `not checked: version 2 of the house's own stream `+name.String()+
		` is an event of the type "person.praised.v1"`)
}

func TestAHostMayTurnWebhooksOff(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Hooks = "off"
	l := posthorntest.Lives(t, cfg)
	ana := l.Guest("ana@example.org")
	status, body := l.Post("/settings/hooks", ana,
		map[string][]string{"address": {"https://hooks.example.org/x"}, "kind": {"turn"}})
	require.Equal(t, 422, status)
	require.Contains(t, body, "posts nothing to webhooks")
	_, err := l.People.MakeHook(l.Ctx, ana.ID, "https://hooks.example.org/x", l.People.PostedKinds) // from before
	require.NoError(t, err)
	h := l.Seated()
	h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(l.Guest("bolek@example.org").ID))
	l.CaughtUp()
	list, err := l.People.Hooks(l.Ctx, ana.ID)
	require.NoError(t, err)
	state, err := l.Outbox.HookState(l.Ctx, list[0].Ref)
	require.NoError(t, err)
	require.Zero(t, state.Waiting, "nothing is wanted of it")
	_, body = l.Get("/settings/hooks", ana, "en")
	require.Contains(t, body, "posts nothing to webhooks")
}
