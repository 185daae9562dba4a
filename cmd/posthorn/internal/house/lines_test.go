package house

import (
	"bufio"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// served starts a web server on a house's kind of listener, and returns its address and how many requests it answers
// now.
func served(t *testing.T, l *lines, handler nethttp.HandlerFunc) (at string, now *atomic.Int64) {
	t.Helper()
	now = &atomic.Int64{}
	web := httptest.NewUnstartedServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		now.Add(1)
		defer now.Add(-1)
		handler(w, r)
	}))
	l.Listener = web.Listener
	web.Listener = l
	web.Start()
	t.Cleanup(web.Close)
	return strings.TrimPrefix(web.URL, "http://"), now
}

func asks(t *testing.T, at, from string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext(t.Context(), "tcp", at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = conn.Write([]byte("GET / HTTP/1.1\r\nHost: here\r\n\r\n"))
	require.NoError(t, err)
	return conn
}

// Given clients that ask for long answers and never read, when they have had their time for a piece, then none of them
// is held any more.
func TestWhoNeverReadsIsLetGo(t *testing.T) {
	const clients = 20
	begun := make(chan struct{}, clients)
	ended := make(chan error, clients)
	at, now := served(t, &lines{patience: 50 * time.Millisecond, most: clients},
		func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			begun <- struct{}{}
			var err error
			for block := make([]byte, 1<<16); err == nil; {
				_, err = w.Write(block)
			}
			ended <- err
		})
	for range clients {
		asks(t, at, "127.0.0.1")
	}
	for range clients {
		<-begun
	}
	for range clients {
		require.Error(t, <-ended)
	}
	require.Eventually(t, func() bool { return now.Load() == 0 }, time.Minute, time.Millisecond)
}

// Given a live stream that says something now and then, when that goes on for longer than a client has for one piece,
// then it is not cut.
func TestALiveStreamOutlastsThePatience(t *testing.T) {
	const patience = 50 * time.Millisecond
	at, _ := served(t, &lines{patience: patience, most: 1}, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(": still here\n")); err != nil {
				return
			}
			if nethttp.NewResponseController(w).Flush() != nil {
				return
			}
			time.Sleep(patience / 4)
		}
	})
	in := bufio.NewScanner(asks(t, at, "127.0.0.1"))
	for began := time.Now(); time.Since(began) < 4*patience; {
		require.True(t, in.Scan(), "%v", in.Err())
	}
}

// Given clients that are not counted alone, as behind a proxy on this machine, when they go, then nothing else does.
func TestWhoIsNotCountedMayGo(t *testing.T) {
	l := &lines{patience: time.Minute, most: 1, proxies: ownMachine}
	at, _ := served(t, l, func(nethttp.ResponseWriter, *nethttp.Request) {})
	for range 3 {
		conn := asks(t, at, "127.0.0.1")
		_, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
	here, there := net.Pipe()
	require.NoError(t, there.Close())
	require.NoError(t, (&line{Conn: here, of: l}).Close())
	require.Empty(t, l.now)
}

// Given one address that holds as many connections as one may, when it opens another, then that is closed at once; a
// proxy of the host, and everybody else, still get in; and one that ends makes room.
func TestAnAddressHoldsOnlySoManyConnections(t *testing.T) {
	const most = 3
	at, now := served(t, &lines{patience: time.Minute, most: most,
		proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}},
		func(_ nethttp.ResponseWriter, r *nethttp.Request) { <-r.Context().Done() })
	held := func(n int64) {
		t.Helper()
		require.Eventually(t, func() bool { return now.Load() == n }, time.Minute, time.Millisecond)
	}
	var first net.Conn
	for range most {
		first = asks(t, at, "127.0.0.2")
	}
	held(most)
	closed := asks(t, at, "127.0.0.2")
	_, err := closed.Read(make([]byte, 1))
	require.Error(t, err)
	for range most + 1 {
		asks(t, at, "127.0.0.9")
	}
	asks(t, at, "127.0.0.3")
	held(2*most + 2)
	require.NoError(t, first.Close())
	held(2*most + 1)
	asks(t, at, "127.0.0.2")
	held(2*most + 2)
}
