package inbound_test

import (
	nethttp "net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// serves puts the house's pages on a port, which its mails link to from now on.
func (r *real) serves(t *testing.T) {
	t.Helper()
	lists, err := views.Open(t.Context(), t.TempDir(), r.Desk)
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = lists.Run(t.Context(), events.FollowLog(r.Desk.Log())) // ends with the test
	}()
	book, err := words.New(rulebooks.All())
	require.NoError(t, err)
	var pages *http.Server
	web := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, q *nethttp.Request) {
		pages.ServeHTTP(w, q)
	}))
	pages, err = http.New(http.Config{PublicURL: web.URL, Desk: r.Desk, Maker: r.composer.Maker, Book: book,
		Rulebooks: rulebooks.All(), People: r.people,
		Passes: r.passes, Views: lists, Post: mail.Post{Outbox: r.outbox}, Now: r.door.Now})
	require.NoError(t, err)
	r.composer.Links.Base = web.URL
	t.Cleanup(func() {
		web.Close()
		pages.Settle()
		<-ended
		require.NoError(t, lists.Close())
	})
}

// browser is somebody's browser, with the page it shows.
type browser struct {
	*real
	client *nethttp.Client
	at     *url.URL
	page   *html.Node
}

func (r *real) browser() *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(r.T, err)
	return &browser{real: r, client: &nethttp.Client{Jar: jar}}
}

func (b *browser) ask(method, address string, fields url.Values) {
	b.T.Helper()
	req, err := nethttp.NewRequestWithContext(b.Ctx, method, address, strings.NewReader(fields.Encode()))
	require.NoError(b.T, err)
	if method == nethttp.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	res, err := b.client.Do(req)
	require.NoError(b.T, err)
	defer func() { require.NoError(b.T, res.Body.Close()) }()
	require.Equal(b.T, nethttp.StatusOK, res.StatusCode, "%s %s", method, address)
	b.at = res.Request.URL
	b.page, err = html.Parse(res.Body)
	require.NoError(b.T, err)
}

func (b *browser) open(address string) {
	b.T.Helper()
	if b.at != nil {
		address = b.beside(address).String()
	}
	b.ask(nethttp.MethodGet, address, nil)
}

// form returns the page's form that has a field with a name, and all the form's fields.
func (b *browser) form(field string) (form *html.Node, fields url.Values) {
	for form = range b.page.Descendants() {
		if form.Data != "form" {
			continue
		}
		fields = url.Values{}
		for in := range form.Descendants() {
			if in.Data == "input" {
				fields.Set(attribute(in, "name"), attribute(in, "value"))
			}
		}
		if fields.Has(field) {
			return form, fields
		}
	}
	return nil, nil
}

// button returns the form whose own button plays a move, and all its fields.
func (b *browser) button(move string) (form *html.Node, fields url.Values) {
	for form = range b.page.Descendants() {
		if form.Data != "form" {
			continue
		}
		fields = url.Values{}
		found := false
		for in := range form.Descendants() {
			switch {
			case in.Data == "input":
				fields.Set(attribute(in, "name"), attribute(in, "value"))
			case in.Data == "button" && attribute(in, "name") == "move" && attribute(in, "value") == move:
				found = true
			}
		}
		if found {
			fields.Set("move", move)
			return form, fields
		}
	}
	return nil, nil
}

// playing returns the form that plays a move: that of the choices made, or of the last choice, which plays at once.
func (b *browser) playing(move string) (form *html.Node, fields url.Values) {
	b.T.Helper()
	if form, fields = b.form("move"); form != nil && fields.Get("move") == move {
		return form, fields
	}
	return b.button(move)
}

// types types something into a field of the page and submits it.
func (b *browser) types(field, text string) {
	b.T.Helper()
	form, fields := b.form(field)
	require.NotNil(b.T, form, b.at)
	fields.Set(field, text)
	b.open(b.beside(attribute(form, "action")).Path + "?" + fields.Encode())
}

// chooses follows the page's links to a move, choice by choice, until the move's button is there. If the page first
// offers another choice, such as a tile turned another way, it types the move.
func (b *browser) chooses(keys []string, move string) {
	b.T.Helper()
	for range keys {
		if form, _ := b.playing(move); form != nil {
			return
		}
		next := ""
		for a := range b.page.Descendants() {
			if a.Data == "a" && leads(b.beside(attribute(a, "href")), keys) > leads(b.beside(next), keys) {
				next = attribute(a, "href")
			}
		}
		if next == "" {
			b.types("m", move)
			return
		}
		b.open(next)
	}
}

// plays presses a move's button.
func (b *browser) plays(move string) {
	b.T.Helper()
	form, fields := b.playing(move)
	require.NotNil(b.T, form, "%s: nothing plays %s", b.at, move)
	b.ask(nethttp.MethodPost, b.beside(attribute(form, "action")).String(), fields)
}

// beside resolves an address against the open page.
func (b *browser) beside(address string) *url.URL {
	u, err := b.at.Parse(address)
	require.NoError(b.T, err)
	return u
}

// leads returns how many of the choices that make a move a URL holds; 0 if it leads elsewhere.
func leads(u *url.URL, keys []string) int {
	made := u.Query()["c"]
	if len(made) > len(keys) || !slices.Equal(made, keys[:len(made)]) {
		return 0
	}
	return len(made)
}

func attribute(n *html.Node, key string) string {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return n.Attr[i].Val
}

// linksOf lists the links of a turn mail that show or play its turn, each once.
func linksOf(t require.TestingT, doc string) (list []*url.URL) {
	page, err := html.Parse(strings.NewReader(doc))
	require.NoError(t, err)
	had := map[string]bool{}
	for a := range page.Descendants() {
		href := attribute(a, "href")
		if a.Data != "a" || had[href] {
			continue
		}
		had[href] = true
		u, err := url.Parse(href)
		require.NoError(t, err)
		if strings.HasPrefix(u.Path, "/p/") {
			list = append(list, u)
		}
	}
	return list
}

// furthest returns the link that leads furthest towards a move: at least to the board.
func furthest(links []*url.URL, keys []string) (link *url.URL, far int) {
	for _, u := range links {
		if n := leads(u, keys); n > far || n == 0 && link == nil && !u.Query().Has("c") {
			link, far = u, n
		}
	}
	return link, far
}
