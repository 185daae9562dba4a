package main

import (
	"bytes"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/events/people"
)

// mayAsk tells whether a sign-in link is made for an address.
func mayAsk(l *living, address people.Address) bool {
	l.t.Helper()
	_, send, err := l.people.AskSignIn(l.ctx, address, "en")
	require.NoError(l.t, err)
	return send
}

func TestWhoIsBannedIsKeptOutUntilTheyAreLetInAgain(t *testing.T) {
	t.Parallel()
	cfg := livingSettings(t.TempDir())
	cfg.Host = []string{"ana@example.org"}
	l := lives(t, cfg)
	ana, bo, cid := l.guest("ana@example.org"), l.guest("bolek@example.org"), l.guest("cid@example.org")
	h := l.seated()
	slow := h.Starts("carcassonne", nil, desktest.Player(bo.id), desktest.Player(cid.id))
	gathering, err := l.desk.Open(l.ctx, events.Actor{Person: cid.id, Door: "page"}, events.NewCommandID(),
		events.NewTable{Rulebook: "catan", Pace: "weekly", Places: []domain.TablePlace{desktest.Player(cid.id), desktest.Player(bo.id)}})
	require.NoError(t, err)
	l.caughtUp()
	kept, err := pass.New(l.keys).Make(pass.Facts{Purpose: pass.Seat, Person: bo.id, Stream: slow, Expires: l.server.Now().AddDate(0, 0, 9)})
	require.NoError(t, err)
	link, send, err := l.people.AskSignIn(l.ctx, "bolek@example.org", "en")
	require.NoError(t, err)
	require.True(t, send)

	status, _ := l.get("/api/v1/me", bo, "en")
	require.Equal(t, 200, status)
	status, _ = l.post("/host/ban", cid, url.Values{"who": {"bolek@example.org"}})
	require.Equal(t, 404, status, "only a host bans")
	status, body := l.post("/host/ban", ana, url.Values{"who": {"ana@example.org"}})
	require.Equal(t, 422, status)
	require.Contains(t, body, "runs this server")
	status, body = l.post("/host/ban", ana, url.Values{"who": {"bolek@example.org"}, "reason": {"wrote awful things"}})
	require.Equal(t, 303, status, body)

	out := func(l *living) {
		t.Helper()
		status, _ := l.get("/settings", bo, "en")
		require.Equal(t, 401, status, "signed out")
		status, _ = l.get("/api/v1/me", bo, "en")
		require.Equal(t, 401, status, "and their programs, too")
		require.False(t, mayAsk(l, "bolek@example.org"))
		_, err := l.people.UseLink(l.ctx, link.Text())
		require.ErrorIs(t, err, people.ErrLink)
		_, err = pass.New(l.keys).Open(l.ctx, kept.Text(), l.server.Now(), l.people)
		require.ErrorIs(t, err, pass.ErrRevoked)
		for _, door := range []string{"page", "mail", "api", events.DoorReply} {
			_, err = l.desk.Do(l.ctx, events.Actor{Person: bo.id, Door: door}, slow, events.NewCommandID(), events.Say{Text: []byte("x")})
			refused, ok := domain.AsRefusal(err)
			require.True(t, ok, "%s: %v", door, err)
			require.Equal(t, "banned", refused.Code)
			_, err = l.desk.Open(l.ctx, events.Actor{Person: bo.id, Door: door}, events.NewCommandID(), events.NewTable{Rulebook: "carcassonne", Pace: "weekly", Places: []domain.TablePlace{desktest.Player(bo.id), desktest.StandIn()}})
			require.Error(t, err)
		}
		_, there, err := l.sender.Composer.Directory.Recipient(l.ctx, bo.id)
		require.NoError(t, err)
		require.False(t, there, "nobody is mailed")
		invited, err := l.people.MayInvite(l.ctx, cid.id, "bolek@example.org")
		require.NoError(t, err, "which the inviter is not told")
		require.False(t, invited)
		body := hostSees(l, ana)
		require.Contains(t, body, "wrote awful things")
		require.NotContains(t, body, "bolek@")
	}
	out(l)
	look, err := l.desk.Look(l.ctx, slow)
	require.NoError(t, err)
	require.True(t, look.Table.Places[0].Lent, "a stand-in keeps the seat")
	look, err = l.desk.Look(l.ctx, gathering.Table)
	require.NoError(t, err)
	require.False(t, look.Table.Knows(bo.id), "the invitation is over")
	status, body = l.get("/t/"+slow.String(), cid, "en")
	require.Equal(t, 200, status)
	require.NotContains(t, body, "awful")

	l.stop()
	again := lives(t, cfg)
	out(again)
	again.stop()
	for _, c := range [][]string{{"people", "unban", "nobody@example.org"}, {"people", "ban", "ana@example.org"}, {"people", "ban", "no address"}} {
		var errs bytes.Buffer
		require.NotZero(t, run(append(c, "--data", cfg.Data), console{out: &errs, err: &errs}), "%s", &errs)
	}
	require.Contains(t, done(t, "people", "list", "--data", cfg.Data), "BANNED")
	require.Contains(t, done(t, "verify", "--data", cfg.Data), "unaltered")
	require.Contains(t, done(t, "people", "unban", "--data", cfg.Data, "bolek@example.org"), "may sign in again")

	back := lives(t, cfg)
	require.True(t, mayAsk(back, "bolek@example.org"))
	_, there, err := back.sender.Composer.Directory.Recipient(back.ctx, bo.id)
	require.NoError(t, err)
	require.True(t, there)
	_, err = back.desk.Do(back.ctx, events.Actor{Person: bo.id, Door: "page"}, slow, events.NewCommandID(), events.Return{Seat: 0})
	require.NoError(t, err, "their seat is theirs again")
}

// hostSees is what the host's page says.
func hostSees(l *living, host guest) string {
	l.t.Helper()
	status, body := l.get("/host", host, "en")
	require.Equal(l.t, 200, status)
	return body
}

func TestABanOutlastsARestoredBackupAndBeingForgotten(t *testing.T) {
	t.Parallel()
	cfg := livingSettings(t.TempDir())
	l := lives(t, cfg)
	bo := l.guest("bolek@example.org")
	l.stop()
	before := folded(t, filepath.Join(cfg.Data, "people.db"))
	done(t, "people", "ban", "--data", cfg.Data, "--reason", "spam", "bolek@example.org")
	restore(t, cfg.Data, before)
	h := reopened(t, cfg.Data)
	out, err := h.people.Banned(t.Context(), bo.id)
	require.NoError(t, err)
	require.True(t, out)
	require.NoError(t, h.Close())

	done(t, "forget", "--data", cfg.Data, "bolek@example.org")
	require.Contains(t, done(t, "people", "list", "--data", cfg.Data), "1 addresses of people who were forgotten are kept out")
	back := lives(t, cfg)
	require.False(t, mayAsk(back, "Bolek@example.org"))
	back.stop()
	done(t, "people", "unban", "--data", cfg.Data, "bolek@example.org")
	require.True(t, mayAsk(lives(t, cfg), "bolek@example.org"))
}

func TestWhoMaySignUpIsForTheHostToSayAndTheAnswerTellsNothing(t *testing.T) {
	t.Parallel()
	cfg := livingSettings(t.TempDir())
	cfg.Host = []string{"ana@example.org"}
	l := lives(t, cfg)
	ana := l.guest("ana@example.org")
	_, err := l.people.Ensure(l.ctx, "asked@example.org", "en")
	require.NoError(t, err)
	sent := func(address string) string {
		t.Helper()
		r := l.form("/sign-in", url.Values{"address": {address}})
		r.RemoteAddr = "192.0.2." + address[:1] + ":1"
		w := httptest.NewRecorder()
		r.Host = strings.TrimPrefix(l.cfg.PublicURL, "http://")
		l.server.ServeHTTP(w, r)
		require.Equal(t, 303, w.Code)
		_, body := l.get(w.Header().Get("Location"), guest{}, "en")
		return body
	}
	for _, c := range []struct {
		policy         people.Signup
		says           string
		asked, unknown bool
	}{{people.SignupInvited, "for people who were invited", true, false}, {people.SignupClosed, "takes nobody new", false, false}, {people.SignupOpen, "Mail me a link", true, true}} {
		status, body := l.post("/host/signup", ana, url.Values{"signup": {string(c.policy)}})
		require.Equal(t, 303, status, body)
		_, body = l.get("/sign-in", guest{}, "en")
		require.Contains(t, body, c.says)
		require.Equal(t, c.asked, mayAsk(l, "asked@example.org"), c.policy)
		require.Equal(t, c.unknown, mayAsk(l, "stranger@example.org"), c.policy)
		require.Equal(t, sent("ana@example.org"), sent("stranger2@example.org"), "both are told the same")
		_, front := l.get("/", guest{}, "en")
		require.Equal(t, c.policy == people.SignupOpen, strings.Contains(front, `class="card try"`), "a first game is for whoever may come in")
	}
	status, _ := l.post("/host/signup", ana, url.Values{"signup": {"whoever"}})
	require.Equal(t, 422, status)
	require.Equal(t, 303, first(l.post("/host/signup", ana, url.Values{"signup": {"closed"}})))
	require.Equal(t, 303, first(l.post("/host/invite", ana, url.Values{"address": {"friend@example.org"}})))
	require.True(t, mayAsk(l, "friend@example.org"), "whom a host lets in may come in")
	send, err := l.people.MayInvite(l.ctx, ana.id, "unheard@example.org")
	require.NoError(t, err)
	require.False(t, send, "a house that is closed mails invitations to nobody new")
	l.stop()

	cfg.Signup = "invited"
	pinned := lives(t, cfg)
	require.True(t, mayAsk(pinned, "asked@example.org"))
	require.Contains(t, hostSees(pinned, ana), "set by --signup")
	status, body := pinned.post("/host/signup", ana, url.Values{"signup": {"open"}})
	require.Equal(t, 422, status)
	require.Contains(t, body, "changed there")
}

func first(status int, _ string) int { return status }
