package copies

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"posthorn/events"
)

// A copy is sealed in pieces, each preceded by its length, so that no more than one piece must be in memory. Each
// piece is bound to its copy, to its place in it, and to whether it is the last one.
const (
	pieceBytes = 256 << 10
	mostSealed = pieceBytes + 64
)

// ErrSealed is returned for a copy that does not open: another house made it, or it was changed.
var ErrSealed = fmt.Errorf("a copy of people.db and mail.db in the cluster: %w", events.ErrSealed)

// sealer seals what is written to it.
type sealer struct {
	to   io.Writer
	box  cipher.AEAD
	of   string
	n    uint64
	held bytes.Buffer
}

// Write implements [io.Writer].
func (s *sealer) Write(p []byte) (int, error) {
	s.held.Write(p)
	for s.held.Len() > pieceBytes { // the last piece is kept for Close
		if err := s.piece(s.held.Next(pieceBytes), false); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Close seals the last piece.
func (s *sealer) Close() error { return s.piece(s.held.Bytes(), true) }

func (s *sealer) piece(text []byte, last bool) error {
	sealed := s.box.Seal(nil, nil, text, place(s.of, s.n, last))
	s.n++
	if _, err := s.to.Write(binary.BigEndian.AppendUint32(nil, uint32(len(sealed)))); err != nil {
		return err
	}
	_, err := s.to.Write(sealed)
	return err
}

func place(of string, n uint64, last bool) []byte {
	b := binary.BigEndian.AppendUint64([]byte(of+"\x00"), n)
	if last {
		return append(b, 1)
	}
	return append(b, 0)
}

// opener reads what a sealer wrote.
type opener struct {
	from io.Reader
	box  cipher.AEAD
	of   string
	n    uint64
	held []byte
	last bool
}

// Read implements [io.Reader].
func (o *opener) Read(p []byte) (int, error) {
	for len(o.held) == 0 {
		if o.last {
			return 0, io.EOF
		}
		if err := o.piece(); err != nil {
			return 0, err
		}
	}
	n := copy(p, o.held)
	o.held = o.held[n:]
	return n, nil
}

func (o *opener) piece() error {
	var length [4]byte
	if _, err := io.ReadFull(o.from, length[:]); err != nil {
		return short(err)
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > mostSealed {
		return ErrSealed
	}
	sealed := make([]byte, size)
	if _, err := io.ReadFull(o.from, sealed); err != nil {
		return short(err)
	}
	for _, last := range []bool{false, true} {
		if text, err := o.box.Open(nil, nil, sealed, place(o.of, o.n, last)); err == nil {
			o.held, o.last = text, last
			o.n++
			return nil
		}
	}
	return ErrSealed
}

// short returns the error for a copy that ends before its last piece.
func short(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
