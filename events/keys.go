package events

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"posthorn/domain"
)

// ErrSealed is returned where a sealed part cannot be opened: a wrong key or a changed text.
var ErrSealed = errors.New("the sealed part does not open with this server's key")

// Keys are a server's secrets, all made from one 256-bit root: the key that seals secret
// parts, the key that signs receipts, and keys for other purposes by name.
type Keys struct {
	root [32]byte
	seal cipher.AEAD
	sign ed25519.PrivateKey
}

// NewKeys makes the keys that follow from a root.
func NewKeys(root [32]byte) (*Keys, error) {
	k := &Keys{root: root}
	block, err := aes.NewCipher(k.For("seal"))
	if err != nil {
		return nil, fmt.Errorf("make the sealing key: %w", err)
	}
	if k.seal, err = cipher.NewGCM(block); err != nil {
		return nil, fmt.Errorf("make the sealing key: %w", err)
	}
	k.sign = ed25519.NewKeyFromSeed(k.For("receipt"))
	return k, nil
}

// For returns the 256-bit key of a purpose.
func (k *Keys) For(purpose string) []byte {
	key, err := hkdf.Key(sha256.New, k.root[:], nil, "posthorn "+purpose, 32)
	if err != nil {
		panic("events: " + err.Error()) // 32 bytes are always within the limit
	}
	return key
}

// Fingerprint tells keys apart and says nothing of them.
func (k *Keys) Fingerprint() Hash { return Hash(k.For("fingerprint")) }

// Seal salts, digests and seals a secret part of the event that will be this version of
// this stream, part number n of it.
func (k *Keys) Seal(stream Name, version uint64, n int, to domain.Audience, text []byte) Part {
	var salt [32]byte
	_, _ = rand.Read(salt[:])
	return k.SealSalted(stream, version, n, to, salt, text)
}

// SealSalted is Seal with the salt that another server drew: for a part that came from
// there, whose digest is in the chain already.
func (k *Keys) SealSalted(stream Name, version uint64, n int, to domain.Audience, salt [32]byte, text []byte) Part {
	nonce := make([]byte, k.seal.NonceSize(), k.seal.NonceSize()+len(salt)+len(text)+k.seal.Overhead())
	_, _ = rand.Read(nonce)
	plain := append(append(make([]byte, 0, len(salt)+len(text)), salt[:]...), text...)
	return Part{
		To:     to,
		Digest: PartDigest(salt, text),
		Sealed: k.seal.Seal(nonce, nonce, plain, partPlace(stream, version, n)),
	}
}

// Unseal opens part number n of a record and checks it against its digest.
func (k *Keys) Unseal(r *Record, n int) (salt [32]byte, text []byte, err error) {
	p := r.Parts[n]
	size := k.seal.NonceSize()
	if len(p.Sealed) < size {
		return salt, nil, ErrSealed
	}
	plain, err := k.seal.Open(nil, p.Sealed[:size], p.Sealed[size:], partPlace(r.Stream, r.Version, n))
	if err != nil || len(plain) < len(salt) {
		return salt, nil, ErrSealed
	}
	copy(salt[:], plain)
	text = plain[len(salt):]
	if PartDigest(salt, text) != p.Digest {
		return salt, nil, fmt.Errorf("part %d of version %d: digest differs: %w", n, r.Version, ErrSealed)
	}
	return salt, text, nil
}

// partPlace binds a sealed part to where it stands, so that it cannot be moved elsewhere.
func partPlace(stream Name, version uint64, n int) []byte {
	b := append([]byte(nil), stream[:]...)
	b = binary.BigEndian.AppendUint64(b, version)
	return binary.BigEndian.AppendUint64(b, uint64(n))
}
