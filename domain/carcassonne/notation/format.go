package notation

import (
	"strconv"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// FormatMove writes a move in canonical notation: "1,0 90 road W", "0,-1 180 abbot garden", "2,1 0 recall", and, if
// the player chose an order, "… score road E, cloister 3,-1". It never names a seat.
func (Room) FormatMove(m state.Move, _ []string) string {
	var buf [64]byte
	dst := strconv.AppendInt(buf[:0], int64(m.X), 10)
	dst = strconv.AppendInt(append(dst, ','), int64(m.Y), 10)
	dst = strconv.AppendInt(append(dst, ' '), int64(m.Quarter)*90, 10)
	if m.Follower != table.Nobody {
		dst = AppendChoice(append(dst, ' '), m.Follower)
	}
	for i, code := range m.Order.All() {
		if i == 0 {
			dst = append(dst, " score "...)
		} else {
			dst = append(dst, ", "...)
		}
		dst = AppendOrdered(dst, m.X, m.Y, code)
	}
	return string(dst)
}

// AppendChoice writes the second step of a turn.
func AppendChoice(dst []byte, c table.Choice) []byte {
	if c == table.Recall {
		return append(dst, "recall"...)
	}
	p, abbot, _ := c.Place()
	if abbot {
		dst = append(dst, "abbot "...)
	}
	dst, _ = p.AppendText(dst)
	return dst
}

// AppendOrdered writes one entry of an order of scoring.
func AppendOrdered(dst []byte, x, y int16, code uint8) []byte {
	k, edge, dx, dy := state.OrderNamed(code)
	dst, _ = table.Place{Kind: k, At: edge}.AppendText(dst)
	if k.Shrine() {
		dst = strconv.AppendInt(append(dst, ' '), int64(x+dx), 10)
		dst = strconv.AppendInt(append(dst, ','), int64(y+dy), 10)
	}
	return dst
}
