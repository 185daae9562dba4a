package imap_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
	"posthorn/mail/imap"
)

func TestAddressesOfMailboxes(t *testing.T) {
	a, err := imap.ReadAccount("imaps://ana%40example.org:p%20w@imap.example.org", "")
	require.NoError(t, err)
	require.Equal(t, []string{"ana@example.org", "INBOX", "Posthorn"}, []string{a.User, a.Folder, a.Handled})
	a, err = imap.ReadAccount("imap://ana@example.org:pw@imap.example.org:1143/Lists/Games?handled=", "")
	require.NoError(t, err)
	require.Equal(t, []string{"ana@example.org", "Lists/Games", ""}, []string{a.User, a.Folder, a.Handled})
	for _, bad := range []string{"", "imaps://", "imaps://imap.example.org", "pop3://ana:pw@example.org",
		"imaps://ana:pw@example.org?tls=off", "imaps://ana:pw@example.org/Games?handled=games",
		"imaps://ana:pw@example.org#x", "lmtp://127.0.0.1:2424"} {
		_, err := imap.ReadAccount(bad, "")
		require.ErrorIs(t, err, imap.ErrAddress, bad)
	}
}

// What keeps a mailbox from being read is said in plain words, each with what to do.
func TestATrySaysWhatIsWrong(t *testing.T) {
	p := newProvider(t)
	p.comes(answer("x", "1@x"))
	p.starts()
	tries := func(address, file string) (imap.Found, error) {
		a, err := imap.ReadAccount(address, file)
		require.NoError(t, err)
		return a.Try(t.Context())
	}
	found, err := tries("imap://ana%40example.org:first%20secret@"+p.at, "")
	require.NoError(t, err)
	require.Equal(t, imap.Found{Mails: 1, Idle: true, Moves: true}, found)
	hangsUp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for c, err := hangsUp.Accept(); err == nil; c, err = hangsUp.Accept() {
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { require.NoError(t, hangsUp.Close()) })
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	for name, c := range map[string]struct {
		address, file string
		is            error
	}{
		"a wrong password":   {"imap://ana%40example.org:wrong@" + p.at, "", imap.ErrLogin},
		"no password":        {"imap://ana%40example.org@" + p.at, "", imap.ErrPassword},
		"no password's file": {"imap://ana%40example.org@" + p.at, empty + "x", imap.ErrPassword},
		"an empty file":      {"imap://ana%40example.org@" + p.at, empty, imap.ErrPassword},
		"no such folder":     {"imap://ana%40example.org:first%20secret@" + p.at + "/Gone", "", imap.ErrFolder},
		"nobody there":       {"imap://ana:pw@" + porttest.Nobody(t), "", imap.ErrUnreachable},
		"it hangs up":        {"imaps://ana:pw@" + hangsUp.Addr().String(), "", imap.ErrUnreachable},
		"no TLS":             {"imaps://ana:pw@" + p.at, "", imap.ErrTLS},
	} {
		_, err := tries(c.address, c.file)
		require.ErrorIs(t, err, c.is, name)
		require.NotContains(t, err.Error(), "secret")
	}
	require.Empty(t, p.bodies)
	require.Empty(t, p.touched)
}

// certified returns what a server of this machine shows, and who believes it.
func certified(t *testing.T) (server *tls.Config, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "imap.example.org"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, DNSNames: []string{"imap.example.org"}, IPAddresses: []net.IP{{127, 0, 0, 1}}}
	raw, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	require.NoError(t, err)
	made, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	roots = x509.NewCertPool()
	roots.AddCert(made)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}, roots
}

// A password goes only to a server whose certificate is good, with TLS from the start or by STARTTLS.
func TestAPasswordGoesOnlyThroughTLS(t *testing.T) {
	p := newProvider(t)
	server, roots := certified(t)
	p.tls = server
	p.starts()
	first := newProvider(t)
	first.tls, first.first = server, true
	first.starts()
	for address, of := range map[string]*provider{
		"imap://ana%40example.org:first%20secret@imap.example.org:143":  p,
		"imaps://ana%40example.org:first%20secret@imap.example.org:993": first,
	} {
		a, err := imap.ReadAccount(address, "")
		require.NoError(t, err)
		_, err = imap.At(a, of.at, nil).Try(t.Context())
		require.ErrorIs(t, err, imap.ErrTLS, "nobody knows its certificate")
		require.Zero(t, of.logins)
		found, err := imap.At(a, of.at, roots).Try(t.Context())
		require.NoError(t, err)
		require.True(t, found.Idle)
		require.Equal(t, 1, of.logins)
	}
	bare := newProvider(t)
	bare.starts()
	a, err := imap.ReadAccount("imap://ana%40example.org:first%20secret@imap.example.org", "")
	require.NoError(t, err)
	_, err = imap.At(a, bare.at, roots).Try(t.Context())
	require.ErrorIs(t, err, imap.ErrTLS, "it has no STARTTLS")
	require.Zero(t, bare.logins)
}
