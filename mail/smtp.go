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
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// ErrSMTPAddress is returned for an address of a mail server that cannot be read.
var ErrSMTPAddress = errors.New("write it as smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, or smtp://localhost:25?tls=off")

// SMTP is a transport over one connection that is kept while it lasts.
type SMTP struct {
	dial func(ctx context.Context) (*smtp.Client, error)
	mu   sync.Mutex
	conn *smtp.Client
}

// patience is how long any one answer of the next server may take.
const patience = time.Minute

// NewSMTP reads the address of a mail server: smtp:// uses STARTTLS unless ?tls=off or the
// host is loopback, smtps:// speaks TLS from the start. hello is the name we greet with.
func NewSMTP(address, hello string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, ErrSMTPAddress
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme]
	}
	ip := net.ParseIP(u.Hostname())
	plain := u.Query().Get("tls") == "off" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	config := &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	s := &SMTP{}
	s.dial = func(ctx context.Context) (*smtp.Client, error) {
		conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
		if err != nil {
			return nil, fmt.Errorf("reach the mail server: %w", err)
		}
		var c *smtp.Client
		switch {
		case u.Scheme == "smtps":
			c = smtp.NewClient(tls.Client(conn, config))
		case plain:
			c = smtp.NewClient(conn)
		default:
			if c, err = smtp.NewClientStartTLS(conn, config); err != nil {
				return nil, fmt.Errorf("speak TLS with the mail server: %w", errors.Join(err, conn.Close()))
			}
		}
		c.CommandTimeout, c.SubmissionTimeout = patience, patience
		if err := greet(c, hello, u.User); err != nil {
			return nil, errors.Join(err, c.Close())
		}
		return c, nil
	}
	return s, nil
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
		_ = s.conn.Close() // it is lost already
		s.conn = nil
	}
	if s.conn == nil {
		c, err := s.dial(ctx)
		if err != nil {
			return "", err
		}
		s.conn = c
	}
	answer, err := s.deliver(from, to, message)
	if err != nil {
		var refused *smtp.SMTPError
		if !errors.As(err, &refused) || s.conn.Reset() != nil {
			_ = s.conn.Close() // its state is unknown
			s.conn = nil
		}
	}
	return answer, err
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
	s.conn = nil
	return c.Quit()
}
