package imap_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
	"posthorn/mail"
	"posthorn/mail/imap"
)

// patient is how long anything may take that takes a moment.
const patient = time.Minute

// provider is an IMAP server with one account. Its mailboxes outlive its connections and restarts.
type provider struct {
	t      *testing.T
	at     string
	user   *imapmemserver.User
	caps   goimap.CapSet
	tls    *tls.Config
	first  bool // TLS from the start
	noIdle bool // it does not offer IDLE
	silent bool // it offers IDLE, and tells nothing
	server *imapserver.Server

	mu       sync.Mutex
	password string
	logins   int
	bodies   []goimap.UID // of which the whole was fetched
	touched  []goimap.UID // that were stored to, copied, moved or expunged
	marked   int          // fetches that mark mails as seen
	searched []string
}

const (
	account  = "ana@example.org"
	secret   = "first secret"
	ordinary = "From: Bo <bo@example.org>\r\nTo: Ana <ana@example.org>\r\nSubject: Lunch\r\n" +
		"Message-ID: <%d@example.org>\r\n\r\nTomorrow?\r\n"
)

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{t: t, at: porttest.Address(t), password: secret,
		caps: goimap.CapSet{goimap.CapIMAP4rev1: {}, goimap.CapMove: {}, goimap.CapUIDPlus: {}}}
	p.user = imapmemserver.NewUser(account, "")
	require.NoError(t, p.user.Create("INBOX", nil))
	t.Cleanup(p.stops)
	return p
}

// starts opens the server at its address, which it keeps.
func (p *provider) starts() {
	p.t.Helper()
	p.server = imapserver.New(&imapserver.Options{Caps: p.caps, InsecureAuth: true, TLSConfig: p.tls,
		Logger: log.New(io.Discard, "", 0),
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &visit{p: p}, &imapserver.GreetingData{}, nil
		}})
	l, err := net.Listen("tcp", p.at)
	require.NoError(p.t, err)
	if p.first {
		l = tls.NewListener(l, p.tls)
	}
	if p.noIdle {
		l = withoutIdle{l}
	}
	server := p.server
	go func() { _ = server.Serve(l) }() // until it is closed
}

func (p *provider) stops() {
	if p.server != nil {
		_ = p.server.Close() // all its connections, too
		p.server = nil
	}
}

// withoutIdle hides from clients that the server has IDLE.
type withoutIdle struct{ net.Listener }

func (l withoutIdle) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return hidesIdle{c}, err
}

type hidesIdle struct{ net.Conn }

func (c hidesIdle) Write(b []byte) (int, error) {
	_, err := c.Conn.Write(bytes.ReplaceAll(b, []byte(" IDLE"), []byte(" XDLE")))
	return len(b), err
}

// visit is one client's session; it notes what the client does.
type visit struct {
	*imapmemserver.UserSession
	p *provider
}

func (v *visit) Login(user, password string) error {
	v.p.mu.Lock()
	defer v.p.mu.Unlock()
	v.p.logins++
	if user != account || password != v.p.password {
		return imapserver.ErrAuthFailed
	}
	v.UserSession = imapmemserver.NewUserSession(v.p.user)
	return nil
}

func (v *visit) Close() error { return v.UserSession.Close() }

func (v *visit) notes(all *[]goimap.UID, set goimap.NumSet) {
	v.p.mu.Lock()
	defer v.p.mu.Unlock()
	uids, _ := set.(goimap.UIDSet).Nums()
	*all = append(*all, uids...)
}

func (v *visit) Fetch(w *imapserver.FetchWriter, set goimap.NumSet, o *goimap.FetchOptions) error {
	for _, s := range o.BodySection {
		if s.Specifier == goimap.PartSpecifierNone {
			v.notes(&v.p.bodies, set)
		}
		if !s.Peek {
			v.p.mu.Lock()
			v.p.marked++
			v.p.mu.Unlock()
		}
	}
	return v.UserSession.Fetch(w, set, o)
}

func (v *visit) Search(kind imapserver.NumKind, c *goimap.SearchCriteria, o *goimap.SearchOptions) (*goimap.SearchData,
	error) {
	v.p.mu.Lock()
	v.p.searched = append(v.p.searched, fmt.Sprint(c.UID, c.Since))
	v.p.mu.Unlock()
	return v.UserSession.Search(kind, c, o)
}

func (v *visit) Store(w *imapserver.FetchWriter, set goimap.NumSet, f *goimap.StoreFlags,
	o *goimap.StoreOptions) error {
	v.notes(&v.p.touched, set)
	return v.UserSession.Store(w, set, f, o)
}

func (v *visit) Move(w *imapserver.MoveWriter, set goimap.NumSet, to string) error {
	v.notes(&v.p.touched, set)
	return v.UserSession.Move(w, set, to)
}

func (v *visit) Copy(set goimap.NumSet, to string) (*goimap.CopyData, error) {
	v.notes(&v.p.touched, set)
	return v.UserSession.Copy(set, to)
}

func (v *visit) Expunge(w *imapserver.ExpungeWriter, uids *goimap.UIDSet) error {
	if uids == nil {
		v.p.t.Error("what others have marked as deleted was removed")
		return nil
	}
	v.notes(&v.p.touched, *uids)
	return v.UserSession.Expunge(w, uids)
}

func (v *visit) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	if v.p.silent {
		<-stop
		return nil
	}
	return v.UserSession.Idle(w, stop)
}

// literal is a mail to be put into a mailbox.
type literal struct{ *strings.Reader }

func (l literal) Size() int64 { return int64(l.Len()) }

// comes puts a mail into the inbox.
func (p *provider) comes(raw string) goimap.UID {
	p.t.Helper()
	return p.cameAt(raw, time.Now())
}

func (p *provider) cameAt(raw string, at time.Time) goimap.UID {
	p.t.Helper()
	got, err := p.user.Append("INBOX", literal{strings.NewReader(raw)}, &goimap.AppendOptions{Time: at})
	require.NoError(p.t, err)
	return got.UID
}

// holds returns how many mails a folder has.
func (p *provider) holds(folder string) int {
	p.t.Helper()
	s, err := p.user.Status(folder, &goimap.StatusOptions{NumMessages: true})
	if err != nil {
		return -1
	}
	return int(*s.NumMessages)
}

// until waits for something that the fetcher does.
func (p *provider) until(what string, done func() bool) {
	p.t.Helper()
	require.Eventually(p.t, done, patient, 2*time.Millisecond, what)
}

// house takes the mails to its own addresses: those with its word after the plus.
type house struct {
	word  string
	mu    sync.Mutex
	got   []string // addresses and Message-IDs, of each once
	times int      // how often mails were handed over
	raw   []byte   // of the last
	puts  map[string]error
}

func (h *house) Takes(rcpt string) bool { return strings.HasPrefix(rcpt, "ana+"+h.word) }

func (h *house) Take(rcpt, sender string, raw []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, id, _ := strings.Cut(string(raw), "Message-ID: <")
	id, _, _ = strings.Cut(id, ">")
	if err := h.puts[id]; err != nil {
		return err
	}
	h.times, h.raw = h.times+1, raw
	if one := rcpt + " " + id + " " + sender; !slices.Contains(h.got, one) {
		h.got = append(h.got, one)
	}
	return nil
}

func (h *house) taken() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.got)
}

// marks keeps how far folders are read.
type marks struct {
	mu   sync.Mutex
	all  map[string]mail.Fetched
	full bool // nothing can be stored
}

func (m *marks) Fetched(_ context.Context, folder string) (mail.Fetched, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.all[folder]
	return f, ok, nil
}

func (m *marks) SetFetched(_ context.Context, folder string, f mail.Fetched) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full {
		return errors.New("the disk is full")
	}
	m.all[folder] = f
	return nil
}

// begun reports whether the inbox was ever read.
func (m *marks) begun() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.all) > 0
}

// uid returns how far the inbox is read.
func (m *marks) uid() uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.all {
		return f.UID
	}
	return 0
}

// said is a log to read while it is written.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// reader is a fetcher that runs.
type reader struct {
	*imap.Fetcher
	house *house
	marks *marks
	log   *said
	stop  func()
}

var quick = imap.Pace{Poll: 5 * time.Millisecond, Round: 50 * time.Millisecond, Lost: time.Millisecond,
	Refused: 20 * time.Millisecond}

// reads starts a fetcher on the account; query is the end of its address.
func (p *provider) reads(word, query string, kept *marks) *reader {
	p.t.Helper()
	a, err := imap.ReadAccount("imap://ana%40example.org:first%20secret@"+p.at+"/INBOX"+query, "")
	require.NoError(p.t, err)
	return p.readsBy(a, word, kept, quick)
}

func (p *provider) readsBy(a imap.Account, word string, kept *marks, pace imap.Pace) *reader {
	if kept == nil {
		kept = &marks{all: map[string]mail.Fetched{}}
	}
	r := &reader{house: &house{word: word, puts: map[string]error{}}, marks: kept, log: &said{}}
	r.Fetcher = &imap.Fetcher{Account: a, Takers: r.house, Marks: kept, Pace: pace, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(r.log, nil))}
	ctx, cancel := context.WithCancel(p.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(p.t, <-ended, context.Canceled)
	})
	p.t.Cleanup(r.stop)
	return r
}

// up waits until the mailbox is read, from a place that is noted.
func (p *provider) up(r *reader) *reader {
	p.t.Helper()
	p.until("it is read", func() bool { return r.Standing().Up && r.marks.begun() })
	return r
}

// answer is a mail to an address of a house.
func answer(token, id string) string {
	return "Return-Path: <bo@example.org>\r\nDelivered-To: ana+" + token + "@example.org\r\nFrom: bo@example.org\r\n" +
		"To: Games <ana+" + token + "@example.org>\r\nMessage-ID: <" + id + ">\r\n\r\nkeep\r\n"
}
