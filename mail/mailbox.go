package mail

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
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
	messages []Message      // without their text, which stays on the disk
	rows     map[string]row // what the list of messages says of those that it was asked about
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
	m := &Mailbox{dir: dir, rows: map[string]row{}}
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
func (m *Mailbox) Messages() (out []Message) {
	for _, msg := range m.list() {
		if msg, ok := m.whole(msg); ok {
			out = append(out, msg)
		}
	}
	return out
}

// list returns the messages without their text, newest first.
func (m *Mailbox) list() []Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(m.messages)
	slices.Reverse(out)
	return out
}

// whole reads a message's text; false if it has gone.
func (m *Mailbox) whole(msg Message) (Message, bool) {
	raw, err := os.ReadFile(filepath.Join(m.dir, msg.ID+".eml"))
	msg.Raw = raw
	return msg, err == nil
}

// Message finds a message by its id.
func (m *Mailbox) Message(id string) (Message, bool) {
	for _, msg := range m.list() {
		if msg.ID == id {
			return m.whole(msg)
		}
	}
	return Message{}, false
}

// row returns what the list says of a message, which is read for that once.
func (m *Mailbox) row(msg Message) row {
	m.mu.Lock()
	r, ok := m.rows[msg.ID]
	m.mu.Unlock()
	if ok {
		return r
	}
	whole, _ := m.whole(msg)
	r = rowOf(whole)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[msg.ID] = r
	return r
}

// envelopeTo begins a file's first line: who the message was sent to.
const envelopeTo = "X-Envelope-To: "

func (m *Mailbox) load() error {
	files, err := filepath.Glob(filepath.Join(m.dir, "*.eml"))
	if err != nil {
		return fmt.Errorf("mailbox: %w", err)
	}
	for _, f := range files {
		msg, err := addressed(f)
		if err != nil {
			return fmt.Errorf("mailbox: %w", err)
		}
		m.messages = append(m.messages, msg)
	}
	sort.Slice(m.messages, func(i, j int) bool { return m.messages[i].ID < m.messages[j].ID })
	return nil
}

// addressed reads a message's first line.
func addressed(path string) (msg Message, err error) {
	f, err := os.Open(path)
	if err != nil {
		return msg, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return msg, err
	}
	first, err := bufio.NewReader(f).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	to := strings.TrimPrefix(strings.TrimRight(first, "\r\n"), envelopeTo)
	return Message{ID: strings.TrimSuffix(filepath.Base(path), ".eml"), To: to, Received: info.ModTime()}, err
}

func (m *Mailbox) keep(to string, raw []byte) error {
	raw = append([]byte(envelopeTo+to+"\r\n"), raw...)
	now := time.Now()
	sum := sha256.Sum256(raw)
	msg := Message{ID: fmt.Sprintf("%020d-%x", now.UnixNano(), sum[:6]), To: to, Received: now}
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
	delete(m.rows, oldest.ID)
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
