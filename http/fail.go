package http

import (
	"errors"
	"math"
	nethttp "net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/words"
)

// errSignIn is returned by what only somebody signed in may do.
var errSignIn = errors.New("nobody is signed in")

// errGone is returned for a link that was good once, or never.
var errGone = errors.New("the link is no longer good")

// errMalformed is returned for a form that no page of ours sends.
var errMalformed = echo.NewHTTPError(nethttp.StatusBadRequest)

// errBusy is returned for what is asked for too often, with when there is room again.
type errBusy struct{ wait time.Duration }

func (e errBusy) Error() string { return "asked for too often; wait " + e.wait.String() }

// errFull is returned where too many wait for the same thing already.
type errFull struct{ wait time.Duration }

func (e errFull) Error() string { return "too many are waiting; come again in " + e.wait.String() }

// tooOften tells whether something was asked for too often, and when there is room again.
func tooOften(err error) (wait time.Duration, yes bool) {
	if fast, ok := events.AsTooFast(err); ok {
		return fast.Wait, true
	}
	var busy errBusy
	yes = errors.As(err, &busy)
	return busy.wait, yes
}

// minutesOf is a wait as a sentence says it.
func minutesOf(wait time.Duration) int { return max(1, int(math.Ceil(wait.Minutes()))) }

// retryAfter is a wait as the header of that name has it: whole seconds, at least one.
func retryAfter(wait time.Duration) string {
	return strconv.FormatInt(max(1, int64(math.Ceil(wait.Seconds()))), 10)
}

// problem is an error as a page says it.
type problem struct {
	Title, Text string
	Ways        []choice // where to go from here
}

// fail renders whatever a handler returned: in the reader's language, with a way on. What
// went wrong inside is logged, by route, and never shown.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	v, verr := s.visitOf(c)
	if verr != nil {
		v = s.stranger(c)
	}
	status, p := v.problem(err)
	s.note(status, err, c)
	if rerr := v.render(status, "error", sheet{Title: p.Title, Body: p}); rerr != nil {
		s.Log.Error("error page failed", "route", c.Path(), "error", rerr)
		_ = c.NoContent(status) // nothing better can be said
	}
}

// note tells the host what went wrong inside. Of a table that cannot be read the desk tells,
// once.
func (s *Server) note(status int, err error, c echo.Context) {
	if status >= nethttp.StatusInternalServerError && !errors.As(err, new(*events.Unreadable)) {
		s.Log.Error("request failed", "method", c.Request().Method, "route", c.Path(), "error", err)
	}
}

func (v *visit) problem(err error) (int, problem) {
	home := []choice{{Value: "/", Label: v.T("page.error.home")}}
	if r, ok := domain.AsRefusal(err); ok {
		ways := home
		if t := v.c.Param("table"); t != "" {
			if _, err := events.ParseName(t); err == nil {
				ways = []choice{{Value: "/t/" + t, Label: v.T("page.error.table")}}
			}
		}
		return nethttp.StatusConflict, problem{Title: v.T("page.error.refused"), Text: words.Visible(v.print.Say(r.Say())), Ways: ways}
	}
	status := nethttp.StatusInternalServerError
	var he *echo.HTTPError
	minutes := 1
	switch wait, busy := tooOften(err); {
	case busy:
		status, minutes = nethttp.StatusTooManyRequests, minutesOf(wait)
		v.c.Response().Header().Set("Retry-After", retryAfter(wait))
	case errors.Is(err, errSignIn):
		status = nethttp.StatusUnauthorized
	case errors.Is(err, errGone):
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
