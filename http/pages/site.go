// Package pages is the browser's door for people: pages that work without JavaScript, and the links in mails. Handlers
// must stay thin: each reads a request, asks the desk or a projection, and answers in the reader's language.
package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html/template"
	nethttp "net/http"
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

// Site serves the pages.
type Site struct {
	*door.Parts
	pages  *template.Template // one set, in which each page has its own sheet
	assets assets
	// drawings are the small pictures of tables and games requested last.
	drawings *recent.Store[string, drawing]
	// courses hold how the points developed in the games whose stories were read last.
	courses *recent.Store[string, turn.Course]
	// animations are the animations of games requested last; one is made at a time.
	animations *recent.Store[string, []byte]
	animating  *guard.Queue

	live             *live.Hub
	signIns, puzzles *guard.Limiter // limits sign-in mails, and strangers' looks at puzzles, by who asks
	data             *guard.Limiter // limits downloads of the data held about somebody, by person and network
	aside            aside
	unsent           waiting
	shown            map[string]bool // routes that are pages: GET works there
}

// New returns the pages of a house.
func New(parts *door.Parts, hub *live.Hub) (*Site, error) {
	files, err := readAssets(parts.Rulebooks)
	if err != nil {
		return nil, err
	}
	set, err := templates()
	if err != nil {
		return nil, err
	}
	return &Site{Parts: parts, pages: set, live: hub, signIns: guard.NewLimiter(rate.Every(time.Minute), 20),
		data: guard.NewLimiter(rate.Every(10*time.Minute), 5), puzzles: guard.NewLimiter(2, 120), aside: newAside(),
		drawings:   recent.New[string](drawingsBytes, drawing.size),
		animations: recent.New[string](animationsBytes, func(b []byte) int { return len(b) + 128 }),
		animating:  guard.NewQueue(1, animationQueue),
		courses:    recent.New[string](coursesBytes, turn.Course.Size), assets: files, shown: map[string]bool{}}, nil
}

// visit is a visit to the pages.
type visit struct {
	*door.Visit
	site    *Site
	status  int             // of the page shown
	refused *domain.Refusal // what was just refused; shown on the page
	write   string          // how to type a move, if what was typed is not what is asked for
	barred  bool            // the reader may not open tables; the page says so
	pass    carried         // the pass in the address
	stale   string          // what became of the link that led here
	spoken  bool            // it speaks the language of its link's person, whatever its reader's browser prefers
	fresh   string          // where its person can be mailed a fresh link; "" if there is nothing to mail
	sit     string          // where to take up the seat of a fresh link
	as      string          // whose seat that is
	linkFor string          // whom a link is for, if somebody else is signed in
	looks   bool            // the link is only good for looking
	Drawn   string          // the style of the drawings that the page has; "" if it has none of its own
}

// again is the page shown if a form is refused, with everything still filled in.
type again struct {
	status int
	page   func(*visit) error
}

// handler makes a handler for the router. It lets in only readers with the given access.
func (s *Site) handler(let access, h func(*visit) error, a again) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := s.arrive(c)
		if err != nil {
			return err
		}
		switch err := v.AtTable(); {
		case errors.Is(err, events.ErrNoStream) && v.Over().ID != "":
			if let != wasLent {
				return door.ErrSignIn // this browser knows the table, and what it was lent there is over
			}
		case errors.Is(err, events.ErrNoStream) && v.QueryParam("link") != "":
			return door.ErrGone // not everybody may see what the link led to
		case err != nil:
			return err
		}
		if let == signedIn && !v.SignedIn() || let == seated && v.Me == "" {
			return door.ErrSignIn
		}
		if strings.HasPrefix(c.Path(), "/p/") {
			if v.pass, err = v.links().carry(v.Param("token")); err != nil {
				return err
			}
		}
		if err := v.consent().noteZone(); err != nil {
			return err
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

// alone makes a handler that knows nobody and reads no cookies.
func (s *Site) alone(h func(*visit) error) echo.HandlerFunc {
	return func(c echo.Context) error { return h(s.visit(s.Nobody(c))) }
}

// arrive finds out who is asking: by their session, or by the seat that their browser keeps here.
func (s *Site) arrive(c echo.Context) (*visit, error) {
	who, err := s.Visit(c)
	if err == nil {
		err = who.Loans().Sit()
	}
	if err != nil {
		return nil, err
	}
	return s.visit(who), nil
}

func (s *Site) visit(who *door.Visit) *visit {
	who.Door = domain.DoorPage
	return &visit{Visit: who, site: s, status: nethttp.StatusOK}
}

// read reads a form. It is malformed if a needed field is missing.
func (v *visit) read(into any, needed ...string) error {
	for _, field := range needed {
		if v.FormValue(field) == "" {
			return door.ErrMalformed
		}
	}
	if !strings.HasPrefix(v.Request().Header.Get("Content-Type"), "application/x-www-form-urlencoded") ||
		v.Bind(into) != nil {
		return door.ErrMalformed
	}
	return nil
}

// at returns where and for whom a form gives a command. The id is the one the form was made with.
func (v *visit) at(by domain.PersonID) (door.At, error) {
	id, err := events.ParseCommandID(v.FormValue("id"))
	if err != nil || id == (events.CommandID{}) {
		return door.At{}, door.ErrMalformed
	}
	return door.At{Table: v.Table, By: by, ID: id}, nil
}

// command gives a command that both doors accept, on behalf of a person.
func (v *visit) command(by domain.PersonID, f door.Action, needed ...string) error {
	var in door.Input
	if err := v.read(&in, needed...); err != nil {
		return err
	}
	at, err := v.at(by)
	if err == nil {
		_, err = v.Commands().Do(at, f, in)
	}
	return err
}

// sheet is what every template gets: the visit, and the page's own data.
type sheet struct {
	*visit
	Title   string   // of the tab; the house's name follows it
	Mine    bool     // something here awaits the reader: the tab says so
	Wide    bool     // a board with a story beside it
	Styles  []string // besides posthorn.css
	Scripts []string // besides posthorn.js
	Body    any
	// Summary describes the page in one line, for people who are sent its address.
	Summary string
	Card    *sharedCard // the picture that goes with the address; nil if there is none
	// Lasting is set if a browser may keep the page and revalidate it: it is the same for everybody the house does not
	// know, and has no form that gives a command.
	Lasting bool
	Notice  string // something that was just done
	Told    bool   // the page itself already says what the reader's move did
	Error   string // something that was refused
	Rule    string // address of the rule behind it
	Reading string // address of the reading of a rulebook that it follows from
	Beside  string // the code of a refusal that the page shows at a field of its own, instead of at the top
	Wrong   string // that refusal, if it was refused
	// say renders the words of a refusal; nil for the house's own words.
	say func(domain.Say) string
}

// sheets pools the buffers in which pages are built.
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
		sh.Error = sh.say(v.refused.Say())
		sh.Rule, sh.Reading = v.public().whyRefused(v.refused)
		if v.write != "" {
			sh.Error += " " + v.T("page.type.now", "example", v.write)
		}
		if v.refused.Code == sh.Beside {
			sh.Error, sh.Wrong = "", words.Visible(sh.Error)
		}
	} else if done := v.QueryParam("done"); page != "error" && v.Book.Has("page.done."+done) &&
		!(sh.Told && done == "moved") {
		if done == "joined" && page == "game" { // they took the last seat, or one in a game that had begun
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

// has reports whether the reader's browser already has a page that it may keep.
func (v *visit) has(page []byte) bool {
	sum := sha256.Sum256(page)
	tag, h := fmt.Sprintf(`W/"%x"`, sum[:12]), v.Response().Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Cookie, Accept-Language")
	return v.Request().Header.Get("If-None-Match") == tag
}
