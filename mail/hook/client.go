// Package hook posts messages to addresses that people have named themselves, signed as Standard
// Webhooks (https://www.standardwebhooks.com) has it.
//
// Whoever names an address chooses where this machine connects to, so nothing here trusts one: a
// connection goes to the internet alone, and that is judged of the very address that it is made to,
// after the name was looked up; there is no redirect, no proxy, no cookie; time and answer are bounded.
// What may not live here: who is told what, and when it is tried again.
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

// Bounds of one try.
const (
	Timeout   = 10 * time.Second // from the look-up of the name to the end of the answer
	MaxAnswer = 16 << 10         // bytes of its head, and as much of its body
)

// Message is something to be posted.
type Message struct {
	Address string // https
	Secret  string // "whsec_" and base64
	ID      string // the same at every try
	Body    []byte // JSON
}

// Refused is the answer of a server that did not take a message.
type Refused struct{ Status int }

func (r *Refused) Error() string { return fmt.Sprintf("the server answered %d", r.Status) }

// Gone reports whether a server wants nothing more, ever (410).
func (r *Refused) Gone() bool { return r.Status == nethttp.StatusGone }

// ErrPrivate is returned where an address does not lead to the internet.
var ErrPrivate = errors.New("the address leads to no public server")

// Client posts messages. It is safe for concurrent use.
type Client struct {
	http *nethttp.Client
	now  func() time.Time
}

// azure is an address of a host that answers its guests alone, and looks like any other.
var azure = netip.MustParsePrefix("168.63.129.16/32")

// New makes a client.
func New() *Client { return newClient(ssrf.New(guard()...).Safe, nil, time.Now) }

// guard is where messages may go: public addresses, on the two ports of https. Names that lead
// elsewhere, now or at the next try, lead nowhere.
func guard() []ssrf.Option {
	return []ssrf.Option{ssrf.WithPorts(443, 8443), ssrf.WithDeniedV4Prefixes(azure)}
}

// newClient makes a client that asks control before each connection, with the address that it is made to.
func newClient(control func(network, address string, c syscall.RawConn) error, roots *x509.CertPool, now func() time.Time) *Client {
	dialer := &net.Dialer{Timeout: Timeout, Control: control}
	return &Client{now: now, http: &nethttp.Client{
		Timeout:       Timeout,
		CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse },
		Transport: &nethttp.Transport{
			Proxy:                  nil, // it would connect in our place, to wherever
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			TLSHandshakeTimeout:    Timeout,
			MaxResponseHeaderBytes: MaxAnswer,
			DisableKeepAlives:      true, // the next one is looked up, and judged, anew
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
	}}
}

// Post posts a message. The error is a *Refused where a server answered with anything but 2xx, and
// is ErrPrivate where the address leads to no public server.
func (c *Client) Post(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
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
		if errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedPort) || errors.Is(err, ssrf.ErrProhibitedNetwork) {
			return ErrPrivate
		}
		return fmt.Errorf("post: %w", err)
	}
	_, err = io.CopyN(io.Discard, answer.Body, MaxAnswer)
	if err = errors.Join(over(err), answer.Body.Close()); err != nil {
		return fmt.Errorf("post: %w", err)
	}
	if answer.StatusCode/100 != 2 {
		return &Refused{answer.StatusCode}
	}
	return nil
}

// over leaves out that an answer has ended.
func over(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
