// Package guard is what every request passes through, whatever it asks for: where it may come from, how much it may
// send and how fast, what every answer carries, and how often one client may ask. It must know nothing of people or
// tables.
package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	nethttp "net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// Guard checks every request before anybody answers it.
type Guard struct {
	Public   *url.URL       // the address under which browsers reach this server
	Proxies  []netip.Prefix // whose X-Forwarded-For header is trusted
	BodyWait time.Duration  // how long a request's body may take to arrive
	Log      *slog.Logger
	// Counted is the prefix of paths with a limit of their own.
	Counted string
	// OneClick is the prefix of paths whose forms mail programs send from wherever they are, so that the guard ignores
	// their origin.
	OneClick string

	origins *nethttp.CrossOriginProtection
	forms   *Limiter // forms sent, by where they come from
}

// New completes a guard.
func New(g Guard) (*Guard, error) {
	g.origins, g.forms = nethttp.NewCrossOriginProtection(), NewLimiter(20, 600)
	if err := g.origins.AddTrustedOrigin(g.Public.Scheme + "://" + g.Public.Host); err != nil {
		return nil, fmt.Errorf("public address %q: %w", g.Public, err)
	}
	return &g, nil
}

// policy lets a page load nothing from elsewhere and run no inline script or style, and nobody may frame it.
const policy = "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"

// maxBody is the maximum size of a form's body, in bytes.
const maxBody = 64 << 10

// Secure sets the headers that every answer carries, and refuses requests that no browser of ours would send.
func (g *Guard) Secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex")
		if g.Public.Scheme == "https" {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		// A server for one machine answers only to loopback names; otherwise a page from elsewhere could reach it under
		// a name of its own.
		if isLoopback(g.Public.Host) && !isLoopback(c.Request().Host) {
			return echo.NewHTTPError(nethttp.StatusMisdirectedRequest)
		}
		if !g.ours(c.Request()) && (g.OneClick == "" || !strings.HasPrefix(c.Request().URL.Path, g.OneClick)) {
			return echo.NewHTTPError(nethttp.StatusForbidden)
		}
		if r := c.Request(); r.Method == nethttp.MethodPost &&
			(g.Counted == "" || !strings.HasPrefix(r.URL.Path, g.Counted)) {
			if wait, ok := g.forms.Allow(Network(c.RealIP())); !ok { // the others have limits of their own
				return Busy{wait}
			}
		}
		if err := g.receive(c); err != nil {
			return err
		}
		return next(c)
	}
}

// ours reports whether a request may change something, as far as where it comes from shows: by the host of its origin,
// and at an https house by the scheme, since anybody on the way can write an http page of this name.
func (g *Guard) ours(r *nethttp.Request) bool {
	if g.origins.Check(r) != nil {
		return false
	}
	safe := r.Method == nethttp.MethodGet || r.Method == nethttp.MethodHead || r.Method == nethttp.MethodOptions
	return safe || g.Public.Scheme != "https" || !strings.HasPrefix(r.Header.Get("Origin"), "http:")
}

// receive reads the whole body before anything is done with it, within maxBody and in time, so that a client sending a
// byte now and then holds nothing up for long. Long-running answers, such as the live stream, have no body to wait for,
// and no deadline is set for them here.
func (g *Guard) receive(c echo.Context) error {
	r := c.Request()
	if r.Body == nil || r.Body == nethttp.NoBody {
		return nil
	}
	control := nethttp.NewResponseController(c.Response().Writer)
	until := func(t time.Time) error {
		if err := control.SetReadDeadline(t); err != nil && !errors.Is(err, nethttp.ErrNotSupported) {
			return fmt.Errorf("deadline of a body: %w", err)
		}
		return nil
	}
	if err := until(time.Now().Add(g.BodyWait)); err != nil {
		return err
	}
	body, err := io.ReadAll(nethttp.MaxBytesReader(c.Response(), r.Body, maxBody))
	var large *nethttp.MaxBytesError
	switch {
	case errors.As(err, &large):
		return echo.NewHTTPError(nethttp.StatusRequestEntityTooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Response().Header().Set("Connection", "close") // otherwise the rest of the body would be read as a request
		return echo.NewHTTPError(nethttp.StatusRequestTimeout)
	case err != nil:
		return echo.NewHTTPError(nethttp.StatusBadRequest) // cut off, or not framed as HTTP requires
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return until(time.Time{})
}

// Here reports whether a request comes from this machine, as far as the connection shows.
func Here(r *nethttp.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

func isLoopback(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// ClientIP returns an extractor of the client's address: the peer or, if the peer is a trusted proxy, the last address
// in X-Forwarded-For that is not itself a trusted proxy.
func (g *Guard) ClientIP() echo.IPExtractor {
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range g.Proxies {
		p = p.Masked()
		trust = append(trust, echo.TrustIPRange(&net.IPNet{IP: p.Addr().AsSlice(),
			Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

// Logged logs each request by its route's pattern, never by its address: addresses carry capabilities.
func (g *Guard) Logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		route := c.Path()
		if route == "" {
			route = "(none)"
		}
		g.Log.Debug("request", "method", c.Request().Method, "route", route, "status", c.Response().Status,
			"ms", time.Since(start).Milliseconds())
		return nil
	}
}

// Caught turns a handler's panic into an error, so that the reader gets a page and the host a line in the log.
func Caught() echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{DisableErrorHandler: true, StackSize: 64 << 10,
		DisableStackAll: true,
		LogErrorFunc: func(_ echo.Context, err error, stack []byte) error {
			return fmt.Errorf("panic: %w\n%s", err, stack)
		}})
}
