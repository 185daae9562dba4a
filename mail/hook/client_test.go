package hook

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"code.dny.dev/ssrf"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// served returns a test server, and a client that may reach it.
func served(t *testing.T, h nethttp.HandlerFunc) (*Client, Message) {
	t.Helper()
	server := httptest.NewTLSServer(h)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return newClient(nil, roots, time.Now),
		Message{Address: server.URL, Secret: secret, ID: "msg_1", Body: []byte(`{"type":"turn"}`)}
}

func TestAMessageIsSignedAsItsReaderExpects(t *testing.T) {
	got := make(chan error, 1)
	c, m := served(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, err := io.ReadAll(r.Body)
		key, e := standardwebhooks.NewWebhook(secret)
		if err = errors.Join(err, e); err == nil {
			err = key.Verify(body, r.Header)
		}
		if r.Method != nethttp.MethodPost || r.Header.Get("Content-Type") != "application/json" ||
			r.Header.Get("webhook-id") != "msg_1" || string(body) != `{"type":"turn"}` {
			err = errors.Join(err, errors.New("another request"))
		}
		got <- err
		w.WriteHeader(nethttp.StatusNoContent)
	})
	require.NoError(t, c.Post(t.Context(), m))
	require.NoError(t, <-got)
}

func TestOnlyTwoHundredsAreTaken(t *testing.T) {
	for status, taken := range map[int]bool{200: true, 202: true, 204: true, 301: false, 307: false, 400: false,
		404: false, 410: false, 429: false, 500: false} {
		var asked atomic.Int32
		c, m := served(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
			asked.Add(1)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		err := c.Post(t.Context(), m)
		require.EqualValues(t, 1, asked.Load(), "no redirect is followed")
		if taken {
			require.NoError(t, err)
			continue
		}
		var refused *Refused
		require.ErrorAs(t, err, &refused)
		require.Equal(t, status, refused.Status)
		require.Equal(t, status == 410, refused.Gone())
	}
}

func TestAnAnswerWithoutEndIsNotReadToItsEnd(t *testing.T) {
	c, m := served(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		for chunk := strings.Repeat("x", 1<<12); ; {
			if _, err := io.WriteString(w, chunk); err != nil {
				return
			}
		}
	})
	require.NoError(t, c.Post(t.Context(), m))
	c, m = served(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("X", strings.Repeat("x", 2*maxAnswer))
	})
	require.Error(t, c.Post(t.Context(), m))
}

func TestAServerThatNeverAnswersIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	c, m := served(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel() // stands for time running out
		<-left   // an answer sent as soon as the server notices could still arrive in time
	})
	err := c.Post(ctx, m)
	close(left)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, timeout, c.http.Timeout)
}

func TestNothingIsPostedToWhatIsNotTheInternet(t *testing.T) {
	c := New()
	m := Message{Secret: secret, ID: "msg_1", Body: []byte("{}")}
	for _, address := range []string{"https://127.0.0.1/", "https://127.8.9.1:8443/", "https://localhost/",
		"https://10.0.0.1/", "https://192.168.1.1/", "https://172.31.0.9/", "https://169.254.169.254/latest/meta-data/",
		"https://100.100.100.200/", "https://168.63.129.16/", "https://[::1]/", "https://[fe80::1]/",
		"https://[fd00:ec2::254]/", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/",
		"https://[2002:7f00:1::]/",
		"https://0.0.0.0/", "https://224.0.0.1/", "https://255.255.255.255/", "https://93.184.216.34:25/"} {
		m.Address = address
		require.ErrorIs(t, c.Post(t.Context(), m), ErrPrivate, address)
	}
	for _, address := range []string{"http://example.org/", "ftp://example.org", "file:///etc/passwd", "gopher://x",
		":", ""} {
		m.Address = address
		require.Error(t, c.Post(t.Context(), m), address)
	}
}

// A name may resolve to a public address when checked and to a private one when connecting. The client judges the
// address of the connection itself, whatever the name resolved to before.
func TestWhereANameLeadsIsJudgedAtTheConnection(t *testing.T) {
	var reached atomic.Int32
	server := httptest.NewTLSServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) {
		reached.Add(1)
	}))
	defer server.Close()
	var asked []string
	guarded := ssrf.New(append(guard(), ssrf.WithAnyPort())...).Safe
	c := newClient(func(network, address string, raw syscall.RawConn) error {
		asked = append(asked, address)
		return guarded(network, address, raw)
	}, nil, time.Now)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	err = c.Post(t.Context(), Message{Address: "https://localhost:" + port + "/", Secret: secret, ID: "msg_1",
		Body: []byte("{}")})
	require.ErrorIs(t, err, ErrPrivate)
	require.NotEmpty(t, asked)
	for _, a := range asked {
		require.NotContains(t, a, "localhost", "the address, not the name")
	}
	require.Zero(t, reached.Load())
}

func TestNoProxyOfTheSurroundingsIsAsked(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	c, m := served(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {})
	require.NoError(t, c.Post(t.Context(), m))
	require.Nil(t, c.http.Transport.(*nethttp.Transport).Proxy)
}
