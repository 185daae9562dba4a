package secrets

import (
	"bytes"
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
)

// listening is the writer of a live stream: it keeps what it is given, and signals it.
type listening struct {
	mu     sync.Mutex
	header nethttp.Header
	text   bytes.Buffer
	heard  chan struct{}
}

func (l *listening) Header() nethttp.Header           { return l.header }
func (l *listening) WriteHeader(int)                  {}
func (l *listening) Flush()                           {}
func (l *listening) SetWriteDeadline(time.Time) error { return nil }
func (l *listening) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.text.Write(b)
	select {
	case l.heard <- struct{}{}:
	default:
	}
	return n, err
}

func (l *listening) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// listens opens a live stream; stop ends it and returns everything heard.
func (h *twinHouse) listens(path string, as func(*nethttp.Request)) (l *listening, stop func() []byte) {
	ctx, cancel := context.WithCancel(h.ctx)
	l = &listening{header: nethttp.Header{}, heard: make(chan struct{}, 1)}
	r := httptest.NewRequestWithContext(ctx, "GET", path, nil)
	r.Host = "localhost:8080"
	as(r)
	r.Header.Set("Accept", "text/event-stream")
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.server.ServeHTTP(l, r)
	}()
	return l, func() []byte {
		cancel()
		<-done
		var out bytes.Buffer
		require.NoError(h.t, l.header.Write(&out))
		_, _ = out.WriteString(l.String())
		return out.Bytes()
	}
}

// until waits for a text in a stream.
func (l *listening) until(text string) {
	for !strings.Contains(l.String(), text) {
		<-l.heard
	}
}

func (w *twins) comparesStream() {
	w.t.Helper()
	path, as := "/t/"+w.table.String()+"/live", browsing(w.me)
	if w.rnd.IntN(2) == 0 {
		path, as = "/api/v1/tables/"+w.table.String()+"/live", calling(w.me)
	}
	var heard [2][]byte
	for i, h := range w.both() {
		l, stop := h.listens(path, as)
		l.until("data:")
		heard[i] = stop()
	}
	w.same("GET "+path, heard[0], heard[1])
}
