package http_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/http"
)

// oneByOne hands out a log record by record, and can wait until it has reached the log's end.
type oneByOne struct {
	mu   sync.Mutex
	cond *sync.Cond
	at   uint64
	log  func() events.Log
}

func (f *oneByOne) Follow(ctx context.Context, after uint64,
	handle func(context.Context, []events.Record) error) error {
	return events.FollowLog(f.log()).Follow(ctx, after, func(ctx context.Context, recs []events.Record) error {
		for i := range recs {
			if err := handle(ctx, recs[i:i+1]); err != nil {
				return err
			}
			f.mu.Lock()
			f.at = recs[i].Pos
			f.cond.Broadcast()
			f.mu.Unlock()
		}
		return nil
	})
}

// caughtUp returns once everything written has been handed out.
func (f *oneByOne) caughtUp(t *testing.T) {
	last, err := f.log().Last(context.Background())
	require.NoError(t, err)
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.at < last {
		f.cond.Wait()
	}
}

// lively opens a house whose pages get news, and returns a function that closes it.
func lively(t *testing.T, change ...func(*http.Config)) (*house, *oneByOne, func()) {
	f := &oneByOne{}
	f.cond = sync.NewCond(&f.mu)
	h := open(t, append(change, func(cfg *http.Config) {
		f.log = cfg.Desk.Log
		cfg.Follower = f
	})...)
	return h, f, h.run()
}

// run lets the server follow the log until the returned function is called.
func (h *house) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := h.server
	go func() { ended <- server.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			require.ErrorIs(h.t, <-ended, context.Canceled)
		})
	}
	h.t.Cleanup(stop)
	return stop
}

// listening is a live stream being read.
type listening struct {
	t      *testing.T
	status int
	header nethttp.Header
	lines  *bufio.Scanner
	close  func()
}

func (h *house) listen(b *browser, table string, change ...func(*nethttp.Request)) *listening {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := nethttp.NewRequestWithContext(ctx, "GET", h.web.URL+"/t/"+table+"/live", nil)
	require.NoError(h.t, err)
	req.Header.Set("Accept", "text/event-stream")
	for _, f := range change {
		f(req)
	}
	res, err := b.client.Do(req)
	require.NoError(h.t, err)
	l := &listening{t: h.t, status: res.StatusCode, header: res.Header, lines: bufio.NewScanner(res.Body),
		close: func() {
			cancel()
			_ = res.Body.Close() // the rest does not matter
		}}
	h.t.Cleanup(l.close)
	return l
}

// next returns the next whole event; "" if the stream has ended.
func (l *listening) next() string {
	event := ""
	for l.lines.Scan() {
		line := l.lines.Text()
		switch {
		case line == "" && event != "":
			return event
		case strings.HasPrefix(line, "id:"), strings.HasPrefix(line, "data:"):
			event += line + "\n"
		case line != "" && !strings.HasPrefix(line, ":") && !strings.HasPrefix(line, "retry:"):
			l.t.Fatalf("a line that says more: %q", line)
		}
	}
	return ""
}

func event(table, version uint64) string {
	return fmt.Sprintf("id: %d-%d\ndata: {\"version\":%d,\"table\":%d}\n", table, version, version, table)
}

func TestALiveStreamSaysThatATableMovedOnAndNeverHow(t *testing.T) {
	h, _, _ := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	other := h.table("tiny", ana, bo)
	at := h.look(table).TableHead.Version
	mine, bos, strangers := h.listen(ana, table), h.listen(bo, table), h.listen(h.browser(), table)
	for _, l := range []*listening{mine, bos, strangers} {
		require.Equal(t, 200, l.status)
		require.Equal(t, "text/event-stream", l.header.Get("Content-Type"))
		require.Equal(t, "no-store", l.header.Get("Cache-Control"))
		require.Equal(t, event(at, 1), l.next())
	}
	s := h.spec()
	bo.bot(s, "play", "").play(other, "keep")
	ana.bot(s, "play", "").play(table, "peek Bo") // a secret that only Ana knows
	for _, l := range []*listening{mine, bos, strangers} {
		require.Equal(t, event(at, 2), l.next(), "the same for everybody, and nothing of other tables")
	}
	bo.bot(s, "play", "").post("/tables/"+table+"/chat", m{"text": "hm"})
	require.Equal(t, event(at+1, 2), strangers.next())
}

func TestWhoeverComesBackIsToldThatTheyMissedSomething(t *testing.T) {
	h, f, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	at := h.look(table).TableHead.Version
	l := h.listen(ana, table)
	require.Equal(t, event(at, 1), l.next())
	last := fmt.Sprintf("%d-1", at)

	// The house closes and opens again; meanwhile something happens.
	stop()
	require.Equal(t, "", l.next(), "every stream ends with the house")
	cfg := h.server.Config
	ana.bot(h.spec(), "play", "").play(table, "keep")
	var err error
	h.server, err = http.New(cfg)
	require.NoError(t, err)
	h.run()
	back := h.listen(ana, table, func(r *nethttp.Request) { r.Header.Set("Last-Event-ID", last) })
	require.Equal(t, event(at, 2), back.next())

	// A reader who missed nothing hears nothing before the next thing happens.
	same := h.listen(bo, table, func(r *nethttp.Request) { r.Header.Set("Last-Event-ID", fmt.Sprintf("%d-2", at)) })
	require.Equal(t, 200, same.status)
	bo.bot(h.spec(), "play", "").play(table, "keep")
	require.Equal(t, event(at, 3), same.next())
	f.caughtUp(t)
}

func TestALiveStreamIsForWhoAsksAtAnExistingTable(t *testing.T) {
	h, _, _ := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.Equal(t, 406, ana.get("/t/"+table+"/live").status, "a link that is opened is no stream")
	require.Equal(t, 404, h.listen(ana, strings.Repeat("0", 32)).status)
	require.Equal(t, 404, h.listen(ana, "x").status)
	still := open(t)
	ana = still.signedIn("Ana")
	require.Equal(t, 404, still.listen(ana, table).status, "without a follower there is nothing to tell")
}

func TestLiveStreamsAreCounted(t *testing.T) {
	const streams = 55
	h, _, stop := lively(t, func(cfg *http.Config) { cfg.Streams = streams })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	var open []*listening
	for range 6 {
		l := h.listen(ana, table)
		require.Equal(t, 200, l.status)
		open = append(open, l)
	}
	seventh := h.listen(ana, table)
	require.Equal(t, 429, seventh.status, "six for one person")
	require.NotEmpty(t, seventh.header.Get("Retry-After"))
	for range 44 {
		l := h.listen(h.browser(), table)
		require.Equal(t, 200, l.status)
		open = append(open, l)
	}
	require.Equal(t, 429, h.listen(h.browser(), table).status, "fifty from one address")

	open[0].close()
	for h.listen(ana, table).status != 200 { // until the server has noticed
		runtime.Gosched()
	}
	stop()
	for _, l := range open[1:] {
		for l.next() != "" { // to its end
		}
	}
	require.Equal(t, 429, h.listen(bo, table).status, "a house that closes takes nobody in")
}

func TestTheHouseHasRoomForSoManyStreams(t *testing.T) {
	h, _, _ := lively(t, func(cfg *http.Config) { cfg.Streams = 2 })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.Equal(t, 200, h.listen(ana, table).status)
	require.Equal(t, 200, h.listen(bo, table).status)
	require.Equal(t, 429, h.listen(h.browser(), table).status)
}

func TestNothingIsLeftOfStreamsThatEnded(t *testing.T) {
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	nethttp.DefaultTransport.(*nethttp.Transport).CloseIdleConnections()
	base := runtime.NumGoroutine()
	for range 4 {
		var open []*listening
		for range 20 {
			l := h.listen(h.browser(), table)
			require.Equal(t, 200, l.status)
			open = append(open, l)
		}
		for _, l := range open {
			l.close()
		}
	}
	for runtime.NumGoroutine() > base { // a leak never ends this; the test's own limit does
		nethttp.DefaultTransport.(*nethttp.Transport).CloseIdleConnections()
		time.Sleep(time.Millisecond)
	}
	stop()
}

// stuck is a reader who takes the beginning and then nothing, until released or stopped by the write deadline.
type stuck struct {
	*httptest.ResponseRecorder
	begun, free chan struct{}
	once        sync.Once
	err         error
	deadlines   int
}

func newStuck(err error) *stuck {
	return &stuck{ResponseRecorder: httptest.NewRecorder(), begun: make(chan struct{}), free: make(chan struct{}),
		err: err}
}

func (s *stuck) SetWriteDeadline(time.Time) error { s.deadlines++; return nil }

func (s *stuck) Write(b []byte) (int, error) {
	first := false
	s.once.Do(func() { first = true; close(s.begun) })
	if first {
		return s.ResponseRecorder.Write(b)
	}
	<-s.free
	if s.err != nil {
		return 0, s.err
	}
	return s.ResponseRecorder.Write(b)
}

func TestASlowReaderIsClosedAndHoldsNobodyUp(t *testing.T) {
	for name, broken := range map[string]error{"who lags": nil, "who does not read in time": os.ErrDeadlineExceeded} {
		t.Run(name, func(t *testing.T) {
			h, f, _ := lively(t)
			ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
			table := h.table("tiny", ana, bo)
			slow, done := newStuck(broken), make(chan struct{})
			req := httptest.NewRequestWithContext(context.Background(), "GET", h.web.URL+"/t/"+table+"/live", nil)
			req.Header.Set("Accept", "text/event-stream")
			go func() {
				defer close(done)
				h.server.ServeHTTP(slow, req)
			}()
			<-slow.begun
			quick, anas := h.listen(bo, table), ana.bot(h.spec(), "play", "")
			require.NotEqual(t, "", quick.next())
			const times = 40
			at := h.look(table).TableHead.Version
			for i := range times {
				anas.post("/tables/"+table+"/chat", m{"text": "and?"})
				require.Equal(t, event(at+1+uint64(i), 1), quick.next(), "nobody else waits")
			}
			f.caughtUp(t)
			close(slow.free)
			<-done // on its own: the client reloads
			require.Less(t, strings.Count(slow.Body.String(), "data:"), times, "what did not fit was not kept")
			require.Positive(t, slow.deadlines)
		})
	}
}

func TestWhatTheFollowerReturnsEndsTheRun(t *testing.T) {
	h := open(t, func(cfg *http.Config) { cfg.Follower = broken{} })
	require.ErrorIs(t, h.server.Run(context.Background()), errBroken)
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Follow(context.Context, uint64, func(context.Context, []events.Record) error) error {
	return errBroken
}
