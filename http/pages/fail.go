package pages

import (
	"errors"
	nethttp "net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/words"

	"posthorn/http/door"
	"posthorn/http/guard"
)

// problem is an error as a page says it.
type problem struct {
	Title, Text string
	Ways        []choice // where to go from here
}

// Fail renders whatever a handler returned: in the reader's language, with a way on. What
// went wrong inside is logged, by route, and never shown.
func (s *Site) Fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	who, verr := s.Visit(c)
	if verr != nil {
		who = s.Stranger(c)
	}
	v := &visit{who, s}
	status, p := v.problem(err)
	s.Note(status, err, c)
	if rerr := v.render(status, "error", sheet{Title: p.Title, Body: p}); rerr != nil {
		s.Log.Error("error page failed", "route", c.Path(), "error", rerr)
		_ = c.NoContent(status) // nothing better can be said
	}
}

func (v *visit) problem(err error) (int, problem) {
	home := []choice{{Value: "/", Label: v.T("page.error.home")}}
	if r, ok := domain.AsRefusal(err); ok {
		ways := home
		if t := v.Param("table"); t != "" {
			if _, err := events.ParseName(t); err == nil {
				ways = []choice{{Value: "/t/" + t, Label: v.T("page.error.table")}}
			}
		}
		return nethttp.StatusConflict, problem{Title: v.T("page.error.refused"), Text: words.Visible(v.Print.Say(r.Say())), Ways: ways}
	}
	status := nethttp.StatusInternalServerError
	var he *echo.HTTPError
	minutes := 1
	switch wait, busy := guard.TooOften(err); {
	case busy:
		status, minutes = nethttp.StatusTooManyRequests, guard.Minutes(wait)
		v.Response().Header().Set("Retry-After", guard.RetryAfter(wait))
	case errors.Is(err, door.ErrSignIn):
		status = nethttp.StatusUnauthorized
	case errors.Is(err, door.ErrGone):
		status = nethttp.StatusGone
	case errors.Is(err, events.ErrNoStream), errors.Is(err, events.ErrNoRecord):
		status = nethttp.StatusNotFound
	case events.Unstored(err):
		status = nethttp.StatusServiceUnavailable
	case errors.As(err, &he):
		status = he.Code
	}
	if errors.As(err, new(*events.Unreadable)) {
		return status, problem{Title: v.T("page.error.unreadable"), Text: v.T("page.error.unreadable.text"), Ways: home}
	}
	key := map[int]string{
		nethttp.StatusUnauthorized: "signin", nethttp.StatusForbidden: "forbidden", nethttp.StatusNotFound: "missing",
		nethttp.StatusMethodNotAllowed: "missing", nethttp.StatusGone: "gone", nethttp.StatusTooManyRequests: "busy",
		nethttp.StatusRequestEntityTooLarge: "large", nethttp.StatusMisdirectedRequest: "misdirected",
		nethttp.StatusBadRequest: "malformed", nethttp.StatusServiceUnavailable: "unstored",
	}[status]
	if key == "" {
		key = "broken"
	}
	ways := home
	if status == nethttp.StatusUnauthorized {
		ways = []choice{{Value: "/sign-in?" + url.Values{"next": {v.Path()}}.Encode(), Label: v.T("page.nav.signin")}}
	}
	return status, problem{Title: v.T("page.error." + key), Text: v.T("page.error."+key+".text", "n", minutes), Ways: ways}
}
