package house

import (
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a server whose lease has ended, when it has not noticed yet, then it starts no request and confirms nothing.
func TestWhoeverHasLostTheLeaseSaysYesToNobody(t *testing.T) {
	elsewhere := nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		nethttp.Error(w, "elsewhere", nethttp.StatusServiceUnavailable)
	})
	for what, one := range map[string]struct {
		before, after bool // whether the lease is held before a request, and after it
		status        int
		body          string
		cookie        bool
	}{
		"held":                {true, true, nethttp.StatusCreated, "done", true},
		"lost before":         {false, false, nethttp.StatusServiceUnavailable, "elsewhere\n", false},
		"lost while it works": {true, false, nethttp.StatusServiceUnavailable, "elsewhere\n", false},
	} {
		for _, how := range []string{"with a status", "without", "flushed"} {
			held, begun := one.before, false
			done := nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				begun = true
				nethttp.SetCookie(w, &nethttp.Cookie{Name: "posthorn", Value: "x"})
				held = one.after
				switch how {
				case "with a status":
					w.WriteHeader(nethttp.StatusCreated)
				case "flushed":
					_ = nethttp.NewResponseController(w).Flush() // a recorder can flush
				}
				_, _ = io.WriteString(w, "done") // a recorder accepts everything
			})
			w := httptest.NewRecorder()
			whileLeased(func() bool { return held }, done, elsewhere).
				ServeHTTP(w, httptest.NewRequest(nethttp.MethodPost, "/settings", nil))
			status := one.status
			if status == nethttp.StatusCreated && how != "with a status" {
				status = nethttp.StatusOK
			}
			require.Equal(t, status, w.Code, "%s, %s", what, how)
			require.Equal(t, one.body, w.Body.String(), "%s, %s", what, how)
			require.Equal(t, one.cookie, w.Header().Get("Set-Cookie") != "", "%s, %s", what, how)
			require.Equal(t, one.before, begun, "%s, %s", what, how)
		}
	}
}
