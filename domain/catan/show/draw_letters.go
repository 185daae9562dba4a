package show

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

const (
	textWide = 13 // columns from hex to hex
	textHigh = 4  // lines from row to row
	wordWide = 9  // columns for what a hex is
	portWide = 7  // columns for a harbour
	mostWide = 72 // columns of a mail
)

// column returns where the nth half of a hex begins, from the western end of the island's middle row.
func column(n int) int { return textWide*n/2 + 2 }

// textAt returns the middle of a hex in characters, as a number of half hexes and a line.
func textAt(h int8) (n, y int) {
	return 2*table.Isle.Q[h] + table.Isle.R[h] + 5, textHigh*(table.Isle.R[h]+2) + 3
}

// boardText returns the island in characters, which "board.legend" explains: hexes with what they are and their token,
// one below the other, and above them their number, if a hex is to be chosen; at intersections and on paths the owner
// of the piece there, or the name of what may be chosen; harbours beside their path.
func boardText(v *state.View, open []domain.Spot) (text string, cells []domain.Cell) {
	c := kit.NewLetters(column(10)+1, 5*textHigh+3)
	signs := owners(v)
	for _, p := range table.Isle.HarbourPath {
		for _, at := range table.Isle.Ends[p] {
			signs[cornerSpot(at)] = cmp.Or(signs[cornerSpot(at)], "o")
		}
	}
	numbered := false
	for _, o := range open {
		spot := strings.TrimLeft(o.Spot, "NM")
		signs[spot] = strings.ReplaceAll(o.Name, " ", "")
		numbered = numbered || spot != "" && spot[0] == 'h'
	}
	for h := range int8(table.HexCount) {
		n, y := textAt(h)
		x, west, east := column(n), column(n-1), column(n+1)
		ring := [7][2]int{{x, y - 3}, {east, y - 1}, {east, y + 1}, {x, y + 3}, {west, y + 1}, {west, y - 1},
			{x, y - 3}}
		for i, p := range table.Isle.Sides[h] {
			a, b := ring[i], ring[i+1]
			c.Centre((a[0]+b[0])/2, (a[1]+b[1])/2, cmp.Or(signs[pathSpot(p)], `\|/\|/`[i:i+1]))
		}
		for i, p := range table.Isle.Corners[h] {
			c.Centre(ring[i][0], ring[i][1], cmp.Or(signs[cornerSpot(p)], "+"))
		}
		number := ""
		if numbered {
			number = strconv.Itoa(int(h))
		}
		if v.Robber == h {
			number = "*" + cmp.Or(number, "*") + "*"
		}
		c.Centre(x, y-1, number)
		c.Centre(x, y, v.Board.Terrain[h].String())
		if token := v.Board.Tokens[h]; token != 0 {
			// below its word, which leaves room for the names of the paths beside it
			c.Centre(x, y+1, "("+strconv.Itoa(int(token))+")")
		}
		cells = append(cells, domain.Cell{Row: y, Col: west + 2, Width: wordWide, Middle: true, Say: landSay(v, h)})
	}
	return c.String(), append(cells, portCells(v)...)
}

// portCells says what the harbours are, each at sea beside its path; in a bay, where there is no room, a line further
// out.
func portCells(v *state.View) (cells []domain.Cell) {
	for i, p := range table.Isle.HarbourPath {
		h := hexesBeside(p)[0]
		n, y := textAt(h)
		side := slices.Index(table.Isle.Sides[h][:], p)
		x, east, west := column(n), column(n+1), column(n-1)
		cell := domain.Cell{Row: y + [6]int{-2, 0, 2, 2, 0, -2}[side], Width: portWide,
			Say: portSay(v.Board.Harbours[i])}
		switch side {
		case 0, 2:
			if cell.Col = (x+east)/2 + 3; h+1 < table.HexCount && table.Isle.R[h+1] == table.Isle.R[h] {
				cell.Row, cell.Col = cell.Row+side-1, x+2
			}
		case 1:
			cell.Col = east + 2
			cell.Width = min(portWide, mostWide-cell.Col)
		case 3, 5:
			cell.Col, cell.Right = (x+west)/2-2-portWide, true
		case 4:
			cell.Col, cell.Right = max(0, west-2-portWide), true
			cell.Width = west - 2 - cell.Col
		}
		cells = append(cells, cell)
	}
	return cells
}

// portSay names a harbour in a word: what it takes two of.
func portSay(h table.Harbour) domain.Say {
	if h == table.Anything {
		return domain.S("harbour.any")
	}
	return domain.S("resource." + h.String())
}

// landSay says what a hex is, in the words by which lists name places.
func landSay(v *state.View, h int8) domain.Say {
	if v.Board.Terrain[h] == table.Desert {
		return domain.S("hex.desert")
	}
	return domain.S("terrain." + v.Board.Terrain[h].String())
}

// owners returns the letters of the owners of pieces, by spot.
func owners(v *state.View) map[string]string {
	at := map[string]string{}
	for _, x := range pieces(v) {
		spot, letter := cornerSpot(x.At), v.ColourWord(x.Colour)
		switch x.Sort {
		case state.RoadPiece:
			spot = pathSpot(x.At)
		case state.SettlementPiece:
			letter = strings.ToLower(letter)
		}
		at[spot] = letter
	}
	return at
}
