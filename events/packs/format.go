package packs

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// A pack holds a line's records, one after the other, as the log gave them: sealed parts stay sealed. After the head
// come the names that the records share (types, codecs, streams), then the records, each a row of fixed size followed
// by its bytes. Numbers are little-endian. Another format gets another magic.

const (
	magic    = "posthorn pack 1\n"
	headSize = len(magic) + 4 + 32 + 16 + 8 + 4 + 4 // magic, checksum of everything after it, house, line, records, forms, streams
	rowSize  = 8 + 8 + 16 + 32 + 4 + 4 + 4 + 4 + 4  // position, time, command, hash, form, stream, parts, bytes of meta, of data
	partSize = 8 + 32 + 4                           // audience, digest, bytes sealed
)

var (
	errTorn    = errors.New("the pack is torn, or of another program")
	errForeign = errors.New("the pack is of another house or line")

	castagnoli = crc32.MakeTable(crc32.Castagnoli) // processors have an instruction for it
	le         = binary.LittleEndian
)

// pack writes the records of a line from its first version on.
func pack(whose events.Hash, line events.Name, records []events.Record) []byte {
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
	b := append(make([]byte, 0, size), magic...)
	b = append(b, 0, 0, 0, 0) // the checksum, filled in once everything is there
	b = append(b, whose[:]...)
	b = append(b, line[:]...)
	b = le.AppendUint64(b, uint64(len(records)))
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
		for _, p := range r.Parts {
			b = le.AppendUint64(b, uint64(p.To))
			b = append(b, p.Digest[:]...)
			b = append(le.AppendUint32(b, uint32(len(p.Sealed))), p.Sealed...)
		}
	}
	le.PutUint32(b[len(magic):], sum(b))
	return b
}

func known[K comparable](m map[K]uint32, k K) bool {
	_, ok := m[k]
	return ok
}

// sum returns the checksum of a pack whose head is written.
func sum(b []byte) uint32 { return crc32.Checksum(b[len(magic)+4:], castagnoli) }

// unpack reads all records of a pack. They share its memory.
func unpack(b []byte, whose events.Hash, line events.Name) ([]events.Record, error) {
	if len(b) < headSize || string(b[:len(magic)]) != magic || le.Uint32(b[len(magic):]) != sum(b) {
		return nil, errTorn
	}
	r := cutter{rest: b[len(magic)+4:]}
	if string(r.take(len(whose))) != string(whose[:]) || string(r.take(len(line))) != string(line[:]) {
		return nil, errForeign
	}
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
			to.Parts[k] = events.Part{To: domain.Audience(le.Uint64(p)), Digest: events.Hash(p[8:40]), Sealed: r.bytes(int(le.Uint32(p[40:])))}
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
