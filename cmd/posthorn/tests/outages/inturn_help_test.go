package outages

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/lease"
	"posthorn/events/people"
	"posthorn/events/porttest"
	"posthorn/events/sqlite"
	"posthorn/mail"
)

// keptByTwo is a house of two machines, with what they share: the cluster, the mail server, and the address that leads
// to one of them.
type keptByTwo struct {
	t       *testing.T
	bin     string
	cluster *clustertest.Cluster
	servers int // of the cluster; each keeps a copy of the house's streams
	// how long somebody is taken to be at a page after it was last heard; 1 ms, so that nobody is, if zero
	patience time.Duration
	mailbox  *mail.Mailbox
	front    *httptest.Server
	to       atomic.Pointer[url.URL]
}

// machine is one of the two.
type machine struct {
	*posthorntest.Running
	of            *keptByTwo
	bin           string // the house's if empty
	data, role    string
	listen, watch string
	said          string // the last answer to a monitor
}

// newKeptByTwo starts a cluster of NATS servers, with a lease of the given length; with 0 the program makes the lease.
func newKeptByTwo(t *testing.T, servers int, ttl time.Duration) *keptByTwo {
	t.Helper()
	k := &keptByTwo{t: t, bin: posthorntest.Binary(t), cluster: clustertest.New(t, servers), servers: servers}
	if ttl > 0 {
		_, err := k.cluster.JetStream().
			CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: lease.DefaultBucket, TTL: ttl,
				Replicas: servers})
		require.NoError(t, err)
	}
	var err error
	k.mailbox, err = mail.OpenMailbox(t.TempDir())
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- k.mailbox.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
	book, err := house.Words()
	require.NoError(t, err)
	mails := k.mailbox.Page("/mailbox", book)
	house := &httputil.ReverseProxy{ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(k.to.Load())
			r.Out.Host = r.In.Host
		}}
	k.front = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if strings.HasPrefix(r.URL.Path, "/mailbox") {
			mails.ServeHTTP(w, r)
			return
		}
		house.ServeHTTP(w, r)
	}))
	t.Cleanup(k.front.Close)
	return k
}

func (k *keptByTwo) machine(role string) *machine {
	return &machine{of: k, data: k.t.TempDir(), role: role, listen: porttest.Address(k.t), watch: porttest.Address(k.t)}
}

// begins starts the machine's program, and waits until it answers a monitor.
func (m *machine) begins() {
	m.of.t.Helper()
	m.Running = posthorntest.Launch(m.of.t, cmp.Or(m.bin, m.of.bin), "serve", "--role", m.role, "--data", m.data,
		"--listen", m.listen, "--watch", m.watch,
		"--nats", m.of.cluster.URL(), "--nats-replicas", strconv.Itoa(m.of.servers), "--safe", "replicated",
		"--public-url", m.of.front.URL, "--smtp", m.of.mailbox.Address(), "--from", "games@localhost",
		"--pause", "1ms", "--patience",
		cmp.Or(m.of.patience, time.Millisecond).String(), "--proxies", "127.0.0.0/8")
	m.of.t.Cleanup(m.Kill)
	m.until("it answers", func() bool { status, _ := m.asked("/healthz"); return status == nethttp.StatusOK })
}

// until waits for a condition; the program must not end meanwhile.
func (m *machine) until(what string, so func() bool) {
	m.of.t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); !so(); time.Sleep(20 * time.Millisecond) {
		select {
		case <-m.Done:
			m.of.t.Fatalf("%s ended before %s: %s", m.role, what, m.Log)
		default:
		}
		require.True(m.of.t, time.Now().Before(deadline), "%s: %s; a monitor was last told %q", what, m.Log, m.said)
	}
}

// monitor asks a machine, but not for long: it may be paused.
var monitor = &nethttp.Client{Timeout: 3 * time.Second}

// asked returns what a monitor gets.
func (m *machine) asked(path string) (int, string) {
	resp, err := monitor.Get("http://" + m.watch + path)
	if err != nil {
		m.said = err.Error()
		return 0, ""
	}
	body, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		m.said = err.Error()
		return 0, ""
	}
	m.said = string(body)
	return resp.StatusCode, m.said
}

// writes waits until the machine is ready, and makes the house's address lead there.
func (m *machine) writes() {
	m.of.t.Helper()
	m.until("it writes", func() bool { status, _ := m.asked("/readyz"); return status == nethttp.StatusOK })
	m.of.to.Store(&url.URL{Scheme: "http", Host: m.listen})
}

// standsBy waits until the machine could take over.
func (m *machine) standsBy() {
	m.of.t.Helper()
	m.until("it stands by", func() bool { _, says := m.asked("/readyz"); return says == "standby, 0 events behind\n" })
}

// ends waits until the program ends, and returns its exit status.
func (m *machine) ends() int {
	m.of.t.Helper()
	select {
	case <-m.Done:
	case <-time.After(time.Minute):
		m.of.t.Fatalf("it goes on: %s", m.Log)
	}
	return m.Cmd.ProcessState.ExitCode()
}

// shares gives another machine the key of the house, and nothing else.
func (m *machine) shares(with *machine) {
	m.of.t.Helper()
	require.NoError(m.of.t, folder.CopyFile(context.Background(), filepath.Join(m.data, "server.key"),
		filepath.Join(with.data, "server.key")))
}

// signedIn makes a session in a house that is not running.
func signedIn(t *testing.T, data, address string) string {
	t.Helper()
	var session string
	require.NoError(t, house.Within(context.Background(), data, func(ctx context.Context, h *house.House) error {
		p, err := h.People.ByAddress(ctx, people.Address(address))
		require.NoError(t, err)
		require.NoError(t, h.People.SetName(ctx, p.ID, "Ana"))
		s, err := h.People.OpenSession(ctx, p.ID, "a browser", time.Hour)
		session = s.Text()
		return err
	}))
	return session
}

// signIn signs a person in by mail and returns the browser's session.
func (k *keptByTwo) signIn(address string) (session string) {
	k.t.Helper()
	client := &nethttp.Client{CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error {
		return nethttp.ErrUseLastResponse
	}}
	post := func(path string, fields url.Values) *nethttp.Response {
		r, err := nethttp.NewRequestWithContext(k.t.Context(), nethttp.MethodPost, k.front.URL+path,
			strings.NewReader(fields.Encode()))
		require.NoError(k.t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", k.front.URL)
		resp, err := client.Do(r)
		require.NoError(k.t, err)
		require.NoError(k.t, resp.Body.Close())
		require.Equal(k.t, nethttp.StatusSeeOther, resp.StatusCode, path)
		return resp
	}
	post("/sign-in", url.Values{"address": {address}})
	link := ""
	require.Eventually(k.t, func() bool {
		for _, m := range k.mailbox.Messages() {
			if m.To == address && link == "" {
				text := strings.NewReplacer("=\r\n", "", "=\n", "").Replace(string(m.Raw))
				link = posthorntest.SignInLink.FindString(text)
			}
		}
		return link != ""
	}, time.Minute, 20*time.Millisecond, "no link comes")
	for _, c := range post(link, nil).Cookies() {
		if c.Name == "posthorn" {
			session = c.Value
		}
	}
	require.NotEmpty(k.t, session)
	return session
}

// settings requests a page for signed-in people only, and returns the status.
func (k *keptByTwo) settings(session string) int {
	r, err := nethttp.NewRequestWithContext(k.t.Context(), nethttp.MethodGet, k.front.URL+"/settings", nil)
	require.NoError(k.t, err)
	r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: session})
	resp, err := nethttp.DefaultClient.Do(r)
	require.NoError(k.t, err)
	require.NoError(k.t, resp.Body.Close())
	return resp.StatusCode
}

// recordsIn returns the records of a house that is not running.
func recordsIn(t *testing.T, data string) []events.Record {
	t.Helper()
	log, err := sqlite.OpenReadOnly(t.Context(), filepath.Join(data, "events.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, log.Close()) }()
	recs, err := log.Read(t.Context(), 0, 1<<20)
	require.NoError(t, err)
	return recs
}
