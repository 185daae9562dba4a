package house_test

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/http/pagetest"
	"posthorn/mail"
)

// presser is a house with a table at which a press of Ana's has something asked in its middle.
type presser struct {
	*posthorntest.Living
	seats   *desktest.House
	t       *testing.T
	ana, bo posthorntest.Guest
	table   events.Name
	start   uint64 // the version before any press
	press   string // as a button sends it
	answer  string // to what is asked in its middle
}

// reader is a browser.
type reader struct {
	*http.Client
	p    *presser
	path string // where it is
	body string
}

func (p *presser) reader(session string) *reader {
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

// both presses the press, and then what is asked in its middle.
func (r *reader) both() {
	r.p.t.Helper()
	r.presses(r.p.press)
	require.Contains(r.p.t, r.body, "After that, as you chose: stack 2")
	r.presses(r.p.answer)
}

// letter waits for Ana's letter about what is awaited of her now.
func (p *presser) letter() (id, text string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		look := p.seats.Sees(p.table)
		since := look.Line.Awaited()[0].Since
		for _, m := range p.Mailbox.Messages() {
			parts, err := mail.Message{Raw: m.Raw}.Read()
			require.NoError(p.t, err)
			l, _, err := p.Outbox.ByMessageID(p.Ctx, strings.Trim(parts.Header.Get("Message-Id"), "<>"))
			require.NoError(p.t, err)
			if l.Kind == mail.KindTurn && l.Person == p.ana.ID && l.Stream == look.LineName && l.Open.Since == since {
				id, text = m.ID, parts.Text
			}
		}
		return id != ""
	}, posthorntest.Patient, 5*time.Millisecond, "no letter: %s", p.Log)
	return id, text
}

// answers answers Ana's letter, and waits until that is played.
func (p *presser) answers(text string, moves uint64) {
	p.t.Helper()
	id, _ := p.letter()
	before := p.seats.Sees(p.table).LineHead.Version
	r := p.reader("")
	r.opens("/mailbox/" + id + "/answer")
	form := pagetest.Forms(p.t, r.body)[0]
	form.Fields.Set("text", text)
	r.read(r.PostForm(p.Config.PublicURL+r.path, form.Press(form.Buttons[0])))
	require.Eventually(p.t, func() bool { return p.seats.Sees(p.table).LineHead.Version == before+moves },
		posthorntest.Patient, 5*time.Millisecond, "%s is not played: %s", text, p.Log)
}

// calls has Ana's program play, after what an earlier answer left.
func (p *presser) calls(move, then string) (left string) {
	p.t.Helper()
	api := "/api/v1/tables/" + p.table.String() + "/moves"
	before := p.seats.Sees(p.table).LineHead.Version
	_, body := p.Get(api, p.ana, "en")
	var asked map[string]any
	require.NoError(p.t, json.Unmarshal([]byte(body), &asked))
	sent, err := json.Marshal(map[string]any{"id": events.NewCommandID().String(), "line": asked["line"],
		"decision": asked["decision"], "move": move, "then": then})
	require.NoError(p.t, err)
	r, err := http.NewRequestWithContext(p.Ctx, "POST", api, bytes.NewReader(sent))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/json")
	status, body := p.Ask(r, p.ana, "en")
	require.Equal(p.t, 200, status, body)
	var done struct {
		Version uint64
		Then    string
	}
	require.NoError(p.t, json.Unmarshal([]byte(body), &done))
	require.Equal(p.t, before+1, done.Version, "the answer is the first move's")
	return done.Then
}

// played returns the events since the start, as Ana knows them.
func (p *presser) played() (list []domain.Event) {
	p.t.Helper()
	look := p.seats.Sees(p.table)
	all, err := p.Desk.History(p.Ctx, look, look.LineName, domain.ViewOf(0), p.start, 0)
	require.NoError(p.t, err)
	for _, e := range all {
		if !e.Forked {
			list = append(list, e.Event)
		}
	}
	return list
}

// A press is the same through every door: the same moves become the same events, with what is asked in between; on
// copies, the same moves.
func TestAPressIsTheSameThroughEveryDoor(t *testing.T) {
	t.Parallel()
	l := posthorntest.Lives(t, posthorntest.Settings(t.TempDir()))
	p := &presser{Living: l, seats: l.Seated(), t: t, ana: l.Guest("ana@example.org"), bo: l.Guest("bob@example.org")}
	ans, err := l.Desk.Open(l.Ctx, desktest.By(p.ana.ID), events.NewCommandID(), desk.NewTable{Rulebook: "rivals",
		Given:  []byte(`{"active":"A","phase":"act","seats":[{"hand":["goldsmith","weavers_shop","osmund"]},{}]}`),
		Places: []domain.TablePlace{desktest.Player(p.ana.ID), desktest.Player(p.bo.ID)}, Pace: "weekly"})
	require.NoError(t, err)
	p.table = ans.Table
	p.seats.Joins(p.ana.ID, p.table, 0)
	p.seats.Joins(p.bo.ID, p.table, 1)
	p.seats.Follows(p.table)
	p.start = p.seats.Sees(p.table).LineHead.Version

	home := p.reader(p.ana.Session)
	table := "/t/" + p.table.String()
	several := regexp.MustCompile(`^end; search osmund \d; stack 2$`)
	home.opens(table)
	_, sent := home.button(several.MatchString)
	p.press = sent.Get("move")

	doors := map[string]func(){
		"page": func() {
			home.opens(table)
			home.both()
		},
		"link": func() {
			_, text := p.letter()
			r := p.reader("")
			r.opens(regexp.MustCompile(`/p/[\w-]+`).FindString(text))
			r.both()
		},
		"program": func() {
			left := p.calls(p.press, "")
			require.NotEmpty(t, left)
			require.Empty(t, p.calls(p.answer, left))
		},
		"reply": func() {
			p.answers(p.press, 2)
			p.answers(p.answer+"; stack 2", 2)
		},
	}
	// A standing order answers what is asked: it says from where it pays.
	home.presses(p.press)
	home.presses("pay")
	want := p.played()
	require.Len(t, want, 4)
	p.answer = want[2].Move
	for door, plays := range doors {
		t.Run(door, func(t *testing.T) {
			p.t = t
			p.seats.Rewinds(p.table, p.start)
			plays()
			require.Equal(t, want, p.played())
		})
	}
	p.t = t

	p.seats.Rewinds(p.table, p.start)
	name := regexp.MustCompile(`/t/[0-9a-f]+/sketch`)
	home.opens(table)
	home.read(home.PostForm(p.Config.PublicURL+name.FindString(home.body), url.Values{"now": {"1"}}))
	home.both()
	s, _, err := l.People.Sketch(l.Ctx, p.ana.ID, p.table)
	require.NoError(t, err)
	var tried []string
	for _, ply := range s.Find(s.Last).Plies {
		tried = append(tried, ply.Move)
	}
	require.Equal(t, slices.Insert(strings.Split(p.press, domain.PressSeparator), 2, p.answer), tried)

	p.seats.Ends(p.table)
	p.seats.Follows(p.table)
	moment := table + "/line/" + p.seats.Sees(p.table).LineName.String() + "/" + strconv.FormatUint(p.start, 10)
	home.opens(moment)
	home.opens(html.UnescapeString(regexp.MustCompile(`/t/[^"]*/puzzle[?][^"]*`).FindString(home.body)))
	home.presses(p.press)
	form := pagetest.Of(t, home.body, table+"/puzzle")
	require.Contains(t, strings.Split(form.Fields.Get("solutions"), "\n"), p.press)
	form.Fields.Set("title", "How would you go on?")
	home.read(home.PostForm(p.Config.PublicURL+form.Action, form.Press(form.Buttons[0])))
	solver := p.reader("")
	solver.opens(home.path)
	solver.presses(p.press)
	require.Contains(t, solver.body, ">Right<")
}
