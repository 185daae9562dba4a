package house

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	nethttp "net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// tlsSettings are for a house without a web server in front.
type tlsSettings struct {
	TLS      string `name:"tls" enum:"off,auto" default:"off" help:"auto: fetch a certificate for the name of --public-url (Let's Encrypt, whose terms you accept by this), and serve HTTPS at --listen, which must be reached at port 443."`
	ACME     string `name:"acme" help:"Where --tls auto fetches its certificate: the directory of an authority that speaks ACME. By default that of Let's Encrypt; theirs for trying is https://acme-staging-v02.api.letsencrypt.org/directory."`
	TLSCert  string `name:"tls-cert" type:"path" help:"Serve HTTPS at --listen with this certificate chain (PEM). It is read again when it changes."`
	TLSKey   string `name:"tls-key" type:"path" help:"The key of --tls-cert (PEM)."`
	Redirect string `help:"Send browsers that come here by http, e.g. at 0.0.0.0:80, on to --public-url."`
}

// Secured returns how the house serves HTTPS, or nil if it does not, and the handler for --redirect.
func (h *House) Secured() (*tls.Config, nethttp.Handler, error) {
	u, err := url.Parse(h.Config.PublicURL)
	if err != nil {
		return nil, nil, fmt.Errorf("--public-url: %w", err)
	}
	onwards := nethttp.Handler(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		nethttp.Redirect(w, r, "https://"+u.Host+r.URL.RequestURI(), nethttp.StatusMovedPermanently)
	}))
	files := h.Config.TLSCert != "" || h.Config.TLSKey != ""
	switch {
	case h.Config.TLS != "auto" && !files:
		if h.Config.Redirect != "" && u.Scheme != "https" {
			return nil, nil, errors.New("--redirect: --public-url has no https:// to send anybody on to")
		}
		return nil, onwards, nil
	case u.Scheme != "https":
		return nil, nil, errors.New("with --tls or --tls-cert the address in --public-url begins with https://")
	case h.Config.TLS == "auto" && files:
		return nil, nil, errors.New("either --tls auto or --tls-cert and --tls-key, not both")
	case files:
		c := &certificate{cert: h.Config.TLSCert, key: h.Config.TLSKey}
		if _, err := c.get(nil); err != nil {
			return nil, nil, err
		}
		return &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}, onwards, nil
	case net.ParseIP(u.Hostname()) != nil || u.Hostname() == "localhost":
		return nil, nil, errors.New("--tls auto: a certificate is for a name of the DNS; put it into --public-url")
	}
	m := &autocert.Manager{Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(h.Config.Data, "tls")),
		HostPolicy: autocert.HostWhitelist(u.Hostname())}
	if len(h.Config.Host) > 0 {
		m.Email = h.Config.Host[0]
	}
	if h.Config.ACME != "" {
		m.Client = &acme.Client{DirectoryURL: h.Config.ACME}
	}
	c := m.TLSConfig()
	c.MinVersion = tls.VersionTLS12
	c.GetCertificate = h.tellNone(u.Hostname(), c.GetCertificate)
	return c, m.HTTPHandler(onwards), nil
}

// forMail returns how mails are taken over TLS: with the certificate of the pages, whatever name a mail server calls
// this one by. Mail servers that deliver to a domain do not insist on its name (RFC 7435).
func (h *House) forMail() *tls.Config {
	c, u := h.TLS.Clone(), h.Config.PublicURL
	c.NextProtos = nil
	if pages, err := url.Parse(u); err == nil {
		get := c.GetCertificate
		c.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			named := *hello
			named.ServerName = pages.Hostname()
			return get(&named)
		}
	}
	return c
}

// noCertificate is the least time between two log lines about a missing certificate.
const noCertificate = 10 * time.Minute

// tellNone logs why there is no certificate for the house's own name; clients do not learn it. Requests for other names
// are not logged.
func (h *House) tellNone(name string,
	get func(*tls.ClientHelloInfo) (*tls.Certificate, error)) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	var mu sync.Mutex
	var last time.Time
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		c, err := get(hello)
		if err == nil || !strings.EqualFold(hello.ServerName, name) {
			return c, err
		}
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); h.Logger != nil && (last.IsZero() || now.Sub(last) >= noCertificate) {
			last = now
			h.Logger.Error("there is no certificate for this house, and browsers cannot come in: its name must lead "+
				"to this machine, and port 443 be reached from everywhere",
				"name", name, "error", err)
		}
		return c, err
	}
}

// certificate is a pair of files that is read again after a change. While new files cannot be read, e.g. halfway
// through being replaced, the old certificate serves.
type certificate struct {
	cert, key string
	mu        sync.Mutex
	read      *tls.Certificate
	of        [2]time.Time
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := c.changed()
	if c.read != nil && (err != nil || now == c.of) {
		return c.read, nil
	}
	if err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	switch {
	case err == nil:
		c.read, c.of = &pair, now
	case c.read == nil:
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return c.read, nil
}

func (c *certificate) changed() (of [2]time.Time, err error) {
	for i, path := range []string{c.cert, c.key} {
		info, err := os.Stat(path)
		if err != nil {
			return of, fmt.Errorf("--tls-cert, --tls-key: %w", err)
		}
		of[i] = info.ModTime()
	}
	return of, nil
}

// Answer serves one listener until the context ends.
func Answer(ctx context.Context, at string, handler nethttp.Handler) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return err
	}
	s := &nethttp.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 20 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	return s.Serve(l)
}
