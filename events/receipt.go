package events

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrReceipt is returned for a receipt that is malformed or not signed by that key.
var ErrReceipt = errors.New("not a receipt of this server")

// Receipt says where a stream stood, with the whole 256-bit head of its chain. Signed, the
// server cannot deny it and nobody can invent it.
type Receipt struct {
	Table   Name   `json:"table"`
	Stream  Name   `json:"stream"`
	Version uint64 `json:"version"`
	Hash    Hash   `json:"hash"`
}

const receiptFormat = "posthorn-receipt-1"

func (r Receipt) text() string {
	return strings.Join([]string{receiptFormat, r.Table.String(), r.Stream.String(), strconv.FormatUint(r.Version, 10), r.Hash.String()}, ":")
}

// Sign writes a receipt with its signature, one line of text without spaces.
func (k *Keys) Sign(r Receipt) string {
	t := r.text()
	return t + ":" + base64.RawURLEncoding.EncodeToString(ed25519.Sign(k.sign, []byte(t)))
}

// PublicKey is what receipts are checked with.
func (k *Keys) PublicKey() ed25519.PublicKey { return k.sign.Public().(ed25519.PublicKey) }

// ReadReceipt reads a signed receipt and checks its signature.
func ReadReceipt(key ed25519.PublicKey, line string) (Receipt, error) {
	f := strings.Split(strings.TrimSpace(line), ":")
	if len(f) != 6 || f[0] != receiptFormat || len(key) != ed25519.PublicKeySize {
		return Receipt{}, ErrReceipt
	}
	sig, err := base64.RawURLEncoding.DecodeString(f[5])
	if err != nil || !ed25519.Verify(key, []byte(strings.Join(f[:5], ":")), sig) {
		return Receipt{}, ErrReceipt
	}
	var r Receipt
	if r.Version, err = strconv.ParseUint(f[3], 10, 64); err != nil {
		return Receipt{}, fmt.Errorf("version: %w", ErrReceipt)
	}
	for i, u := range []interface{ UnmarshalText([]byte) error }{&r.Table, &r.Stream} {
		if err := u.UnmarshalText([]byte(f[1+i])); err != nil {
			return Receipt{}, fmt.Errorf("name: %w", ErrReceipt)
		}
	}
	if err := r.Hash.UnmarshalText([]byte(f[4])); err != nil {
		return Receipt{}, fmt.Errorf("hash: %w", ErrReceipt)
	}
	return r, nil
}
