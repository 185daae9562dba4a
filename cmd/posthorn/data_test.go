package main

import (
	"encoding/json"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/people"
)

// mine is somebody's data, as far as the test reads it.
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
	cfg := livingSettings(t.TempDir())
	l := lives(t, cfg)
	ana, bo := l.guest("ana@example.org"), l.guest("bolek@example.org")
	h := l.seated()
	rivals := h.Starts("rivals", nil, desktest.Player(ana.id), desktest.Player(bo.id))
	bad := h.Starts("carcassonne", nil, desktest.Player(ana.id), desktest.Player(bo.id))
	h.Random(rivals, rand.New(rand.NewPCG(7, 7)), 40)
	for _, one := range []guest{ana, bo} {
		text, err := l.people.Encrypt(l.ctx, one.id, []byte("said by "+one.id))
		require.NoError(t, err)
		_, err = l.desk.Do(l.ctx, events.Actor{Person: one.id, Door: "page"}, rivals, events.NewCommandID(), events.Say{Text: text})
		require.NoError(t, err)
		require.NoError(t, l.people.SetNote(l.ctx, one.id, rivals, "noted by "+string(one.id)))
		_, err = l.people.MakeHook(l.ctx, one.id, "https://hooks.example.org/"+string(one.id), people.HookKinds)
		require.NoError(t, err)
	}
	l.poison(bad, true, poisons[0].draft)
	l.caughtUp()

	status, text := l.get("/settings/data", ana, "en")
	require.Equal(t, nethttp.StatusOK, status)
	var got mine
	require.NoError(t, json.Unmarshal([]byte(text), &got), text)
	require.Equal(t, "ana@example.org", got.Account.Address)
	require.Equal(t, string(ana.id), got.Account.ID)
	require.Equal(t, "a program", got.Tokens[0].Label)
	require.Equal(t, "https://hooks.example.org/"+string(ana.id), got.Hooks[0].Address)
	require.Len(t, got.Tables, 2)
	if got.Tables[0].Table != rivals.String() {
		got.Tables[0], got.Tables[1] = got.Tables[1], got.Tables[0]
	}
	require.NotEmpty(t, got.Tables[1].Missing, "a table that cannot be read does not keep the rest back")
	at := got.Tables[0]
	require.Equal(t, "noted by "+string(ana.id), at.Note)
	require.Contains(t, text, "said by "+string(ana.id))
	require.NotEmpty(t, got.Mails)

	// Her moves, each as she knows it, and nobody else's.
	look, err := l.desk.Look(l.ctx, rivals)
	require.NoError(t, err)
	seat := look.Table.SeatsOf(ana.id)[0]
	all, err := l.desk.History(l.ctx, look, look.LineName, look.Table.ViewerOf(ana.id, domain.Nobody), 0, 0)
	require.NoError(t, err)
	var want []string
	hushed := 0
	for _, e := range all {
		if e.Meta.By == ana.id && !e.Forked && e.Event.Move != "" {
			move := e.Event.Move
			if whole, ok := look.Rulebook.Extras().Recaller.Recall(&e.Event); ok {
				move = look.Rulebook.FormatMove(whole, nil)
				hushed++
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
	t.Logf("%d moves, %d of them told in whole to her alone, %d bytes", len(moves), hushed, len(text))

	secret, err := l.people.Hooks(l.ctx, ana.id)
	require.NoError(t, err)
	for _, no := range []string{string(bo.id), "bolek", ana.session, ana.token, secret[0].Secret, "whsec_"} {
		require.NotContains(t, text, no)
	}

	for range 4 {
		status, _ = l.get("/settings/data", ana, "en")
		require.Equal(t, nethttp.StatusOK, status)
	}
	r := httptest.NewRequest(nethttp.MethodGet, "/settings/data", nil)
	status, _ = l.ask(r, ana, "en")
	require.Equal(t, nethttp.StatusTooManyRequests, status)
	status, _ = l.get("/settings/data", bo, "en")
	require.Equal(t, nethttp.StatusOK, status, "each has their own share")
	status, _ = l.get("/settings/data", guest{}, "en")
	require.Equal(t, nethttp.StatusUnauthorized, status)
	_, page := l.get("/settings", ana, "en")
	require.True(t, strings.Contains(page, `href="/settings/data"`))
}
