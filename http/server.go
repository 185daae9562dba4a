// Package http is the browser's door: the pages, the JSON API and the live stream, behind one guard. It assembles its
// parts and holds their words.
//
// Two rules hold everywhere. GET and HEAD change nothing, whatever the address. And the only address of this server
// that anything here writes down is the configured public one.
package http

import (
	"context"
	"io"
	nethttp "net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/api"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/http/live"
	"posthorn/http/pages"
)

// Config holds the parts that a server is made of.
type Config = door.Config

// Opening says who may open tables: [door.OpenAnyone] or [door.OpenInvited].
type Opening = door.Opening

// Server answers browsers and programs. It is safe for concurrent use.
type Server struct {
	*door.Parts
	echo  *echo.Echo
	packs nethttp.Handler
	pages *pages.Site
	live  *live.Hub
}

// New checks a configuration and builds the server.
func New(cfg Config) (*Server, error) {
	parts, err := door.NewParts(cfg)
	if err != nil {
		return nil, err
	}
	g, err := guard.New(guard.Guard{Public: parts.Public, Proxies: parts.Proxies, BodyWait: parts.BodyWait,
		Log: parts.Log, Counted: api.Base + "/", OneClick: "/u/"})
	if err != nil {
		return nil, err
	}
	s := &Server{Parts: parts, echo: echo.New(), live: live.NewHub(parts)}
	if s.pages, err = pages.New(parts, s.live); err != nil {
		return nil, err
	}
	e, programs := s.echo, api.New(parts, s.live)
	e.HideBanner, e.HidePort = true, true
	e.Logger.SetOutput(io.Discard)
	e.IPExtractor = g.ClientIP()
	e.Use(g.Logged, guard.Caught(), g.Secure)
	if parts.Position != nil {
		e.Use(s.positioned)
	}
	if parts.Forward != nil {
		e.Use(s.forwards)
	}
	s.pages.Mount(e)
	programs.Mount(e)
	if parts.Mailbox != nil {
		box := echo.WrapHandler(parts.Mailbox)
		e.Any("/mailbox", box)
		e.Any("/mailbox/*", box)
	}
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		if strings.HasPrefix(c.Request().URL.Path, api.Base+"/") {
			programs.Fail(err, c)
			return
		}
		s.pages.Fail(err, c)
	}
	s.packs, err = guard.Packed(e)
	return s, err
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w nethttp.ResponseWriter, r *nethttp.Request) { s.packs.ServeHTTP(w, r) }

// Echo returns the router, for tests that walk its routes.
func (s *Server) Echo() *echo.Echo { return s.echo }

// Run follows the log for the open pages until the context ends; then it ends every live stream too. Without a Follower
// it only waits.
func (s *Server) Run(ctx context.Context) error { return s.live.Run(ctx) }

// Here returns until when somebody is taken to be at a table's page; zero if they are not.
func (s *Server) Here(ctx context.Context, id domain.PersonID, table events.Name) (time.Time, error) {
	return s.live.Here(ctx, id, table)
}

// Again opens the game of a finished table once more with the same people, for one of them who asks by another door; ok
// is false if they may not.
func (s *Server) Again(ctx context.Context, person domain.PersonID, table events.Name, by string) (again events.Name,
	ok bool, err error) {
	v, err := s.By(ctx, person, by)
	if err != nil {
		return again, false, err
	}
	look, err := s.Desk.Look(ctx, table)
	if err != nil || !v.NewTables().MayAgain(look) {
		return again, false, err
	}
	again, err = v.NewTables().Again(look, "", "")
	return again, err == nil, err
}

// Settle waits for work that answers did not wait for. Call it once no more requests can come, before closing the
// stores.
func (s *Server) Settle() { s.pages.Settle() }
