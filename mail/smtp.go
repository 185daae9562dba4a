package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// ErrSMTPAddress is returned for a mail server address that cannot be read.
var ErrSMTPAddress = errors.New(
	"write it as smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, or " +
		"smtp://localhost:25?tls=off")

// Bounds on how long things may take.
const (
	answerTime  = time.Minute     // any single answer
	sessionTime = time.Minute     // from connecting to a server until signed in there
	letterTime  = 2 * time.Minute // one letter, from MAIL to the answer to its last byte
)

// server is a parsed mail server address.
type server struct {
	at    string // host:port
	tls   *tls.Config
	first bool // TLS from the start
	plain bool // no TLS at all
	user  *url.Userinfo
	hello string // the name we greet it with
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
}

// readServer reads the address of a mail server; see NewSMTP.
func readServer(address, hello string) (server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" ||
		strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return server{}, ErrSMTPAddress
	}
	query, err := url.ParseQuery(u.RawQuery)
	want := query.Get("tls")
	query.Del("tls")
	if err != nil || len(query) > 0 || want != "" && want != "on" && (want != "off" || u.Scheme == "smtps") {
		return server{}, ErrSMTPAddress
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme]
	}
	ip := net.ParseIP(u.Hostname())
	near := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return server{at: net.JoinHostPort(u.Hostname(), port),
		tls:   &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12},
		first: u.Scheme == "smtps", plain: want == "off" || near && want == "", user: u.User, hello: hello,
		dial: (&net.Dialer{}).DialContext}, nil
}

// connection is a signed-in session with the next server. It carries one letter at a time.
type connection struct {
	client *smtp.Client
	wire   net.Conn // under client
	used   bool     // it has carried letters
}

// connect makes a connection and greets. If the context ends first, it cuts the connection.
func (s server) connect(ctx context.Context) (*connection, error) {
	wire, err := s.dial(ctx, "tcp", s.at)
	if err != nil {
		return nil, fmt.Errorf("reach the mail server: %w", err)
	}
	c := &connection{wire: wire}
	defer c.boundBy(ctx)()
	switch {
	case s.first:
		c.client = smtp.NewClient(tls.Client(wire, s.tls))
	case s.plain:
		c.client = smtp.NewClient(wire)
	default:
		if c.client, err = smtp.NewClientStartTLS(wire, s.tls); err != nil {
			return nil, fmt.Errorf("speak TLS with the mail server: %w", errors.Join(because(ctx, err), wire.Close()))
		}
	}
	c.client.CommandTimeout, c.client.SubmissionTimeout = answerTime, answerTime
	if err := s.greet(c.client); err != nil {
		c.cut()
		return nil, because(ctx, err)
	}
	return c, nil
}

func (s server) greet(c *smtp.Client) error {
	if err := c.Hello(s.hello); err != nil {
		if state, ok := c.TLSConnectionState(); ok && !state.HandshakeComplete {
			return fmt.Errorf("speak TLS with the mail server: %w", err)
		}
		return fmt.Errorf("greet the mail server: %w", err)
	}
	if s.user == nil {
		return nil
	}
	password, _ := s.user.Password()
	if err := c.Auth(sasl.NewPlainClient("", s.user.Username(), password)); err != nil {
		return fmt.Errorf("sign in at the mail server: %w", err)
	}
	return nil
}

// boundBy cuts the connection when a context ends, until the returned function is called.
func (c *connection) boundBy(ctx context.Context) (free func() bool) {
	return context.AfterFunc(ctx, func() { _ = c.wire.Close() })
}

// because adds that time ran out, if that is why a connection was cut.
func because(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && !errors.As(err, new(*smtp.SMTPError)) {
		return fmt.Errorf("no answer in time: %w", err)
	}
	return err
}

// begins clears a refused letter from the session. It returns false if the connection is no longer usable.
func (c *connection) begins(ctx context.Context) bool {
	free := c.boundBy(ctx)
	err := c.client.Reset()
	return free() && err == nil
}

// deliver hands one message over, after the server has accepted MAIL.
func (c *connection) deliver(ctx context.Context, to string, message []byte) (string, error) {
	defer c.boundBy(ctx)()
	if err := c.client.Rcpt(to, nil); err != nil {
		return "", judged("recipient", because(ctx, err))
	}
	w, err := c.client.Data()
	if err != nil {
		return "", judged("data", because(ctx, err))
	}
	if _, err := w.Write(message); err != nil {
		return "", judged("message", because(ctx, err))
	}
	answer, err := w.CloseWithResponse()
	if err != nil {
		return "", judged("message", because(ctx, err))
	}
	return answer.StatusText, nil
}

// cut ends a connection whose state is unknown.
func (c *connection) cut() { _ = c.client.Close() } // it may be lost already

// part ends a connection politely.
func (c *connection) part(ctx context.Context) {
	defer c.boundBy(ctx)()
	if c.client.Quit() != nil {
		c.cut() // the server left first: there is nobody to say goodbye to
	}
}
