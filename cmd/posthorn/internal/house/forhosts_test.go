package house

import (
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a monitor's address, then it answers requests that name it by address, without a dot, or as the host says, and
// not those that a foreign page can have a browser make by having its own name lead here.
func TestAMonitorsAddressAnswersToItsOwnNames(t *testing.T) {
	s := Settings{Watch: "monitor.example.org:9190", WatchHosts: []string{"posthorn.monitoring.svc"}}
	handler := s.ForHosts(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.WriteHeader(nethttp.StatusNoContent)
	}))
	for host, want := range map[string]int{
		"127.0.0.1:9190": 204, "[::1]:9190": 204, "192.0.2.7": 204, "localhost:9190": 204, "posthorn:9190": 204,
		"Monitor.example.org:9190": 204, "posthorn.monitoring.svc": 204,
		"evil.example": 421, "evil.example:9190": 421, "127.0.0.1.evil.example": 421,
		"localhost.evil.example:9190": 421,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.Host = host
		handler.ServeHTTP(w, r)
		require.Equal(t, want, w.Code, host)
	}
}
