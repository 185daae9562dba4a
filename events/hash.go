package events

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// hashFormat names what is hashed and how. Changing either makes a new format.
const hashFormat = "posthorn-chain-1"

// ChainHash is h(v): SHA-256 over the length-prefixed fields format, h(v-1), stream name, version, type, codec, time
// (milliseconds), command, digest of meta, digest of data, and for each secret part its audience and salted digest.
// So a redacted record, which lacks the sealed parts, still verifies.
func ChainHash(prev Hash, r *Record) Hash {
	var buf [512]byte // enough for an event with a few parts; a longer one allocates
	meta, data := sha256.Sum256(r.Meta), sha256.Sum256(r.Data)
	b := appendField(buf[:0], []byte(hashFormat))
	b = appendField(b, prev[:])
	b = appendField(b, r.Stream[:])
	b = binary.BigEndian.AppendUint64(b, r.Version)
	b = appendField(b, []byte(r.Type))
	b = appendField(b, []byte(r.Codec))
	b = binary.BigEndian.AppendUint64(b, uint64(r.At.UnixMilli()))
	b = appendField(b, r.Command[:])
	b = appendField(b, meta[:])
	b = appendField(b, data[:])
	b = binary.BigEndian.AppendUint64(b, uint64(len(r.Parts)))
	for i := range r.Parts {
		b = binary.BigEndian.AppendUint64(b, uint64(r.Parts[i].To))
		b = appendField(b, r.Parts[i].Digest[:])
	}
	return sha256.Sum256(b)
}

// PartDigest is the salted digest of a secret part: SHA-256 over the length-prefixed salt and text. Anybody who has
// both can check it against the chain.
func PartDigest(salt [32]byte, text []byte) Hash {
	b := make([]byte, 0, 512) // big enough for most, so they need no allocation
	return sha256.Sum256(appendField(appendField(b, salt[:]), text))
}

func appendField(to, field []byte) []byte {
	return append(binary.BigEndian.AppendUint64(to, uint64(len(field))), field...)
}

// field writes a length-prefixed field to a hash.
func field(h hash.Hash, b []byte) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(b)))
	_, _ = h.Write(size[:])
	_, _ = h.Write(b)
}
