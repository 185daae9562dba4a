package show

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// cornerSay says where an intersection lies, for people: "between forest 8, hills 5 and the 3:1 harbour".
func cornerSay(b *table.Board, c int8) domain.Say {
	return whereSay(b, table.Isle.HexesAt[c], cornerAround(b, c, table.By))
}

// pathSay says where a path lies.
func pathSay(b *table.Board, p int8) domain.Say {
	return whereSay(b, hexesBeside(p), pathAround(b, p, table.By))
}

// pieceSay says where a piece was built; nothing if there is no piece.
func pieceSay(b *table.Board, x state.Piece) domain.Say {
	switch x.Sort {
	case state.NoPiece:
		return domain.Say{}
	case state.RoadPiece:
		return pathSay(b, x.At)
	}
	return cornerSay(b, x.At)
}

// whereSay names a place by its hexes and what else lies around it.
func whereSay(b *table.Board, hexes []int8, about []domain.Say) domain.Say {
	switch n := len(about) - 1; n {
	case 0:
		return domain.S("where.coast", "what", b.HexSay(hexes[0], table.Of))
	case 1:
		return domain.S("where", "list", about[:n], "last", about[n])
	default:
		return domain.S("where.of-three", "list", about[:n], "last", about[n])
	}
}

// cornerAround lists what lies around an intersection: its hexes and its harbour.
func cornerAround(b *table.Board, c int8, in table.Case) []domain.Say {
	return hexesAround(b, in, table.Isle.HexesAt[c], c, c)
}

// pathAround lists what lies around a path: the hexes beside it, and the harbour on it.
func pathAround(b *table.Board, p int8, in table.Case) []domain.Say {
	return hexesAround(b, in, hexesBeside(p), table.Isle.Ends[p][0], table.Isle.Ends[p][1])
}

// hexesBeside returns the hexes that a path lies between, or the one whose coast it is.
func hexesBeside(p int8) (list []int8) {
	for _, h := range table.Isle.HexesAt[table.Isle.Ends[p][0]] {
		if slices.Contains(table.Isle.Sides[h][:], p) {
			list = append(list, h)
		}
	}
	return list
}

// hexesAround lists hexes, and the harbour that both ends share; an intersection is both of its own ends.
func hexesAround(b *table.Board, in table.Case, hexes []int8, ends ...int8) (list []domain.Say) {
	for _, h := range hexes {
		list = append(list, b.HexSay(h, in))
	}
	for i, p := range table.Isle.HarbourPath {
		jetties := table.Isle.Ends[p]
		if slices.Contains(jetties[:], ends[0]) && slices.Contains(jetties[:], ends[1]) {
			list = append(list, domain.S("where.harbour"+string(in), "harbour_word", "harbour."+b.Harbours[i].String()))
		}
	}
	return list
}
