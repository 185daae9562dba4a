// Package archive keeps finished games as small files, each a whole record of one table that verifies on its own: it
// needs no log, no key and no other file, and the events stay where they are.
//
// An archived game is a smaller form of the record. It omits what the rest implies: hashes and digests, which are
// recomputed, versions, and most names of streams. Pure chance (ids of commands, digests of wishes, salts) is stored
// as bytes, because it does not compress. The rest is compressed. Reading restores the record byte for byte, so
// whatever checks a record checks an archived game, and the receipts in its header were signed over hashes that only
// the same events give. docs/format.md describes the bytes.
//
// What must not live here: what a record holds and how it is verified (events/record), and anybody's key.
package archive

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"posthorn/events/record"
)

// Format names the form of the files.
const Format = "posthorn-archive-1"

const (
	magic    = Format + "\n"
	least    = len(magic) + 4 + sha256.Size // and the lengths, which every file has
	mostText = 64 << 20                     // a game of three hundred events uses a thousandth of it
)

// dictionary is what the compression may point back to from a game's first byte on. Its bytes belong to the format.
//
//go:embed dictionary.txt
var dictionary []byte

var (
	// ErrFormat is returned for a file that is not an archived game.
	ErrFormat = errors.New("not an archived game of this form (" + Format + ")")
	// ErrDamaged is returned for an archived game with a changed or missing byte.
	ErrDamaged = errors.New("the archived game was damaged or altered: its sum does not fit")
	// ErrUnfit is returned for a record that cannot be archived: its game is being handed over, or its chain does not
	// hold.
	ErrUnfit = errors.New("the record is none that can be archived")
)

// Is reports whether a file that starts like this is an archived game.
func Is(start []byte) bool { return bytes.HasPrefix(start, []byte(magic)) }

// Pack writes a record in its smaller form. It reads the result again before it returns it.
func Pack(text []byte) ([]byte, error) {
	f, err := record.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if len(f.Before) > 0 || f.Header.Handover {
		return nil, fmt.Errorf("%w: it is a handover", ErrUnfit)
	}
	rest, chance, err := takeOut(f)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(append(make([]byte, 0, least+len(chance)+len(rest)/8), magic...))
	_ = binary.Write(out, binary.BigEndian, uint32(len(chance)))
	_, _ = out.Write(chance)
	w, err := flate.NewWriterDict(out, flate.BestCompression, dictionary)
	if err == nil {
		_, err = w.Write(rest)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("archive a game: %w", err)
	}
	sum := sha256.Sum256(out.Bytes())
	packed := append(out.Bytes(), sum[:]...)
	if again, err := Unpack(packed); err != nil || !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%w: it does not come back as it was", errors.Join(ErrUnfit, err))
	}
	return packed, nil
}

// Unpack returns the record. It returns ErrDamaged if any byte differs from what was written.
func Unpack(file []byte) ([]byte, error) {
	if !Is(file) {
		return nil, ErrFormat
	}
	if len(file) < least {
		return nil, ErrDamaged
	}
	body, sum := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if sha256.Sum256(body) != [sha256.Size]byte(sum) {
		return nil, ErrDamaged
	}
	return unpack(body[len(magic):])
}

// unpack reads what is between the first line and the sum.
func unpack(body []byte) ([]byte, error) {
	if len(body) < 4 {
		return nil, fmt.Errorf("%w: it breaks off", ErrFormat)
	}
	n, body := binary.BigEndian.Uint32(body), body[4:]
	if uint64(n) > uint64(len(body)) {
		return nil, fmt.Errorf("%w: it breaks off", ErrFormat)
	}
	chance, packed := body[:n], bytes.NewReader(body[n:])
	in := flate.NewReaderDict(packed, dictionary)
	rest, err := io.ReadAll(io.LimitReader(in, mostText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	case len(rest) > mostText:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFormat, mostText)
	case packed.Len() > 0:
		return nil, fmt.Errorf("%w: something stands behind its end", ErrFormat)
	}
	f, err := putBack(rest, chance)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	text, again, err := takeOut(f)
	if err != nil || !bytes.Equal(text, rest) || !bytes.Equal(again, chance) {
		return nil, fmt.Errorf("%w: it is not written as an archived game is", ErrFormat)
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return out.Bytes(), nil
}
