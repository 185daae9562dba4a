package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/acme"
)

// authority is a certificate authority with just enough ACME (RFC 8555) for a client that proves names by TLS (RFC
// 8737).
type authority struct {
	t    testing.TB
	web  *httptest.Server
	root *x509.Certificate
	key  *ecdsa.PrivateKey

	mu      sync.Mutex
	at      string // where to connect to the owner of the name
	account *ecdsa.PublicKey
	name    string
	proved  bool
	refuses bool // it refuses every name
	issued  []byte
	lasts   []time.Duration // lifetimes of the next certificates; the last one repeats
	count   int             // certificates issued
	visited chan struct{}   // closed once the first certificate was served
}

func newAuthority(t testing.TB, lasts ...time.Duration) *authority {
	t.Helper()
	a := &authority{t: t, lasts: lasts, visited: make(chan struct{})}
	var err error
	a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a test's authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &a.key.PublicKey, a.key)
	require.NoError(t, err)
	a.root, err = x509.ParseCertificate(der)
	require.NoError(t, err)
	a.web = httptest.NewServer(nethttp.HandlerFunc(a.answer))
	t.Cleanup(a.web.Close)
	return a
}

// request is a decoded signed request.
type request struct {
	payload []byte
	jwk     struct{ X, Y string }
}

// read decodes a request and checks its signature with the account's key.
func (a *authority) read(r *nethttp.Request) (out request, err error) {
	var jws struct{ Protected, Payload, Signature string }
	var head struct {
		JWK struct{ X, Y string } `json:"jwk"`
		URL string                `json:"url"`
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &jws)
	}
	text := func(s string) []byte {
		b, e := base64.RawURLEncoding.DecodeString(s)
		err = errors.Join(err, e)
		return b
	}
	if err == nil {
		err = json.Unmarshal(text(jws.Protected), &head)
	}
	if err != nil {
		return out, err
	}
	out.payload, out.jwk = text(jws.Payload), head.JWK
	if head.JWK.X != "" {
		account, e := ecdsa.ParseUncompressedPublicKey(elliptic.P256(),
			slices.Concat([]byte{4}, text(head.JWK.X), text(head.JWK.Y)))
		a.account, err = account, errors.Join(err, e)
	}
	sig, sum := text(jws.Signature), sha256.Sum256([]byte(jws.Protected+"."+jws.Payload))
	if err == nil && (a.account == nil || len(sig) != 64 || head.URL != a.web.URL+r.URL.Path ||
		!ecdsa.Verify(a.account, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:]))) {
		err = errors.New("the signature is not right")
	}
	return out, err
}

// prove checks that the server at the name shows what only the account can have told it.
func (a *authority) prove() error {
	conn, err := tls.Dial("tcp", a.at,
		&tls.Config{ServerName: a.name, NextProtos: []string{acme.ALPNProto}, InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // only looked at
	thumb, err := acme.JWKThumbprint(a.account)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte("a-token." + thumb))
	want, err := asn1.Marshal(sum[:])
	if err != nil {
		return err
	}
	for _, ext := range conn.ConnectionState().PeerCertificates[0].Extensions {
		if ext.Id.Equal(asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}) && string(ext.Value) == string(want) {
			return nil
		}
	}
	return errors.New("what proves the name is not shown")
}

// later holds the order of a renewal up until all of the first one is over. A certificate that is about to expire is
// renewed at once, which is never so outside of tests: the client then still puts the first certificate into its
// folder, and takes back what proved its name.
func (a *authority) later() {
	if a.made() == 0 {
		return
	}
	select {
	case <-a.visited:
	case <-a.t.Context().Done():
	}
	shown := func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.prove() == nil
	}
	for shown() && a.t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
}

func (a *authority) answer(w nethttp.ResponseWriter, r *nethttp.Request) {
	if r.URL.Path == "/orders" {
		a.later()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	at := func(path string) string { return a.web.URL + path }
	w.Header().Set("Replay-Nonce", rand.Text())
	say := func(status int, v any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	fail := func(err error) {
		w.Header().Set("Content-Type", "application/problem+json")
		say(403, map[string]any{"type": "urn:ietf:params:acme:error:unauthorized", "detail": err.Error()})
	}
	if r.Method != nethttp.MethodPost {
		say(200, map[string]string{"newNonce": at("/nonce"), "newAccount": at("/account"), "newOrder": at("/orders"),
			"revokeCert": at("/revoke"), "keyChange": at("/key")})
		return
	}
	in, err := a.read(r)
	if err != nil {
		fail(err)
		return
	}
	order := func() map[string]any {
		o := map[string]any{"status": "pending", "authorizations": []string{at("/authz")}, "finalize": at("/finalize"),
			"identifiers": []map[string]string{{"type": "dns", "value": a.name}}}
		if a.proved {
			o["status"] = "ready"
		}
		if a.issued != nil {
			o["status"], o["certificate"] = "valid", at("/certificate")
		}
		return o
	}
	challenge := func() map[string]any {
		c := map[string]any{"type": "tls-alpn-01", "url": at("/challenge"), "token": "a-token", "status": "pending"}
		if a.proved {
			c["status"] = "valid"
		}
		return c
	}
	switch r.URL.Path {
	case "/account":
		w.Header().Set("Location", at("/account/1"))
		say(201, map[string]any{"status": "valid"})
	case "/orders":
		var o struct{ Identifiers []struct{ Value string } }
		if err := json.Unmarshal(in.payload, &o); err != nil || a.refuses {
			fail(errors.Join(err, errors.New("this authority refuses every name")))
			return
		}
		a.name, a.proved, a.issued = o.Identifiers[0].Value, false, nil
		w.Header().Set("Location", at("/order"))
		say(201, order())
	case "/order":
		say(200, order())
	case "/authz":
		say(200, map[string]any{"status": challenge()["status"],
			"identifier": map[string]string{"type": "dns", "value": a.name}, "challenges": []any{challenge()}})
	case "/challenge":
		if err := a.prove(); err != nil {
			fail(err)
			return
		}
		a.proved = true
		say(200, challenge())
	case "/finalize":
		if err := a.issue(in.payload); err != nil {
			fail(err)
			return
		}
		w.Header().Set("Location", at("/order"))
		say(200, order())
	case "/certificate":
		w.Header().Set("Content-Type", "application/pem-certificate-chain")
		_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.issued})
		_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.root.Raw})
	default:
		fail(fmt.Errorf("nothing is at %s", r.URL.Path))
	}
}

// issue makes the requested certificate, once the name is proved.
func (a *authority) issue(payload []byte) error {
	var in struct{ CSR string }
	if err := json.Unmarshal(payload, &in); err != nil {
		return err
	}
	der, err := base64.RawURLEncoding.DecodeString(in.CSR)
	if err != nil {
		return err
	}
	csr, err := x509.ParseCertificateRequest(der)
	if err == nil {
		err = csr.CheckSignature()
	}
	if err != nil || !a.proved || len(csr.DNSNames) != 1 || csr.DNSNames[0] != a.name {
		return errors.Join(err, errors.New("that name was not proved"))
	}
	lasts := a.lasts[min(a.count, len(a.lasts)-1)]
	a.count++
	c := &x509.Certificate{SerialNumber: big.NewInt(int64(100 + a.count)), Subject: pkix.Name{CommonName: a.name},
		DNSNames:  csr.DNSNames,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(lasts),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	a.issued, err = x509.CreateCertificate(rand.Reader, c, a.root, crypto.PublicKey(csr.PublicKey), a.key)
	return err
}

func (a *authority) looksAt(at string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at = at
}

func (a *authority) made() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count
}
