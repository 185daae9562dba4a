package door

import (
	"context"
	"errors"
	nethttp "net/http"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/guard"
)

// ErrSignIn is returned when nobody is signed in and the request needs it.
var ErrSignIn = errors.New("nobody is signed in")

// ErrGone is returned for a link that is no longer good, or never was.
var ErrGone = errors.New("the link is no longer good")

// ErrAway is returned by a read-only server while it cannot reach one that writes.
var ErrAway = errors.New("the server that writes is not reached")

// stopping is how long a client waits before it retries at a server that is stopping.
const stopping = 5 * time.Second

// ErrMalformed is returned for requests that none of our pages send.
var ErrMalformed = echo.NewHTTPError(nethttp.StatusBadRequest)

// Cut reports whether a request was cut off because the server is stopping or the client has gone. Nothing is wrong
// then, and the client may ask another server.
func Cut(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, events.ErrClosed)
}

// Note logs internal errors for the host. It leaves out tables that cannot be read: the desk reports those, once.
func (h *Parts) Note(status int, err error, c echo.Context) {
	if status >= nethttp.StatusInternalServerError && !errors.As(err, new(*desk.Unreadable)) && !Cut(err) {
		h.Log.Error("request failed", "method", c.Request().Method, "route", c.Path(), "error", err)
	}
}

// Status returns the HTTP status for an error that is not a refusal. After too many requests, minutes is how long to
// wait; Status also sets the header that says so.
func (v *Visit) Status(err error) (status, minutes int) {
	var told *echo.HTTPError
	switch wait, busy := guard.TooOften(err); {
	case busy:
		v.Response().Header().Set("Retry-After", guard.RetryAfter(wait))
		return nethttp.StatusTooManyRequests, guard.Minutes(wait)
	case errors.Is(err, ErrSignIn):
		return nethttp.StatusUnauthorized, 1
	case errors.Is(err, ErrGone):
		return nethttp.StatusGone, 1
	case errors.Is(err, events.ErrNoStream), errors.Is(err, events.ErrNoRecord):
		return nethttp.StatusNotFound, 1
	case errors.Is(err, ErrAway):
		v.Response().Header().Set("Retry-After", "5")
		return nethttp.StatusServiceUnavailable, 1
	case Cut(err):
		v.Response().Header().Set("Retry-After", guard.RetryAfter(stopping))
		return nethttp.StatusServiceUnavailable, 1
	case events.Unstored(err), errors.Is(err, events.ErrUnsafe):
		return nethttp.StatusServiceUnavailable, 1
	case errors.As(err, &told):
		return told.Code, 1
	}
	return nethttp.StatusInternalServerError, 1
}
