package posthorntest

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

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/people"
)

// Living is a whole house in this process, open and serving.
type Living struct {
	*house.House
	T    testing.TB
	Ctx  context.Context
	Log  *Tail
	Stop func()
}

// Settings returns settings for a house in a folder that acts without pauses.
func Settings(dir string) house.Settings {
	return house.Settings{Settings: folder.Settings{Data: dir}, Listen: "127.0.0.1:0", From: "posthorn@localhost",
		Opening: "anyone",
		Pause:   time.Millisecond, Patience: time.Millisecond}
}

// Lives opens a house and serves it until the test ends or Stop is called.
func Lives(t testing.TB, cfg house.Settings) *Living {
	t.Helper()
	// so that a hanging test fails under its own name
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	l := &Living{T: t, Ctx: ctx, Log: &Tail{}}
	h, err := house.Open(ctx, cfg, slog.New(slog.NewTextHandler(l.Log, nil)))
	require.NoError(t, err)
	l.House = h
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx) }()
	left := false
	l.Stop = func() {
		if left {
			return
		}
		left = true
		cancel()
		require.NoError(t, <-ended, "the house goes on until it is told to stop: %s", l.Log)
		require.NoError(t, h.Close())
	}
	t.Cleanup(l.Stop)
	return l
}

// Guest is a person with a browser session and an API token.
type Guest struct {
	ID             domain.PersonID
	Session, Token string
}

// Guest makes a person of this house, signed in and with a token.
func (l *Living) Guest(address string) Guest {
	l.T.Helper()
	a, err := people.ParseAddress(address)
	require.NoError(l.T, err)
	link, _, err := l.People.AskSignIn(l.Ctx, a, address, "en")
	require.NoError(l.T, err)
	p, err := l.People.UseLink(l.Ctx, link.Text())
	require.NoError(l.T, err)
	require.NoError(l.T, l.People.SetName(l.Ctx, p.ID, strings.ToUpper(address[:1])+address[1:3]))
	session, err := l.People.OpenSession(l.Ctx, p.ID, "a browser", 24*time.Hour)
	require.NoError(l.T, err)
	token, _, err := l.People.MakeToken(l.Ctx, p.ID,
		people.NewToken{Label: "a program", Scope: people.ScopePlay, Days: 9})
	require.NoError(l.T, err)
	return Guest{p.ID, session.Text(), token}
}

// Seated returns the house as a helper for acting at its desk.
func (l *Living) Seated() *desktest.House {
	return &desktest.House{Desk: l.Desk, T: l.T, Ctx: l.Ctx}
}

// Ask sends a guest's request to the house, in a language, and returns the status and body.
func (l *Living) Ask(r *nethttp.Request, g Guest, lang string) (int, string) {
	l.T.Helper()
	r.Host = strings.TrimPrefix(l.Config.PublicURL, "http://")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		r.Header.Set("Authorization", "Bearer "+g.Token)
	} else if g.Session != "" {
		r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: g.Session})
	}
	r.Header.Set("Accept-Language", lang)
	if lang != "" {
		r.AddCookie(&nethttp.Cookie{Name: "lang", Value: lang})
	}
	w := httptest.NewRecorder()
	l.Server.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	require.NoError(l.T, err)
	return w.Code, string(body)
}

// Get requests a page, or a path of the API.
func (l *Living) Get(path string, g Guest, lang string) (int, string) {
	l.T.Helper()
	return l.Ask(httptest.NewRequest(nethttp.MethodGet, path, nil), g, lang)
}

// Post sends a form, or JSON to the API.
func (l *Living) Post(path string, g Guest, fields url.Values) (int, string) {
	l.T.Helper()
	return l.Ask(l.Form(path, fields), g, "")
}

// Form returns a request that sends a form.
func (l *Living) Form(path string, fields url.Values) *nethttp.Request {
	r := httptest.NewRequest(nethttp.MethodPost, path, bytes.NewReader([]byte(fields.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// CaughtUp waits until lists and mails have caught up with the log.
func (l *Living) CaughtUp() {
	l.T.Helper()
	last, err := l.House.Log.Last(l.Ctx)
	require.NoError(l.T, err)
	require.Eventually(l.T, func() bool {
		mailed, err := l.Outbox.Position(l.Ctx)
		require.NoError(l.T, err)
		return l.Views.Position() >= last && mailed >= last
	}, Patient, 5*time.Millisecond, "lists or mails stand still: %s", l.Log)
}

// Chats writes into a table's chat through its page, and returns the status and body.
func (l *Living) Chats(table events.Name, g Guest, id events.CommandID) (int, string) {
	l.T.Helper()
	return l.Post("/t/"+table.String()+"/say", g, url.Values{"id": {id.String()}, "text": {"hello"}})
}
