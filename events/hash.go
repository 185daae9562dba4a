package events

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// hashFormat names what is hashed and how; a change of either is a new format.
const hashFormat = "posthorn-chain-1"

// ChainHash is h(v): SHA-256 over the length-prefixed fields format, h(v-1), stream name,
// version, type, codec, time (milliseconds), command, digest of meta, digest of data, and
// for each secret part its audience and salted digest. A redacted record, which lacks the
// sealed parts, therefore still verifies.
func ChainHash(prev Hash, r *Record) Hash {
	h := sha256.New()
	field(h, []byte(hashFormat))
	field(h, prev[:])
	field(h, r.Stream[:])
	number(h, r.Version)
	field(h, []byte(r.Type))
	field(h, []byte(r.Codec))
	number(h, uint64(r.At.UnixMilli()))
	field(h, r.Command[:])
	meta, data := sha256.Sum256(r.Meta), sha256.Sum256(r.Data)
	field(h, meta[:])
	field(h, data[:])
	number(h, uint64(len(r.Parts)))
	for _, p := range r.Parts {
		number(h, uint64(p.To))
		field(h, p.Digest[:])
	}
	return Hash(h.Sum(nil))
}

// PartDigest is the salted digest of a secret part: SHA-256 over the length-prefixed salt
// and text. Whoever has both can check it against the chain.
func PartDigest(salt [32]byte, text []byte) Hash {
	h := sha256.New()
	field(h, salt[:])
	field(h, text)
	return Hash(h.Sum(nil))
}

func field(h hash.Hash, b []byte) {
	number(h, uint64(len(b)))
	_, _ = h.Write(b)
}

func number(h hash.Hash, n uint64) {
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, n))
}
