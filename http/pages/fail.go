package pages

import (
	"errors"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/http/door"
	"posthorn/projections/words"
)

// problem is an error as a page shows it.
type problem struct {
	Title, Text string
	Ways        []choice // where to go from here
}

// Fail renders the error a handler returned, in the reader's language, with a way on. Internal errors are logged, by
// route, and never shown.
func (s *Site) Fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	if status := (*echo.HTTPError)(nil); errors.As(err, &status) && status.Code == nethttp.StatusMethodNotAllowed &&
		c.Request().Method == nethttp.MethodGet {
		if to := pageOf(c); to != "" {
			_ = c.Redirect(nethttp.StatusSeeOther, to) // the client may have gone away
			return
		}
	}
	v, verr := s.arrive(c)
	if verr != nil {
		v = s.visit(s.Stranger(c))
	}
	var p problem
	v.status, p = v.problem(err)
	s.Note(v.status, err, c)
	if rerr := v.render("error", sheet{Title: p.Title, Body: p}); rerr != nil {
		s.Log.Error("error page failed", "route", c.Path(), "error", rerr)
		_ = c.NoContent(v.status) // there is nothing better to say
	}
}

// pageOf returns the page that the forms of an address under a table or a link belong to: the nearest above it that can
// be read. It returns "" for other addresses.
func pageOf(c echo.Context) string {
	path := c.Request().URL.Path
	if !strings.HasPrefix(path, "/t/") && !strings.HasPrefix(path, "/p/") {
		return ""
	}
	for i := strings.LastIndexByte(path, '/'); i > len("/t"); i = strings.LastIndexByte(path, '/') {
		path = path[:i]
		above := c.Echo().NewContext(nil, nil)
		c.Echo().Router().Find(nethttp.MethodGet, path, above)
		if slices.ContainsFunc(c.Echo().Routes(), func(r *echo.Route) bool {
			return r.Method == nethttp.MethodGet && r.Path == above.Path()
		}) {
			return path
		}
	}
	return ""
}

// Self returns the address at which the page that answers a press can be read; "" for a page that was read.
func (v *visit) Self() string {
	if v.Request().Method != nethttp.MethodPost {
		return ""
	}
	return pageOf(v)
}

// failed maps statuses to the keys of their texts; the default is "broken".
var failed = map[int]string{
	nethttp.StatusUnauthorized: "signin", nethttp.StatusForbidden: "forbidden", nethttp.StatusNotFound: "missing",
	nethttp.StatusMethodNotAllowed: "missing", nethttp.StatusGone: "gone", nethttp.StatusTooManyRequests: "busy",
	nethttp.StatusRequestEntityTooLarge: "large", nethttp.StatusMisdirectedRequest: "misdirected",
	nethttp.StatusBadRequest: "malformed", nethttp.StatusServiceUnavailable: "unstored",
}

// ofLink returns where the person of a link that led here, or should have, can be mailed a fresh one.
func (v *visit) ofLink() string {
	link := v.QueryParam("link")
	if f, err := v.Passes.Read(link, v.Now()); errors.Is(err, pass.ErrPass) || f.Person == "" || f.Stream.IsZero() {
		return ""
	}
	return "/p/" + link + "/fresh"
}

func (v *visit) problem(err error) (int, problem) {
	ways := []choice{{Value: "/", Label: v.T("page.error.home")}}
	if r, ok := domain.AsRefusal(err); ok {
		if _, err := events.ParseName(v.Param("table")); err == nil {
			ways = []choice{{Value: "/t/" + v.Param("table"), Label: v.T("page.error.table")}}
		}
		rule, reading := v.public().whyRefused(r)
		if rule != "" {
			ways = append(ways, choice{Value: rule, Label: v.T("page.rules.why")})
		}
		if reading != "" {
			ways = append(ways, choice{Value: reading, Label: v.T("page.readings.why")})
		}
		return nethttp.StatusConflict,
			problem{Title: v.T("page.error.refused"), Text: words.Visible(v.Print.Say(r.Say())), Ways: ways}
	}
	status, minutes := v.Status(err)
	key, known := failed[status]
	switch {
	case errors.As(err, new(*desk.Unreadable)):
		return status, problem{Title: v.T("page.error.unreadable"), Text: v.T("page.error.unreadable.text"), Ways: ways}
	case errors.Is(err, events.ErrUnsafe):
		key = "unsafe"
	case errors.Is(err, door.ErrAway):
		key = "away"
	case door.Cut(err):
		key = "elsewhere"
	case !known:
		key = "broken"
	case status == nethttp.StatusGone:
		if v.fresh = v.ofLink(); v.fresh != "" {
			key = "over"
			ways = append(v.signInWay(), ways...)
		}
	case status == nethttp.StatusUnauthorized:
		ways = v.signInWay()
	}
	p := problem{Title: v.T("page.error." + key), Text: v.T("page.error."+key+".text", "n", minutes), Ways: ways}
	// said of every address that a table could have, so that it says of none whether there is one
	if key == "missing" && !v.SignedIn() && strings.HasPrefix(v.Request().URL.Path, "/t/") {
		p.Text, p.Ways = p.Text+" "+v.T("page.error.missing.mine"), append(v.signInWay(), ways...)
	}
	return status, p
}

// signInWay returns the way to sign in and come back here; none for who is signed in. A press that came too late leads
// back to its table, where the move waits to be confirmed.
func (v *visit) signInWay() []choice {
	if v.SignedIn() {
		return nil
	}
	next := v.Path()
	if move := v.FormValue("move"); move != "" && v.Context.Path() == "/t/:table/move" {
		next += "?" + url.Values{"m": {move}}.Encode()
	}
	return []choice{{Value: "/sign-in?" + url.Values{"next": {next}}.Encode(), Label: v.T("page.nav.signin")}}
}
