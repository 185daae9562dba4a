// Package providertest is a mail provider for tests: it signs the mails that its people send, and its DNS has the key.
// What must not live here: how mails are written and checked.
package providertest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"net"
	"strings"
	"sync/atomic"

	"github.com/emersion/go-msgauth/dkim"
)

// Usual are the headers that most providers sign.
var Usual = []string{"From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "MIME-Version",
	"Content-Type"}

// Sign signs a mail for a domain as its provider does. headers are those that it covers; Usual if there are none.
func Sign(raw []byte, domain string, headers ...string) []byte {
	if len(headers) == 0 {
		headers = Usual
	}
	var out bytes.Buffer
	err := dkim.Sign(&out, bytes.NewReader(raw),
		&dkim.SignOptions{Domain: domain, Selector: selector, Signer: key(domain),
			HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
			HeaderKeys: headers})
	if err != nil {
		panic(err) // a test's mail has a From
	}
	return out.Bytes()
}

const selector = "mail"

func key(domain string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(domain))
	return ed25519.NewKeyFromSeed(seed[:])
}

// DNS has the key of every domain, unless it is down.
type DNS struct{ Down atomic.Bool }

// LookupTXT returns a domain's key.
func (d *DNS) LookupTXT(_ context.Context, name string) ([]string, error) {
	if d.Down.Load() {
		return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
	}
	domain, ok := strings.CutPrefix(name, selector+"._domainkey.")
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	public := key(domain).Public().(ed25519.PublicKey)
	return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
}
