package courier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	nethttp "net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"posthorn/events"
)

// lifeTime is how often a waiting server hears that somebody is working on its answer.
const lifeTime = 3 * time.Second

// maxAge is how old a request may be, and how long it is remembered, so that an eavesdropper cannot replay it. The
// clocks of two servers must differ by less than this.
const maxAge = 2 * time.Minute

// piece is the maximum size of a body's part in one message, in bytes.
const piece = 32 << 10

// Receiver answers requests that are passed on to this server.
type Receiver struct {
	Conn    *nats.Conn // its own
	Keys    *events.Keys
	Handler nethttp.Handler
	// Held reports whether this server is the one that writes. Otherwise it does not take requests.
	Held func() bool
	Log  *slog.Logger

	root  []byte
	me    id
	mu    sync.Mutex
	known map[id]time.Time // requests seen, and when to forget them
	swept time.Time
	told  time.Time                 // when the host was last told about problems common to all requests
	stops map[id]context.CancelFunc // of the requests being answered now
	all   sync.WaitGroup
}

// Run takes requests until the context ends, which also ends those under way.
func (r *Receiver) Run(ctx context.Context) (err error) {
	r.root, r.me, r.known, r.stops = r.Keys.For(purpose), newID(), map[id]time.Time{}, map[id]context.CancelFunc{}
	asked, err := r.Conn.Subscribe(Subject, func(m *nats.Msg) { r.receive(ctx, m) })
	if err != nil {
		return fmt.Errorf("subscribe to requests: %w", err)
	}
	stopped, err := r.Conn.Subscribe(Subject+".stop.*", r.stop)
	if err != nil {
		_ = asked.Unsubscribe() // the connection is gone
		return fmt.Errorf("subscribe to requests: %w", err)
	}
	<-ctx.Done()
	_ = asked.Unsubscribe() // a connection that is gone has no subscriptions
	r.all.Wait()
	_ = r.Conn.FlushTimeout(lifeTime)
	_ = stopped.Unsubscribe()
	return ctx.Err()
}

func (r *Receiver) stop(m *nats.Msg) {
	name, err := events.ParseName(strings.TrimPrefix(m.Subject, Subject+".stop."))
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.stops[id(name)]; cancel != nil {
		cancel()
	}
}

// receive takes a request if this server should answer it.
func (r *Receiver) receive(ctx context.Context, m *nats.Msg) {
	if len(m.Data) < len(r.me) || m.Reply == "" || !r.Held() || ctx.Err() != nil {
		return
	}
	request := id(m.Data[:len(r.me)])
	text, err := newBox(r.root, request, id{}).open(m.Data[len(r.me):])
	if err != nil {
		return // from somebody without the key
	}
	h, body, err := unpacked(text)
	if err != nil {
		r.tell("a request that was passed on cannot be read: do both servers run the same program?", "error", err)
		return
	}
	if age := time.Since(h.At); age > maxAge || age < -maxAge {
		r.tell("a request that was passed on is not taken: the clocks of this server and of the one that passed "+
			"it on differ by minutes", "age", age.Round(time.Second).String())
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if !r.begin(request, cancel) {
		cancel()
		return
	}
	w := &answer{conn: r.Conn, to: m.Reply, server: r.me, box: newBox(r.root, request, r.me), header: nethttp.Header{}}
	if err := w.send(kindTaken, nil); err != nil {
		r.end(request)
		return
	}
	go func() {
		defer r.end(request)
		r.answer(ctx, w, h, body)
	}()
}

// tell logs problems with requests for the host, at most once a minute.
func (r *Receiver) tell(what string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.Sub(r.told) > time.Minute {
		r.told = now
		r.Log.Error(what, args...)
	}
}

// begin notes that a request is being answered now; it returns false if the request was begun before or too many are
// under way.
func (r *Receiver) begin(request id, cancel context.CancelFunc) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if now.Sub(r.swept) > maxAge/4 {
		r.swept = now
		maps.DeleteFunc(r.known, func(_ id, until time.Time) bool { return until.Before(now) })
	}
	if _, again := r.known[request]; again || len(r.stops) >= maxCarried {
		return false
	}
	r.known[request], r.stops[request] = now.Add(2*maxAge), cancel
	r.all.Add(1)
	return true
}

func (r *Receiver) end(request id) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stops[request]()
	delete(r.stops, request)
	r.all.Done()
}

// answer has the house answer a request as if the client had come here.
func (r *Receiver) answer(ctx context.Context, w *answer, h head, body []byte) {
	end := kindBroken
	defer func() {
		if p := recover(); p != nil && p != nethttp.ErrAbortHandler { //nolint:errorlint // it is that very value
			r.Log.Error("a request that was passed on failed", "panic", fmt.Sprint(p))
		}
		_ = w.finish(end) // the client learns that nobody answers
	}()
	req, err := nethttp.NewRequestWithContext(ctx, h.Method, h.URI, io.NopCloser(bytes.NewReader(body)))
	if err != nil || !strings.HasPrefix(h.URI, "/") {
		r.tell("a request that was passed on cannot be read: do both servers run the same program?", "error", err)
		return
	}
	req.Header, req.Host, req.RequestURI, req.ContentLength = h.Header, h.Host, h.URI, int64(len(body))
	if req.Header == nil {
		req.Header = nethttp.Header{}
	}
	if len(body) == 0 {
		req.Body = nethttp.NoBody
	}
	req.RemoteAddr = net.JoinHostPort(from(h.Client), "0")
	alive := time.NewTicker(lifeTime)
	defer alive.Stop()
	done := make(chan struct{})
	var living sync.WaitGroup
	defer living.Wait()
	defer close(done)
	living.Go(func() {
		for {
			select {
			case <-alive.C:
				_ = w.send(kindLiving, nil) // if this fails, the other side notices the silence
			case <-done:
				return
			}
		}
	})
	r.Handler.ServeHTTP(w, req)
	end = kindEnd
}

// from returns where a request comes from. A client on the other server's machine is not on this one.
func from(client string) string {
	if a, err := netip.ParseAddr(client); err != nil || a.Unmap().IsLoopback() {
		return netip.IPv4Unspecified().String()
	}
	return client
}

// answer is an answer being written.
type answer struct {
	conn   *nats.Conn
	to     string
	server id

	mu     sync.Mutex // guards the box and the order of messages
	box    *box
	header nethttp.Header
	begun  bool
	body   []byte // not sent yet
}

func (a *answer) send(kind byte, text []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	message := make([]byte, 0, len(a.server)+1+len(text)+a.box.aead.Overhead())
	message = a.box.seal(append(message, a.server[:]...), append([]byte{kind}, text...))
	if err := a.conn.Publish(a.to, message); err != nil {
		return fmt.Errorf("answer what was passed on: %w", err)
	}
	return nil
}

// Header implements [nethttp.ResponseWriter].
func (a *answer) Header() nethttp.Header { return a.header }

// WriteHeader implements [nethttp.ResponseWriter].
func (a *answer) WriteHeader(status int) {
	if a.begun || status < nethttp.StatusOK {
		return
	}
	a.begun = true
	text, err := json.Marshal(answerHead{status, a.header})
	if err == nil {
		err = a.send(kindHead, text)
	}
	_ = err // if it is not sent, the client notices
}

// Write implements [nethttp.ResponseWriter].
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(nethttp.StatusOK)
	for n := len(b); ; {
		room := min(piece-len(a.body), len(b))
		a.body, b = append(a.body, b[:room]...), b[room:]
		if len(b) == 0 {
			return n, nil
		}
		if err := a.flush(); err != nil {
			return n - len(b), err
		}
	}
}

func (a *answer) flush() error {
	if len(a.body) == 0 {
		return nil
	}
	err := a.send(kindBody, a.body)
	a.body = a.body[:0]
	return err
}

// FlushError sends what was written. [nethttp.ResponseController] calls it.
func (a *answer) FlushError() error {
	a.WriteHeader(nethttp.StatusOK)
	return a.flush()
}

// Flush implements [nethttp.Flusher].
func (a *answer) Flush() { _ = a.FlushError() }

// SetReadDeadline is for [nethttp.ResponseController]. It does nothing: the body is already here.
func (a *answer) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline is for [nethttp.ResponseController]. It does nothing: nothing here waits for the client.
func (a *answer) SetWriteDeadline(time.Time) error { return nil }

// finish sends the rest and says that there is no more.
func (a *answer) finish(end byte) error {
	if end == kindEnd {
		if err := a.FlushError(); err != nil {
			end = kindBroken
		}
	}
	return a.send(end, nil)
}
