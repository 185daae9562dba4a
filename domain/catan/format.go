package catan

import (
	"strconv"

	"posthorn/domain"
)

var neutralLetters = [2]string{"N", "M"}

// FormatMove writes the canonical form.
func (notationRoom) FormatMove(mv Move, names []string) string {
	m := &mv
	switch m.Kind {
	case KindRoll, KindBuy, KindEnd, KindRefill, KindWithdraw:
		return kindWords[m.Kind]
	case KindBank:
		if isKind(m.A) && isKind(m.B) {
			return written.bank[m.A][m.B]
		}
	case KindRoad:
		if isPath(m.A) {
			return written.road[m.A]
		}
	}
	return writeMove(m, names)
}

// written is the notation of the commonest moves, which a simulation writes a million times.
var written = func() (w struct {
	bank [kinds][kinds]string
	road [pathCount]string
}) {
	for a := range int8(kinds) {
		for b := range int8(kinds) {
			m := moveAt(KindBank, a, b)
			w.bank[a][b] = writeMove(&m, nil)
		}
	}
	for p := range int8(pathCount) {
		m := moveAt(KindRoad, p, noPlace)
		w.road[p] = writeMove(&m, nil)
	}
	return w
}()

func writeMove(m *Move, names []string) string {
	var buf [96]byte
	return string(appendMove(buf[:0], m, names))
}

func appendMove(dst []byte, m *Move, names []string) []byte {
	switch m.Kind {
	case KindFound:
		dst = place(dst, "settle ", m.A)
		return place(dst, " road ", m.B)
	case KindRoad:
		return place(dst, "road ", m.A)
	case KindSettle:
		return place(dst, "settle ", m.A)
	case KindCity:
		return place(dst, "city ", m.A)
	case KindRoads:
		dst = place(dst, "roads ", m.A)
		if m.B != noPlace {
			dst = place(dst, " ", m.B)
		}
		return dst
	case KindKnight:
		return seatAfter(place(dst, "knight ", m.A), m.Seat, names)
	case KindRob:
		return seatAfter(place(dst, "rob ", m.A), m.Seat, names)
	case KindDiscard:
		return m.Give.append(append(dst, "discard "...))
	case KindGive:
		return m.Give.append(append(dst, "give "...))
	case KindBank:
		return pair(append(dst, "bank "...), m.A, m.B)
	case KindPlenty:
		return pair(append(dst, "plenty "...), m.A, m.B)
	case KindMonopoly:
		return pair(append(dst, "monopoly "...), m.A, noPlace)
	case KindTokenTrade:
		return append(dst, "token trade"...)
	case KindTokenDesert:
		return append(dst, "token desert"...)
	case KindAccept, KindDecline, KindConfirm:
		return seatAfter(append(dst, m.Kind.String()...), m.Seat, names)
	case KindOffer, KindCounter:
		return appendOffer(dst, m, names)
	case KindNeutral:
		return appendNeutral(dst, m)
	}
	return append(dst, m.Kind.String()...) // roll, buy, withdraw, refill, end
}

func place(dst []byte, word string, at int8) []byte {
	return strconv.AppendInt(append(dst, word...), int64(at), 10)
}

func pair(dst []byte, a, b int8) []byte {
	dst = append(dst, Resource(a).String()...)
	if b != noPlace {
		dst = append(dst, ' ')
		dst = append(dst, Resource(b).String()...)
	}
	return dst
}

func seatAfter(dst []byte, seat domain.Seat, names []string) []byte {
	if seat < 0 {
		return dst
	}
	dst = append(dst, ' ')
	if callable(names, seat) {
		return append(dst, names[seat]...)
	}
	return append(dst, seat.Letter()...)
}

func appendOffer(dst []byte, m *Move, names []string) []byte {
	dst = append(dst, m.Kind.String()...)
	dst = m.Give.append(append(dst, ' '))
	dst = m.Want.append(append(dst, " for "...))
	early := m.Ask && m.To != 0 && askIsAName(names)
	if early { // behind the seats it would be one of them
		dst = append(dst, " ask"...)
	}
	if m.To != 0 {
		dst = append(dst, " to"...)
		for c := range domain.Seat(maxColours) {
			if m.To.has(int8(c)) {
				dst = seatAfter(dst, c, names)
			}
		}
	}
	if m.Ask && !early {
		dst = append(dst, " ask"...)
	}
	return dst
}

func askIsAName(names []string) bool {
	for _, name := range names {
		if wordsAsk[nameKey(name)] {
			return true
		}
	}
	return false
}

// appendNeutral names the neutral only where one alone builds.
func appendNeutral(dst []byte, m *Move) []byte {
	dst = append(dst, "neutral"...)
	both := m.Neutral[0].Sort != NoPiece && m.Neutral[1].Sort != NoPiece
	for i, x := range m.Neutral {
		if x.Sort == NoPiece {
			continue
		}
		if !both && !m.Loose {
			dst = append(dst, ' ')
			dst = append(dst, neutralLetters[i]...)
		}
		if x.Sort == RoadPiece {
			dst = place(dst, " road ", x.At)
		} else {
			dst = place(dst, " settle ", x.At)
		}
	}
	return dst
}
