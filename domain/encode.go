package domain

import "strconv"

// appendEnvelope writes what envelope reads. By hand: an event is encoded at every move
// of a simulation, and reflection would cost more than the rules.
func appendEnvelope(dst []byte, e *Event, body []byte) []byte {
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
	dst = append(dst, `,"body":`...)
	dst = append(dst, body...)
	return append(dst, '}')
}

// AppendJSONString appends a JSON string. Notation is ASCII nearly always, which is
// copied as it stands; anything else is escaped.
func AppendJSONString(dst []byte, s string) []byte {
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
