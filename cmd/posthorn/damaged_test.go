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

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/people"
)

// damage writes nonsense over a part of a file, or over all that makes it a database.
func damage(t *testing.T, path string, from, to int) {
	t.Helper()
	text := folded(t, path)
	to = min(to, len(text))
	require.Less(t, from, to)
	copy(text[from:to], strings.Repeat("damaged ", (to-from)/8+1))
	require.NoError(t, os.WriteFile(path, text, 0o600))
	for _, rest := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + rest) // closed, they hold nothing
	}
}

func TestADamagedFileIsSaidWithWhatToDo(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{"mail.db": "--remind", "people.db": "--new-people"} {
		for _, at := range []int{0, 4096} { // its head; a page in its midst
			if name == "people.db" && at > 0 {
				continue // which page is read at the start is SQLite's to say
			}
			cfg := livingSettings(t.TempDir())
			lives(t, cfg).stop()
			damage(t, filepath.Join(cfg.Data, name), at, at+40_000)
			h, err := openHouse(context.Background(), cfg, slog.New(slog.DiscardHandler))
			require.NoError(t, h.Close())
			require.ErrorContains(t, err, name)
			require.ErrorContains(t, err, "is damaged")
			require.ErrorContains(t, err, "from your backup")
			require.ErrorContains(t, err, says)
			if name == "mail.db" {
				for _, rest := range []string{"", "-wal", "-shm"} {
					_ = os.Remove(filepath.Join(cfg.Data, name+rest)) // as it says
				}
				cfg.Remind = true
				again := lives(t, cfg)
				again.caughtUp()
				again.stop()
			}
		}
	}
}

func TestAnEventOfTheHouseThatIsUnknownIsNamed(t *testing.T) {
	cfg := livingSettings(t.TempDir())
	l := lives(t, cfg)
	bo := l.guest("bolek@example.org")
	require.NoError(t, l.desk.Ban(l.ctx, events.House, bo.id, nil))
	name := l.keys.HouseStream()
	head, err := l.house.log.Head(l.ctx, name)
	require.NoError(t, err)
	_, err = l.house.log.Append(l.ctx, events.Draft{Stream: name, Expect: head.Version, Type: "person.praised.v1", Codec: "json", Command: events.NewCommandID(), At: time.Now(), Meta: []byte(`{"door":"host"}`), Data: []byte(`{}`)})
	require.NoError(t, err)
	l.caughtUp()
	l.stop()
	text, status := says("", "verify", "--data", cfg.Data)
	require.Equal(t, 3, status, text)
	require.Contains(t, text, `not checked: version 2 of the house's own stream `+name.String()+` is an event of the type "person.praised.v1"`)
}

func TestAHostMayTurnWebhooksOff(t *testing.T) {
	cfg := livingSettings(t.TempDir())
	cfg.Hooks = "off"
	l := lives(t, cfg)
	ana := l.guest("ana@example.org")
	status, body := l.post("/settings/hooks", ana, map[string][]string{"address": {"https://hooks.example.org/x"}, "kind": {"turn"}})
	require.Equal(t, 422, status)
	require.Contains(t, body, "posts nothing to webhooks")
	_, err := l.people.MakeHook(l.ctx, ana.id, "https://hooks.example.org/x", people.HookKinds) // from before
	require.NoError(t, err)
	h := l.seated()
	h.Starts("carcassonne", nil, desktest.Player(ana.id), desktest.Player(l.guest("bolek@example.org").id))
	l.caughtUp()
	list, err := l.people.Hooks(l.ctx, ana.id)
	require.NoError(t, err)
	fare, err := l.outbox.HookFare(l.ctx, list[0].Ref)
	require.NoError(t, err)
	require.Zero(t, fare.Waiting, "nothing is wanted of it")
	_, body = l.get("/settings/hooks", ana, "en")
	require.Contains(t, body, "posts nothing to webhooks")
}
