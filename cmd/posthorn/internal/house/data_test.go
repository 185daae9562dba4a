package house_test

import (
	"encoding/json"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

// mine is the part of a person's data that the test reads.
type mine struct {
	Account struct{ ID, Name, Address string }
	Tokens  []struct{ Label string }
	Hooks   []struct{ Address string } `json:"webhooks"`
	Tables  []struct {
		Table, Game, Note, Missing string
		Seats                      []string
		Acts                       []struct{ What, Text string }
		Moves                      []struct{ Seat, Move string }
	}
	Mails []struct{ Kind, Table, State string }
}

func TestSomebodysDataIsAllOfTheirsAndNothingOfOthers(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	l := posthorntest.Lives(t, cfg)
	ana, bo := l.Guest("ana@example.org"), l.Guest("bolek@example.org")
	h := l.Seated()
	rivals := h.Starts("rivals", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	bad := h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	h.Random(rivals, rand.New(rand.NewPCG(7, 7)), 40)
	for _, one := range []posthorntest.Guest{ana, bo} {
		text, err := l.People.Encrypt(l.Ctx, one.ID, []byte("said by "+one.ID))
		require.NoError(t, err)
		_, err = l.Desk.Do(l.Ctx, events.Actor{Person: one.ID, Door: "page"}, rivals, events.NewCommandID(),
			desk.Say{Written: desk.Written{Text: text}})
		require.NoError(t, err)
		require.NoError(t, l.People.SetNote(l.Ctx, one.ID, rivals, "noted by "+string(one.ID)))
		_, err = l.People.MakeHook(l.Ctx, one.ID, "https://hooks.example.org/"+string(one.ID), l.People.PostedKinds)
		require.NoError(t, err)
	}
	l.CaughtUp() // the lists know the table before it cannot be read
	l.Poison(bad, true, posthorntest.Poisons[0].Draft)
	l.CaughtUp()

	status, text := l.Get("/settings/data", ana, "en")
	require.Equal(t, nethttp.StatusOK, status)
	var got mine
	require.NoError(t, json.Unmarshal([]byte(text), &got), text)
	require.Equal(t, "ana@example.org", got.Account.Address)
	require.Equal(t, string(ana.ID), got.Account.ID)
	require.Equal(t, "a program", got.Tokens[0].Label)
	require.Equal(t, "https://hooks.example.org/"+string(ana.ID), got.Hooks[0].Address)
	require.Len(t, got.Tables, 2)
	if got.Tables[0].Table != rivals.String() {
		got.Tables[0], got.Tables[1] = got.Tables[1], got.Tables[0]
	}
	require.NotEmpty(t, got.Tables[1].Missing, "a table that cannot be read does not keep the rest back")
	at := got.Tables[0]
	require.Equal(t, "noted by "+string(ana.ID), at.Note)
	require.Contains(t, text, "said by "+string(ana.ID))
	require.NotEmpty(t, got.Mails)

	// Her moves as she knows them, and nobody else's.
	look, err := l.Desk.Look(l.Ctx, rivals)
	require.NoError(t, err)
	seat := look.Table.SeatsOf(ana.ID)[0]
	all, err := l.Desk.History(l.Ctx, look, look.LineName, look.Table.ViewerOf(ana.ID, domain.Nobody), 0, 0)
	require.NoError(t, err)
	var want []string
	hidden := 0
	for _, e := range all {
		if e.Meta.By == ana.ID && !e.Forked && e.Event.Move != "" {
			move := e.Event.Move
			if whole, ok := look.Rulebook.Extras().Recall(&e.Event); ok {
				move = look.Rulebook.FormatMove(whole, nil)
				hidden++
			}
			want = append(want, move)
		}
	}
	var moves []string
	for _, m := range at.Moves {
		require.Equal(t, seat.Letter(), m.Seat)
		moves = append(moves, m.Move)
	}
	require.NotEmpty(t, moves)
	require.Equal(t, want, moves)
	t.Logf("%d moves, %d of them told in whole to her alone, %d bytes", len(moves), hidden, len(text))

	secret, err := l.People.Hooks(l.Ctx, ana.ID)
	require.NoError(t, err)
	for _, no := range []string{string(bo.ID), "bolek", ana.Session, ana.Token, secret[0].Secret, "whsec_"} {
		require.NotContains(t, text, no)
	}

	for range 4 {
		status, _ = l.Get("/settings/data", ana, "en")
		require.Equal(t, nethttp.StatusOK, status)
	}
	r := httptest.NewRequest(nethttp.MethodGet, "/settings/data", nil)
	status, _ = l.Ask(r, ana, "en")
	require.Equal(t, nethttp.StatusTooManyRequests, status)
	status, _ = l.Get("/settings/data", bo, "en")
	require.Equal(t, nethttp.StatusOK, status, "each has their own share")
	status, _ = l.Get("/settings/data", posthorntest.Guest{}, "en")
	require.Equal(t, nethttp.StatusUnauthorized, status)
	_, page := l.Get("/settings", ana, "en")
	require.True(t, strings.Contains(page, `href="/settings/data"`))
}

func TestPacksOfEarlierProgramsAreRemoved(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	old := filepath.Join(cfg.Data, "packs", "0123-40")
	require.NoError(t, os.MkdirAll(filepath.Dir(old), 0o700))
	require.NoError(t, os.WriteFile(old, []byte("a line"), 0o600))
	posthorntest.Lives(t, cfg)
	require.NoDirExists(t, filepath.Dir(old))
}
