// Package hook posts messages to addresses that people have chosen themselves, signed as in Standard Webhooks
// (https://www.standardwebhooks.com).
//
// Whoever names an address chooses where this machine connects to, so nothing here trusts one. Connections go only to
// the public internet, and the check looks at the actual address being dialed, after the name lookup. There are no
// redirects, proxies or cookies; time and answer size are bounded. What must not live here: who is told what, and when
// to try again.
package hook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Bounds on one try.
const (
	timeout   = 10 * time.Second // from the name lookup to the end of the answer
	maxAnswer = 16 << 10         // bytes of the answer's header, and as many of its body
)

// Message is something to post.
type Message struct {
	Address string // https
	Secret  string // "whsec_" and base64
	ID      string // the same at every try
	Body    []byte // JSON
}

// Refused is an answer by which a server rejected a message.
type Refused struct{ Status int }

func (r *Refused) Error() string { return fmt.Sprintf("the server answered %d", r.Status) }

// Gone reports whether a server never wants anything again (410).
func (r *Refused) Gone() bool { return r.Status == nethttp.StatusGone }

// ErrPrivate is returned if an address does not lead to the public internet.
var ErrPrivate = errors.New("the address leads to no public server")

// Client posts messages. It is safe for concurrent use.
type Client struct {
	http *nethttp.Client
	now  func() time.Time
}

// azure is the address of an Azure host that answers only its guests but looks public.
var azure = netip.MustParsePrefix("168.63.129.16/32")

// New makes a client.
func New() *Client { return newClient(ssrf.New(guard()...).Safe, nil, time.Now) }

// guard limits where messages may go: public addresses, on the two ports of https. Names that lead anywhere else, now
// or at the next try, are blocked.
func guard() []ssrf.Option {
	return []ssrf.Option{ssrf.WithPorts(443, 8443), ssrf.WithDeniedV4Prefixes(azure)}
}

// newClient makes a client that calls control before each connection, with the address being dialed.
func newClient(control func(network, address string, c syscall.RawConn) error, roots *x509.CertPool,
	now func() time.Time) *Client {
	dialer := &net.Dialer{Timeout: timeout, Control: control}
	return &Client{now: now, http: &nethttp.Client{
		Timeout:       timeout,
		CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse },
		Transport: &nethttp.Transport{
			Proxy:                  nil, // a proxy would connect for us, to anywhere
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			TLSHandshakeTimeout:    timeout,
			MaxResponseHeaderBytes: maxAnswer,
			DisableKeepAlives:      true, // each post looks up and checks the address again
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
	}}
}

// Post posts a message. It returns a *Refused if a server answered with anything but 2xx, and ErrPrivate if the address
// leads to no public server.
func (c *Client) Post(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodPost, m.Address, bytes.NewReader(m.Body))
	if err != nil || r.URL.Scheme != "https" {
		return errors.Join(errors.New("post: no address of https"), err)
	}
	key, err := standardwebhooks.NewWebhook(m.Secret)
	if err != nil {
		return fmt.Errorf("post: %w", err)
	}
	now := c.now()
	signature, err := key.Sign(m.ID, now, m.Body)
	if err != nil {
		return fmt.Errorf("post: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Posthorn")
	r.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	r.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	r.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	answer, err := c.http.Do(r)
	if err != nil {
		if errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedPort) ||
			errors.Is(err, ssrf.ErrProhibitedNetwork) {
			return ErrPrivate
		}
		return fmt.Errorf("post: %w", err)
	}
	_, err = io.CopyN(io.Discard, answer.Body, maxAnswer)
	if err = errors.Join(over(err), answer.Body.Close()); err != nil {
		return fmt.Errorf("post: %w", err)
	}
	if answer.StatusCode/100 != 2 {
		return &Refused{answer.StatusCode}
	}
	return nil
}

// over drops the error of an answer that has simply ended.
func over(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
