package notation

import (
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// FormatMove writes the canonical form.
func (Room) FormatMove(mv state.Move, names []string) string {
	if mv.A < table.PathCount && mv == state.MoveAt(mv.Kind, mv.A, table.NoPlace) {
		return written[mv.Kind][mv.A+1]
	}
	if table.IsKind(mv.A) && table.IsKind(mv.B) && mv == state.MoveAt(state.KindBank, mv.A, mv.B) {
		return exchanges[mv.A][mv.B]
	}
	return writeMove(&mv, names)
}

// written holds the notation of the commonest moves, those with at most one place, by kind and the place plus 1: a
// simulation writes them a million times.
var written = func() (all [state.KindCount][table.PathCount + 1]string) {
	for k := range state.KindCount {
		for at := range all[k] {
			m := state.MoveAt(k, int8(at)-1, table.NoPlace)
			all[k][at] = writeMove(&m, nil)
		}
	}
	return all
}()

// exchanges are the trades with the bank, by the kinds given and wanted.
var exchanges = func() (all [table.Kinds][table.Kinds]string) {
	for give := range all {
		for get := range all[give] {
			m := state.MoveAt(state.KindBank, int8(give), int8(get))
			all[give][get] = writeMove(&m, nil)
		}
	}
	return all
}()

func writeMove(m *state.Move, names []string) string {
	var buf [96]byte
	dst := append(buf[:0], notationWords[m.Kind]...)
	if m.Kind == state.KindNeutral {
		dst = appendNeutral(dst, m)
	}
	for _, p := range state.PartsOf[m.Kind] {
		switch p {
		case state.PartCorner, state.PartPath, state.PartHex:
			dst = place(dst, " ", m.A)
		case state.PartRoad:
			dst = place(dst, " road ", m.B)
		case state.PartSecond:
			if m.B != table.NoPlace {
				dst = place(dst, " ", m.B)
			}
		case state.PartGive:
			dst = append(append(dst, ' '), table.Resource(m.A).String()...)
		case state.PartGet:
			if m.B != table.NoPlace {
				dst = append(append(dst, ' '), table.Resource(m.B).String()...)
			}
		case state.PartSeat:
			dst = seatAfter(dst, m.Seat, names)
		case state.PartCards:
			dst = m.Give.Append(append(dst, ' '))
		case state.PartSwap:
			dst = appendSwap(dst, m.Give, m.Want)
		case state.PartTo:
			dst = appendTo(dst, m, names)
		}
	}
	return string(dst)
}

// notationWords are the words with which moves begin: their kind's word, with a few exceptions.
var notationWords = func() (words [state.KindCount]string) {
	words = state.KindWords
	words[state.KindFound], words[state.KindTokenTrade], words[state.KindTokenDesert] = "settle", "token trade",
		"token desert"
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

func appendSwap(dst []byte, give, want table.Hand) []byte {
	return want.Append(append(give.Append(append(dst, ' ')), " for "...))
}

func appendTo(dst []byte, m *state.Move, names []string) []byte {
	early := m.Ask && m.To != 0 && slices.ContainsFunc(names, func(name string) bool { return wordsAsk[nameKey(name)] })
	if early { // after the seats it would read as one of them
		dst = append(dst, " ask"...)
	}
	if m.To != 0 {
		dst = seatsAfter(append(dst, " to"...), m.To, names)
	}
	if m.Ask && !early {
		dst = append(dst, " ask"...)
	}
	return dst
}

// appendNeutral names the neutral only if just one of them builds.
func appendNeutral(dst []byte, m *state.Move) []byte {
	both := m.Neutral[0].Sort != state.NoPiece && m.Neutral[1].Sort != state.NoPiece
	for i, x := range m.Neutral {
		if x.Sort == state.NoPiece {
			continue
		}
		if !both && !m.Loose {
			dst = append(dst, ' ')
			dst = append(dst, table.NeutralLetters[i]...)
		}
		if x.Sort == state.RoadPiece {
			dst = place(dst, " road ", x.At)
		} else {
			dst = place(dst, " settle ", x.At)
		}
	}
	return dst
}
