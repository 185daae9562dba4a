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
	"slices"
	"sync"

	"posthorn/domain"
)

// ErrSealed is returned for a sealed part that does not open: the key is wrong or the text was changed.
var ErrSealed = errors.New("the sealed part does not open with this server's key")

// Keys are a server's secrets, all derived from one 256-bit root: the key that seals secret parts, the key that signs
// receipts, and keys for other purposes by name.
type Keys struct {
	root [32]byte
	seal cipher.AEAD
	sign ed25519.PrivateKey
	made sync.Map // the few keys made so far, by purpose: [32]byte by string
}

// NewKeys derives the keys from a root.
func NewKeys(root [32]byte) (*Keys, error) {
	k := &Keys{root: root}
	var err error
	if k.seal, err = NewBox(k.For("seal")); err != nil {
		return nil, fmt.Errorf("make the sealing key: %w", err)
	}
	k.sign = ed25519.NewKeyFromSeed(k.For("receipt"))
	return k, nil
}

// NewBox returns an AEAD that seals and opens texts with a 256-bit key. A sealed text starts with a random nonce and
// is 28 bytes longer than the text.
func NewBox(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// For returns the 256-bit key of a purpose.
func (k *Keys) For(purpose string) []byte {
	if made, ok := k.made.Load(purpose); ok {
		key := made.([32]byte)
		return key[:]
	}
	key, err := hkdf.Key(sha256.New, k.root[:], nil, "posthorn "+purpose, 32)
	if err != nil {
		panic("events: " + err.Error()) // 32 bytes are always within the limit
	}
	k.made.Store(purpose, [32]byte(key))
	return key
}

// Fingerprint tells keys apart and reveals nothing about them.
func (k *Keys) Fingerprint() Hash { return Hash(k.For("fingerprint")) }

// padded is the first byte of a sealed part with padding. A part sealed before padding existed begins with random
// bytes.
const padded = 2

// Seal salts, digests, pads and seals secret part number n of the event that will have this version of this stream,
// padded to DefaultPad.
func (k *Keys) Seal(stream Name, version uint64, n int, to domain.Audience, text []byte) Part {
	return k.SealIn(DefaultPad, stream, version, n, to, text)
}

// SealIn is Seal with another padding: the sealed part's length is a multiple of it plus a constant.
func (k *Keys) SealIn(pad int, stream Name, version uint64, n int, to domain.Audience, text []byte) Part {
	var salt [32]byte
	_, _ = rand.Read(salt[:])
	return k.SealSaltedIn(pad, stream, version, n, to, salt, text)
}

// SealSaltedIn is SealIn with a salt that another server drew, for a part that came from there and whose digest is
// already in the chain.
func (k *Keys) SealSaltedIn(pad int, stream Name, version uint64, n int, to domain.Audience, salt [32]byte,
	text []byte) Part {
	plain := append(salt[:], Pad(text, pad)...)
	return Part{To: to, Digest: PartDigest(salt, text),
		Sealed: k.seal.Seal([]byte{padded}, nil, plain, appendPlace(nil, stream, version, n))}
}

// Unseal opens part number n of a record and checks it against its digest.
func (k *Keys) Unseal(r *Record, n int) (salt [32]byte, text []byte, err error) {
	return k.unseal(new(opened), r, n)
}

// opened is the memory of parts that were opened. What it held is overwritten once it is cleared.
type opened struct{ texts, place []byte }

func (o *opened) clear() { o.texts = o.texts[:0] }

// unseal is Unseal into memory that is used again.
func (k *Keys) unseal(to *opened, r *Record, n int) (salt [32]byte, text []byte, err error) {
	p := &r.Parts[n]
	to.place = appendPlace(to.place[:0], r.Stream, r.Version, n)
	salt, text, all, ok := k.open(to.texts, p.Sealed, to.place)
	if to.texts = all; !ok {
		return salt, nil, ErrSealed
	}
	if PartDigest(salt, text) != p.Digest {
		return salt, nil, fmt.Errorf("part %d of version %d: digest differs: %w", n, r.Version, ErrSealed)
	}
	return salt, text, nil
}

// open opens the sealed part of a place, with padding or from before padding existed, behind what dst holds.
func (k *Keys) open(dst, sealed, place []byte) (salt [32]byte, text, all []byte, ok bool) {
	at := len(dst)
	if len(sealed) > 0 && sealed[0] == padded {
		all, err := k.seal.Open(dst, nil, sealed[1:], place)
		if err == nil && len(all)-at >= len(salt) {
			text, ok = Unpad(all[at+len(salt):])
			return [32]byte(all[at:]), text, all, ok
		}
	}
	all, err := k.seal.Open(dst, nil, sealed, place[1:])
	if err != nil || len(all)-at < len(salt) {
		return salt, nil, dst, false
	}
	return [32]byte(all[at:]), all[at+len(salt):], all, true
}

// appendPlace appends what binds a sealed part to its place, so that it cannot be moved elsewhere. Its first byte is
// that of a padded part.
func appendPlace(b []byte, stream Name, version uint64, n int) []byte {
	b = append(slices.Grow(b, 1+len(stream)+16), padded)
	b = append(b, stream[:]...)
	b = binary.BigEndian.AppendUint64(b, version)
	return binary.BigEndian.AppendUint64(b, uint64(n))
}
