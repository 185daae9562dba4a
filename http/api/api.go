// Package api is the browser's door for programs: JSON under /api/v1, as openapi.json describes it.
package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	nethttp "net/http"
	"runtime"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/http/live"
)

// Base is the prefix of the API's paths. What openapi.json describes there stays as it is; a change that would break
// programs gets a new base.
const Base = "/api/v1"

// openAPI describes the API for programs and their authors. It is written first, and tests check the program against
// it.
//
//go:embed openapi.json
var openAPI []byte

// need says what a caller must have for a route to answer.
type need int

const (
	needNothing  need = iota // anybody who knows the address, as with the pages
	needPerson               // somebody: by a token of any scope, or a browser's session
	needPlay                 // a token with the scope play
	needSettings             // a token with the scope settings
	needSession              // a browser's session; no token is enough
)

// route is one address of the API.
type route struct {
	method, path string // path is below Base
	needs        need
	wide         bool // not for tokens limited to one table
	answer       func(*call) (any, error)
}

// API answers programs.
type API struct {
	*door.Parts
	live  *live.Hub
	calls *guard.Limiter // by where they come from, and by person
	// pictures queues requests for pictures, with everything computed for them.
	pictures *guard.Queue
}

// pictureQueue is how many callers may wait for each picture being made.
const pictureQueue = 16

// New returns the API of a house.
func New(parts *door.Parts, hub *live.Hub) *API {
	return &API{Parts: parts, live: hub, calls: guard.NewLimiter(20, 600),
		pictures: guard.NewQueue(runtime.GOMAXPROCS(0), pictureQueue)}
}

// call is one request to the API: a visit, and the token it came with, if any.
type call struct {
	*door.Visit
	api   *API
	token *people.Token
}

// routes lists every route of the API. openapi.json describes each of them.
func routes() []route {
	const at = "/tables/:table"
	out := []route{
		{"GET", "/openapi.json", needNothing, false, func(c *call) (any, error) {
			return nil, c.Blob(nethttp.StatusOK, "application/json", openAPI)
		}},
		{"GET", "/checkpoint", needNothing, false, latestCheckpoint},
		{"GET", "/checkpoint/proof", needNothing, false, consistency},
		{"GET", "/me", needPerson, false, me},
		{"GET", "/games", needNothing, false, games},
		{"GET", "/inbox", needPerson, true, inbox},
		{"GET", "/lobby", needPerson, true, lobby},
		{"GET", "/tokens", needSession, true, tokens},
		{"POST", "/tokens", needSession, true, makeToken},
		{"DELETE", "/tokens/:token", needSession, true, revokeToken},
		{"GET", "/settings", needPerson, true, settings},
		{"POST", "/settings", needSettings, true, with(body[newSettings], setSettings)},
		{"POST", "/holidays", needSettings, true, with(body[spanJSON], goAway)},
		{"DELETE", "/holidays", needSettings, true, comeBack},
		{"GET", "/hooks", needSettings, true, hooks},
		{"POST", "/hooks", needSettings, true, with(body[newHook], makeHook)},
		{"POST", "/hooks/:hook/try", needSettings, true, with(body[struct{}], tryHook)},
		{"DELETE", "/hooks/:hook", needSettings, true, removeHook},
		{"POST", "/tables", needPlay, true, with(body[newGame], open)},
		{"GET", at, needNothing, false, with((*call).Model, (*call).tableOf)},
		{"GET", at + "/moves", needPerson, false, with((*call).Moves, moves)},
		{"POST", at + "/moves", needPlay, false, with(body[door.Move], play)},
		{"GET", at + "/orders", needPerson, false, with((*call).Ordering, orders)},
		{"POST", at + "/orders", needPlay, false, with(body[newOrders], setOrders)},
		{"GET", at + "/timeline", needNothing, false, with((*call).Look, timeline)},
		{"GET", at + "/chat", needPerson, false, with((*call).Look, chat)},
		{"GET", at + "/lines", needNothing, false, with((*call).Model, lines)},
		{"GET", at + "/lines/:line/:version", needNothing, false, with(moment, (*call).tableOf)},
		{"GET", at + "/audit", needNothing, false,
			with((*call).Look, func(c *call, look desk.Look) (door.Audit, error) { return c.History().Audit(look) })},
		{"GET", at + "/inclusion", needNothing, false, with((*call).Look, inclusion)},
		{"GET", at + "/record", needNothing, false, func(c *call) (any, error) { return nil, c.History().Record() }},
		{"GET", at + "/picture.svg", needNothing, false, svg},
		{"GET", at + "/picture.png", needNothing, false, png},
		{"GET", at + "/live", needNothing, false, func(c *call) (any, error) { return nil, c.api.live.Serve(c.Visit) }},
		{"GET", at + "/notes", needPerson, false, with((*call).Look, note)},
		{"POST", at + "/notes", needPlay, false, with(body[noteJSON], setNote)},
		{"GET", at + "/mails", needPerson, false, with((*call).Look, tableMails)},
		{"POST", at + "/mails", needPlay, false, with(body[tableMailsJSON], setTableMails)},
		{"GET", at + "/invitations", needPerson, false, with((*call).Look, invitations)},
		{"POST", at + "/again", needPlay, false, with(body[sendAgain], again)},
		{"GET", at + "/share", needPerson, false, sharing},
		{"POST", at + "/share", needPlay, false, with(body[shareJSON], share)},
		{"POST", at + "/branch", needPlay, true, with(body[newBranch], branch)},
	}
	for _, f := range door.Actions {
		name := f.Name
		if name == "say" {
			name = "chat" // the name of the route where it is read
		}
		out = append(out, route{"POST", at + "/" + name, needPlay, false, func(c *call) (any, error) {
			return c.command(f)
		}})
	}
	return out
}

// with combines two functions: get finds what a call is about, such as the table as it stands or the body sent; answer
// makes the answer from that.
func with[T, R any](get func(*call) (T, error), answer func(*call, T) (R, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		about, err := get(c)
		if err != nil {
			return nil, err
		}
		return answer(c, about)
	}
}

// body returns what was sent.
func body[T any](c *call) (in T, err error) { return in, c.read(&in) }

// Mount adds every route of the API to a router. If a handler returns a value, Mount writes it; if it returns nil, it
// has already answered.
func (a *API) Mount(e *echo.Echo) {
	for _, r := range routes() {
		e.Add(r.method, Base+r.path, func(c echo.Context) error {
			call, err := a.admit(c, r)
			if err != nil {
				return err
			}
			if err := call.AtTable(); err != nil {
				return err
			}
			body, err := r.answer(call)
			if err != nil || body == nil {
				return err
			}
			return call.json(nethttp.StatusOK, body)
		})
	}
}

// admit finds out who is calling and whether they may. It changes nothing.
func (a *API) admit(c echo.Context, r route) (*call, error) {
	if wait, ok := a.calls.Allow(guard.Network(c.RealIP())); !ok {
		return nil, guard.Busy{Wait: wait}
	}
	call, err := a.caller(c)
	if err != nil {
		return nil, err
	}
	if call.SignedIn() {
		if wait, ok := a.calls.Allow("person " + string(call.Me)); !ok {
			return nil, guard.Busy{Wait: wait}
		}
	}
	switch {
	case r.needs == needNothing && call.token == nil:
	case r.needs == needSession && call.token != nil:
		return nil, &problem{nethttp.StatusForbidden, "session", "api.error.session", nil}
	case r.needs != needNothing && !call.SignedIn(), (r.needs == needPlay || r.needs == needSettings) &&
		call.token == nil:
		return nil, door.ErrSignIn
	case call.token != nil && !a.reaches(call.token, r, c):
		return nil, &problem{nethttp.StatusForbidden, "scope", "api.error.scope", nil}
	}
	return call, nil
}

// reaches reports whether a token is valid for a route.
func (a *API) reaches(t *people.Token, r route, c echo.Context) bool {
	if r.needs == needPlay && !t.Scope.Reaches(people.ScopePlay) || r.needs == needSettings &&
		!t.Scope.Reaches(people.ScopeSettings) {
		return false
	}
	if t.Table.IsZero() {
		return true
	}
	return !r.wide && (!strings.Contains(r.path, ":table") || c.Param("table") == t.Table.String())
}

// caller returns who is calling: by their token, which is never ignored if sent, or by a browser's session on a page of
// this server. The language is the one the request asks for, if any.
func (a *API) caller(c echo.Context) (*call, error) {
	call, err := a.known(c)
	if err != nil {
		return nil, err
	}
	return a.speaking(call), nil
}

func (a *API) speaking(c *call) *call {
	c.Door = domain.DoorAPI
	if accept := c.Request().Header.Get("Accept-Language"); accept != "" {
		c.Use(a.Book.Match(accept))
	}
	return c
}

func (a *API) known(c echo.Context) (*call, error) {
	header := c.Request().Header
	auth := header.Get("Authorization")
	if auth == "" {
		v, err := a.Visit(c)
		if err != nil {
			return nil, err
		}
		if site := header.Get("Sec-Fetch-Site"); v.SignedIn() && site != "" && site != "same-origin" && site != "none" {
			return nil, echo.NewHTTPError(nethttp.StatusForbidden)
		}
		return &call{Visit: v, api: a}, nil
	}
	scheme, text, _ := strings.Cut(auth, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil, errToken
	}
	t, err := a.People.Token(c.Request().Context(), strings.TrimSpace(text))
	if errors.Is(err, people.ErrToken) {
		return nil, errToken
	}
	if err != nil {
		return nil, err
	}
	v := a.Stranger(c)
	p, known, err := v.Person(t.Person)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, errToken
	}
	v.Who = door.Who{Me: p.ID, Name: p.Name}
	v.Use(p.Language)
	return &call{Visit: v, api: a, token: &t}, nil
}

// json answers with a value.
func (c *call) json(status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Language", c.Lang)
	return c.Blob(status, "application/json", append(text, '\n'))
}

// read decodes the body into a value. The body must be one JSON object. Members unknown to the value, or not among
// those named if there are any, are refused.
func (c *call) read(into any, members ...string) error {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return echo.NewHTTPError(nethttp.StatusUnsupportedMediaType)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err = dec.Decode(into)
	if err == nil && dec.More() {
		err = errors.New("something follows the object")
	}
	var sent map[string]json.RawMessage
	if err == nil && members != nil && json.Unmarshal(text, &sent) == nil {
		for _, name := range slices.Sorted(maps.Keys(sent)) {
			if !slices.ContainsFunc(members, func(m string) bool { return strings.EqualFold(m, name) }) {
				err = fmt.Errorf("json: unknown field %q", name)
			}
		}
	}
	if err != nil {
		return &problem{nethttp.StatusBadRequest, "body", "api.error.body", domain.Args{"why": err.Error()}}
	}
	return nil
}

// maxKey is the maximum length of the name that a caller gives a command, in characters.
const maxKey = 200

// key returns the id of a command as its caller names it: 32 hexadecimal digits, or a digest of any other name and its
// person. The desk never logs it as it is. It comes from the header Idempotency-Key or the body's member id, and is
// required: a command without one cannot be repeated safely.
func (c *call) key(field string) (events.CommandID, error) {
	text := strings.Trim(c.Request().Header.Get("Idempotency-Key"), `"`)
	if text == "" {
		text = field
	}
	bad := text == "" || len(text) > maxKey || field != "" && field != text
	for _, r := range text {
		bad = bad || r <= ' ' || r > '~'
	}
	if bad {
		return events.CommandID{}, &problem{nethttp.StatusBadRequest, "idempotency-key", "api.error.key", nil}
	}
	if id, err := events.ParseCommandID(text); err == nil && id != (events.CommandID{}) {
		return id, nil
	}
	return events.Derive("api", []byte(c.Me), []byte(text)), nil
}
