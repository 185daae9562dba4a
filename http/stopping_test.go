package http_test

import (
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// If a server is told to stop while it answers, the client is told to try again in a moment, not that something broke.
func TestWhoeverIsCutOffByAStopIsToldToTryAgain(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, path := range []string{"/", "/t/" + table, "/settings", "/api/v1/tables/" + table} {
		r := httptest.NewRequestWithContext(stopped, nethttp.MethodGet, h.web.URL+path, nil)
		r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: cookieOf(t, ana)})
		w := httptest.NewRecorder()
		h.web.Config.Handler.ServeHTTP(w, r)
		if w.Code == nethttp.StatusOK { // it needed nothing slow
			continue
		}
		require.Equal(t, nethttp.StatusServiceUnavailable, w.Code, "%s: %s", path, w.Body)
		require.NotEmpty(t, w.Header().Get("Retry-After"), path)
		if strings.HasPrefix(path, "/api") {
			require.Contains(t, w.Body.String(), `"stopping"`)
		} else {
			require.Contains(t, w.Body.String(), "Back in a moment")
		}
	}
}
