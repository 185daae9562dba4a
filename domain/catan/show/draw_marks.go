package show

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// lastRoll rings the tokens of the hexes that paid in the events to be marked.
func (d *drawing) lastRoll() {
	for _, e := range d.sketch.Last {
		p, ok := e.Body.(*state.Played)
		if !ok || !p.Rolled() {
			continue
		}
		for h := range int8(table.HexCount) {
			if d.v.Board.Tokens[h] == p.Dice[0]+p.Dice[1] && h != d.v.Robber {
				d.put(domain.Shape{Path: disc(hexCentre(h), 20.5), Stroke: colAccent, Width: 3.5, Class: "last"})
			}
		}
	}
}

// lastPieces rings what was built and where the robber went in the events to be marked, with the
// number by which the story names the place.
func (d *drawing) lastPieces() {
	for _, e := range d.sketch.Last {
		p, ok := e.Body.(*state.Played)
		if !ok {
			continue
		}
		for _, x := range p.Pieces {
			switch x.Sort {
			case state.RoadPiece:
				d.last(disc(pathPoint(x.At), 12), pathPoint(x.At), 12, x.At)
			case state.SettlementPiece, state.CityPiece:
				d.last(disc(cornerPoint(x.At), 18), cornerPoint(x.At), 18, x.At)
			}
		}
		if at := int8(p.Robber); at != table.NoHex {
			d.last(hexPath(hexCentre(at), hexSide-5), hexCentre(at), 30, at)
		}
	}
}

func (d *drawing) last(ring domain.Path, at domain.Point, r float64, number int8) {
	tag := domain.Point{X: at.X + r*.75, Y: at.Y - r*.75}
	d.put(domain.Shape{Class: "last", Group: []domain.Shape{
		{Path: ring, Stroke: colAccent, Width: 2.5},
		{Path: disc(tag, 7), Fill: colAccent},
		{Text: strconv.Itoa(int(number)), At: tag, Size: 8.5, Fill: colWhite, Bold: true},
	}})
}

// ghosts are the pieces of the steps chosen so far.
func (d *drawing) ghosts() {
	city := false
	for _, key := range d.sketch.Chosen {
		owner := d.v.Active
		for i, letter := range table.NeutralLetters {
			if rest, ok := strings.CutPrefix(key, letter); ok && rest != "" {
				owner, key = int8(i)+2, rest
			}
		}
		if key == state.KindCity.String() {
			city = true
		}
		kind, at, ok := spotOf(key)
		if !ok {
			continue
		}
		var shapes []domain.Shape
		switch kind {
		case 'c':
			shapes = d.building(at, owner, city)
		case 'p':
			shapes = road(at, d.colour(owner))
		default:
			shapes = []domain.Shape{{Use: "robber", At: plus(hexCentre(at), domain.Point{X: -27, Y: -2})}}
		}
		d.put(domain.Shape{Group: shapes, Class: "ghost"})
	}
}

// spotOf reads a spot: 'c', 'p' or 'h' and the place's number.
func spotOf(spot string) (kind byte, at int8, ok bool) {
	if len(spot) < 2 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(spot[1:])
	most := map[byte]int{'c': table.CornerCount, 'p': table.PathCount, 'h': table.HexCount}[spot[0]]
	if err != nil || n < 0 || n >= most {
		return 0, 0, false
	}
	return spot[0], int8(n), true
}

// open names the places where one may act now, each a choice to be pressed. Where two neutrals may
// build at one place their names stand side by side.
func (d *drawing) open() {
	for _, s := range d.sketch.Open {
		letter, spot := "", s.Spot
		if len(spot) > 1 && (spot[:1] == table.NeutralLetters[0] || spot[:1] == table.NeutralLetters[1]) {
			letter, spot = spot[:1], spot[1:]
		}
		kind, at, ok := spotOf(spot)
		if !ok {
			continue
		}
		var p domain.Point
		switch kind {
		case 'c':
			p = cornerPoint(at)
		case 'p':
			p = pathPoint(at)
		default:
			p = plus(hexCentre(at), domain.Point{X: 21, Y: -19})
			d.put(domain.Shape{Path: hexPath(hexCentre(at), hexSide-3), Fill: colWhite, Hidden: true, Spot: s.Spot})
		}
		p.X += map[string]float64{table.NeutralLetters[0]: -11, table.NeutralLetters[1]: 11}[letter]
		name := strings.ReplaceAll(s.Name, " ", "")
		r := 8.5
		if len(name) > 2 {
			r = 10.5
		}
		d.put(domain.Shape{Class: "open", Spot: s.Spot, Group: []domain.Shape{
			{Path: disc(p, r+1.8), Fill: colWhite},
			{Path: disc(p, r), Fill: colPaper, Stroke: colAccent, Width: 2},
			{Text: name, At: p, Size: 10.5, Fill: colAccent, Bold: true},
		}})
	}
}
