package packs

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// A pack holds a line's records, one after the other. After the head come the names that the records share (types,
// codecs, streams), then the records, each a row of fixed size followed by its bytes. Numbers are little-endian. Secret
// parts are opened once, when the pack is made, and lose their padding; all that follows the magic is sealed as a
// whole, for this house and this line. Another format gets another magic.

const (
	magic    = "posthorn pack 2\n"
	headSize = 8 + 4 + 4 // records, forms, streams
	// position, time, command, hash, form, stream, parts, bytes of meta, of data
	rowSize  = 8 + 8 + 16 + 32 + 4 + 4 + 4 + 4 + 4
	partSize = 8 + 32 + 4 // audience, digest, bytes
	saltSize = 32         // before the text of an open part
	// in a part's bytes: it is a salt and a text; else it is as the log has it
	open = 1 << 31
)

var (
	errTorn = errors.New("the pack is torn, or of another house, line or program")

	le = binary.LittleEndian
)

// pack writes the records of a line from its first version on.
func (s *seal) pack(line events.Name, records []events.Record) []byte {
	return s.box.Seal([]byte(magic), nil, s.plain(records), line[:])
}

// seal seals packs, and opens what they hold.
type seal struct {
	keys *events.Keys
	box  cipher.AEAD
}

func newSeal(keys *events.Keys) *seal {
	box, err := events.NewBox(keys.For("packs"))
	if err != nil {
		panic("packs: " + err.Error()) // a key of 32 bytes is always good
	}
	return &seal{keys, box}
}

// part appends a part: open, or as it is if it does not open with this house's key.
func (s *seal) part(b []byte, r *events.Record, n int) []byte {
	p := &r.Parts[n]
	b = le.AppendUint64(b, uint64(p.To))
	b = append(b, p.Digest[:]...)
	if salt, text, err := s.keys.Unseal(r, n); err == nil {
		b = le.AppendUint32(b, open|uint32(len(salt)+len(text)))
		return append(append(b, salt[:]...), text...)
	}
	return append(le.AppendUint32(b, uint32(len(p.Sealed))), p.Sealed...)
}

func (s *seal) plain(records []events.Record) []byte {
	type form struct{ kind, codec string }
	var forms []form
	var streams []events.Name
	formOf, streamOf := map[form]uint32{}, map[events.Name]uint32{}
	size := headSize
	for i := range records {
		r := &records[i]
		if f := (form{r.Type, r.Codec}); !known(formOf, f) {
			formOf[f], forms = uint32(len(forms)), append(forms, f)
			size += 8 + len(f.kind) + len(f.codec)
		}
		if !known(streamOf, r.Stream) {
			streamOf[r.Stream], streams = uint32(len(streams)), append(streams, r.Stream)
			size += len(r.Stream)
		}
		size += rowSize + len(r.Meta) + len(r.Data)
		for _, p := range r.Parts {
			size += partSize + len(p.Sealed)
		}
	}
	b := le.AppendUint64(make([]byte, 0, size), uint64(len(records)))
	b = le.AppendUint32(b, uint32(len(forms)))
	b = le.AppendUint32(b, uint32(len(streams)))
	for _, f := range forms {
		b = append(le.AppendUint32(b, uint32(len(f.kind))), f.kind...)
		b = append(le.AppendUint32(b, uint32(len(f.codec))), f.codec...)
	}
	for _, s := range streams {
		b = append(b, s[:]...)
	}
	for i := range records {
		r := &records[i]
		b = le.AppendUint64(b, r.Pos)
		b = le.AppendUint64(b, uint64(r.At.UnixMilli()))
		b = append(b, r.Command[:]...)
		b = append(b, r.Hash[:]...)
		b = le.AppendUint32(b, formOf[form{r.Type, r.Codec}])
		b = le.AppendUint32(b, streamOf[r.Stream])
		b = le.AppendUint32(b, uint32(len(r.Parts)))
		b = le.AppendUint32(b, uint32(len(r.Meta)))
		b = le.AppendUint32(b, uint32(len(r.Data)))
		b = append(append(b, r.Meta...), r.Data...)
		for n := range r.Parts {
			b = s.part(b, r, n)
		}
	}
	return b
}

func known[K comparable](m map[K]uint32, k K) bool {
	_, ok := m[k]
	return ok
}

// proof returns the end of a pack's seal, which differs for every other pack; nothing if it is too short for one.
func proof(b []byte) (tag [16]byte) {
	if len(b) >= len(magic)+len(tag) {
		tag = [16]byte(b[len(b)-len(tag):])
	}
	return tag
}

// unpack reads all records of a pack in its own memory, which they share.
func (s *seal) unpack(b []byte, line events.Name) ([]events.Record, error) {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, errTorn
	}
	plain, err := s.box.Open(b[len(magic):len(magic)], nil, b[len(magic):], line[:])
	if err != nil {
		return nil, errTorn
	}
	return parsed(plain)
}

func parsed(b []byte) ([]events.Record, error) {
	r := cutter{rest: b}
	n, forms, streams := r.long(), r.int(), r.int()
	if n > uint64(len(b)/rowSize) || forms > len(b)/8 || streams > len(b)/16 {
		return nil, errTorn
	}
	kinds, names := make([][2]string, forms), make([]events.Name, streams)
	for i := range kinds {
		kinds[i] = [2]string{string(r.take(r.int())), string(r.take(r.int()))}
	}
	for i := range names {
		copy(names[i][:], r.take(16))
	}
	out := make([]events.Record, n)
	var parts []events.Part // many records share one piece of memory
	for i := range out {
		row := r.take(rowSize)
		if row == nil {
			return nil, errTorn
		}
		to := &out[i]
		form, stream := le.Uint32(row[64:]), le.Uint32(row[68:])
		if int(form) >= len(kinds) || int(stream) >= len(names) {
			return nil, errTorn
		}
		to.Pos, to.Version, to.At = le.Uint64(row), uint64(i+1), time.UnixMilli(int64(le.Uint64(row[8:]))).UTC()
		to.Command, to.Hash = events.CommandID(row[16:32]), events.Hash(row[32:64])
		to.Type, to.Codec, to.Stream = kinds[form][0], kinds[form][1], names[stream]
		of := int(le.Uint32(row[72:]))
		to.Meta, to.Data = r.bytes(int(le.Uint32(row[76:]))), r.bytes(int(le.Uint32(row[80:])))
		if of == 0 {
			continue
		}
		if len(r.rest) < of*partSize {
			return nil, errTorn
		}
		if len(parts) < of {
			parts = make([]events.Part, max(of, 64))
		}
		to.Parts, parts = parts[:of:of], parts[of:]
		for k := range to.Parts {
			p := r.take(partSize)
			if p == nil {
				return nil, errTorn
			}
			of, size := events.Part{To: domain.Audience(le.Uint64(p)), Digest: events.Hash(p[8:40])}, le.Uint32(p[40:])
			if size&open == 0 {
				of.Sealed = r.bytes(int(size))
			} else if size ^= open; size < saltSize {
				return nil, errTorn
			} else {
				of = of.Opened(r.take(int(size)))
			}
			to.Parts[k] = of
		}
	}
	if r.torn || len(r.rest) > 0 {
		return nil, errTorn
	}
	return out, nil
}

// cutter takes bytes off the front; if there are too few, torn is set.
type cutter struct {
	rest []byte
	torn bool
}

func (c *cutter) take(n int) []byte {
	if n < 0 || n > len(c.rest) {
		c.torn, c.rest = true, nil
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

// bytes returns nil for no bytes, as every log does.
func (c *cutter) bytes(n int) []byte {
	if n == 0 {
		return nil
	}
	return c.take(n)
}

func (c *cutter) int() int {
	if b := c.take(4); b != nil {
		return int(le.Uint32(b))
	}
	return 0
}

func (c *cutter) long() uint64 {
	if b := c.take(8); b != nil {
		return le.Uint64(b)
	}
	return 0
}
