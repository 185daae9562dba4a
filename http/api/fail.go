package api

import (
	"errors"
	nethttp "net/http"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/guide"
	"posthorn/projections/words"

	"posthorn/http/door"
	"posthorn/http/guard"
)

// problem is one of the API's own errors.
type problem struct {
	status int
	code   string // what programs read; it never changes
	key    string // of the catalogue
	args   domain.Args
}

func (p *problem) Error() string { return "api: " + p.code }

// errToken is returned for an invalid token.
var errToken = &problem{nethttp.StatusUnauthorized, "token", "api.error.token", nil}

// refusedAs maps refusals to their status. Any other was judged by a game's rules, or says that something is not as it
// should be: it gets 422, and trying again does not help.
var refusedAs = map[string]int{
	"not-your-seat": 403, "seat-kept": 409, "not-a-player": 403, "opener-only": 403, "not-invited": 403,
	"inviter-unconfirmed": 403,
	"no-line":             404, "no-version": 404,
	"seated-already": 409, "seated-self": 409, "seated-elsewhere": 409, "seated-asked": 409, "seated-former": 409,
	"seated-before": 409, "rewind-none": 409, "seat-taken": 409, "not-full": 409, "table-ended": 409,
	"table-moved": 409, "table-started": 409, "not-started": 409,
	"rewind-ended": 409, "share-running": 409, "share-others": 409, "share-many": 409, "rewind-own": 409,
	"undo-off": 409, "undo-last": 409, "undo-seen": 409, "undo-asked": 409, "undo-beside": 409, "undo-shared": 409,
	"proposal-open": 409, "agreed-already": 409,
	"proposal-lapsed": 409, "no-proposal": 409, "not-ended": 409,
	"command-used": 409, "line-closed": 409, "overtaken": 409, "not-awaited": 409, "tokens-many": 409,
	"orders-changed": 409, "not-running": 409,
	"nudged": 409, "nudge-stand-in": 409, "not-nudged": 409, "lend-last": 409, "not-lent": 409, "nobody-here": 409,
	"away-known": 409, "not-away": 409, "no-clock": 409,
	"invite-limit": 429,
}

// failed maps statuses that are not refusals to their code and text.
var failed = map[int]struct{ code, key string }{
	nethttp.StatusBadRequest:            {"malformed", "page.error.malformed.text"},
	nethttp.StatusUnauthorized:          {"sign-in", "page.error.signin.text"},
	nethttp.StatusForbidden:             {"forbidden", "page.error.forbidden.text"},
	nethttp.StatusNotFound:              {"missing", "page.error.missing.text"},
	nethttp.StatusMethodNotAllowed:      {"method", "page.error.missing.text"},
	nethttp.StatusNotAcceptable:         {"not-acceptable", "api.error.accept"},
	nethttp.StatusRequestTimeout:        {"slow", "page.error.slow.text"},
	nethttp.StatusRequestEntityTooLarge: {"large", "page.error.large.text"},
	nethttp.StatusUnsupportedMediaType:  {"media-type", "api.error.type"},
	nethttp.StatusMisdirectedRequest:    {"misdirected", "page.error.misdirected.text"},
	nethttp.StatusTooManyRequests:       {"busy", "page.error.busy.text"},
	nethttp.StatusServiceUnavailable:    {"unstored", "page.error.unstored.text"},
	nethttp.StatusInternalServerError:   {"broken", "page.error.broken.text"},
}

// Fail answers with the error a handler returned: a code for programs and a text in the caller's language. Internal
// errors are logged, by route, and never shown.
func (a *API) Fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	who, cerr := a.caller(c)
	if cerr != nil {
		who = a.speaking(&call{Visit: a.Stranger(c), api: a})
	}
	status, code, text := who.problem(err)
	told := map[string]string{"code": code, "message": text}
	rule, reading := who.rule(err)
	if rule != "" {
		told["rule"] = rule
	}
	if reading != "" {
		told["reading"] = reading
	}
	a.Note(status, err, c)
	if status == nethttp.StatusUnauthorized {
		c.Response().Header().Set("WWW-Authenticate", `Bearer realm="posthorn"`)
	}
	if err := who.json(status, map[string]any{"error": told}); err != nil {
		a.Log.Info("answer not sent", "route", c.Path(), "error", err)
	}
}

// rule returns the addresses, in the caller's language, of the rule behind a refusal and of the reading of a rulebook
// that it follows from; "" for what there is none of.
func (c *call) rule(err error) (rule, reading string) {
	r, ok := domain.AsRefusal(err)
	if !ok {
		return "", ""
	}
	game, _ := c.Get(gameKey).(string)
	rb, _ := c.Rulebook(game)
	if name, err := events.ParseName(c.Param("table")); err == nil {
		if look, err := c.Desk.Look(c.Ctx(), name); err == nil {
			rb = look.Rulebook
		}
	}
	return c.Links.Rule(guide.Path(rb, r.Code), c.Lang), c.Links.Rule(guide.Reading(rb, r.Code), c.Lang)
}

// problem returns an error's status, code and text.
func (c *call) problem(err error) (status int, code, text string) {
	if r, ok := domain.AsRefusal(err); ok {
		if status, ok = refusedAs[r.Code]; !ok {
			status = nethttp.StatusUnprocessableEntity
		}
		return status, r.Code, words.Visible(c.printer().Say(r.Say()))
	}
	var own *problem
	if errors.As(err, &own) {
		return own.status, own.code, c.Print.Say(domain.Say{Key: own.key, Args: own.args})
	}
	if errors.Is(err, door.ErrInvitedOnly) {
		return nethttp.StatusForbidden, "invited-only", c.T("page.new.invited-only")
	}
	var full guard.Full
	if errors.As(err, &full) {
		c.Response().Header().Set("Retry-After", guard.RetryAfter(full.Wait))
		return nethttp.StatusServiceUnavailable, "full", c.T("api.error.full")
	}
	if errors.As(err, new(*desk.Unreadable)) {
		return nethttp.StatusInternalServerError, "unreadable", c.T("page.error.unreadable.text")
	}
	if errors.Is(err, events.ErrUnsafe) {
		return nethttp.StatusServiceUnavailable, "not-safe", c.T("page.error.unsafe.text")
	}
	if errors.Is(err, door.ErrAway) {
		status, _ = c.Status(err)
		return status, "away", c.T("page.error.away.text")
	}
	status, minutes := c.Status(err)
	if door.Cut(err) {
		return status, "stopping", c.T("page.error.elsewhere.text")
	}
	f, ok := failed[status]
	if !ok {
		status, f = nethttp.StatusInternalServerError, failed[nethttp.StatusInternalServerError]
	}
	return status, f.code, c.T(f.key, "n", minutes)
}

// gameKey is where a handler stores the game that a call without a table is about.
const gameKey = "game"

// printer returns a printer for the table or game that the call is about: refusals use its people's names and its
// words.
func (c *call) printer() words.Printer {
	if name, err := events.ParseName(c.Param("table")); err == nil {
		look, err := c.Desk.Look(c.Ctx(), name)
		if err != nil {
			return c.Print
		}
		if p, _, err := c.Maker.Printer(c.Ctx(), look, c.Lang); err == nil {
			return p
		}
	}
	if game, ok := c.Get(gameKey).(string); ok {
		return c.Book.Printer(c.Lang, game, nil)
	}
	return c.Print
}
