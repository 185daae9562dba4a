package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/events/people"
)

// mayAsk reports whether a sign-in link is made for an address.
func mayAsk(l *posthorntest.Living, address people.Address) bool {
	l.T.Helper()
	_, send, err := l.People.AskSignIn(l.Ctx, address, "192.0.2.1", "en")
	require.NoError(l.T, err)
	return send
}

func TestWhoIsBannedIsKeptOutUntilTheyAreLetInAgain(t *testing.T) {
	t.Parallel()
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Host = []string{"ana@example.org"}
	l := posthorntest.Lives(t, cfg)
	ana, bo, cid := l.Guest("ana@example.org"), l.Guest("bolek@example.org"), l.Guest("cid@example.org")
	h := l.Seated()
	slow := h.Starts("carcassonne", nil, desktest.Player(bo.ID), desktest.Player(cid.ID))
	gathering, err := l.Desk.Open(l.Ctx, events.Actor{Person: cid.ID, Door: "page"}, events.NewCommandID(),
		desk.NewTable{Rulebook: "catan", Pace: "weekly",
			Places: []domain.TablePlace{desktest.Player(cid.ID), desktest.Player(bo.ID)}})
	require.NoError(t, err)
	l.CaughtUp()
	kept, err := pass.New(l.Keys).
		Make(pass.Facts{Purpose: pass.Lent, Person: bo.ID, Stream: slow, Expires: l.Server.Now().AddDate(0, 0, 9)})
	require.NoError(t, err)
	link, send, err := l.People.AskSignIn(l.Ctx, "bolek@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	require.True(t, send)

	status, _ := l.Get("/api/v1/me", bo, "en")
	require.Equal(t, 200, status)
	status, _ = l.Post("/host/ban", cid, url.Values{"who": {"bolek@example.org"}})
	require.Equal(t, 404, status, "only a host bans")
	status, body := l.Post("/host/ban", ana, url.Values{"who": {"ana@example.org"}})
	require.Equal(t, 422, status)
	require.Contains(t, body, "runs this server")
	status, body = l.Post("/host/ban", ana, url.Values{"who": {"bolek@example.org"}, "reason": {"wrote awful things"}})
	require.Equal(t, 303, status, body)

	out := func(l *posthorntest.Living) {
		t.Helper()
		status, _ := l.Get("/settings", bo, "en")
		require.Equal(t, 401, status, "signed out")
		status, _ = l.Get("/api/v1/me", bo, "en")
		require.Equal(t, 401, status, "and their programs, too")
		require.False(t, mayAsk(l, "bolek@example.org"))
		_, err := l.People.UseLink(l.Ctx, link.Text())
		require.ErrorIs(t, err, people.ErrLink)
		_, err = pass.New(l.Keys).Open(l.Ctx, kept.Text(), l.Server.Now(), l.People)
		require.ErrorIs(t, err, pass.ErrRevoked)
		for _, door := range []string{"page", "mail", "api", domain.DoorReply} {
			_, err = l.Desk.Do(l.Ctx, events.Actor{Person: bo.ID, Door: door}, slow, events.NewCommandID(),
				desk.Say{Written: desk.Written{Text: []byte("x")}})
			refused, ok := domain.AsRefusal(err)
			require.True(t, ok, "%s: %v", door, err)
			require.Equal(t, "banned", refused.Code)
			_, err = l.Desk.Open(l.Ctx, events.Actor{Person: bo.ID, Door: door}, events.NewCommandID(),
				desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
					Places: []domain.TablePlace{desktest.Player(bo.ID), desktest.StandIn()}})
			require.Error(t, err)
		}
		_, there, err := l.Sender.Composer.Directory.Recipient(l.Ctx, bo.ID)
		require.NoError(t, err)
		require.False(t, there, "nobody is mailed")
		invited, err := l.People.MayInvite(l.Ctx, cid.ID, "bolek@example.org")
		require.NoError(t, err, "which the inviter is not told")
		require.False(t, invited)
		body := hostSees(l, ana)
		require.Contains(t, body, "wrote awful things")
		require.NotContains(t, body, "bolek@")
	}
	out(l)
	look, err := l.Desk.Look(l.Ctx, slow)
	require.NoError(t, err)
	require.True(t, look.Table.Places[0].Lent, "a stand-in keeps the seat")
	look, err = l.Desk.Look(l.Ctx, gathering.Table)
	require.NoError(t, err)
	require.False(t, look.Table.Knows(bo.ID), "the invitation is over")
	status, body = l.Get("/t/"+slow.String(), cid, "en")
	require.Equal(t, 200, status)
	require.NotContains(t, body, "awful")

	l.Stop()
	again := posthorntest.Lives(t, cfg)
	out(again)
	again.Stop()
	for _, c := range [][]string{{"people", "unban", "nobody@example.org"}, {"people", "ban", "ana@example.org"},
		{"people", "ban", "no address"}} {
		var errs bytes.Buffer
		require.NotZero(t, run(context.Background(), append(c, "--data", cfg.Data),
			console.Console{Out: &errs, Err: &errs}), "%s", &errs)
	}
	require.Contains(t, done(t, "people", "list", "--data", cfg.Data), "BANNED")
	require.Contains(t, done(t, "verify", "--data", cfg.Data), "unaltered")
	require.Contains(t, done(t, "people", "unban", "--data", cfg.Data, "bolek@example.org"), "may sign in again")

	back := posthorntest.Lives(t, cfg)
	require.True(t, mayAsk(back, "bolek@example.org"))
	_, there, err := back.Sender.Composer.Directory.Recipient(back.Ctx, bo.ID)
	require.NoError(t, err)
	require.True(t, there)
	_, err = back.Desk.Do(back.Ctx, events.Actor{Person: bo.ID, Door: "page"}, slow, events.NewCommandID(),
		desk.Return{Seat: 0})
	require.NoError(t, err, "their seat is theirs again")
}

// hostSees returns the host's page.
func hostSees(l *posthorntest.Living, host posthorntest.Guest) string {
	l.T.Helper()
	status, body := l.Get("/host", host, "en")
	require.Equal(l.T, 200, status)
	return body
}

func TestABanOutlastsARestoredBackupAndBeingForgotten(t *testing.T) {
	t.Parallel()
	cfg := posthorntest.Settings(t.TempDir())
	l := posthorntest.Lives(t, cfg)
	bo := l.Guest("bolek@example.org")
	l.Stop()
	before := posthorntest.Folded(t, filepath.Join(cfg.Data, "people.db"))
	done(t, "people", "ban", "--data", cfg.Data, "--reason", "spam", "bolek@example.org")
	posthorntest.Restore(t, cfg.Data, before)
	h := posthorntest.Reopened(t, cfg.Data)
	out, err := h.People.Banned(t.Context(), bo.ID)
	require.NoError(t, err)
	require.True(t, out)
	require.NoError(t, h.Close())

	done(t, "forget", "--data", cfg.Data, "bolek@example.org")
	require.Contains(t, done(t, "people", "list", "--data", cfg.Data),
		"1 addresses of people who were forgotten are kept out")
	back := posthorntest.Lives(t, cfg)
	require.False(t, mayAsk(back, "Bolek@example.org"))
	back.Stop()
	done(t, "people", "unban", "--data", cfg.Data, "bolek@example.org")
	require.True(t, mayAsk(posthorntest.Lives(t, cfg), "bolek@example.org"))
}

func TestTheHostSaysWhoMaySignUpAndTheAnswerDoesNot(t *testing.T) {
	t.Parallel()
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Host = []string{"ana@example.org"}
	l := posthorntest.Lives(t, cfg)
	ana := l.Guest("ana@example.org")
	_, err := l.People.Ensure(l.Ctx, "asked@example.org", "en")
	require.NoError(t, err)
	sent := func(address string) string {
		t.Helper()
		r := l.Form("/sign-in", url.Values{"address": {address}})
		r.RemoteAddr = "192.0.2." + address[:1] + ":1"
		w := httptest.NewRecorder()
		r.Host = strings.TrimPrefix(l.Config.PublicURL, "http://")
		l.Server.ServeHTTP(w, r)
		require.Equal(t, 303, w.Code)
		_, body := l.Get(w.Header().Get("Location"), posthorntest.Guest{}, "en")
		return body
	}
	for _, c := range []struct {
		policy         people.Signup
		says           string
		asked, unknown bool
	}{{people.SignupInvited, "for people who were invited", true, false},
		{people.SignupClosed, "takes nobody new", false, false}, {people.SignupOpen, "Mail me a link", true, true}} {
		status, body := l.Post("/host/signup", ana, url.Values{"signup": {string(c.policy)}})
		require.Equal(t, 303, status, body)
		_, body = l.Get("/sign-in", posthorntest.Guest{}, "en")
		require.Contains(t, body, c.says)
		require.Equal(t, c.asked, mayAsk(l, "asked@example.org"), c.policy)
		require.Equal(t, c.unknown, mayAsk(l, "stranger@example.org"), c.policy)
		require.Equal(t, sent("ana@example.org"), sent("stranger2@example.org"), "both are told the same")
		_, front := l.Get("/", posthorntest.Guest{}, "en")
		require.Equal(t, c.policy == people.SignupOpen, strings.Contains(front, `class="card try"`),
			"a first game is for whoever may come in")
	}
	status, _ := l.Post("/host/signup", ana, url.Values{"signup": {"whoever"}})
	require.Equal(t, 422, status)
	require.Equal(t, 303, first(l.Post("/host/signup", ana, url.Values{"signup": {"closed"}})))
	require.Equal(t, 303, first(l.Post("/host/invite", ana, url.Values{"address": {"friend@example.org"}})))
	require.True(t, mayAsk(l, "friend@example.org"), "whom a host lets in may come in")
	send, err := l.People.MayInvite(l.Ctx, ana.ID, "unheard@example.org")
	require.NoError(t, err)
	require.False(t, send, "a house that is closed mails invitations to nobody new")
	l.Stop()

	cfg.Signup = "invited"
	pinned := posthorntest.Lives(t, cfg)
	require.True(t, mayAsk(pinned, "asked@example.org"))
	require.Contains(t, hostSees(pinned, ana), "set by --signup")
	status, body := pinned.Post("/host/signup", ana, url.Values{"signup": {"open"}})
	require.Equal(t, 422, status)
	require.Contains(t, body, "changed there")
}

func first(status int, _ string) int { return status }
