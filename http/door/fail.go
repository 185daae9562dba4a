package door

import (
	"errors"
	nethttp "net/http"

	"github.com/labstack/echo/v4"

	"posthorn/events"
)

// ErrSignIn is returned by what only somebody signed in may do.
var ErrSignIn = errors.New("nobody is signed in")

// ErrGone is returned for a link that was good once, or never.
var ErrGone = errors.New("the link is no longer good")

// ErrMalformed is returned for what no page of ours sends.
var ErrMalformed = echo.NewHTTPError(nethttp.StatusBadRequest)

// Note tells the host what went wrong inside. Of a table that cannot be read the desk tells,
// once.
func (h *House) Note(status int, err error, c echo.Context) {
	if status >= nethttp.StatusInternalServerError && !errors.As(err, new(*events.Unreadable)) {
		h.Log.Error("request failed", "method", c.Request().Method, "route", c.Path(), "error", err)
	}
}
