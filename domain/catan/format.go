package catan

import (
	"strconv"

	"posthorn/domain"
)

// neutralLetters are the names of the neutrals of Catan for two.
var neutralLetters = [2]string{"N", "M"}

// FormatMove writes the canonical form.
func (notationRoom) FormatMove(mv Move, names []string) string {
	if mv.A < pathCount && mv == moveAt(mv.Kind, mv.A, noPlace) {
		return written[mv.Kind][mv.A+1]
	}
	return writeMove(&mv, names)
}

// written is the notation of the commonest moves, those of a kind and at most one place, by the
// place and 1: a simulation writes them a million times.
var written = func() (all [kindCount][pathCount + 1]string) {
	for k := range kindCount {
		for at := range all[k] {
			m := moveAt(k, int8(at)-1, noPlace)
			all[k][at] = writeMove(&m, nil)
		}
	}
	return all
}()

func writeMove(m *Move, names []string) string {
	var buf [96]byte
	dst := append(buf[:0], notationWords[m.Kind]...)
	switch m.Kind {
	case KindOffer, KindCounter:
		dst = appendOffer(dst, m, names)
	case KindNeutral:
		dst = appendNeutral(dst, m)
	}
	for _, p := range partsOf[m.Kind] {
		switch p {
		case PartCorner, PartPath, PartHex:
			dst = place(dst, " ", m.A)
		case PartRoad:
			dst = place(dst, " road ", m.B)
		case PartSecond:
			if m.B != noPlace {
				dst = place(dst, " ", m.B)
			}
		case PartGive:
			dst = append(append(dst, ' '), Resource(m.A).String()...)
		case PartGet:
			if m.B != noPlace {
				dst = append(append(dst, ' '), Resource(m.B).String()...)
			}
		case PartSeat:
			dst = seatAfter(dst, m.Seat, names)
		case PartCards:
			dst = m.Give.append(append(dst, ' '))
		}
	}
	return string(dst)
}

// notationWords are what moves begin with: their kind's word, but for a few.
var notationWords = func() (words [kindCount]string) {
	words = kindWords
	words[KindFound], words[KindTokenTrade], words[KindTokenDesert] = "settle", "token trade", "token desert"
	return words
}()

func place(dst []byte, word string, at int8) []byte {
	return strconv.AppendInt(append(dst, word...), int64(at), 10)
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
