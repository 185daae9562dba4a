package http_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	nethttp "net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// games are the games that the tests play.
var games = append(slices.Clone(rulebooks.All()), tiny.Rulebook)

// theBook returns the words of all houses; nothing changes it.
var theBook = sync.OnceValues(func() (*words.Book, error) { return words.New(games) })

func named(name string) (domain.Rulebook, bool) {
	for _, rb := range games {
		if rb.Name() == name {
			return rb, true
		}
	}
	return nil, false
}

type names struct{ people *people.Store }

func (n names) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	all, err := n.people.People(ctx, id)
	if p, ok := all[id]; ok {
		return cmp.Or(p.Name, p.Called), err
	}
	return "", err
}

// post keeps the links that would be mailed.
type post struct {
	mu    sync.Mutex
	sent  []letter
	moved []letter // what became of an address, with the link that takes it back
	lost  []people.LostMail
	taken []string // addresses that were asked for and are somebody else's
	told  []string // "link PERSON TABLE", "used PERSON TABLE WHY BROWSER"
}

type letter struct{ to, token, lang, game string }

func (p *post) SignIn(_ context.Context, to, token, lang, game string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, letter{to, token, lang, game})
	return nil
}

func (p *post) Changed(_ context.Context, to people.Told, c people.Change) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moved = append(p.moved, letter{to: string(to.Address), token: to.Back, lang: c.Language,
		game: c.What + " " + c.Address.Short()})
	return nil
}

func (p *post) Lost(_ context.Context, m people.LostMail) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = append(p.lost, m)
	return nil
}

func (p *post) Afresh(_ context.Context, id domain.PersonID) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, "afresh "+string(id))
	return nil
}

func (p *post) Forget(ctx context.Context, to, token, lang string) error {
	return p.SignIn(ctx, to, token, lang, "forget")
}

func (p *post) Taken(_ context.Context, to, lang string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = append(p.taken, to)
	return nil
}

func (p *post) Address(ctx context.Context, to, token, lang string) error {
	return p.SignIn(ctx, to, token, lang, "")
}

func (p *post) Link(_ context.Context, person domain.PersonID, table events.Name) error {
	return p.tell("link", person, table)
}

func (p *post) Used(_ context.Context, person domain.PersonID, table events.Name, why, browser string) error {
	return p.tell("used", person, table, why, browser)
}

func (p *post) Stopped(_ context.Context, person domain.PersonID, kind string) error {
	return p.tell("stopped", person, kind)
}

func (p *post) tell(what ...any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, strings.TrimSpace(fmt.Sprintln(what...)))
	return nil
}

func (p *post) last(t *testing.T) letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	require.NotEmpty(t, p.sent, "no sign-in mail")
	return p.sent[len(p.sent)-1]
}

// house is the pages on top of real parts: a log in memory, people and views in files.
type house struct {
	t      *testing.T
	dir    string
	desk   *desk.Desk
	people *people.Store
	passes *pass.Maker
	post   *post
	server *http.Server
	web    *httptest.Server
	ahead  time.Duration // of the machine's clock, at the tables
	later  time.Duration // the same, among people
}

func open(t *testing.T, change ...func(*http.Config)) *house {
	t.Helper()
	return openWith(t, [32]byte{1, 2, 3}, change...)
}

// openWith opens a house with keys of its own.
func openWith(t *testing.T, root [32]byte, change ...func(*http.Config)) *house {
	t.Helper()
	keys, err := events.NewKeys(root)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	h := &house{t: t, dir: t.TempDir(), passes: pass.New(keys), post: &post{}}
	h.desk = desk.NewDesk(memory.New(), keys, named, func() time.Time { return time.Now().Add(h.ahead) })
	lists, err := views.Open(ctx, h.dir, h.desk)
	require.NoError(t, err)
	desktest.Blank(t, filepath.Join(h.dir, "people.db"), "people")
	h.people, err = people.Open(ctx, filepath.Join(h.dir, "people.db"), keys, people.Options{Seated: lists.Seated,
		MailKinds: mail.Switches(), PostedKinds: mail.Posted(),
		Now: func() time.Time { return time.Now().Add(h.later) }})
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = lists.Run(ctx, events.FollowLog(h.desk.Log())) // ends with the test
	}()
	book, err := theBook()
	require.NoError(t, err)
	h.web = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		h.server.ServeHTTP(w, r)
	}))
	cfg := http.Config{PublicURL: h.web.URL, Desk: h.desk, Maker: turn.NewMaker(h.desk, book, names{h.people}),
		Book: book, Rulebooks: games,
		People: h.people, Passes: h.passes, Views: lists, Post: h.post}
	for _, f := range change {
		f(&cfg)
	}
	h.server, err = http.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		h.web.Close()
		stop()
		<-done
		require.NoError(t, lists.Close())
		require.NoError(t, h.people.Close())
	})
	return h
}

// browser is one person's browser.
type browser struct {
	*house
	client *nethttp.Client
	id     domain.PersonID
	name   string
}

func (h *house) browser() *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(h.t, err)
	return &browser{house: h, client: &nethttp.Client{Jar: jar}}
}

// page is what a browser was shown.
type page struct {
	t      *testing.T
	status int
	path   string
	query  url.Values
	header nethttp.Header
	body   string
}

func (b *browser) do(method, path string, form url.Values, change ...func(*nethttp.Request)) page {
	b.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := nethttp.NewRequestWithContext(context.Background(), method, b.web.URL+path, body)
	require.NoError(b.t, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, f := range change {
		f(req)
	}
	res, err := b.client.Do(req)
	require.NoError(b.t, err)
	b.server.Settle() // a sign-in mail is written after the answer
	text, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	require.NoError(b.t, res.Body.Close())
	return page{t: b.t, status: res.StatusCode, path: res.Request.URL.Path, query: res.Request.URL.Query(),
		header: res.Header, body: string(text)}
}

func (b *browser) get(path string) page { b.t.Helper(); return b.do("GET", path, nil) }

func (b *browser) send(path string, form url.Values) page {
	b.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	return b.do("POST", path, form)
}

// signedIn returns a browser whose person has a name.
func (h *house) signedIn(name string) *browser {
	h.t.Helper()
	b := h.browser()
	b.send("/sign-in", url.Values{"address": {strings.ToLower(name) + "@example.org"}})
	p := b.send("/sign-in/"+h.post.last(h.t).token, nil)
	require.Equal(h.t, 200, p.status)
	a, err := people.ParseAddress(strings.ToLower(name) + "@example.org")
	require.NoError(h.t, err)
	who, err := h.people.ByAddress(context.Background(), a)
	require.NoError(h.t, err)
	require.NoError(h.t, h.people.SetName(context.Background(), who.ID, name))
	b.id, b.name = who.ID, name
	return b
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// form returns the hidden fields of the page's form that is sent to an address.
func (p page) form(action string) url.Values {
	p.t.Helper()
	return p.formAfter(`action="` + action + `"`)
}

// formAfter returns the hidden fields of the form that a piece of markup belongs to.
func (p page) formAfter(mark string) url.Values {
	p.t.Helper()
	i := strings.Index(p.body, mark)
	require.GreaterOrEqual(p.t, i, 0, "no %s in\n%s", mark, p.body)
	end := strings.Index(p.body[i:], "</form>")
	form := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(p.body[i:i+end], -1) {
		form.Set(m[1], unescape(m[2]))
	}
	return form
}

func unescape(s string) string {
	return strings.NewReplacer("&amp;", "&", "&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&#43;", "+").
		Replace(s)
}

// settle does what the runner does, except stand-ins' moves.
func (h *house) settle(table string) {
	h.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	_, err = h.desk.Advance(context.Background(), name)
	require.NoError(h.t, err)
}

const someChance = "quite at random 1 5 2 6 6 1"

// table opens a game through the pages, with the browsers in its seats in order, and starts it.
func (h *house) table(game string, players ...*browser) string {
	h.t.Helper()
	return h.tableWith(game, url.Values{"pace": {"weekly"}}, players...)
}

// opens opens a game through the pages, with choices filled into the form.
func (h *house) opens(game string, chosen url.Values, players ...*browser) page {
	h.t.Helper()
	p := players[0].get("/new/" + game)
	require.Equal(h.t, 200, p.status)
	form := p.form("/new/" + game)
	maps.Copy(form, chosen)
	for i, b := range players {
		n := string(rune('0' + i))
		form.Set("seat."+n, "friend")
		if i == 0 {
			form.Set("seat."+n, "me")
		}
		who, err := h.people.Person(context.Background(), b.id)
		require.NoError(h.t, err)
		form.Set("address."+n, string(who.Address))
	}
	return players[0].send("/new/"+game, form)
}

// tableWith is table with choices filled into the form.
func (h *house) tableWith(game string, chosen url.Values, players ...*browser) string {
	h.t.Helper()
	p := h.opens(game, chosen, players...)
	require.Equal(h.t, 200, p.status, p.body)
	table := strings.TrimPrefix(p.path, "/t/")
	for i, b := range players {
		p := b.get("/t/" + table)
		join := p.form("/t/" + table + "/join")
		join.Set("chance", someChance)
		join.Set("seat", string(rune('0'+i)))
		p = b.send("/t/"+table+"/join", join)
		require.Equal(h.t, 200, p.status, p.body)
	}
	h.settle(table)
	return table
}

// bare makes a request look as if a mail program sent it: with no hint of where it comes from.
func bare(r *nethttp.Request) { r.Header.Del("Sec-Fetch-Site") }
