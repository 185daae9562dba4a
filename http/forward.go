package http

import (
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/api"
	"posthorn/http/door"
	"posthorn/http/guard"
)

// The routes that a read-only server answers itself, for clients it does not know: what anybody may see of tables, from
// the log alone. Everything else goes to the server that writes, including any route not named here.
var (
	readRoutes = routes("/", "/lobby", "/games/:game/picture.svg", "/rules", "/rules/:game", "/rules/:game/:picture",
		"/t/:table", "/t/:table/picture.svg", "/t/:table/story", "/t/:table/print", "/t/:table/game.gif",
		"/t/:table/card.png",
		"/t/:table/jump", "/t/:table/line/:line/:version",
		"/t/:table/audit", "/t/:table/receipts", "/t/:table/tree", "/t/:table/compare", "/t/:table/record",
		"/t/:table/live",
		api.Base+"/openapi.json", api.Base+"/games", api.Base+"/tables/:table", api.Base+"/tables/:table/timeline",
		api.Base+"/tables/:table/lines",
		api.Base+"/tables/:table/lines/:line/:version", api.Base+"/tables/:table/audit",
		api.Base+"/tables/:table/record",
		api.Base+"/tables/:table/picture.svg", api.Base+"/tables/:table/picture.png", api.Base+"/tables/:table/live")
	// The program's files, which are the same for everybody and read no cookie.
	fileRoutes = routes("/assets/:digest/:name", "/favicon.ico", "/favicon.svg", "/robots.txt")
)

func routes(paths ...string) map[string]bool {
	out := map[string]bool{}
	for _, path := range paths {
		out[path] = true
	}
	return out
}

// forwards answers what this server may answer itself, and passes on the rest. It also passes on what it would refuse:
// the server that writes may know more.
func (s *Server) forwards(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.reads(c) {
			err := next(c)
			if _, often := guard.TooOften(err); err == nil || often || errors.As(err, new(guard.Full)) ||
				c.Response().Committed {
				return err
			}
		}
		if err := s.Forward.Pass(c.Response(), c.Request(), c.RealIP()); err != nil {
			return fmt.Errorf("%w: %w", door.ErrAway, err)
		}
		return nil
	}
}

// reads reports whether this server answers a request itself: one that changes nothing, is from nobody in particular,
// and asks for what everybody may see, up to the position that the client has seen.
func (s *Server) reads(c echo.Context) bool {
	r := c.Request()
	if r.Method != nethttp.MethodGet && r.Method != nethttp.MethodHead {
		return false
	}
	if fileRoutes[c.Path()] {
		return true
	}
	if !readRoutes[c.Path()] || s.Names(r) || c.QueryParam("link") != "" || !s.Forward.Ready(r.Context(), seen(r)) {
		return false
	}
	if !slices.Contains(c.ParamNames(), "table") {
		return true
	}
	table, err := events.ParseName(c.Param("table"))
	if err != nil {
		return false
	}
	open, err := s.Desk.SeenBy(r.Context(), table, domain.PersonID(""))
	return err == nil && open
}

// How a position gets from an answer that changed something to the next request: programs send the header back,
// browsers the cookie.
const (
	positionHeader = "Posthorn-Position"
	positionCookie = "posthorn-position"
	positionLasts  = time.Minute // by then every healthy server has it
)

// seen returns the position of the log that the client has seen; 0 if it does not say.
func seen(r *nethttp.Request) uint64 {
	said := r.Header.Values(positionHeader)
	if c, err := r.Cookie(positionCookie); err == nil {
		said = append(said, c.Value)
	}
	most := uint64(0)
	for _, text := range said {
		if n, err := strconv.ParseUint(text, 10, 63); err == nil {
			most = max(most, n)
		}
	}
	return most
}

// positioned adds the log's position to the answer to any request that may have changed something.
func (s *Server) positioned(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if m := c.Request().Method; m != nethttp.MethodGet && m != nethttp.MethodHead {
			c.Response().Before(func() {
				pos, err := s.Position(context.WithoutCancel(c.Request().Context()))
				if err != nil || pos == 0 {
					return // other servers may then show the client a slightly older state
				}
				text := strconv.FormatUint(pos, 10)
				c.Response().Header().Set(positionHeader, text)
				c.SetCookie(&nethttp.Cookie{Name: positionCookie, Value: text, Path: "/", HttpOnly: true,
					SameSite: nethttp.SameSiteLaxMode,
					Secure:   s.Public.Scheme == "https", MaxAge: int(positionLasts / time.Second)})
			})
		}
		return next(c)
	}
}
