package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// ErrSMTPAddress is returned for an address of a mail server that cannot be read.
var ErrSMTPAddress = errors.New("write it as smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, or smtp://localhost:25?tls=off")

// SMTP is a transport over one connection that is kept while it lasts.
type SMTP struct {
	server server
	mu     sync.Mutex
	conn   *smtp.Client
	wire   net.Conn // under conn
}

// server is a mail server's address, read.
type server struct {
	at    string // host:port
	tls   *tls.Config
	first bool // TLS from the start
	plain bool // no TLS at all
	user  *url.Userinfo
	hello string // the name we greet with
}

// answerTime is how long any one answer of the next server may take.
const answerTime = time.Minute

// NewSMTP reads the address of a mail server: smtp:// uses STARTTLS unless ?tls=off is said
// or the host is loopback (?tls=on insists there too), smtps:// speaks TLS from the start.
// hello is the name we greet with.
func NewSMTP(address, hello string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, ErrSMTPAddress
	}
	query, err := url.ParseQuery(u.RawQuery)
	want := query.Get("tls")
	query.Del("tls")
	if err != nil || len(query) > 0 || want != "" && want != "on" && (want != "off" || u.Scheme == "smtps") {
		return nil, ErrSMTPAddress
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme]
	}
	ip := net.ParseIP(u.Hostname())
	near := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return &SMTP{server: server{at: net.JoinHostPort(u.Hostname(), port), tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12},
		first: u.Scheme == "smtps", plain: want == "off" || near && want == "", user: u.User, hello: hello}}, nil
}

// connect makes the connection and greets. The context ends it whenever it ends.
func (s *SMTP) connect(ctx context.Context) error {
	wire, err := (&net.Dialer{Timeout: answerTime}).DialContext(ctx, "tcp", s.server.at)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = wire.Close() })()
	var c *smtp.Client
	switch {
	case s.server.first:
		c = smtp.NewClient(tls.Client(wire, s.server.tls))
	case s.server.plain:
		c = smtp.NewClient(wire)
	default:
		if err := wire.SetDeadline(time.Now().Add(answerTime)); err != nil {
			return fmt.Errorf("reach the mail server: %w", errors.Join(err, wire.Close()))
		}
		if c, err = smtp.NewClientStartTLS(wire, s.server.tls); err != nil {
			return fmt.Errorf("speak TLS with the mail server: %w", errors.Join(err, wire.Close()))
		}
	}
	c.CommandTimeout, c.SubmissionTimeout = answerTime, answerTime
	if err := greet(c, s.server.hello, s.server.user); err != nil {
		return errors.Join(err, c.Close())
	}
	s.conn, s.wire = c, wire
	return nil
}

func greet(c *smtp.Client, hello string, user *url.Userinfo) error {
	if err := c.Hello(hello); err != nil {
		return fmt.Errorf("greet the mail server: %w", err)
	}
	if user == nil {
		return nil
	}
	password, _ := user.Password()
	if err := c.Auth(sasl.NewPlainClient("", user.Username(), password)); err != nil {
		return fmt.Errorf("sign in at the mail server: %w", err)
	}
	return nil
}

// Send hands a message over. A connection that was lost meanwhile is made anew, once.
func (s *SMTP) Send(ctx context.Context, from, to string, message []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && s.conn.Noop() != nil {
		s.cut()
	}
	if s.conn == nil {
		if err := s.connect(ctx); err != nil {
			return "", err
		}
	}
	wire := s.wire
	defer context.AfterFunc(ctx, func() { _ = wire.Close() })()
	answer, err := s.deliver(from, to, message)
	if err != nil {
		var refused *smtp.SMTPError
		if !errors.As(err, &refused) || s.conn.Reset() != nil {
			s.cut()
		}
	}
	return answer, err
}

// cut ends a connection whose state is not known.
func (s *SMTP) cut() {
	_ = s.conn.Close() // it may be lost already
	s.conn, s.wire = nil, nil
}

func (s *SMTP) deliver(from, to string, message []byte) (string, error) {
	if err := s.conn.Mail(from, nil); err != nil {
		return "", fmt.Errorf("sender: %w", err)
	}
	if err := s.conn.Rcpt(to, nil); err != nil {
		return "", fmt.Errorf("recipient: %w", err)
	}
	w, err := s.conn.Data()
	if err != nil {
		return "", fmt.Errorf("data: %w", err)
	}
	if _, err := io.Copy(w, bytes.NewReader(message)); err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	answer, err := w.CloseWithResponse()
	if err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	return answer.StatusText, nil
}

// Close ends the connection.
func (s *SMTP) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	c := s.conn
	s.conn, s.wire = nil, nil
	if c.Quit() != nil {
		_ = c.Close() // the server went first: there is nobody left to say goodbye to
	}
	return nil
}
