package house_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/http/pagetest"
	"posthorn/mail"
)

// players are two people of a house, at a table.
type players struct {
	*posthorntest.Living
	seats   *desktest.House
	t       *testing.T
	ana, bo posthorntest.Guest
	table   events.Name
	mails   map[string]received
}

// received is a mail that was sent, with the letter that it is.
type received struct {
	mail.Letter
	text string
}

func newPlayers(t *testing.T) *players {
	t.Helper()
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	return &players{Living: l, seats: l.Seated(), t: t, ana: l.Guest("ana@example.org"), bo: l.Guest("bob@example.org"),
		mails: map[string]received{}}
}

// reader is a browser.
type reader struct {
	*http.Client
	p    *players
	path string // where it is
	body string
}

func (p *players) reader(session string) *reader {
	p.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(p.t, err)
	base, err := url.Parse(p.Config.PublicURL)
	require.NoError(p.t, err)
	if session != "" {
		jar.SetCookies(base, []*http.Cookie{{Name: "posthorn", Value: session}})
	}
	return &reader{Client: &http.Client{Jar: jar}, p: p}
}

func (r *reader) read(res *http.Response, err error) {
	r.p.t.Helper()
	require.NoError(r.p.t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(r.p.t, err)
	require.NoError(r.p.t, res.Body.Close())
	require.Equal(r.p.t, 200, res.StatusCode, string(body))
	r.path, r.body = res.Request.URL.RequestURI(), string(body)
}

func (r *reader) opens(path string) { r.p.t.Helper(); r.read(r.Get(r.p.Config.PublicURL + path)) }

// sends presses a button of a form.
func (r *reader) sends(f pagetest.Form, b pagetest.Button) {
	r.p.t.Helper()
	r.read(r.PostForm(r.p.Config.PublicURL+f.Action, f.Press(b)))
}

// button returns what pressing a button of the page sends, and where.
func (r *reader) button(fits func(value string) bool) (action string, sent url.Values) {
	r.p.t.Helper()
	for _, f := range pagetest.Forms(r.p.t, r.body) {
		for _, b := range f.Buttons {
			if fits(b.Value) || b.Name == "" && f.Fields.Has("move") && fits(f.Fields.Get("move")) {
				return f.Action, f.Press(b)
			}
		}
	}
	return "", nil
}

var anyHref = regexp.MustCompile(`href="([^"]*)"`)

// ways returns the links of the page. Some choose something: steps towards a move ("c"), or several moves ("play").
func (r *reader) ways() (list []*url.URL) {
	r.p.t.Helper()
	for _, m := range anyHref.FindAllStringSubmatch(r.body, -1) {
		to, err := url.Parse(html.UnescapeString(m[1]))
		require.NoError(r.p.t, err)
		list = append(list, to)
	}
	return list
}

// offered returns the first of the several moves that the page offers as one press and that fit; "" for none.
func (r *reader) offered(fits func(moves string) bool) string {
	r.p.t.Helper()
	for _, to := range r.ways() {
		if moves := to.Query().Get("play"); fits(moves) {
			return moves
		}
	}
	return ""
}

// presses presses the button of the page that sends a value, once what leads there is chosen.
func (r *reader) presses(value string) {
	r.p.t.Helper()
	action, sent := r.button(func(v string) bool { return v == value })
	for _, to := range r.ways() {
		q := to.Query()
		leads := q.Get("play") == value || strings.HasPrefix(value, strings.ReplaceAll(q.Get("c"), "-", " "))
		if sent == nil && leads && (q.Has("play") || q.Has("c")) {
			r.opens(to.RequestURI())
			action, sent = r.button(func(v string) bool { return v == value })
		}
	}
	require.NotNil(r.p.t, sent, "no button %q at %s\n%s", value, r.path, r.body)
	r.read(r.PostForm(r.p.Config.PublicURL+action, sent))
}

// letter waits for somebody's letter about what is awaited of them now.
func (p *players) letter(who posthorntest.Guest) (id, text string) {
	p.t.Helper()
	return p.mailed(mail.KindTurn, who, func(l mail.Letter) bool {
		look := p.seats.Sees(p.table)
		return l.Stream == look.LineName && slices.ContainsFunc(look.Line.Awaited(), func(o domain.Open) bool {
			return look.Table.Places[o.Seat].Holds(who.ID) && o.Since == l.Open.Since
		})
	})
}

// mailed waits for a letter of a kind to somebody.
func (p *players) mailed(kind mail.Kind, who posthorntest.Guest, fits func(mail.Letter) bool) (id, text string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		for _, m := range p.Mailbox.Messages() {
			if _, known := p.mails[m.ID]; !known {
				parts, err := mail.Message{Raw: m.Raw}.Read()
				require.NoError(p.t, err)
				l, _, err := p.Outbox.ByMessageID(p.Ctx, strings.Trim(parts.Header.Get("Message-Id"), "<>"))
				require.NoError(p.t, err)
				p.mails[m.ID] = received{l, parts.Text}
			}
			if l := p.mails[m.ID]; l.Kind == kind && l.Person == who.ID && fits(l.Letter) {
				id, text = m.ID, l.text
			}
		}
		return id != ""
	}, posthorntest.Patient, 5*time.Millisecond, "no letter: %s", p.Log)
	return id, text
}

// answers answers somebody's letter, and waits until that is played.
func (p *players) answers(who posthorntest.Guest, text string, moves uint64) {
	p.t.Helper()
	id, _ := p.letter(who)
	before := p.seats.Sees(p.table).LineHead.Version
	r := p.reader("")
	r.opens("/mailbox/" + id + "/answer")
	form := pagetest.Forms(p.t, r.body)[0]
	form.Fields.Set("text", text)
	r.read(r.PostForm(p.Config.PublicURL+r.path, form.Press(form.Buttons[0])))
	require.Eventually(p.t, func() bool { return p.seats.Sees(p.table).LineHead.Version == before+moves },
		posthorntest.Patient, 5*time.Millisecond, "%s is not played: %s", text, p.Log)
}
