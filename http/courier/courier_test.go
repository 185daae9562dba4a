package courier_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/http/courier"
)

// patient is how long tests wait for anything.
const patient = time.Minute

// carried is a server that passes on, one that answers, and NATS between them.
type carried struct {
	t       *testing.T
	cluster *clustertest.Cluster
	sends   *nats.Conn
	sender  *courier.Sender
	web     *httptest.Server
	failed  chan error // what Pass says
}

func newCarried(t *testing.T) *carried {
	t.Helper()
	c := &carried{t: t, cluster: clustertest.New(t, 1), failed: make(chan error, 100)}
	c.sends = c.dial()
	var err error
	c.sender, err = courier.NewSender(c.sends, desktest.Keys(t))
	require.NoError(t, err)
	c.sender.Patience = time.Millisecond
	c.web = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		err := c.sender.Pass(w, r, "203.0.113.7")
		c.failed <- err
		if err != nil {
			w.WriteHeader(nethttp.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(c.web.Close)
	return c
}

func (c *carried) dial() *nats.Conn {
	nc, err := nats.Connect(c.cluster.URL())
	require.NoError(c.t, err)
	c.t.Cleanup(nc.Close)
	return nc
}

// answers lets a handler answer until the test ends or stop is called.
func (c *carried) answers(keys *events.Keys, held func() bool, handler nethttp.HandlerFunc) (stop func()) {
	c.t.Helper()
	nc := c.dial()
	r := &courier.Receiver{Conn: nc, Keys: keys, Handler: handler, Held: held, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	before := nc.NumSubscriptions()
	go func() { ended <- r.Run(ctx) }()
	require.Eventually(c.t, func() bool { return nc.NumSubscriptions() == before+2 }, patient, time.Millisecond)
	require.NoError(c.t, nc.Flush())
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(c.t, <-ended, context.Canceled)
	})
	c.t.Cleanup(stop)
	return stop
}

func always() bool { return true }

func (c *carried) ask(method, path, body string, header ...string) (*nethttp.Response, string) {
	c.t.Helper()
	r, err := nethttp.NewRequestWithContext(c.t.Context(), method, c.web.URL+path, strings.NewReader(body))
	require.NoError(c.t, err)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	resp, err := (&nethttp.Client{Transport: &nethttp.Transport{DisableCompression: true}}).Do(r)
	require.NoError(c.t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(c.t, errors.Join(err, resp.Body.Close()))
	return resp, string(text)
}

// The answering server sees a request as its client sent it, with the client's address, and the client sees the answer
// as it was given; an eavesdropper on NATS can read neither.
func TestARequestGoesThereAndItsAnswerComesBack(t *testing.T) {
	c := newCarried(t)
	heard, all := c.dial(), &bytes.Buffer{}
	var mu sync.Mutex
	_, err := heard.Subscribe(">", func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		all.Write(m.Data)
	})
	require.NoError(t, err)
	require.NoError(t, heard.Flush())
	large := strings.Repeat("a hand that is hidden ", 20_000)
	c.answers(desktest.Keys(t), always, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		w.Header().Add("Set-Cookie", "one=1")
		w.Header().Add("Set-Cookie", "two=2")
		w.Header().Set("X-Seen", strings.Join([]string{r.Method, r.RequestURI, r.URL.Query().Get("q"), r.Host,
			r.RemoteAddr, r.Header.Get("Cookie"), r.Header.Get("X-Forwarded-For"), string(body)}, "|"))
		w.WriteHeader(nethttp.StatusConflict)
		_, _ = io.WriteString(w, large)
	})
	resp, body := c.ask("POST", "/t/x/move?q=a%20b", "move=secret-move", "Cookie", "posthorn=secret-cookie",
		"X-Forwarded-For", "198.51.100.1")
	require.NoError(t, <-c.failed)
	require.Equal(t, nethttp.StatusConflict, resp.StatusCode)
	require.Equal(t, []string{"one=1", "two=2"}, resp.Header.Values("Set-Cookie"))
	require.Equal(t, strings.Join([]string{"POST", "/t/x/move?q=a%20b", "a b", strings.TrimPrefix(c.web.URL, "http://"),
		"203.0.113.7:0", "posthorn=secret-cookie", "", "move=secret-move"}, "|"), resp.Header.Get("X-Seen"))
	require.Equal(t, large, body)

	resp, body = c.ask("HEAD", "/", "")
	require.NoError(t, <-c.failed)
	require.Equal(t, nethttp.StatusConflict, resp.StatusCode)
	require.Empty(t, body)
	require.NoError(t, heard.Flush())
	mu.Lock()
	defer mu.Unlock()
	require.Greater(t, all.Len(), len(large), "and it did listen")
	require.NotContains(t, all.String(), "secret")
	require.NotContains(t, all.String(), "hidden")
}

// If an answer goes on, each piece arrives when it is sent, and the answering server learns when the client has gone.
func TestAnAnswerThatGoesOn(t *testing.T) {
	c := newCarried(t)
	next, gone := make(chan string), make(chan struct{})
	c.answers(desktest.Keys(t), always, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		for {
			select {
			case text := <-next:
				if nethttp.NewResponseController(w).SetWriteDeadline(time.Now()) != nil ||
					strings.Contains(text, "panic") {
					panic("in the middle")
				}
				_, _ = io.WriteString(w, text)
				w.(nethttp.Flusher).Flush()
			case <-r.Context().Done():
				close(gone)
				return
			}
		}
	})
	ctx, leave := context.WithCancel(t.Context())
	r, err := nethttp.NewRequestWithContext(ctx, "GET", c.web.URL+"/live", nil)
	require.NoError(t, err)
	type answered struct {
		resp *nethttp.Response
		err  error
	}
	came := make(chan answered, 1)
	go func() {
		resp, err := nethttp.DefaultClient.Do(r)
		came <- answered{resp, err}
	}()
	next <- "one\n"
	a := <-came
	require.NoError(t, a.err)
	for _, text := range []string{"one\n", "two\n", "three\n"} {
		if text != "one\n" {
			next <- text
		}
		got := make([]byte, len(text))
		_, err := io.ReadFull(a.resp.Body, got)
		require.NoError(t, err)
		require.Equal(t, text, string(got))
	}
	leave()
	<-gone
	_ = a.resp.Body.Close() // it was given up

	// An answer that breaks off is not taken for complete.
	r, err = nethttp.NewRequestWithContext(t.Context(), "GET", c.web.URL+"/live", nil)
	require.NoError(t, err)
	go func() {
		resp, err := nethttp.DefaultClient.Do(r)
		came <- answered{resp, err}
	}()
	next <- "one\n"
	a = <-came
	require.NoError(t, a.err)
	next <- "panic"
	_, err = io.ReadAll(a.resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, a.resp.Body.Close())
}

// If nobody writes, a request is not begun, and waits a little for a server that does.
func TestWhatNobodyTakesIsNotBegun(t *testing.T) {
	c := newCarried(t)
	resp, _ := c.ask("POST", "/", "x")
	require.Equal(t, nethttp.StatusServiceUnavailable, resp.StatusCode)
	require.ErrorIs(t, <-c.failed, courier.ErrNobody)

	c.sender.Patience = patient
	var done atomic.Int32
	passed := c.sender.Passed()
	came := make(chan int, 1)
	go func() {
		resp, err := nethttp.Post(c.web.URL, "text/plain", strings.NewReader("x"))
		if err != nil {
			came <- 0
			return
		}
		_ = resp.Body.Close() // only its status counts
		came <- resp.StatusCode
	}()
	require.Eventually(t, func() bool { return c.sender.Passed() > passed }, patient, time.Millisecond)
	stop := c.answers(desktest.Keys(t), always, func(nethttp.ResponseWriter, *nethttp.Request) { done.Add(1) })
	require.Equal(t, nethttp.StatusOK, <-came)
	require.NoError(t, <-c.failed)
	require.EqualValues(t, 1, done.Load())

	stop()
	c.cluster.Stop(0)
	require.Eventually(t, func() bool { return !c.sends.IsConnected() }, patient, time.Millisecond)
	c.sender.Patience = time.Millisecond
	resp, _ = c.ask("POST", "/", "x")
	require.Equal(t, nethttp.StatusServiceUnavailable, resp.StatusCode)
	require.ErrorIs(t, <-c.failed, courier.ErrNobody)
}

// If several servers listen, the one that writes answers; servers with another key or that do not write stay silent;
// and a request recorded on NATS and sent again is done only once.
func TestOnlyWhoWritesAnswersAndOnce(t *testing.T) {
	c := newCarried(t)
	root := [32]byte{99, 7}
	other, err := events.NewKeys(root)
	require.NoError(t, err)
	never := func(nethttp.ResponseWriter, *nethttp.Request) { t.Error("it is not the one that writes") }
	c.answers(desktest.Keys(t), func() bool { return false }, never)
	c.answers(other, always, never)
	heard := c.dial()
	sub, err := heard.SubscribeSync(courier.Subject)
	require.NoError(t, err)
	require.NoError(t, heard.Flush())
	var done atomic.Int32
	c.answers(desktest.Keys(t), always, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		done.Add(1)
		_, _ = io.WriteString(w, "done")
	})
	_, body := c.ask("POST", "/", "x")
	require.Equal(t, "done", body)
	require.NoError(t, <-c.failed)
	m, err := sub.NextMsgWithContext(t.Context())
	require.NoError(t, err)

	inbox, err := heard.SubscribeSync(nats.NewInbox())
	require.NoError(t, err)
	require.NoError(t, heard.PublishRequest(courier.Subject, inbox.Subject, m.Data))
	m.Data[len(m.Data)-1] ^= 1
	require.NoError(t, heard.PublishRequest(courier.Subject, inbox.Subject, m.Data))
	require.NoError(t, heard.Flush())
	_, body = c.ask("POST", "/", "y")
	require.Equal(t, "done", body)
	require.NoError(t, <-c.failed)
	require.EqualValues(t, 2, done.Load(), "the two that came between were not done")
	queued, _, err := inbox.Pending()
	require.NoError(t, err)
	require.Zero(t, queued)
}
