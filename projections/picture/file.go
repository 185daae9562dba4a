package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zlib"
)

// How hard to compress a file. For boards, quick saves what comes cheap: a fifth above the smallest size, in two
// milliseconds. Thorough takes four times as long for most of that fifth; the level above it, twenty times.
const (
	quick    = 3
	thorough = 8
)

// file writes palette PNGs: header, palette, pixels, end, and nothing else.
type file struct {
	out    bytes.Buffer
	chunk  bytes.Buffer
	press  [thorough + 1]*zlib.Writer
	bounds [4]byte
}

// write makes a file from rows of colour numbers, each row after a zero byte. The caller owns the returned bytes.
func (f *file) write(w, h int, colors []uint32, rows []uint8, level int) ([]byte, error) {
	f.out.Reset()
	f.out.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(w))
	head = binary.BigEndian.AppendUint32(head, uint32(h))
	f.add("IHDR", append(head, 8, 3, 0, 0, 0)) // eight bits per pixel, by palette, not interlaced
	pal := make([]byte, 0, 3*len(colors))
	for _, c := range colors {
		pal = append(pal, byte(c>>16), byte(c>>8), byte(c))
	}
	f.add("PLTE", pal)
	z := f.press[level]
	if z == nil {
		var err error
		if z, err = zlib.NewWriterLevel(&f.chunk, level); err != nil {
			return nil, fmt.Errorf("compress a picture: %w", err)
		}
		f.press[level] = z
	}
	f.chunk.Reset()
	z.Reset(&f.chunk)
	if _, err := z.Write(rows); err != nil {
		return nil, fmt.Errorf("compress a picture: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compress a picture: %w", err)
	}
	f.add("IDAT", f.chunk.Bytes())
	f.add("IEND", nil)
	return bytes.Clone(f.out.Bytes()), nil
}

// add writes a chunk: its length, its four-letter name, its content, and their checksum.
func (f *file) add(name string, data []byte) {
	f.number(uint32(len(data)))
	f.out.WriteString(name)
	f.out.Write(data)
	f.number(crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, data))
}

func (f *file) number(n uint32) {
	binary.BigEndian.PutUint32(f.bounds[:], n)
	f.out.Write(f.bounds[:])
}
