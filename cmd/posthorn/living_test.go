package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/people"
)

// living is a whole house in this process, open and serving.
type living struct {
	*house
	t    testing.TB
	ctx  context.Context
	log  *tail
	stop func()
}

func livingSettings(dir string) houseSettings {
	return houseSettings{dataSettings: dataSettings{Data: dir}, Listen: "127.0.0.1:0", From: "posthorn@localhost", Opening: "anyone",
		Pause: time.Millisecond, Patience: time.Millisecond}
}

// lives opens a house and serves it until the test ends, or leave is called.
func lives(t testing.TB, cfg houseSettings) *living {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute) // what waits for ever fails by its name
	l := &living{t: t, ctx: ctx, log: &tail{}}
	h, err := openHouse(ctx, cfg, slog.New(slog.NewTextHandler(l.log, nil)))
	require.NoError(t, err)
	l.house = h
	ended := make(chan error, 1)
	go func() { ended <- h.serve(ctx) }()
	left := false
	l.stop = func() {
		if left {
			return
		}
		left = true
		cancel()
		require.NoError(t, <-ended, "the house goes on until it is told to stop: %s", l.log)
		require.NoError(t, h.Close())
	}
	t.Cleanup(l.stop)
	return l
}

// guest is somebody with a browser and a program of theirs.
type guest struct {
	id             domain.PersonID
	session, token string
}

func (l *living) guest(address string) guest {
	l.t.Helper()
	a, err := people.ParseAddress(address)
	require.NoError(l.t, err)
	link, _, err := l.people.AskSignIn(l.ctx, a, "en")
	require.NoError(l.t, err)
	p, err := l.people.UseLink(l.ctx, link.Text())
	require.NoError(l.t, err)
	require.NoError(l.t, l.people.SetName(l.ctx, p.ID, strings.ToUpper(address[:1])+address[1:3]))
	session, err := l.people.OpenSession(l.ctx, p.ID, "a browser", 24*time.Hour)
	require.NoError(l.t, err)
	token, _, err := l.people.MakeToken(l.ctx, p.ID, people.NewToken{Label: "a program", Scope: people.ScopePlay, Days: 9})
	require.NoError(l.t, err)
	return guest{p.ID, session.Text(), token}
}

// seated is a house for acting at its desk.
func (l *living) seated() *desktest.House {
	return &desktest.House{Desk: l.desk, T: l.t, Ctx: l.ctx}
}

func (l *living) ask(r *nethttp.Request, g guest, lang string) (int, string) {
	l.t.Helper()
	r.Host = strings.TrimPrefix(l.cfg.PublicURL, "http://")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		r.Header.Set("Authorization", "Bearer "+g.token)
	} else if g.session != "" {
		r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: g.session})
	}
	r.Header.Set("Accept-Language", lang)
	if lang != "" {
		r.AddCookie(&nethttp.Cookie{Name: "lang", Value: lang})
	}
	w := httptest.NewRecorder()
	l.server.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	require.NoError(l.t, err)
	return w.Code, string(body)
}

// get reads a page or asks the API.
func (l *living) get(path string, g guest, lang string) (int, string) {
	l.t.Helper()
	return l.ask(httptest.NewRequest(nethttp.MethodGet, path, nil), g, lang)
}

// post sends a form, or JSON to the API.
func (l *living) post(path string, g guest, fields url.Values) (int, string) {
	l.t.Helper()
	return l.ask(l.form(path, fields), g, "")
}

func (l *living) form(path string, fields url.Values) *nethttp.Request {
	r := httptest.NewRequest(nethttp.MethodPost, path, bytes.NewReader([]byte(fields.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// caughtUp waits until lists and mails have seen all that the log holds.
func (l *living) caughtUp() {
	l.t.Helper()
	last, err := l.house.log.Last(l.ctx)
	require.NoError(l.t, err)
	require.Eventually(l.t, func() bool {
		mailed, err := l.outbox.Position(l.ctx)
		require.NoError(l.t, err)
		return l.views.Position() >= last && mailed >= last
	}, patient, 5*time.Millisecond, "lists or mails stand still: %s", l.log)
}

// says writes into a table's chat by its page, and tells the status.
func (l *living) chats(table events.Name, g guest, id events.CommandID) (int, string) {
	l.t.Helper()
	return l.post("/t/"+table.String()+"/say", g, url.Values{"id": {id.String()}, "text": {"hello"}})
}
