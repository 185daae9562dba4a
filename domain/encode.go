package domain

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// appendPublic writes what envelope reads. By hand: an event is encoded at every move
// of a simulation, and reflection would cost more than the rules.
func appendPublic(dst []byte, e *Event) ([]byte, error) {
	dst = append(dst, `{"seat":`...)
	dst = strconv.AppendInt(dst, int64(e.Seat), 10)
	if e.Move != "" {
		dst = append(dst, `,"move":`...)
		dst = AppendJSONString(dst, e.Move)
	}
	if len(e.Draws) > 0 {
		dst = append(dst, `,"draws":[`...)
		for i, d := range e.Draws {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = d.appendJSON(dst)
		}
		dst = append(dst, ']')
	}
	if e.Anew {
		dst = append(dst, `,"anew":true`...)
	}
	dst = append(dst, `,"body":`...)
	dst, err := appendBody(dst, e.Body)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Type, err)
	}
	return append(dst, '}'), nil
}

// AppendEvent appends everything of an event, each part after its length in four bytes: the
// type, the public part, and each secret part with its audience. It is what a simulation
// hashes; nothing reads it back.
func (c Codec) AppendEvent(dst []byte, e *Event) ([]byte, error) {
	if c.find(e.Type) == nil {
		return nil, fmt.Errorf("encode event: no type %q", e.Type)
	}
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(len(e.Type))), e.Type...)
	dst, err := appendMeasured(dst, func(dst []byte) ([]byte, error) { return appendPublic(dst, e) })
	if err != nil {
		return nil, err
	}
	for i := range e.Secrets {
		dst = binary.BigEndian.AppendUint16(dst, uint16(e.Secrets[i].To))
		dst, err = appendMeasured(dst, func(dst []byte) ([]byte, error) { return appendBody(dst, e.Secrets[i].Body) })
		if err != nil {
			return nil, fmt.Errorf("encode secret of %s: %w", e.Type, err)
		}
	}
	return dst, nil
}

// appendMeasured appends something after its length in four bytes.
func appendMeasured(dst []byte, write func([]byte) ([]byte, error)) ([]byte, error) {
	at := len(dst)
	dst, err := write(append(dst, 0, 0, 0, 0))
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst, err
}

// plain tells whether JSON writes a string as it stands.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// AppendJSONString appends a JSON string. Notation is ASCII nearly always, which is
// copied as it stands; anything else is escaped.
func AppendJSONString(dst []byte, s string) []byte {
	if plain(s) {
		return append(append(append(dst, '"'), s...), '"')
	}
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
