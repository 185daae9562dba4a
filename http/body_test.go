package http_test

import (
	"bufio"
	"fmt"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/http"
)

func TestABodyThatDoesNotComeIsGivenUp(t *testing.T) {
	h := open(t, func(c *http.Config) { c.BodyWait = 50 * time.Millisecond })
	for _, path := range []string{"/sign-in", "/api/v1/tables", "/nowhere"} {
		conn, err := net.Dial("tcp", h.web.Listener.Addr().String())
		require.NoError(t, err)
		// given a request that promises a body and sends only a little of it
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: "+
			"application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\naddress=", path, h.web.Listener.Addr())
		require.NoError(t, err)
		// then it is answered although nothing more arrives, and the connection ends
		res, err := nethttp.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusRequestTimeout, res.StatusCode, path)
		require.True(t, res.Close)
		require.NoError(t, res.Body.Close())
		require.NoError(t, conn.Close())
	}
}

// deadlines is a response recorder that also records read deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

func TestADeadlineHoldsForABodyAndForNothingElse(t *testing.T) {
	h := open(t)
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	h.server.ServeHTTP(w, httptest.NewRequest("GET", h.web.URL+"/", nil))
	require.Empty(t, w.set, "a live stream has no body, and goes on for as long as it likes")

	w = &deadlines{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequest("POST", h.web.URL+"/language", strings.NewReader("lang=pl"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	h.server.ServeHTTP(w, r)
	require.Equal(t, 303, w.Code)
	require.Len(t, w.set, 2)
	require.False(t, w.set[0].IsZero())
	require.True(t, w.set[1].IsZero(), "work that takes longer than a body may is not cut off")
}

func TestABodyThatIsTooLongIsRefusedOnEveryRoute(t *testing.T) {
	h := open(t)
	for _, path := range []string{"/sign-in", "/settings", "/api/v1/tables"} {
		r, err := nethttp.Post(h.web.URL+path, "application/x-www-form-urlencoded",
			strings.NewReader(strings.Repeat("x", 70<<10)))
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, nethttp.StatusRequestEntityTooLarge, r.StatusCode, path)
	}
}
