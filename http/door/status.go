package door

import (
	"context"
	"errors"
	nethttp "net/http"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/events"
	"posthorn/http/guard"
)

// ErrSignIn is returned by what only somebody signed in may do.
var ErrSignIn = errors.New("nobody is signed in")

// ErrGone is returned for a link that was good once, or never.
var ErrGone = errors.New("the link is no longer good")

// ErrAway is returned by a server that only reads while none that writes can be reached.
var ErrAway = errors.New("the server that writes is not reached")

// stopping is how long whoever asked a server that stops waits until they ask again.
const stopping = 5 * time.Second

// ErrMalformed is returned for what no page of ours sends.
var ErrMalformed = echo.NewHTTPError(nethttp.StatusBadRequest)

// Cut reports whether a request was cut off because the server was told to stop, or whoever asked has gone: whatever it asked for, nothing is
// wrong, and another server may be the one to ask.
func Cut(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, events.ErrClosed)
}

// Note tells the host what went wrong inside. Of a table that cannot be read the desk tells,
// once.
func (h *House) Note(status int, err error, c echo.Context) {
	if status >= nethttp.StatusInternalServerError && !errors.As(err, new(*events.Unreadable)) && !Cut(err) {
		h.Log.Error("request failed", "method", c.Request().Method, "route", c.Path(), "error", err)
	}
}

// Status is the status of what went wrong and is no refusal; minutes is how long to wait where
// something was asked for too often, which the header says too.
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
