package show

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// played are the moves among the events to be marked.
func (d *drawing) played() (list []*state.Played) {
	for _, e := range d.sketch.Last {
		if p, ok := e.Body.(*state.Played); ok {
			list = append(list, p)
		}
	}
	return list
}

// lastRoll rings the tokens of the hexes that paid in the events to be marked.
func (d *drawing) lastRoll() {
	for _, p := range d.played() {
		for h, token := range d.v.Board.Tokens {
			if p.Rolled() && token == p.Dice[0]+p.Dice[1] && int8(h) != d.v.Robber {
				d.put(domain.Shape{Path: disc(hexCentre(int8(h)), 20.5), Stroke: colAccent, Width: 3.5, Class: "last"})
			}
		}
	}
}

// lastPieces rings what was built and where the robber went in the events to be marked, with the
// number by which the story names the place.
func (d *drawing) lastPieces() {
	for _, p := range d.played() {
		for _, x := range p.Pieces {
			if x.Sort == state.RoadPiece {
				d.last(disc(pathPoint(x.At), 12), pathPoint(x.At), 12, x.At)
			} else if x.Sort != state.NoPiece {
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

// ofNeutral takes the letter of a neutral off a key, and tells its colour or NoColour.
func ofNeutral(key string) (rest string, colour int8) {
	for i, letter := range table.NeutralLetters {
		if rest, ok := strings.CutPrefix(key, letter); ok && rest != "" {
			return rest, int8(i) + 2
		}
	}
	return key, state.NoColour
}

// ghosts are the pieces of the steps chosen so far.
func (d *drawing) ghosts() {
	sort := state.SettlementPiece
	for _, key := range d.sketch.Chosen {
		key, owner := ofNeutral(key)
		if owner == state.NoColour {
			owner = d.v.Active
		}
		if key == state.KindCity.String() {
			sort = state.CityPiece
		}
		kind, at := spotOf(key)
		var shapes []domain.Shape
		switch kind {
		case 'c':
			shapes = d.piece(state.Piece{Colour: owner, Sort: sort, At: at})
		case 'p':
			shapes = d.piece(state.Piece{Colour: owner, Sort: state.RoadPiece, At: at})
		case 'h':
			shapes = []domain.Shape{robber(at)}
		default:
			continue
		}
		d.put(domain.Shape{Group: shapes, Class: "ghost"})
	}
}

// spotOf reads a spot: 'c', 'p' or 'h' and the place's number; the kind of what is none is 0.
func spotOf(spot string) (kind byte, at int8) {
	if len(spot) < 2 {
		return 0, 0
	}
	n, err := strconv.Atoi(spot[1:])
	if most := map[byte]int{'c': table.CornerCount, 'p': table.PathCount, 'h': table.HexCount}[spot[0]]; err != nil || n < 0 || n >= most {
		return 0, 0
	}
	return spot[0], int8(n)
}

// open names the places where one may act now, each a choice to be pressed. Where two neutrals may
// build at one place their names stand side by side.
func (d *drawing) open() {
	for _, s := range d.sketch.Open {
		spot, neutral := ofNeutral(s.Spot)
		kind, at := spotOf(spot)
		var p domain.Point
		switch kind {
		case 0:
			continue
		case 'c':
			p = cornerPoint(at)
		case 'p':
			p = pathPoint(at)
		case 'h':
			p = plus(hexCentre(at), domain.Point{X: 21, Y: -19})
			d.put(domain.Shape{Path: hexPath(hexCentre(at), hexSide-3), Fill: colWhite, Hidden: true, Spot: s.Spot})
		}
		if neutral >= 0 {
			p.X += 22*float64(neutral-2) - 11
		}
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
