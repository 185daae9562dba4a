package http

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	nethttp "net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// apiBase is where the API begins. What openapi.json describes stays as it is there; what
// would break a program that uses it gets a base of its own.
const apiBase = "/api/v1"

// need is what a caller must be for an address to answer.
type need int

const (
	needNothing need = iota // whoever knows the address, as with the pages
	needPerson              // somebody: by a token of any scope, or by the session of a browser
	needPlay                // a token with the scope play
	needSession             // a browser's session: what no token reaches
)

// apiRoute is one address of the API.
type apiRoute struct {
	method, path string // the path below apiBase
	needs        need
	wide         bool // not for tokens that are good for one table
	answer       func(*call) error
}

// call is one request to the API: a visit, and the token it came with, if any.
type call struct {
	*visit
	token *people.Token
}

// apiRoutes lists every address of the API. Each is described in openapi.json.
func (s *Server) apiRoutes() []apiRoute {
	const table = "/tables/:table"
	return []apiRoute{
		{"GET", "/openapi.json", needNothing, false, apiDescription},
		{"GET", "/me", needPerson, false, apiMe},
		{"GET", "/games", needNothing, false, apiGames},
		{"GET", "/inbox", needPerson, true, apiInbox},
		{"GET", "/lobby", needPerson, true, apiLobby},
		{"GET", "/tokens", needSession, true, apiTokens},
		{"POST", "/tokens", needSession, true, apiMakeToken},
		{"DELETE", "/tokens/:token", needSession, true, apiRevokeToken},
		{"POST", "/tables", needPlay, true, apiOpen},
		{"GET", table, needNothing, false, apiTable},
		{"GET", table + "/moves", needPerson, false, apiMoves},
		{"POST", table + "/moves", needPlay, false, apiPlay},
		{"GET", table + "/orders", needPerson, false, apiOrders},
		{"POST", table + "/orders", needPlay, false, apiSetOrders},
		{"GET", table + "/timeline", needNothing, false, apiTimeline},
		{"GET", table + "/chat", needPerson, false, apiChat},
		{"POST", table + "/chat", needPlay, false, apiSay},
		{"GET", table + "/lines", needNothing, false, apiLines},
		{"GET", table + "/lines/:line/:version", needNothing, false, apiMoment},
		{"GET", table + "/audit", needNothing, false, apiAudit},
		{"GET", table + "/record", needNothing, false, apiRecord},
		{"GET", table + "/picture.svg", needNothing, false, apiSVG},
		{"GET", table + "/picture.png", needNothing, false, apiPNG},
		{"GET", table + "/live", needNothing, false, apiLive},
		{"POST", table + "/join", needPlay, false, apiJoin},
		{"POST", table + "/decline", needPlay, false, apiDecline},
		{"POST", table + "/invite", needPlay, false, apiInvite},
		{"POST", table + "/fill", needPlay, false, apiFill},
		{"POST", table + "/abandon", needPlay, false, apiAbandon},
		{"POST", table + "/rewind", needPlay, false, apiRewind},
		{"POST", table + "/end", needPlay, false, apiEnd},
		{"POST", table + "/agree", needPlay, false, apiAgree},
		{"POST", table + "/refuse", needPlay, false, apiRefuse},
		{"POST", table + "/resign", needPlay, false, apiResign},
		{"POST", table + "/branch", needPlay, true, apiBranch},
	}
}

// mountAPI adds the API, the page of its tokens and the live stream of the pages to the router.
func (s *Server) mountAPI(e *echo.Echo) {
	e.GET("/t/:table/live", s.visited(s.live))
	e.GET("/settings/tokens", s.visited(s.tokens))
	e.HEAD("/settings/tokens", s.visited(s.tokens))
	e.POST("/settings/tokens", s.visited(s.makeToken))
	e.POST("/settings/tokens/revoke", s.visited(s.revokeToken))
	for _, r := range s.apiRoutes() {
		e.Add(r.method, apiBase+r.path, func(c echo.Context) error {
			call, err := s.admit(c, r)
			if err != nil {
				return err
			}
			return r.answer(call)
		})
	}
	pages := e.HTTPErrorHandler
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		if strings.HasPrefix(c.Request().URL.Path, apiBase+"/") {
			s.apiFail(err, c)
			return
		}
		pages(err, c)
	}
}

// admit finds out who calls and whether they may. It changes nothing.
func (s *Server) admit(c echo.Context, r apiRoute) (*call, error) {
	if wait, ok := s.calls.allow(network(c.RealIP())); !ok {
		return nil, errBusy{wait}
	}
	call, err := s.caller(c)
	if err != nil {
		return nil, err
	}
	if call.SignedIn() {
		if wait, ok := s.calls.allow("person " + string(call.Me)); !ok {
			return nil, errBusy{wait}
		}
	}
	switch {
	case r.needs == needNothing && call.token == nil:
	case r.needs == needSession && call.token != nil:
		return nil, &apiProblem{nethttp.StatusForbidden, "session", "api.error.session", nil}
	case r.needs != needNothing && !call.SignedIn(), r.needs == needPlay && call.token == nil:
		return nil, errSignIn
	case call.token != nil && !s.reaches(call.token, r, c):
		return nil, &apiProblem{nethttp.StatusForbidden, "scope", "api.error.scope", nil}
	}
	return call, nil
}

// reaches tells whether a token is good for an address.
func (s *Server) reaches(t *people.Token, r apiRoute, c echo.Context) bool {
	if r.needs == needPlay && t.Scope != people.ScopePlay {
		return false
	}
	if t.Table.IsZero() {
		return true
	}
	return !r.wide && (!strings.Contains(r.path, ":table") || c.Param("table") == t.Table.String())
}

// caller is who calls: by the token they send, which is never overlooked, or by the session
// of a browser on a page of this server.
func (s *Server) caller(c echo.Context) (*call, error) {
	header := c.Request().Header
	auth := header.Get("Authorization")
	if auth == "" {
		v, err := s.visitOf(c)
		if err != nil {
			return nil, err
		}
		if site := header.Get("Sec-Fetch-Site"); v.SignedIn() && site != "" && site != "same-origin" && site != "none" {
			return nil, echo.NewHTTPError(nethttp.StatusForbidden)
		}
		v.preferred()
		return &call{visit: v}, nil
	}
	scheme, text, _ := strings.Cut(auth, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil, errToken
	}
	t, err := s.People.Token(c.Request().Context(), strings.TrimSpace(text))
	if errors.Is(err, people.ErrToken) {
		return nil, errToken
	}
	if err != nil {
		return nil, err
	}
	p, err := s.People.Person(c.Request().Context(), t.Person)
	if errors.Is(err, people.ErrNobody) {
		return nil, errToken
	}
	if err != nil {
		return nil, err
	}
	v := s.stranger(c)
	v.who = who{Me: p.ID, Name: p.Name, hasName: p.Name != ""}
	v.use(p.Language)
	v.preferred()
	return &call{visit: v, token: &t}, nil
}

// preferred changes to the language that the request asks for, if it asks for one.
func (v *visit) preferred() {
	if accept := v.c.Request().Header.Get("Accept-Language"); accept != "" {
		v.use(v.s.Book.Match(accept))
	}
}

// actor is who gives a command, and that it came by the API.
func (c *call) actor() events.Actor { return events.Actor{Person: c.Me, Door: events.DoorAPI} }

// json answers with a value.
func (c *call) json(status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c.c.Response().Header().Set("Content-Language", c.Lang)
	return c.c.Blob(status, "application/json", append(text, '\n'))
}

// read reads the body into a value: one JSON object without members that are unknown here.
func (c *call) read(into any) error {
	r := c.c.Request()
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
	if err != nil {
		return &apiProblem{nethttp.StatusBadRequest, "body", "api.error.body", domain.Args{"why": err.Error()}}
	}
	return nil
}

// maxKey is the most characters of the name that a caller gives a command.
const maxKey = 200

// key is the id of a command as its caller names it, which the desk never logs as it is: 32
// hexadecimal digits, or a digest of any other name and its person. It stands in the header Idempotency-Key or in the body's
// member id; a command without one cannot be tried again safely, so it is asked for.
func (c *call) key(field string) (events.CommandID, error) {
	text := strings.Trim(c.c.Request().Header.Get("Idempotency-Key"), `"`)
	if text == "" {
		text = field
	}
	bad := text == "" || len(text) > maxKey || field != "" && field != text
	for _, r := range text {
		bad = bad || r <= ' ' || r > '~'
	}
	if bad {
		return events.CommandID{}, &apiProblem{nethttp.StatusBadRequest, "idempotency-key", "api.error.key", nil}
	}
	if id, err := events.ParseCommandID(text); err == nil && id != (events.CommandID{}) {
		return id, nil
	}
	return events.Derive("api", []byte(c.Me), []byte(text)), nil
}
