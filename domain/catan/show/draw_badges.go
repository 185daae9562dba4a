package show

import (
	"math"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The measures of the badges, which show the numbers by which the story names the places of the last moves.
const (
	badgeSize  = 9.0  // its radius
	badgeGap   = 0.5  // the gap between it and anything else
	badgeReach = 46.0 // how far from its place it may lie: beside each place is the middle of a hex, which has no pieces
)

// newest is a place of the events to mark: the ring around it, and its number.
type newest struct {
	ring   domain.Path
	at     domain.Point
	near   float64 // the least distance of its badge
	number int8
}

// newest returns the places where something was built or the robber went in the events to mark.
func (d *drawing) newest() (list []newest) {
	for _, p := range d.played() {
		for _, x := range p.Pieces {
			if x.Sort == state.RoadPiece {
				list = append(list, newest{disc(pathPoint(x.At), 12), pathPoint(x.At), 15, x.At})
			} else if x.Sort != state.NoPiece {
				list = append(list, newest{disc(cornerPoint(x.At), 18), cornerPoint(x.At), 20, x.At})
			}
		}
		if at := int8(p.Robber); at != table.NoHex {
			list = append(list, newest{hexPath(hexCentre(at), hexSide-5), hexCentre(at), 27, at})
		}
	}
	return list
}

// lastPieces rings what was built and where the robber went in the events to mark, with the number by which the story
// names the place: beside the pieces, where neither hides the other.
func (d *drawing) lastPieces() {
	list := d.newest()
	if len(list) == 0 {
		return
	}
	for _, n := range list {
		d.put(domain.Shape{Class: "last", Group: []domain.Shape{{Path: n.ring, Stroke: colAccent, Width: 2.5}}})
	}
	about := d.obstacles()
	for _, n := range list {
		at := badgeAt(n, about)
		about = append(about, obstacle{roundAbout(at, badgeSize), heavy})
		d.put(domain.Shape{Class: "last", Group: []domain.Shape{
			{Path: disc(at, badgeSize), Fill: colAccent},
			{Text: strconv.Itoa(int(n.number)), At: at, Size: 12, Fill: colWhite, Bold: true},
		}})
	}
}

// heavy is the weight of a piece or a badge: more than everything else together.
const heavy = 1e4

// obstacle is something a badge keeps clear of: a point's distance from its edge, and its weight.
type obstacle struct {
	far    func(domain.Point) float64
	weight float64
}

// obstacles returns what lies on the island: above all pieces, then what can be pressed, the robber, the tokens and the
// harbours.
func (d *drawing) obstacles() (list []obstacle) {
	add := func(weight float64, far ...func(domain.Point) float64) {
		for _, f := range far {
			list = append(list, obstacle{f, weight})
		}
	}
	for _, x := range pieces(d.v) {
		add(heavy, pieceEdge(x))
	}
	tried, hexes := d.tried()
	for _, x := range tried {
		add(heavy, pieceEdge(x))
	}
	for _, h := range append(hexes, d.v.Robber) {
		at := robber(h).At
		add(20, box(domain.Point{X: at.X - 13.5, Y: at.Y - 23.5}, domain.Point{X: at.X + 13.5, Y: at.Y + 20.5}))
	}
	for _, t := range targets(append(d.sketch.Open[:len(d.sketch.Open):len(d.sketch.Open)], d.sketch.Ahead...)) {
		at := t.at
		if t.hex {
			at = plus(at, hexMark)
		}
		add(20, roundAbout(at, 14.5))
	}
	for _, s := range d.sketch.Ahead {
		if kind, at := spotOf(s.Spot); kind == 'p' {
			add(20, pieceEdge(state.Piece{Sort: state.RoadPiece, At: at}))
		}
	}
	for h, token := range d.v.Board.Tokens {
		if token != 0 {
			add(2, roundAbout(hexCentre(int8(h)), 17))
		}
	}
	for _, p := range table.Isle.HarbourPath {
		add(2, roundAbout(harbourPoint(p), 19))
	}
	return list
}

// badgeAt returns where the badge of a place lies: as near to it as there is room.
func badgeAt(n newest, about []obstacle) (best domain.Point) {
	about = slices.DeleteFunc(slices.Clone(about), func(o obstacle) bool { return o.far(n.at) > badgeReach+badgeSize+badgeGap })
	least := math.Inf(1)
	for far := n.near; far <= badgeReach && far-n.near < least; far++ {
		for k := range 24 { // from the upper right, to both sides
			turn := float64((k+1)/2*(1-k%2*2))*math.Pi/12 - math.Pi/6
			sin, cos := math.Sincos(turn)
			at := domain.Point{X: n.at.X + far*cos, Y: n.at.Y + far*sin}
			cost := (far - n.near) + .01*float64(k)
			if math.Abs(at.X) > seaX-badgeSize || at.Y < -seaTop+badgeSize || at.Y > seaFoot-badgeSize {
				cost += 1000
			}
			for _, o := range about {
				cost += o.weight * max(0, badgeSize+badgeGap-o.far(at))
			}
			if cost < least-1e-6 {
				least, best = cost, at
			}
		}
	}
	return best
}

// pieceEdge returns a function for a point's distance from a piece with its white rim.
func pieceEdge(x state.Piece) func(domain.Point) float64 {
	if x.Sort == state.RoadPiece {
		a, b := pathEnds(x.At)
		a, b = toward(a, b, 0.15), toward(a, b, 0.85)
		return func(p domain.Point) float64 {
			along := ((p.X-a.X)*(b.X-a.X) + (p.Y-a.Y)*(b.Y-a.Y)) / ((b.X-a.X)*(b.X-a.X) + (b.Y-a.Y)*(b.Y-a.Y))
			on := toward(a, b, min(1, max(0, along)))
			return math.Hypot(p.X-on.X, p.Y-on.Y) - (roadWide+5)/2
		}
	}
	outline := house
	if x.Sort == state.CityPiece {
		outline = tower
	}
	at, low, high := cornerPoint(x.At), domain.Point{}, domain.Point{}
	for _, s := range outline {
		low, high = domain.Point{X: min(low.X, s.To.X), Y: min(low.Y, s.To.Y)}, domain.Point{X: max(high.X, s.To.X), Y: max(high.Y, s.To.Y)}
	}
	return box(domain.Point{X: at.X + low.X - 2.5, Y: at.Y + low.Y - 2.5}, domain.Point{X: at.X + high.X + 2.5, Y: at.Y + high.Y + 2.5})
}

// box returns a function for a point's distance from a rectangle, negative inside.
func box(low, high domain.Point) func(domain.Point) float64 {
	return func(p domain.Point) float64 {
		x, y := max(low.X-p.X, p.X-high.X), max(low.Y-p.Y, p.Y-high.Y)
		if x < 0 && y < 0 {
			return max(x, y)
		}
		return math.Hypot(max(0, x), max(0, y))
	}
}

// roundAbout returns a function for a point's distance from a disc.
func roundAbout(at domain.Point, r float64) func(domain.Point) float64 {
	return func(p domain.Point) float64 { return math.Hypot(p.X-at.X, p.Y-at.Y) - r }
}
