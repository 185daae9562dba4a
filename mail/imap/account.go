package imap

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

// What keeps a mailbox from being read. Their texts are for the host; the server's own words follow them.
var (
	// ErrAddress is returned for an address of a mailbox that cannot be read.
	ErrAddress = errors.New("write it as imaps://user:password@imap.example.org/INBOX, or as imap:// for STARTTLS; " +
		"escape special characters in user and password (@ is %40), or give the password in a file")
	ErrPassword    = errors.New("there is no password for the mailbox: put it into the address, or into a file")
	ErrUnreachable = errors.New("the mailbox's server cannot be reached")
	ErrTLS         = errors.New("the mailbox's server speaks no TLS that can be trusted")
	ErrLogin       = errors.New("the mailbox's server refuses the user or the password (a provider with a second " +
		"step at sign-in wants an app password)")
	ErrFolder = errors.New("the mailbox has no such folder")
	ErrBusy   = errors.New("the mailbox's server cannot serve it now")
)

// Bounds on how long things may take.
const (
	loginTime = time.Minute     // from connecting until the folder is open
	stepTime  = 2 * time.Minute // any command after that
)

// Account is a folder of a mailbox at a provider, and how to get in.
type Account struct {
	User   string
	Folder string // the one that mails come into
	// Handled is the folder for mails of this house once they are handled, made if it is missing; "" leaves them
	// where they are.
	Handled string

	at       string // host:port
	password func() (string, error)
	tls      *tls.Config
	first    bool // TLS from the start
	plain    bool // none at all, on this machine
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
}

// DefaultHandled is the folder for handled mails if the address names none.
const DefaultHandled = "Posthorn"

// ReadAccount reads the address of a mailbox: imaps:// with TLS from the start, imap:// with STARTTLS, or without TLS
// on this machine; the folder as its path, INBOX by default; ?handled= for another folder for handled mails than
// DefaultHandled, or none. The password is the first line of a file, unless passwordFile is "": then it is in the
// address. It returns ErrAddress for an address that it cannot read.
func ReadAccount(address, passwordFile string) (a Account, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "imap" && u.Scheme != "imaps" || u.User.Username() == "" ||
		u.Fragment != "" {
		return a, ErrAddress
	}
	query, err := url.ParseQuery(u.RawQuery)
	handled := DefaultHandled
	if query.Has("handled") {
		handled = query.Get("handled")
	}
	query.Del("handled")
	if err != nil || len(query) > 0 {
		return a, ErrAddress
	}
	port := cmp.Or(u.Port(), map[string]string{"imap": "143", "imaps": "993"}[u.Scheme])
	ip := net.ParseIP(u.Hostname())
	near := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	typed, has := u.User.Password()
	a = Account{User: u.User.Username(), Folder: cmp.Or(strings.Trim(u.Path, "/"), "INBOX"), Handled: handled,
		at: net.JoinHostPort(u.Hostname(), port), first: u.Scheme == "imaps", plain: near && u.Scheme == "imap",
		tls:  &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12},
		dial: (&net.Dialer{}).DialContext}
	if strings.EqualFold(a.Handled, a.Folder) {
		return a, fmt.Errorf("handled mails go to another folder than they come into: %w", ErrAddress)
	}
	a.password = func() (string, error) {
		switch {
		case passwordFile != "":
			return firstLine(passwordFile)
		case !has:
			return "", ErrPassword
		}
		return typed, nil
	}
	return a, nil
}

// firstLine reads a password's file, each time anew: a password that was changed works without a new start.
func firstLine(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPassword, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimRight(line, "\r"); line == "" {
		return "", fmt.Errorf("%w: %s is empty", ErrPassword, file)
	}
	return line, nil
}

// Found is what a try finds in a mailbox.
type Found struct {
	Mails uint32 // in the folder
	Idle  bool   // its server tells of new mails at once; otherwise it is asked every few seconds
	Moves bool   // handled mails can be moved out of the folder without touching others; otherwise they stay, as read
}

// Try signs in and opens the folder, as the house will, and changes nothing. Its error is one of those above, with the
// server's words.
func (a Account) Try(ctx context.Context) (f Found, err error) {
	s, err := a.open(ctx, true)
	if err != nil {
		return f, err
	}
	f = Found{Mails: s.opened.NumMessages, Idle: s.has(imap.CapIdle), Moves: s.moves()}
	return f, s.parts(ctx)
}

// session is a connection that is signed in and has the folder open. It is used by one goroutine.
type session struct {
	client *imapclient.Client
	wire   net.Conn         // under client
	opened *imap.SelectData // the folder, as it was when it was opened
	came   chan struct{}    // tells that mails have come
	caps   imap.CapSet
}

// open connects, signs in and opens the folder.
func (a Account) open(ctx context.Context, readOnly bool) (s *session, err error) {
	password, err := a.password()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	s = &session{came: make(chan struct{}, 1)}
	if s.wire, err = a.dial(ctx, "tcp", a.at); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer context.AfterFunc(ctx, s.cut)()
	if err = a.greets(ctx, s); err == nil {
		err = a.signsIn(s, password)
	}
	if err == nil {
		s.opened, err = s.client.Select(a.Folder, &imap.SelectOptions{ReadOnly: readOnly}).Wait()
		err = judged(ErrFolder, err, " (it is called "+a.Folder+")")
	}
	if err != nil {
		s.cut()
		return nil, errors.Join(err, ctx.Err())
	}
	return s, nil
}

// greets begins TLS, unless the server is on this machine and asked without, and waits for the server's greeting.
func (a Account) greets(ctx context.Context, s *session) (err error) {
	options := &imapclient.Options{TLSConfig: a.tls,
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: s.changed}}
	switch {
	case a.first:
		c := tls.Client(s.wire, a.tls)
		if err := c.HandshakeContext(ctx); err != nil {
			return overTLS(err)
		}
		s.client = imapclient.New(c, options)
	case a.plain:
		s.client = imapclient.New(s.wire, options)
	default:
		if s.client, err = imapclient.NewStartTLS(s.wire, options); err != nil {
			return overTLS(err)
		}
	}
	if err := s.client.WaitGreeting(); err != nil {
		return judged(ErrBusy, err, "")
	}
	return nil
}

// overTLS says why TLS did not begin: a server that starts again hangs up, and is there again in a moment.
func overTLS(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(net.Error)) {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return fmt.Errorf("%w: %w", ErrTLS, err)
}

func (a Account) signsIn(s *session, password string) (err error) {
	if s.client.Caps().Has(imap.AuthCap(sasl.Plain)) {
		err = s.client.Authenticate(sasl.NewPlainClient("", a.User, password))
	} else {
		err = s.client.Login(a.User, password).Wait()
	}
	if err != nil {
		return judged(ErrLogin, err, "")
	}
	s.caps = s.client.Caps()
	return nil
}

// judged says what a server's no means; without one the connection was lost. It is nil for no error.
func judged(no, err error, which string) error {
	var said *imap.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &said) || said.Type == imap.StatusResponseTypeBye:
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	switch said.Code {
	case imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit, imap.ResponseCodeServerBug:
		no = ErrBusy
	}
	return fmt.Errorf("%w%s: %w", no, which, err)
}

// changed is told what changes in the folder.
func (s *session) changed(data *imapclient.UnilateralDataMailbox) {
	if data.NumMessages != nil {
		select {
		case s.came <- struct{}{}:
		default: // told already
		}
	}
}

// does runs one command, and cuts the connection if it takes too long or the context ends.
func (s *session) does(ctx context.Context, command func() error) error {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	defer context.AfterFunc(ctx, s.cut)()
	if err := command(); err != nil {
		return errors.Join(err, ctx.Err())
	}
	return nil
}

func (s *session) has(c imap.Cap) bool { return s.caps.Has(c) }

// moves reports whether mails can be moved without touching others: without UIDPLUS, what others have marked as deleted
// would go as well.
func (s *session) moves() bool { return s.has(imap.CapMove) || s.has(imap.CapUIDPlus) }

// parts ends the session politely.
func (s *session) parts(ctx context.Context) error {
	defer s.cut()
	if err := s.does(ctx, s.client.Logout().Wait); err != nil {
		return judged(ErrBusy, err, "")
	}
	return nil
}

// cut ends the connection, whatever its state.
func (s *session) cut() { _ = s.wire.Close() } // it may be lost already
