package catan

import (
	"cmp"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

const (
	textWide = 12 // columns from hex to hex
	textHigh = 4  // lines from row to row
)

// boardText is the island in characters, which "board.legend" explains: hexes with their number, what
// they yield and their token; at intersections and on paths whose piece is there, or the name of
// what may be chosen.
func boardText(v *View, open []domain.Spot) string {
	c := kit.NewLetters(5*textWide+2, 5*textHigh+3)
	signs := owners(v)
	for _, o := range open {
		signs[strings.TrimLeft(o.Spot, "NM")] = strings.ReplaceAll(o.Name, " ", "")
	}
	const half = textWide / 2
	for h := range int8(hexCount) {
		x, y := half*(2*isle.q[h]+isle.r[h])+5*half+1, textHigh*(isle.r[h]+2)+3
		ring := [7][2]int{{x, y - 3}, {x + half, y - 1}, {x + half, y + 1}, {x, y + 3}, {x - half, y + 1}, {x - half, y - 1}, {x, y - 3}}
		for i, p := range isle.sides[h] {
			a, b := ring[i], ring[i+1]
			c.Centre((a[0]+b[0])/2, (a[1]+b[1])/2, cmp.Or(signs[pathSpot(p)], `\|/\|/`[i:i+1]))
		}
		for i, p := range isle.corners[h] {
			c.Centre(ring[i][0], ring[i][1], cmp.Or(signs[cornerSpot(p)], "+"))
		}
		number := strconv.Itoa(int(h))
		if v.robber == h {
			number = "*" + number + "*"
		}
		c.Centre(x, y-1, number)
		c.Centre(x, y, hexWord(v.board.Terrain[h], v.board.Tokens[h]))
	}
	return c.String()
}

// owners are the letters of those whose pieces stand at spots.
func owners(v *View) map[string]string {
	at := map[string]string{}
	for c := range v.colours {
		letter := v.colourWord(c)
		for _, p := range v.roads[c].list() {
			at[pathSpot(int8(p))] = letter
		}
		for _, x := range cornerList(v.settlements[c]) {
			at[cornerSpot(int8(x))] = strings.ToLower(letter)
		}
		for _, x := range cornerList(v.cities[c]) {
			at[cornerSpot(int8(x))] = letter
		}
	}
	return at
}
