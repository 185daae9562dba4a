package inbound_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/mail/inbound"
)

// Whoever takes mail from anybody takes that to postmaster and abuse: it lies in the folder for the host, who is told.
func TestPostmasterAndAbuseAreKeptForTheHost(t *testing.T) {
	var says logged
	now := noon
	p := &inbound.Postmaster{Domains: []string{"example.org"}, Dir: filepath.Join(t.TempDir(), "postmaster"),
		Log: slog.New(slog.NewTextHandler(&says, nil)), Now: func() time.Time { return now }}
	conn, err := net.Dial("tcp", serve(t, "smtp://127.0.0.1:0", p).String())
	require.NoError(t, err)
	c := smtp.NewClient(conn)
	require.Error(t, c.SendMail("x@example.net", []string{"hostmaster@example.org"}, strings.NewReader("x")))
	require.NoError(t, c.Reset())
	require.Error(t, c.SendMail("x@example.net", []string{"postmaster@example.com"}, strings.NewReader("x")))
	for i, to := range []string{"postmaster@example.org", "Abuse@EXAMPLE.org"} {
		require.NoError(t, c.Reset())
		now = now.Add(time.Second)
		require.NoError(t, c.SendMail("x@example.net", []string{to},
			strings.NewReader(fmt.Sprintf("Subject: your server %d\r\n\r\nhello\r\n", i))))
	}
	kept, err := filepath.Glob(filepath.Join(p.Dir, "*.eml"))
	require.NoError(t, err)
	require.Len(t, kept, 2)
	text, err := os.ReadFile(kept[1])
	require.NoError(t, err)
	require.Contains(t, string(text), "Subject: your server 1")
	require.Equal(t, 1, strings.Count(says.String(), "is kept for you"), "once an hour")

	for i := range 120 {
		now = now.Add(time.Second)
		require.NoError(t, p.Handle(t.Context(), "abuse@example.org", "", fmt.Appendf(nil, "%d", i)))
	}
	kept, err = filepath.Glob(filepath.Join(p.Dir, "*.eml"))
	require.NoError(t, err)
	require.Len(t, kept, 100, "the latest")
}

// A port that takes mail from anybody offers TLS with the house's certificate.
func TestTheBuiltInPortOffersTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"games.example.org"}}
	raw, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	require.NoError(t, err)
	a := &taker{word: "a"}
	s, err := inbound.Listen(t.Context(), "smtp://127.0.0.1:0", "localhost", slog.New(slog.DiscardHandler), a)
	require.NoError(t, err)
	s.Secure(&tls.Config{MinVersion: tls.VersionTLS12,
		Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}})
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		<-ended
	})
	conn, err := net.Dial("tcp", s.Addr().String())
	require.NoError(t, err)
	roots := x509.NewCertPool()
	made, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	roots.AddCert(made)
	c, err := smtp.NewClientStartTLS(conn, &tls.Config{ServerName: "games.example.org", RootCAs: roots})
	require.NoError(t, err)
	require.NoError(t, c.Mail("x@example.org", nil))
	require.NoError(t, c.Rcpt("a@example.org", nil))
	w, err := c.Data()
	require.NoError(t, err)
	_, err = io.WriteString(w, "Subject: x\r\n\r\nhi\r\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, c.Quit())
	require.Equal(t, []string{"a@example.org from x@example.org"}, a.got)
}
