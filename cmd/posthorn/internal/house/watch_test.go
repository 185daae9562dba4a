package house_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestAMonitorIsToldOfTheHouseAndNotOfItsPeople(t *testing.T) {
	// a folder that it makes for itself
	l := posthorntest.Lives(t, posthorntest.Settings(filepath.Join(t.TempDir(), "house")))
	require.NoError(t, house.SampleGame(l.Ctx, l.House))
	web := httptest.NewServer(l.Watched.Handler())
	t.Cleanup(web.Close)
	pages := httptest.NewServer(l.Watched.Timed(l.Server))
	t.Cleanup(pages.Close)
	posthorntest.Fetched(t, pages.Client(), pages.URL+"/no-such-page")
	for _, at := range []string{"/healthz", "/readyz"} {
		status, body := posthorntest.Fetched(t, web.Client(), web.URL+at)
		require.Equal(t, 200, status, body)
		require.Equal(t, "ok\n", body)
	}
	l.CaughtUp()
	l.Logger.Error("something for the monitor to count")
	_, figures := posthorntest.Fetched(t, web.Client(), web.URL+"/metrics")
	for _, has := range []string{`posthorn_position{of="log"}`, `posthorn_position{of="views"}`,
		`posthorn_position{of="notifier"}`, `posthorn_position{of="nats"}`,
		"posthorn_nats_up", "posthorn_tables_live 1", "posthorn_mail_waiting", "posthorn_mail_stopped 0",
		"posthorn_mail_failed 0", `posthorn_file_bytes{file="events.db"}`,
		"posthorn_figures_missing 0", "posthorn_writes_stopped 0", "posthorn_file_faults 0",
		`posthorn_http_request_seconds_count{code="4`, `posthorn_log_lines_total{level="error"} 1`, "go_goroutines",
		"process_resident_memory_bytes"} {
		require.Contains(t, figures, has)
	}
	for _, secret := range []string{"Robin", house.SamplePlayer, "no-such-page"} {
		require.NotContains(t, figures, secret)
	}
	tables, _, err := l.Views.Live(l.Ctx)
	require.NoError(t, err)
	r, err := nethttp.NewRequestWithContext(l.Ctx, nethttp.MethodGet, pages.URL+"/t/"+tables[0].String()+"/live", nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/event-stream")
	stream, err := pages.Client().Do(r)
	require.NoError(t, err)
	require.Equal(t, "text/event-stream", stream.Header.Get("Content-Type"),
		"what counts answers does not hold the live stream back")
	_, err = stream.Body.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, stream.Body.Close())
	l.Stop() // this closes the databases
	status, why := posthorntest.Fetched(t, web.Client(), web.URL+"/readyz")
	require.Equal(t, 503, status)
	require.Contains(t, why, "the log cannot be read")
	_, figures = posthorntest.Fetched(t, web.Client(), web.URL+"/metrics")
	require.NotContains(t, figures, "posthorn_figures_missing 0\n")
}

func TestAHouseServesHTTPSAndTakesUpANewCertificate(t *testing.T) {
	dir := t.TempDir()
	cfg := posthorntest.Settings(filepath.Join(dir, "data"))
	cfg.PublicURL, cfg.TLSCert, cfg.TLSKey = "https://localhost", filepath.Join(dir, "cert.pem"),
		filepath.Join(dir, "key.pem")
	pool := x509.NewCertPool()
	certify(t, pool, cfg, 1)
	l := posthorntest.Lives(t, cfg)
	at := "https://" + l.Listen.Addr().String() + "/"
	serial := func() (*big.Int, *nethttp.Response) {
		client := &nethttp.Client{Transport: &nethttp.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "localhost"}, ForceAttemptHTTP2: true}}
		defer client.CloseIdleConnections()
		r, err := nethttp.NewRequestWithContext(l.Ctx, nethttp.MethodGet, at, nil)
		require.NoError(t, err)
		r.Host = "localhost"
		a, err := client.Do(r)
		require.NoError(t, err)
		require.NoError(t, a.Body.Close())
		return a.TLS.PeerCertificates[0].SerialNumber, a
	}
	n, a := serial()
	require.EqualValues(t, 1, n.Int64())
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "HTTP/2.0", a.Proto)
	require.NoError(t, os.WriteFile(cfg.TLSCert, []byte("half of it"), 0o600))
	n, _ = serial()
	require.EqualValues(t, 1, n.Int64(), "while it is exchanged, the old one serves")
	certify(t, pool, cfg, 2)
	n, _ = serial()
	require.EqualValues(t, 2, n.Int64())

	rec := httptest.NewRecorder()
	l.Onwards.ServeHTTP(rec, httptest.NewRequest(nethttp.MethodGet, "http://evil.example/p/x?y=z", nil))
	require.Equal(t, "https://localhost/p/x?y=z", rec.Header().Get("Location"))
}

func TestCertificatesAreFetchedForTheOwnNameAlone(t *testing.T) {
	h := &house.House{Config: posthorntest.Settings(t.TempDir())}
	h.Config.PublicURL, h.Config.TLS = "https://games.example.org", "auto"
	c, onwards, err := h.Secured()
	require.NoError(t, err)
	require.Contains(t, c.NextProtos, "acme-tls/1", "the name is proved at port 443 itself")
	_, err = c.GetCertificate(&tls.ClientHelloInfo{ServerName: "evil.example.org"})
	require.ErrorContains(t, err, "not configured")
	rec := httptest.NewRecorder()
	onwards.ServeHTTP(rec, httptest.NewRequest(nethttp.MethodGet, "http://games.example.org/x", nil))
	require.Equal(t, "https://games.example.org/x", rec.Header().Get("Location"))
}

func TestSettingsOfTLSThatDoNotFitAreRefused(t *testing.T) {
	for why, set := range map[string]func(*house.Settings){
		"begins with https://": func(c *house.Settings) { c.TLS, c.PublicURL = "auto", "http://games.example.org" },
		"a name of the DNS":    func(c *house.Settings) { c.TLS, c.PublicURL = "auto", "https://192.0.2.1" },
		"not both": func(c *house.Settings) {
			c.TLS, c.TLSCert, c.PublicURL = "auto", "x", "https://games.example.org"
		},
		"--tls-cert, --tls-key": func(c *house.Settings) {
			c.TLSCert, c.TLSKey, c.PublicURL = "/no/such", "/no/such", "https://games.example.org"
		},
		"no https:// to send any": func(c *house.Settings) {
			c.Redirect, c.PublicURL = "127.0.0.1:0", "http://games.example.org"
		},
	} {
		h := &house.House{Config: posthorntest.Settings(t.TempDir())}
		set(&h.Config)
		_, _, err := h.Secured()
		require.ErrorContains(t, err, why)
	}
}

// certify writes a self-signed certificate for localhost.
func certify(t *testing.T, pool *x509.CertPool, cfg house.Settings, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	require.NoError(t, err)
	made, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool.AddCert(made)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	// give each pair of files its own time, however coarse the disk's clock
	at := time.Now().Add(time.Duration(serial) * time.Minute)
	for path, block := range map[string]*pem.Block{cfg.TLSKey: {Type: "PRIVATE KEY", Bytes: secret},
		cfg.TLSCert: {Type: "CERTIFICATE", Bytes: der}} {
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
		require.NoError(t, os.Chtimes(path, at, at))
	}
}
