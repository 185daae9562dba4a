package imap

import (
	"context"
	"crypto/x509"
	"net"
)

// At returns an account whose server is at another address, and certified by these.
func At(a Account, at string, roots *x509.CertPool) Account {
	a.tls = a.tls.Clone()
	a.tls.RootCAs = roots
	a.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, at)
	}
	return a
}
