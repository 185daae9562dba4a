package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
)

// visited requests a house by its name and returns the answer.
func visited(l *posthorntest.Living, a *authority, name string) (*nethttp.Response, error) {
	pool := x509.NewCertPool()
	pool.AddCert(a.root)
	client := &nethttp.Client{Transport: &nethttp.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: name}}, Timeout: posthorntest.Patient}
	defer client.CloseIdleConnections()
	r, err := nethttp.NewRequestWithContext(l.Ctx, nethttp.MethodGet, "https://"+l.Listen.Addr().String()+"/", nil)
	require.NoError(l.T, err)
	r.Host = name
	got, err := client.Do(r)
	if err == nil {
		require.NoError(l.T, got.Body.Close())
	}
	return got, err
}

const acmeName = "games.example.test"

func acmeSettings(dir string, a *authority) house.Settings {
	cfg := posthorntest.Settings(dir)
	cfg.PublicURL, cfg.TLS, cfg.ACME = "https://"+acmeName, "auto", a.web.URL
	cfg.SMTP = "smtp://127.0.0.1:9" // nobody listens there; a house that others can reach needs a mail server
	return cfg
}

func TestACertificateIsFetchedByACMERenewedAndKept(t *testing.T) {
	a := newAuthority(t, time.Hour, 90*24*time.Hour)
	cfg := acmeSettings(t.TempDir(), a)
	l := posthorntest.Lives(t, cfg)
	a.looksAt(l.Listen.Addr().String())
	got, err := visited(l, a, acmeName)
	require.NoError(t, err)
	require.Equal(t, 200, got.StatusCode)
	require.Equal(t, "max-age=31536000", got.Header.Get("Strict-Transport-Security"))
	close(a.visited)

	// The first one is about to expire: it is renewed automatically, and the new one is served.
	require.Eventually(t, func() bool {
		got, err := visited(l, a, acmeName)
		require.NoError(t, err)
		return got.TLS.PeerCertificates[0].SerialNumber.Int64() == 102
	}, posthorntest.Patient, 20*time.Millisecond)
	found := secureEnough(got, got.TLS.PeerCertificates[0].NotAfter.Add(-time.Hour))
	require.Equal(t, wrong, found[0].how, "doctor says that it was not renewed")
	require.Contains(t, found[0].text, "was not renewed")
	require.Equal(t, well, secureEnough(got, got.TLS.PeerCertificates[0].NotAfter.AddDate(0, 0, -40))[0].how)

	_, err = visited(l, a, "evil.example.test")
	require.Error(t, err, "of no other name")
	l.Stop()
	files, err := filepath.Glob(filepath.Join(cfg.Data, "tls", "*"))
	require.NoError(t, err)
	require.Len(t, files, 2, "the account's key, and the certificate: %v", files)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "its key is the owner's alone")
	}
	again := posthorntest.Lives(t, cfg)
	a.looksAt("127.0.0.1:1")
	got, err = visited(again, a, acmeName)
	require.NoError(t, err)
	require.EqualValues(t, 102, got.TLS.PeerCertificates[0].SerialNumber.Int64(), "it is kept in the folder")
	require.Equal(t, 2, a.made())
}

func TestWhyThereIsNoCertificateIsSaidToTheHost(t *testing.T) {
	a := newAuthority(t, time.Hour)
	a.refuses = true
	cfg := acmeSettings(t.TempDir(), a)
	l := posthorntest.Lives(t, cfg)
	a.looksAt(l.Listen.Addr().String())
	for range 2 {
		_, err := visited(l, a, acmeName)
		require.Error(t, err)
	}
	require.Equal(t, 1, strings.Count(l.Log.String(), "there is no certificate for this house"),
		"once, not for each visitor")
	require.Contains(t, l.Log.String(), "refuses every name")
	require.Contains(t, fmt.Sprint(l.Watched.Told.List()), "there is no certificate",
		"beside what its files' modes may give to say")

	d := doctorCmd{Settings: cfg}
	d.PublicURL = "https://" + l.Listen.Addr().String()
	_, err := d.pages(t.Context())
	require.ErrorContains(t, err, "the host's page say why there is no certificate")
}

// Given a house whose own port takes mails from anybody, then it offers TLS there with the certificate of the pages, by
// whatever name it is called, and keeps what its host must read.
func TestMailsComeInOverTLSWithThatCertificate(t *testing.T) {
	a := newAuthority(t, time.Hour)
	cfg := acmeSettings(t.TempDir(), a)
	cfg.From, cfg.Inbound = "games@example.test", "smtp://127.0.0.1:0"
	l := posthorntest.Lives(t, cfg)
	a.looksAt(l.Listen.Addr().String())
	conn, err := net.Dial("tcp", l.Inbound.Addr().String())
	require.NoError(t, err)
	c, err := smtp.NewClientStartTLS(conn, &tls.Config{ServerName: "mx.example.test", InsecureSkipVerify: true})
	require.NoError(t, err)
	require.NoError(t, c.SendMail("x@example.org", []string{"abuse@example.test"},
		strings.NewReader("Subject: your server\r\n\r\nhello\r\n")))
	over, ok := c.TLSConnectionState()
	require.True(t, ok)
	require.NoError(t, over.PeerCertificates[0].VerifyHostname(acmeName))
	require.NoError(t, c.Quit())
	kept, err := filepath.Glob(filepath.Join(cfg.Data, "postmaster", "*.eml"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.Contains(t, fmt.Sprint(l.Watched.Told.List()), "is kept for you")
}
