package show

import (
	"cmp"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

const (
	textWide = 14 // columns from hex to hex
	textHigh = 4  // lines from row to row
	wordWide = 10 // columns for what a hex is
)

// boardText returns the island in characters, which "board.legend" explains: hexes with their number, what they are
// and their token, one below another; at intersections and on paths the owner of the piece there, or the name of what
// may be chosen.
func boardText(v *state.View, open []domain.Spot) (text string, cells []domain.Cell) {
	c := kit.NewLetters(5*textWide+2, 5*textHigh+3)
	signs := owners(v)
	for _, o := range open {
		signs[strings.TrimLeft(o.Spot, "NM")] = strings.ReplaceAll(o.Name, " ", "")
	}
	const half = textWide / 2
	for h := range int8(table.HexCount) {
		x, y := half*(2*table.Isle.Q[h]+table.Isle.R[h])+5*half+1, textHigh*(table.Isle.R[h]+2)+3
		ring := [7][2]int{{x, y - 3}, {x + half, y - 1}, {x + half, y + 1}, {x, y + 3}, {x - half, y + 1},
			{x - half, y - 1}, {x, y - 3}}
		for i, p := range table.Isle.Sides[h] {
			a, b := ring[i], ring[i+1]
			c.Centre((a[0]+b[0])/2, (a[1]+b[1])/2, cmp.Or(signs[pathSpot(p)], `\|/\|/`[i:i+1]))
		}
		for i, p := range table.Isle.Corners[h] {
			c.Centre(ring[i][0], ring[i][1], cmp.Or(signs[cornerSpot(p)], "+"))
		}
		number := strconv.Itoa(int(h))
		if v.Robber == h {
			number = "*" + number + "*"
		}
		c.Centre(x, y-1, number)
		c.Centre(x, y, v.Board.Terrain[h].String())
		if token := v.Board.Tokens[h]; token != 0 {
			// below its word, which leaves room for the names of the paths beside it
			c.Centre(x, y+1, strconv.Itoa(int(token)))
		}
		cells = append(cells, domain.Cell{Row: y, Col: x - wordWide/2, Width: wordWide, Middle: true,
			Say: landSay(v, h)})
	}
	return c.String(), cells
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
