package show

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// played returns the moves among the events to mark.
func (d *drawing) played() (list []*state.Played) {
	for _, e := range d.sketch.Last {
		if p, ok := e.Body.(*state.Played); ok {
			list = append(list, p)
		}
	}
	return list
}

// lastRoll frames the hexes that paid in the events to mark.
func (d *drawing) lastRoll() {
	for _, p := range d.played() {
		for h, token := range d.v.Board.Tokens {
			if p.Rolled() && token == p.Dice[0]+p.Dice[1] && int8(h) != d.v.Robber {
				at := hexCentre(int8(h))
				d.put(domain.Shape{Class: "last", Group: []domain.Shape{
					hexPath(at, hexSide-4).Stroked(colPaper, 6),
					hexPath(at, hexSide-4).Stroked(colAccent, 3.6),
				}})
			}
		}
	}
}

// lastRobber frames the hex where the robber went in the events to mark, below the pieces around it.
func (d *drawing) lastRobber() {
	for _, p := range d.played() {
		if at := int8(p.Robber); at != table.NoHex {
			d.ring(hexPath(hexCentre(at), hexSide-5))
		}
	}
}

// lastPieces rings what was built in the events to mark. The story says what lies around it.
func (d *drawing) lastPieces() {
	for _, p := range d.played() {
		for _, x := range p.Pieces {
			if x.Sort == state.RoadPiece {
				d.ring(disc(pathPoint(x.At), 12))
			} else if x.Sort != state.NoPiece {
				d.ring(disc(cornerPoint(x.At), 18))
			}
		}
	}
}

func (d *drawing) ring(path domain.Path) {
	d.put(domain.Shape{Class: "last", Group: []domain.Shape{path.Stroked(colAccent, 2.5)}})
}

// ofNeutral strips the letter of a neutral from a key, and returns its colour or NoColour.
func ofNeutral(key string) (rest string, colour int8) {
	for i, letter := range table.NeutralLetters {
		if rest, ok := strings.CutPrefix(key, letter); ok && rest != "" {
			return rest, int8(i) + 2
		}
	}
	return key, state.NoColour
}

// tried returns the pieces of the steps chosen so far, and the hexes where the robber would go.
func (d *drawing) tried() (list []state.Piece, hexes []int8) {
	sort := state.SettlementPiece
	for _, key := range d.sketch.Chosen {
		key, owner := ofNeutral(key)
		if owner == state.NoColour {
			owner = d.v.Active
		}
		if key == state.KindCity.String() {
			sort = state.CityPiece
		}
		switch kind, at := spotOf(key); kind {
		case 'c':
			list = append(list, state.Piece{Colour: owner, Sort: sort, At: at})
		case 'p':
			list = append(list, state.Piece{Colour: owner, Sort: state.RoadPiece, At: at})
		case 'h':
			hexes = append(hexes, at)
		}
	}
	return list, hexes
}

// ghosts draws what is being tried.
func (d *drawing) ghosts() {
	list, hexes := d.tried()
	for _, x := range list {
		d.put(domain.Shape{Group: d.piece(x), Class: "ghost"})
	}
	for _, at := range hexes {
		d.put(domain.Shape{Group: []domain.Shape{robber(at)}, Class: "ghost"})
	}
}

// spotOf reads a spot: 'c', 'p' or 'h' and the place's number; the kind is 0 if it is not a spot.
func spotOf(spot string) (kind byte, at int8) {
	if len(spot) < 2 {
		return 0, 0
	}
	n, err := strconv.Atoi(spot[1:])
	if most := map[byte]int{'c': table.CornerCount, 'p': table.PathCount, 'h': table.HexCount}[spot[0]]; err != nil ||
		n < 0 || n >= most {
		return 0, 0
	}
	return spot[0], int8(n)
}

// hexMark is the position of a pressable hex's name, relative to its centre.
var hexMark = domain.Pt(21, -19)

// target is a place that can be pressed.
type target struct {
	spot, name string
	at         domain.Point
	hex        bool // a whole hex, with its name in a corner
	best       bool // it stands out
}

// targets returns the places that a list of spots names. If two neutrals may build at one place, their targets lie side
// by side.
func targets(list []domain.Spot) (out []target) {
	for _, s := range list {
		spot, neutral := ofNeutral(s.Spot)
		kind, at := spotOf(spot)
		t := target{spot: s.Spot, name: strings.ReplaceAll(s.Name, " ", ""), best: s.Best}
		switch kind {
		case 0:
			continue
		case 'c':
			t.at = cornerPoint(at)
		case 'p':
			t.at = pathPoint(at)
		case 'h':
			t.at, t.hex = hexCentre(at), true
		}
		if neutral >= 0 {
			t.at.X += 26*float64(neutral-2) - 13
		}
		out = append(out, t)
	}
	return out
}

// bare marks a place to be pressed.
func (t *target) bare() []domain.Shape {
	if t.hex {
		edge := hexPath(t.at, hexSide-7)
		return []domain.Shape{edge.Stroked(colWhite, 5), {Path: edge, Stroke: colAccent, Width: 2.4, Dash: 7}}
	}
	return []domain.Shape{disc(t.at, 8.8).Filled(colWhite), disc(t.at, 7).Drawn(colPaper, colAccent, 2)}
}

// named marks a place with its name.
func (t *target) named() []domain.Shape {
	p, r, fill, ink := t.at, 11.5, colPaper, colAccent
	switch {
	case t.hex:
		p = plus(p, hexMark)
	case len(t.name) > 2:
		r = 12.5
	}
	if t.best {
		r, fill, ink = r+2, colAccent, colWhite
	}
	return []domain.Shape{disc(p, r+1.8).Filled(colWhite), disc(p, r).Drawn(fill, colAccent, 2),
		domain.Letters(t.name, p, 13, ink)}
}

// open marks the places where the viewer may act now: in a mail by their names, on a page as choices to press. Once a
// place is chosen, the others of its kind can be pressed instead.
func (d *drawing) open() {
	list := targets(d.sketch.Open)
	if len(d.sketch.Open) == 0 && len(d.sketch.Chosen) > 0 {
		kind, _ := spotOf(d.sketch.Chosen[len(d.sketch.Chosen)-1])
		list = targets(slices.DeleteFunc(slices.Clone(d.sketch.Other), func(s domain.Spot) bool {
			k, _ := spotOf(s.Spot)
			return k == 0 || k != kind
		}))
	}
	for _, t := range list {
		group := t.bare()
		if d.sketch.Narrow {
			group = t.named()
		}
		d.put(domain.Shape{Group: group, Class: "mark"})
	}
	if len(d.sketch.Ahead) > 0 {
		list = append(list, d.ahead()...)
	}
	for i, t := range list { // above what is drawn, so that a finger need not hit the disc
		area := hexPath(t.at, hexSide-3)
		if !t.hex {
			area = nearest(list, i)
		}
		d.put(domain.Shape{Path: area, Hidden: true, Spot: t.spot, Class: "open"})
	}
}

// aheadRoads draws the roads that could be built, below the pieces at their ends.
func (d *drawing) aheadRoads() {
	for _, s := range d.sketch.Ahead {
		if kind, at := spotOf(s.Spot); kind == 'p' {
			a, b := pathEnds(at)
			bar := line(toward(a, b, 0.24), toward(a, b, 0.76))
			d.put(domain.Shape{Group: []domain.Shape{bar.Stroked(colWhite, 14),
				bar.Stroked(colAccent, 11),
				line(toward(a, b, 0.29), toward(a, b, 0.71)).Stroked(colPaper, 6)}, Class: "mark"})
		}
	}
}

// ahead draws where else something could be built, as empty places: people can press them before they say what to
// build.
func (d *drawing) ahead() []target {
	for _, s := range d.sketch.Ahead {
		kind, at := spotOf(s.Spot)
		var group []domain.Shape
		switch {
		case kind == 'p':
			continue
		case kind == 'c' && s.Key == state.KindCity.String():
			p := cornerPoint(at)
			badge := domain.Pt(p.X+13, p.Y-13)
			group = []domain.Shape{disc(p, 17).Stroked(colWhite, 5),
				disc(p, 17).Stroked(colAccent, 2.6),
				disc(badge, 8.5).Drawn(colAccent, colWhite, 1.4),
				domain.Path{}.M(badge.X-4.5, badge.Y).L(badge.X+4.5, badge.Y).M(badge.X, badge.Y-4.5).
					L(badge.X, badge.Y+4.5).Stroked(colWhite, 2)}
		case kind == 'c':
			p := cornerPoint(at)
			group = []domain.Shape{moved(house, p).Drawn(colWhite, colWhite, 6),
				moved(house, p).Drawn(colPaper, colAccent, 2.8)}
		}
		d.put(domain.Shape{Group: group, Class: "mark"})
	}
	return targets(d.sketch.Ahead)
}

// fingerReach is how far from a place a press still counts for it, in units: 44 pixels across on a phone.
const fingerReach = 32.0

// nearest returns the area nearer to one place than to the others, and not far from it: as large a target as its
// neighbours allow.
func nearest(list []target, i int) domain.Path {
	at := list[i].at
	corners := make([]domain.Point, 0, 12)
	for k := range 8 {
		sin, cos := math.Sincos(math.Pi / 8 * float64(2*k+1))
		r := fingerReach / math.Cos(math.Pi/8)
		corners = append(corners, domain.Pt(at.X+r*cos, at.Y+r*sin))
	}
	for k, o := range list {
		if k == i {
			continue
		}
		to := domain.Pt(o.at.X-at.X, o.at.Y-at.Y)
		if far := math.Hypot(to.X, to.Y); far > 0 && far < 2.2*fingerReach {
			corners = cut(corners, func(p domain.Point) float64 {
				return ((p.X-at.X)*to.X+(p.Y-at.Y)*to.Y)/far - far/2
			})
		}
	}
	path := domain.Path{}.M(corners[0].X, corners[0].Y)
	for _, p := range corners[1:] {
		path = path.L(p.X, p.Y)
	}
	for len(path) < 6 { // with fewer sides the whole box around an outline would be pressable
		path = path.L(corners[len(corners)-1].X, corners[len(corners)-1].Y)
	}
	return path.Z()
}

// cut keeps the part of an outline where beyond is not positive.
func cut(outline []domain.Point, beyond func(domain.Point) float64) (out []domain.Point) {
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		bp, bq := beyond(p), beyond(q)
		if bp <= 0 {
			out = append(out, p)
		}
		if bp*bq < 0 {
			out = append(out, toward(p, q, bp/(bp-bq)))
		}
	}
	return out
}

// dice draws what was rolled this turn, on the sea in the corner without a harbour; in Catan for two there are two
// rolls.
func (d *drawing) dice() {
	for i, pair := range d.v.Dice {
		if pair[0] == 0 {
			continue
		}
		for k, n := range pair {
			x := -seaX + 8 + 42*float64(k)
			if i > 0 {
				x = seaX - 8 - 80 + 42*float64(k)
			}
			d.die(domain.Pt(x, -seaTop+8), n)
		}
	}
}

// die draws one of them, 38 units wide.
func (d *drawing) die(at domain.Point, n int8) {
	const side, pip = 38.0, 3.6
	d.put(round(at.X+1, at.Y+2, side, side, 8).Filled(colInk.Alpha(70)),
		round(at.X, at.Y, side, side, 8).Drawn(colPaper, colInk, 1.6))
	for i, of := range pips {
		if of&(1<<n) != 0 {
			p := domain.Pt(at.X+side/2+10*float64(i%3-1), at.Y+side/2+10*float64(i/3-1))
			d.put(disc(p, pip).Filled(colInk))
		}
	}
}

// pips says, for each of nine places, which faces of a die have a pip there: bit n for face n.
var pips = [9]uint8{0b1110000 | 1<<3 | 1<<2, 0, 0b1110000, 1 << 6, 1<<1 | 1<<3 | 1<<5, 1 << 6, 0b1110000, 0,
	0b1110000 | 1<<3 | 1<<2}

// round returns a rectangle with round corners.
func round(x, y, w, h, r float64) domain.Path {
	return domain.Path{}.M(x+r, y).L(x+w-r, y).Q(x+w, y, x+w, y+r).L(x+w, y+h-r).Q(x+w, y+h, x+w-r, y+h).
		L(x+r, y+h).Q(x, y+h, x, y+h-r).L(x, y+r).Q(x, y, x+r, y).Z()
}
