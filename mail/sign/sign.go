// Package sign signs mails for a domain (DKIM, RFC 6376) with an RSA and an Ed25519 key (RFC 8463), and says what the
// domain's DNS needs for that. What must not live here: how mails are written and sent.
package sign

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/emersion/go-msgauth/dkim"
)

// headers are what a signature covers: everything that a reader sees or a mail program acts on. From is listed twice,
// so that nobody can add another.
var headers = []string{"From", "From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Reply-To",
	"MIME-Version",
	"Content-Type", "Auto-Submitted", "List-Id", "Feedback-ID", "List-Unsubscribe", "List-Unsubscribe-Post"}

// kind is a kind of key: the selector its record is under, its file, and how to make one.
type kind struct {
	selector, file string
	make           func() (crypto.Signer, error)
}

// kinds are a house's keys. RSA comes first, because not every server knows Ed25519.
var kinds = []kind{
	{"posthorn-rsa", "dkim-rsa.pem", func() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 2048) }},
	{"posthorn-ed25519", "dkim-ed25519.pem", func() (crypto.Signer, error) {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return key, err
	}},
}

// Signer signs the mails of a domain. It is safe for concurrent use.
type Signer struct {
	domain string
	keys   []key
}

type key struct {
	kind
	signer crypto.Signer
}

// Open reads the keys in a folder, for mails from a domain, and makes those that are missing.
func Open(dir, domain string) (*Signer, error) {
	s := &Signer{domain: domain}
	for _, k := range kinds {
		signer, err := k.open(filepath.Join(dir, k.file))
		if err != nil {
			return nil, fmt.Errorf("the key that signs mails: %w", err)
		}
		s.keys = append(s.keys, key{k, signer})
	}
	return s, nil
}

// remedy says what to do about a key that cannot be used.
const remedy = "put it back from your backup, or delete it for a new key and a new DNS record"

// open reads a key or makes one: stored durably, and readable only by its owner.
func (k kind) open(path string) (crypto.Signer, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return k.create(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, remedy)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds no PEM block: %s", path, remedy)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", path, err, remedy)
	}
	signer, ok := parsed.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("%s holds no key that can sign: %s", path, remedy)
	}
	return signer, nil
}

func (k kind) create(path string) (crypto.Signer, error) {
	signer, err := k.make()
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(signer)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	err = pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(path+".part", path)
	}
	return signer, err
}

// Sign puts a signature by each key before a message, which it leaves unchanged.
func (s *Signer) Sign(message []byte) ([]byte, error) {
	var signatures []byte
	for _, k := range s.keys {
		signer, err := dkim.NewSigner(&dkim.SignOptions{Domain: s.domain, Selector: k.selector, Signer: k.signer,
			HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
			HeaderKeys: headers})
		if err != nil {
			return nil, fmt.Errorf("sign a mail: %w", err)
		}
		_, err = signer.Write(message)
		if err = errors.Join(err, signer.Close()); err != nil {
			return nil, fmt.Errorf("sign a mail: %w", err)
		}
		signatures = append(signatures, signer.Signature()...)
	}
	return bytes.Join([][]byte{signatures, message}, nil), nil
}

// Record is a DNS text record: what DNS must hold under a name.
type Record struct{ Name, Text string }

// Records returns the records for the keys.
func (s *Signer) Records() ([]Record, error) {
	var out []Record
	for _, k := range s.keys {
		text := "v=DKIM1; k=ed25519; p="
		public, ok := k.signer.Public().(ed25519.PublicKey)
		if !ok {
			der, err := x509.MarshalPKIXPublicKey(k.signer.Public())
			if err != nil {
				return nil, fmt.Errorf("the record of a key: %w", err)
			}
			text, public = "v=DKIM1; k=rsa; p=", der
		}
		out = append(out, Record{k.selector + "._domainkey." + s.domain,
			text + base64.StdEncoding.EncodeToString(public)})
	}
	return out, nil
}
