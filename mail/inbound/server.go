package inbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/netutil"

	"posthorn/mail"
)

// Taker takes the mails for some addresses.
type Taker interface {
	// Takes reports whether an address is one of its own. The server calls it before it reads the mail; it must not
	// query anything.
	Takes(rcpt string) bool
	// Handle takes a mail for an address that Takes accepted. sender is the envelope's, "" for a mail that must not be
	// answered. An error means that the mail should be sent again later; a fault of the mail itself is not an error.
	Handle(ctx context.Context, rcpt, sender string, raw []byte) error
}

// Handler returns a function that hands a mail to the taker of its address, without a mail server in between.
func Handler(takers ...Taker) func(ctx context.Context, rcpt, sender string, raw []byte) error {
	return func(ctx context.Context, rcpt, sender string, raw []byte) error {
		for _, t := range takers {
			if t.Takes(rcpt) {
				return t.Handle(ctx, rcpt, sender, raw)
			}
		}
		return nil
	}
}

// Bounds on what is taken.
const (
	mostBytes = 32 << 20 // octets of a mail; those beyond mostKept are thrown away
	// more than a reply that quotes a letter with its pictures: a signature covers the whole mail
	mostKept       = 1 << 20
	mostRecipients = 20
	mostLine       = 1 << 20 // octets of a line, also of one that a client holds memory for before a mail begins
	mostConns      = 32
	mostAtOnce     = 2 // mails being read at the same time
	readTime       = time.Minute
	sessionTime    = 10 * time.Minute
	handleTime     = 30 * time.Second
)

// Takers hand each mail to the taker of its address, the first that takes it, a few at a time.
type Takers struct {
	takers []Taker
	log    *slog.Logger
	slots  chan struct{}
}

// NewTakers returns the takers of a house.
func NewTakers(log *slog.Logger, takers ...Taker) *Takers {
	return &Takers{takers: takers, log: log, slots: make(chan struct{}, mostAtOnce)}
}

// Takes reports whether one of them takes the mails for an address.
func (t *Takers) Takes(rcpt string) bool { return t.taker(rcpt) != nil }

// Take hands a mail over. An error means that it is to come again later; the log says why.
func (t *Takers) Take(rcpt, sender string, raw []byte) error {
	err := t.handle(rcpt, sender, raw)
	if err != nil {
		level := slog.LevelError
		if errors.Is(err, errUnproved) {
			level = slog.LevelWarn
		}
		t.log.Log(context.Background(), level, "a mail is to come again", "error", err)
	}
	return err
}

// taker returns the taker for an address, or nil.
func (t *Takers) taker(rcpt string) Taker {
	for _, one := range t.takers {
		if one.Takes(rcpt) {
			return one
		}
	}
	return nil
}

// handle hands a mail over. A mail that makes its taker fail should not come again.
func (t *Takers) handle(rcpt, sender string, raw []byte) (err error) {
	one := t.taker(rcpt)
	if one == nil {
		t.log.Info("a mail to an address that is nobody's was dropped", "why", string(dropAddress))
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), handleTime)
	defer cancel()
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		return fmt.Errorf("wait for a turn: %w", ctx.Err())
	}
	defer func() {
		if r := recover(); r != nil {
			t.log.Error("a mail could not be read", "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = nil
		}
	}()
	return one.Handle(ctx, rcpt, sender, raw)
}

// Server takes mails at a port or a socket.
type Server struct {
	*Takers
	listen net.Listener
	smtp   *smtp.Server
}

// ErrAddress is returned for a listening address that cannot be read.
var ErrAddress = errors.New("write it as lmtp://127.0.0.1:2424, lmtp:///run/posthorn/lmtp.sock, smtp://0.0.0.0:25, " +
	"or imaps://user:password@imap.example.org/INBOX")

// Listen opens the door. lmtp:// speaks to your own mail server, at a port or a socket's path; smtp:// speaks to
// anybody, and refuses unknown addresses. name is the name it greets with. It returns ErrAddress for an address it
// cannot read.
func Listen(ctx context.Context, address, name string, log *slog.Logger, takers ...Taker) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "lmtp" && u.Scheme != "smtp" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" || (u.Host == "") == (u.Path == "") || u.Host == "" && u.Scheme == "smtp" {
		return nil, ErrAddress
	}
	network, at := "tcp", u.Host
	if u.Host == "" {
		network, at = "unix", u.Path
		if err := forget(at); err != nil {
			return nil, err
		}
	} else if _, port, err := net.SplitHostPort(at); err != nil || port == "" {
		return nil, ErrAddress
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, network, at)
	if err != nil {
		return nil, fmt.Errorf("take mails: %w", err)
	}
	if network == "unix" {
		if err := os.Chmod(at, 0o660); err != nil { // the group is the mail server's
			return nil, fmt.Errorf("take mails: %w", errors.Join(err, l.Close()))
		}
	}
	s := &Server{Takers: NewTakers(log, takers...), listen: netutil.LimitListener(l, mostConns)}
	s.smtp = smtp.NewServer(smtp.BackendFunc(s.session))
	s.smtp.LMTP, s.smtp.Domain = u.Scheme == "lmtp", name
	if s.smtp.MaxRecipients, s.smtp.MaxLineLength = mostRecipients, mostLine; !s.smtp.LMTP {
		s.smtp.MaxMessageBytes = mostBytes // your own mail server has a limit, and would bounce what we refuse
	}
	s.smtp.ReadTimeout, s.smtp.WriteTimeout = readTime, readTime
	s.smtp.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	return s, nil
}

// forget removes the socket of a program that has gone.
func forget(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode()&os.ModeSocket == 0 {
		err = errors.New("it is there, and no socket")
	}
	if err == nil {
		if c, dialed := net.DialTimeout("unix", path, time.Second); dialed == nil {
			err = errors.Join(errors.New("another program takes mails there"), c.Close())
		} else {
			err = os.Remove(path)
		}
	}
	if err != nil {
		return fmt.Errorf("socket %s: %w", path, err)
	}
	return nil
}

// Addr returns where the server listens.
func (s *Server) Addr() net.Addr { return s.listen.Addr() }

// Secure offers TLS to whoever hands mails over (STARTTLS). Call it before Run.
func (s *Server) Secure(c *tls.Config) { s.smtp.TLSConfig = c }

// Run takes mails until the context ends.
func (s *Server) Run(ctx context.Context) error {
	err := s.smtp.Serve(mail.Until(ctx, s.listen))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("take mails: %w", err)
}

// Close stops the server.
func (s *Server) Close() error {
	if err := errors.Join(s.smtp.Close(), s.listen.Close()); err != nil && !errors.Is(err, net.ErrClosed) &&
		!errors.Is(err, smtp.ErrServerClosed) {
		return fmt.Errorf("take mails: %w", err)
	}
	return nil
}

func (s *Server) session(c *smtp.Conn) (smtp.Session, error) {
	return &session{server: s, end: time.AfterFunc(sessionTime, func() { _ = c.Conn().Close() })}, nil
}

// Deliver hands over one mail as a client's session does: it returns what that client would be answered.
func (s *Server) Deliver(sender, rcpt string, raw []byte) error {
	one := session{server: s, sender: sender}
	if err := one.Rcpt(rcpt, nil); err != nil {
		return err
	}
	return one.take(rcpt, raw)
}

// session is one connection's session.
type session struct {
	server *Server
	end    *time.Timer
	sender string
	rcpts  []string
}

func (s *session) Reset() { s.sender, s.rcpts = "", nil }

func (s *session) Logout() error {
	s.end.Stop()
	return nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.sender = from
	return nil
}

var (
	errNobody = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such address"}
	errLater  = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "try again later"}
)

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if !s.server.smtp.LMTP && !s.server.Takes(to) {
		return errNobody // the sender speaks to us directly: nobody else gets this answer
	}
	s.rcpts = append(s.rcpts, to)
	return nil
}

// read reads as much of a mail as matters, and throws the rest away.
func read(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, mostKept))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if errors.As(err, new(*smtp.SMTPError)) {
		return nil, err // too large: the answer says so
	}
	if err != nil {
		return nil, errLater
	}
	return raw, nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := read(r)
	if err != nil {
		return err
	}
	for _, to := range s.rcpts {
		if err := s.take(to, raw); err != nil {
			return err
		}
	}
	return nil
}

// LMTPData answers for each recipient separately.
func (s *session) LMTPData(r io.Reader, status smtp.StatusCollector) error {
	raw, err := read(r)
	if err != nil {
		return err
	}
	for _, to := range s.rcpts {
		status.SetStatus(to, s.take(to, raw))
	}
	return nil
}

func (s *session) take(to string, raw []byte) error {
	if s.server.Take(to, s.sender, raw) != nil {
		return errLater
	}
	return nil
}

// behind returns what an address has after the + of a base: for base "games@example.org", "games+x@example.org" gives
// "x". It ignores case in the part before the + and in the domain.
func behind(base, rcpt string) (string, bool) {
	local, host, _ := strings.Cut(base, "@")
	at := strings.LastIndexByte(rcpt, '@')
	if at < 0 || !strings.EqualFold(rcpt[at+1:], host) {
		return "", false
	}
	name, token, ok := strings.Cut(rcpt[:at], "+")
	if !ok || !strings.EqualFold(name, local) {
		return "", false
	}
	return token, true
}
