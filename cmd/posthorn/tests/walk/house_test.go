package walk

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events/memory"
	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/hook"
)

// base is the address of the house that a walk goes through.
var base = "http://localhost:8080"

// living is a whole house in a bubble of time: everything runs as in the program, but its log is in memory, and its
// letters and answers need no network.
type living struct {
	choices *os.File // what everybody chose; nil if that is not noted
	*house.House
	t     *testing.T
	ctx   context.Context
	stop  context.CancelFunc
	ended chan error
	parts int
	// How a browser, a mail server and time reach it.
	serve   func(*http.Request) *httptest.ResponseRecorder
	alive   bool // time goes on by itself: stand-ins may move while somebody looks
	deliver func(sender, rcpt string, raw []byte) error
	settles func(after time.Duration)

	mu     sync.Mutex
	boxes  map[string][]*letter // what has arrived, by address
	kinds  map[mail.Kind]int
	hooked int
	errors []string
	last   string // what the door for answers said last
}

// letter is a mail that has arrived.
type letter struct {
	mail.Parts
	to   string
	at   time.Time
	row  mail.Letter
	uses int // how often its reader did something with it
}

// lives opens a house in the morning of a day, until the end of the test.
func lives(t *testing.T, dir string) *living {
	t.Helper()
	time.Sleep(time.Until(time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)))
	l := &living{t: t, boxes: map[string][]*letter{}, kinds: map[mail.Kind]int{}, ended: make(chan error, 16)}
	l.ctx, l.stop = context.WithCancel(context.Background())
	cfg := house.Settings{Settings: folder.Settings{Data: dir}, Listen: "127.0.0.1:0", PublicURL: base,
		From:    "games@localhost",
		Inbound: "smtp://127.0.0.1:0", Opening: "anyone", Pause: 2 * time.Second, Hasty: true, Patience: time.Minute,
		Host: []string{addressOf("Ana")},
		DNS:  &providertest.DNS{}}
	var err error
	l.House, err = house.OpenOver(l.ctx, cfg, slog.New(said{l}), memory.New())
	require.NoError(t, err)
	l.Sender.Transport, l.Postman = l, l
	l.serve = func(r *http.Request) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		l.Server.ServeHTTP(answer, r)
		return answer
	}
	l.deliver = func(sender, rcpt string, raw []byte) error {
		return l.Inbound.Deliver(sender, rcpt, posted(sender, raw))
	}
	l.settles = func(after time.Duration) {
		time.Sleep(after)
		synctest.Wait()
	}
	for _, p := range l.Parts() {
		l.parts++
		go func() { l.ended <- l.Persists(l.ctx, p.Name, p.Run) }()
	}
	t.Cleanup(func() {
		l.stop()
		for ; l.parts > 0; l.parts-- {
			<-l.ended
		}
		l.Server.Settle()
		require.NoError(t, l.Close())
	})
	return l
}

// What precedes other addresses of each person, who reads all in one box: one that they may add, and one by which they
// say that they lost theirs.
const (
	second = "second."
	third  = "third."
)

// Send takes a letter as a mail server would.
func (l *living) Send(ctx context.Context, _, to string, message []byte) (string, error) {
	return "2.0.0 kept", l.arrives(ctx, to, message)
}

// arrives puts a letter into its reader's box.
func (l *living) arrives(ctx context.Context, to string, message []byte) error {
	parts, err := mail.Message{Raw: message}.Read()
	if err != nil {
		return err
	}
	row, ok, err := l.Outbox.ByMessageID(ctx, strings.Trim(parts.Header.Get("Message-Id"), "<>"))
	if err != nil || !ok {
		return fmt.Errorf("a letter that no row is about: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	to = strings.TrimPrefix(strings.TrimPrefix(to, second), third)
	l.boxes[to] = append(l.boxes[to], &letter{Parts: parts, to: to, at: time.Now(), row: row})
	l.kinds[row.Kind]++
	return nil
}

// Post takes what goes to a webhook.
func (l *living) Post(_ context.Context, m hook.Message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hooked++
	return nil
}

// posted returns a mail as its writer's provider sends it on: signed, but for Gosia's, whose provider signs nothing.
func posted(sender string, raw []byte) []byte {
	if sender == addressOf("Gosia") {
		return raw
	}
	_, domain, _ := strings.Cut(sender, "@")
	return providertest.Sign(raw, domain)
}

// box returns what has arrived for somebody, the oldest first.
func (l *living) box(address string) []*letter {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]*letter(nil), l.boxes[address]...)
}

// said keeps what the program's log says.
type said struct{ l *living }

func (said) Enabled(context.Context, slog.Level) bool { return true }
func (s said) WithAttrs([]slog.Attr) slog.Handler     { return s }
func (s said) WithGroup(string) slog.Handler          { return s }

func (s said) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.Key + "=" + a.Value.String()
		return true
	})
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	if r.Level >= slog.LevelError {
		s.l.errors = append(s.l.errors, text)
	}
	if strings.Contains(text, "answer by mail") || strings.Contains(text, "was dropped") {
		s.l.last = text
	}
	return nil
}
