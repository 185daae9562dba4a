package mail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// Mailbox is a real SMTP server on loopback, for people who run the house without a mail server. It keeps what it gets
// in a folder, one file per message, and shows it on a page.
type Mailbox struct {
	dir    string
	server *smtp.Server
	listen net.Listener

	mu       sync.Mutex
	messages []Message
	answers  Answers
}

// Answers takes a mail that answers one of the house's. to is the address that the house's mail named; from is the
// person that mail went to.
type Answers func(ctx context.Context, to, from string, raw []byte) error

// Answered makes the mailbox's page hand answers to the house. Without it, the page only shows mails.
func (m *Mailbox) Answered(by Answers) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = by
}

// taker returns what takes answers; nil if the house takes none here.
func (m *Mailbox) taker() Answers {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answers
}

// Message is a mail in the built-in mailbox.
type Message struct {
	ID       string // of the file, safe in a URL
	To       string
	Received time.Time
	Raw      []byte
}

// Limits on what the mailbox takes.
const (
	mostBytes = 1 << 20
	mostKept  = 2000
)

// OpenMailbox listens on a free loopback port and keeps messages in a folder.
func OpenMailbox(dir string) (*Mailbox, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	m := &Mailbox{dir: dir}
	if err := m.load(); err != nil {
		return nil, err
	}
	var err error
	if m.listen, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	m.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{box: m}, nil }))
	m.server.Domain = "localhost"
	m.server.MaxMessageBytes = mostBytes
	m.server.MaxRecipients = 5
	m.server.ReadTimeout, m.server.WriteTimeout = answerTime, answerTime
	return m, nil
}

// Address returns where to send, for NewSMTP.
func (m *Mailbox) Address() string { return "smtp://" + m.listen.Addr().String() }

// Run serves until the context ends.
func (m *Mailbox) Run(ctx context.Context) error {
	err := m.server.Serve(Until(ctx, m.listen))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("mailbox: %w", err)
}

// Messages returns the messages that have come, newest first.
func (m *Mailbox) Messages() []Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Message, len(m.messages))
	for i, msg := range m.messages {
		out[len(out)-1-i] = msg
	}
	return out
}

// Message finds a message by its id.
func (m *Mailbox) Message(id string) (Message, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, msg := range m.messages {
		if msg.ID == id {
			return msg, true
		}
	}
	return Message{}, false
}

// envelopeTo begins a file's first line: who the message was sent to.
const envelopeTo = "X-Envelope-To: "

func (m *Mailbox) load() error {
	files, err := filepath.Glob(filepath.Join(m.dir, "*.eml"))
	if err != nil {
		return fmt.Errorf("mailbox: %w", err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return fmt.Errorf("mailbox: %w", err)
		}
		info, err := os.Stat(f)
		if err != nil {
			return fmt.Errorf("mailbox: %w", err)
		}
		first, _, _ := bytes.Cut(raw, []byte("\r\n"))
		to := strings.TrimPrefix(string(first), envelopeTo)
		m.messages = append(m.messages, Message{ID: strings.TrimSuffix(filepath.Base(f), ".eml"), To: to, Received: info.ModTime(), Raw: raw})
	}
	sort.Slice(m.messages, func(i, j int) bool { return m.messages[i].ID < m.messages[j].ID })
	return nil
}

func (m *Mailbox) keep(to string, raw []byte) error {
	raw = append([]byte(envelopeTo+to+"\r\n"), raw...)
	now := time.Now()
	sum := sha256.Sum256(raw)
	msg := Message{ID: fmt.Sprintf("%020d-%x", now.UnixNano(), sum[:6]), To: to, Received: now, Raw: raw}
	path := filepath.Join(m.dir, msg.ID+".eml")
	if err := os.WriteFile(path+".part", raw, 0o600); err != nil {
		return fmt.Errorf("mailbox: %w", err)
	}
	if err := os.Rename(path+".part", path); err != nil {
		return fmt.Errorf("mailbox: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, msg)
	if len(m.messages) <= mostKept {
		return nil
	}
	oldest := m.messages[0]
	m.messages = m.messages[1:]
	if err := os.Remove(filepath.Join(m.dir, oldest.ID+".eml")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("mailbox: %w", err)
	}
	return nil
}

// session takes one message after another.
type session struct {
	box *Mailbox
	to  []string
}

func (s *session) Reset()                               { s.to = nil }
func (s *session) Logout() error                        { return nil }
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.ContainsAny(to, "\r\n") {
		return &smtp.SMTPError{Code: 553, EnhancedCode: smtp.EnhancedCode{5, 1, 3}, Message: "no such address"}
	}
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	var refused *smtp.SMTPError
	if errors.As(err, &refused) {
		return refused // too large: the answer says so
	}
	if err != nil {
		return fmt.Errorf("mailbox: %w", err)
	}
	for _, to := range s.to {
		if err := s.box.keep(to, raw); err != nil {
			return err
		}
	}
	return nil
}
