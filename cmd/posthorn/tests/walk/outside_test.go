package walk

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/programtest"
	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
)

// outside opens a house as a host runs it: files, NATS, a listener, LMTP, and the built-in mailbox.
func outside(t *testing.T) *living {
	t.Helper()
	cfg := posthorntest.Settings(t.TempDir())
	cfg.From, cfg.Inbound, cfg.Host = "games@localhost", "lmtp://127.0.0.1:0", []string{addressOf("Ana")}
	cfg.DNS = &providertest.DNS{}
	h := posthorntest.Lives(t, cfg)
	l := &living{House: h.House, t: t, ctx: h.Ctx, boxes: map[string][]*letter{}, kinds: map[mail.Kind]int{}}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	l.serve = func(r *http.Request) *httptest.ResponseRecorder {
		r.RequestURI = "" // it is a client's now
		got, err := client.Do(r)
		require.NoError(t, err)
		defer func() { require.NoError(t, got.Body.Close()) }()
		answer := httptest.NewRecorder()
		for key, values := range got.Header {
			answer.Header()[key] = values
		}
		answer.WriteHeader(got.StatusCode)
		_, err = answer.Body.ReadFrom(got.Body)
		require.NoError(t, err)
		return answer
	}
	l.alive = true
	l.deliver = func(sender, rcpt string, raw []byte) error {
		conn, err := net.Dial(l.Inbound.Addr().Network(), l.Inbound.Addr().String())
		require.NoError(t, err)
		c := smtp.NewClientLMTP(conn)
		defer func() { _ = c.Close() }() // the server may have closed it first
		drops := dropped.FindAllStringSubmatch(h.Log.String(), -1)
		err = errors.Join(c.Mail(sender, nil), c.Rcpt(rcpt, nil), sent(c, posted(sender, raw)))
		if all := dropped.FindAllStringSubmatch(h.Log.String(), -1); len(all) > len(drops) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.last = "why=" + all[len(all)-1][1]
		}
		return err
	}
	read := map[string]bool{}
	l.settles = func(time.Duration) {
		h.CaughtUp()
		time.Sleep(5 * time.Millisecond) // a letter is due in the next millisecond
		require.Eventually(t, func() bool {
			standing, err := l.Outbox.Standing(l.ctx)
			require.NoError(t, err)
			return standing.Letters == 0
		}, posthorntest.Patient, 5*time.Millisecond, "letters that are due wait")
		for _, m := range l.Mailbox.Messages() {
			if !read[m.ID] {
				read[m.ID] = true
				require.NoError(t, l.arrives(l.ctx, m.To, m.Raw))
			}
		}
	}
	return l
}

// dropped is what the log says of a mail that is not answered.
var dropped = regexp.MustCompile(`was dropped"[^\n]* why="?([^"\n]*)`)

// between are the faults that the ways between browser, house and mail server may have of their own.
var between = []string{"5xx", "an answer bounces", "an answer is dropped", "nobody told", "no mail", "leads nowhere",
	"a part is missing", "the program's log"}

// The same walk through what a host runs: HTTP, LMTP and SMTP instead of calls, and time as it is.
func TestTheWalkFromOutside(t *testing.T) {
	programtest.Long(t)
	inside := base
	defer func() { base = inside }()
	l := outside(t)
	base = l.Config.PublicURL
	w := begin(t, 4, l)
	for w.step = range 40 {
		w.visits(pick(w, w.folk))
		w.asked()
		w.compares()
	}
	for _, f := range w.faults {
		if slices.Contains(between, f.kind) {
			// of the rest the walk inside is the judge, where a seed is the same each time
			t.Error(f.kind, f.first)
		}
	}
}

// sent hands a mail's bytes over.
func sent(c *smtp.Client, raw []byte) error {
	to, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := to.Write(raw); err != nil {
		return err
	}
	return to.Close()
}
