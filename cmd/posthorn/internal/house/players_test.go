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
			if fits(b.Value) {
				return f.Action, f.Press(b)
			}
		}
	}
	return "", nil
}

// choice is a way on from a page to a move, of which it names the beginning.
var choice = regexp.MustCompile(`href="([^"]*[?&;]c=([^"&#]*)[^"]*)"`)

// presses presses the button of the page that sends a value, once the choices before it are made.
func (r *reader) presses(value string) {
	r.p.t.Helper()
	action, sent := r.button(func(v string) bool { return v == value })
	for _, way := range choice.FindAllStringSubmatch(r.body, -1) {
		if sent == nil && strings.HasPrefix(value, strings.ReplaceAll(way[2], "-", " ")) {
			r.opens(html.UnescapeString(way[1]))
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
