// Package pages is the browser's door for people: pages that work without JavaScript, and the
// links that mails carry. A handler is thin: it reads a request, asks the desk or a projection,
// and says the answer in the reader's language.
package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html/template"
	nethttp "net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/recent"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/http/live"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

//go:embed *.html
var pageFiles embed.FS

// Site is the pages.
type Site struct {
	*door.House
	pages  *template.Template // one set, in which each page has a sheet of its own
	assets assets
	// drawings are the small pictures of tables and games that were asked for last.
	drawings *recent.Store[string, drawing]
	// courses are how the points went in the games whose stories were read last.
	courses *recent.Store[string, turn.Course]
	// animations are the moving pictures of games that were asked for last; one is made at a time.
	animations *recent.Store[string, []byte]
	animating  *guard.Queue

	live             *live.Hub
	signIns, puzzles *guard.Limiter // of sign-in mails, and of looks at puzzles by strangers, by who asks
	data             *guard.Limiter // of downloads of what is held about somebody, by whom and from where
	aside            aside
	shown            map[string]bool // routes that are pages: GET leads there
}

// New makes the pages of a house.
func New(house *door.House, hub *live.Hub) (*Site, error) {
	files, err := readAssets()
	if err != nil {
		return nil, err
	}
	s := &Site{House: house, live: hub, signIns: guard.NewLimiter(rate.Every(time.Minute), 20), data: guard.NewLimiter(rate.Every(10*time.Minute), 5), puzzles: guard.NewLimiter(2, 120), aside: newAside(),
		drawings:   recent.New[string](drawingsRoom, drawing.size),
		animations: recent.New[string](animationsRoom, func(b []byte) int { return len(b) + 128 }), animating: guard.NewQueue(1, animationQueue),
		courses: recent.New[string](coursesRoom, turn.Course.Size), assets: files, shown: map[string]bool{}}
	return s, s.parse()
}

// visit is a visit to the pages.
type visit struct {
	*door.Visit
	site    *Site
	status  int             // of the page that is shown
	then    later           // what is still to be played of one press
	refused *domain.Refusal // what was just refused; the page says it
	write   string          // a move as it is typed, where what was typed is none that is asked now
	barred  bool            // the reader may not open tables; the page says so
	pass    carried         // that the address is of
	stale   string          // what became of the link that led here
	fresh   string          // where its person can be mailed another; "" if there is nothing to mail
	sit     string          // where the seat of a fresh link is taken up
	as      string          // and whose it is
	whose   string          // whom a link is for, where somebody else is signed in
}

// again is the page that is shown where a form is refused, with everything still in it.
type again struct {
	status int
	page   func(*visit) error
}

// handler makes a handler for the router. It lets in whom it says.
func (s *Site) handler(let access, h func(*visit) error, a again) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := s.arrive(c)
		if err != nil {
			return err
		}
		if err := v.AtTable(); errors.Is(err, events.ErrNoStream) && v.QueryParam("link") != "" {
			return door.ErrGone // what the link led to is not for everybody to see
		} else if err != nil {
			return err
		}
		if let == signedIn && !v.SignedIn() || let == seated && v.Me == "" {
			return door.ErrSignIn
		}
		if strings.HasPrefix(c.Path(), "/p/") {
			if v.pass, err = v.carry(v.Param("token")); err != nil {
				return err
			}
		}
		err = h(v)
		refused, ok := domain.AsRefusal(err)
		switch {
		case a.page == nil:
			return err
		case ok:
			v.refused, v.status = refused, a.status
		case errors.Is(err, door.ErrInvitedOnly):
			v.barred, v.status = true, nethttp.StatusForbidden
		default:
			return err
		}
		return a.page(v)
	}
}

// alone makes a handler that knows nobody: it reads no cookie.
func (s *Site) alone(h func(*visit) error) echo.HandlerFunc {
	return func(c echo.Context) error { return h(s.visit(s.Nobody(c))) }
}

// arrive finds out who asks: by their session, or by the seat that their browser keeps here.
func (s *Site) arrive(c echo.Context) (*visit, error) {
	who, err := s.Visit(c)
	if err == nil {
		err = who.Sit()
	}
	if err != nil {
		return nil, err
	}
	return s.visit(who), nil
}

func (s *Site) visit(who *door.Visit) *visit {
	who.Door = events.DoorPage
	return &visit{Visit: who, site: s, status: nethttp.StatusOK}
}

// read reads a form. It is malformed without those of its fields that are named as needed.
func (v *visit) read(into any, needed ...string) error {
	for _, field := range needed {
		if v.FormValue(field) == "" {
			return door.ErrMalformed
		}
	}
	if !strings.HasPrefix(v.Request().Header.Get("Content-Type"), "application/x-www-form-urlencoded") || v.Bind(into) != nil {
		return door.ErrMalformed
	}
	return nil
}

// at is where a form gives a command, for whom. The id is the one that the form was made with.
func (v *visit) at(by domain.PersonID) (door.At, error) {
	id, err := events.ParseCommandID(v.FormValue("id"))
	if err != nil || id == (events.CommandID{}) {
		return door.At{}, door.ErrMalformed
	}
	return door.At{Table: v.Table, By: by, ID: id}, nil
}

// command gives a command that both doors take, for a person.
func (v *visit) command(by domain.PersonID, f door.Action, needed ...string) error {
	var in door.Input
	if err := v.read(&in, needed...); err != nil {
		return err
	}
	at, err := v.at(by)
	if err == nil {
		_, err = v.Do(at, f, in)
	}
	return err
}

// sheet is what every template is given: the visit, and the page's own data.
type sheet struct {
	*visit
	Title   string   // of the tab, after which the house's name stands
	Mine    bool     // something awaits the reader here: the tab says so
	Wide    bool     // a board with a story beside it
	Styles  []string // besides posthorn.css
	Scripts []string // besides posthorn.js
	Body    any
	// Summary is what the page says in a line, for whoever is sent its address.
	Summary string
	// Lasting is set where a browser may keep the page and ask whether it is still so: it is the same for everybody whom
	// the house does not know, and has no form that gives a command.
	Lasting bool
	Notice  string // something that was just done
	Told    bool   // the page tells by itself what the reader's move did
	Error   string // something that was refused
	Rule    string // where the rule about it stands
	// say are the words of what was refused; nil for the house's own.
	say func(domain.Say) string
}

// sheets are the memory in which pages are put together.
var sheets = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render writes a page.
func (v *visit) render(page string, sh sheet) error {
	t := v.site.pages.Lookup(sheetOf(page))
	if t == nil {
		return fmt.Errorf("no page %q", page)
	}
	sh.visit = v
	if sh.say == nil {
		sh.say = v.Print.Say
	}
	if v.barred {
		sh.Error = v.T("page.new.invited-only")
	} else if v.refused != nil {
		sh.Error, sh.Rule = sh.say(v.refused.Say()), v.whyRefused(v.refused)
		if v.write != "" {
			sh.Error += " " + v.T("page.type.now", "example", v.write)
		}
	} else if done := v.QueryParam("done"); page != "error" && slices.Contains(dones, done) && !(sh.Told && done == "moved") {
		if done == "joined" && page == "game" { // the last seat was taken, or one of a game that had begun
			done = "playing"
		}
		sh.Notice = v.T("page.done." + done)
	}
	sh.Error = words.Visible(sh.Error)
	b := sheets.Get().(*bytes.Buffer)
	defer sheets.Put(b)
	b.Reset()
	if err := t.Execute(b, sh); err != nil {
		return fmt.Errorf("page %s: %w", page, err)
	}
	v.Response().Header().Set("Content-Language", v.Lang)
	if sh.Lasting && v.has(b.Bytes()) {
		return v.NoContent(nethttp.StatusNotModified)
	}
	return v.HTMLBlob(v.status, b.Bytes())
}

// has reports whether the reader's browser has a page that it may keep.
func (v *visit) has(page []byte) bool {
	sum := sha256.Sum256(page)
	tag, h := fmt.Sprintf(`W/"%x"`, sum[:12]), v.Response().Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Cookie, Accept-Language")
	return v.Request().Header.Get("If-None-Match") == tag
}

// dones are what a page says after something was done; only what the house itself says.
var dones = []string{"moved", "undone", "joined", "declined", "agreed", "refused", "proposed", "resigned", "invited", "saved", "ended", "filled", "ordered", "mailed", "left", "away", "nudged", "longer", "lent", "back", "address", "withdrawn", "tried", "banned", "unbanned", "letin"}

// Whose is whose seat or link is used here, where somebody else is signed in.
func (v *visit) Whose() string {
	if v.Seated {
		return v.Name
	}
	return v.whose
}

// MayGoBack reports whether whoever is signed in may look at the table as themselves.
func (v *visit) MayGoBack() (bool, error) {
	if v.Table.IsZero() {
		return false, nil
	}
	err := v.MaySee(v.Table, v.Account.ID)
	if errors.Is(err, events.ErrNoStream) {
		return false, nil
	}
	return err == nil, err
}

// NewID names the next command that a form of the page gives.
func (v *visit) NewID() events.CommandID { return events.NewCommandID() }

// Home is the address of the page of the table that the visit is about.
func (v *visit) Home() string { return tablePath(v.Table) }

// Ago says how long ago something was, in words.
func (v *visit) Ago(t time.Time) string {
	d := v.Now().Sub(t)
	switch {
	case d < time.Minute:
		return v.T("page.ago.now")
	case d < time.Hour:
		return v.T("page.ago.minutes", "n", int(d/time.Minute))
	case d < 24*time.Hour:
		return v.T("page.ago.hours", "n", int(d/time.Hour))
	default:
		return v.T("page.ago.days", "n", int(d/(24*time.Hour)))
	}
}

// Dated says when something was, as the reader's calendar and clock have it.
func (v *visit) Dated(t time.Time) template.HTML {
	return template.HTML(`<time datetime="` + stamp(t) + `">` + template.HTMLEscapeString(v.Print.Dated(t.In(cmp.Or(v.Zone, time.UTC)))) + `</time>`) // #nosec: the text is escaped
}

// Timed is a sentence of the house in which a time stands.
func (v *visit) Timed(key, name string, t time.Time, pairs ...any) template.HTML {
	const here = "\x00" // nothing that is told holds it
	before, after, _ := strings.Cut(v.T(key, append(pairs, name, here)...), here)
	return template.HTML(template.HTMLEscapeString(before)) + v.Dated(t) + template.HTML(template.HTMLEscapeString(after)) // #nosec: all text is escaped
}

// Languages are those a reader may choose, each in its own words.
func (v *visit) Languages() []choice {
	return door.Words(words.Languages, v.Lang, func(l string) string { return v.Book.Printer(l, "", nil).Text("page.language.own") })
}

// Path is the address of this page, to come back to. What a form was sent to is mostly no
// page: then it is the page that the form stands on.
func (v *visit) Path() string {
	path := v.Request().URL.Path
	if v.Request().Method == nethttp.MethodPost && !v.site.shown[v.Context.Path()] {
		path = path[:strings.LastIndexByte(path, '/')+1]
		if len(path) > 1 {
			path = path[:len(path)-1]
		}
	}
	if game := v.Wants(); game != "" && strings.HasPrefix(path, "/sign-in/") {
		path += "?game=" + game // which is part of a link
	}
	return path
}

// Stale is what became of the link that led here, Fresh where its person is mailed another.
func (v *visit) Stale() string { return v.stale }

// Fresh is where the person of a link that is no longer good is mailed another; "" without one.
func (v *visit) Fresh() string { return v.fresh }

// Sitting is where a fresh link takes its person's seat up, and As whose it is.
func (v *visit) Sitting() string { return v.sit }

// As is whose seat a fresh link takes up.
func (v *visit) As() string { return v.as }

// LanguageForm is where a language is chosen: for the person whose link or seat this is, or else
// for the browser and whoever is signed in.
func (v *visit) LanguageForm() string {
	switch {
	case v.Seated:
		return v.Home() + "/language"
	case v.pass.path != "" && v.pass.stale == "" && v.pass.Person != "":
		return v.pass.path + "/language"
	default:
		return "/language"
	}
}

// choice is one of several values in a form.
type choice = door.Word

// whole is a whole number of any type.
func whole(n any) int { return int(reflect.ValueOf(n).Convert(reflect.TypeFor[int]()).Int()) }

// seatMark is a seat's letter with its mark: colour alone tells nobody apart in print.
func seatMark(seat any) string {
	n := whole(seat)
	marks := [domain.MaxSeats]string{"●", "■", "▲", "◆", "✚", "★", "⬟", "✖"}
	if n < 0 || n >= len(marks) {
		return domain.Seat(n).Letter()
	}
	return domain.Seat(n).Letter() + "\u2009" + marks[n]
}

// HasMailbox reports whether there is a built-in mailbox to link to, which answers to browsers
// on this machine alone.
func (v *visit) HasMailbox() bool { return v.Mailbox != nil && guard.Here(v.Request()) }

// Next is where signing in leads back to: this page, if it is a table's or a link's.
func (v *visit) Next() string {
	if next := v.QueryParam("next"); next != "" {
		return local(next)
	}
	if p := v.Path(); strings.HasPrefix(p, "/t/") || strings.HasPrefix(p, "/p/") || strings.HasPrefix(p, "/new") || p == "/settings" {
		return p
	}
	return ""
}

// Kept is what the reader had written in a field of the form they sent.
func (v *visit) Kept(field string) string {
	if v.Request().Method != nethttp.MethodPost {
		return ""
	}
	return v.FormValue(field)
}

// local is a path of this server, or "".
func local(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") || len(path) > 200 {
		return ""
	}
	return path
}

// HasLive reports whether a page may listen for what happens at its table.
func (v *visit) HasLive() bool { return v.Follower != nil }
