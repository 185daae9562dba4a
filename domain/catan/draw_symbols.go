package catan

import (
	"math"
	"slices"
	"strings"

	"posthorn/domain"
)

// symbols are drawn once and used often: the six terrains, the five icons, the robber.
func symbols() []domain.Symbol {
	return symbolList
}

// icons are the symbols of the resources alone.
func icons() []domain.Symbol {
	return slices.DeleteFunc(slices.Clone(symbolList), func(s domain.Symbol) bool { return !strings.HasPrefix(s.ID, "icon-") })
}

var symbolList = makeSymbols()

func makeSymbols() []domain.Symbol {
	patterns := [terrainCount]func() []domain.Shape{bricks, conifers, tufts, ears, peaks, dunes}
	var list []domain.Symbol
	for t := range Terrain(terrainCount) {
		shapes := []domain.Shape{{Path: hexPath(domain.Point{}, hexSide), Fill: colSand}}
		shapes = append(shapes, domain.Shape{Path: hexPath(domain.Point{}, hexSide-1.6), Fill: colTerrain[t]})
		shapes = append(shapes, patterns[t]()...)
		list = append(list, domain.Symbol{ID: "hex-" + t.String(), Shapes: shapes, X: -hexSide, Y: -hexSide, W: 2 * hexSide, H: 2 * hexSide})
	}
	icons := [kinds]func() []domain.Shape{brickIcon, lumberIcon, woolIcon, grainIcon, oreIcon}
	for r, icon := range icons {
		list = append(list, domain.Symbol{ID: "icon-" + resourceWords[r], Shapes: icon(), X: -13, Y: -13, W: 26, H: 26})
	}
	return append(list, domain.Symbol{ID: "robber", Shapes: robberFigure(), X: -14, Y: -24, W: 28, H: 46})
}

// around gives places for a pattern inside a hex, on a grid with every other row shifted,
// that leave the middle to the token.
func around(dx, dy, margin float64) []domain.Point {
	var list []domain.Point
	row := 0
	for y := -hexSide; y <= hexSide; y += dy {
		shift := 0.0
		if row%2 == 1 {
			shift = dx / 2
		}
		row++
		for x := -4*dx + shift; x <= 4*dx; x += dx {
			if math.Hypot(x, y) < 22 || !insideHex(x, y, hexSide-margin) {
				continue
			}
			list = append(list, domain.Point{X: x, Y: y})
		}
	}
	return list
}

func insideHex(x, y, side float64) bool {
	x, y = math.Abs(x), math.Abs(y)
	return x <= side*math.Sqrt(3)/2 && y <= side-x/math.Sqrt(3)
}

func bricks() []domain.Shape {
	var list []domain.Shape
	for _, p := range around(19, 11, 11) {
		list = append(list, domain.Shape{
			Path: domain.Rect(p.X-7, p.Y-3.5, 14, 7), Fill: colPattern[Brick].Alpha(90), Stroke: colPattern[Brick], Width: 1,
		})
	}
	return list
}

func conifers() []domain.Shape {
	var list []domain.Shape
	for _, p := range around(17, 17, 12) {
		list = append(list,
			domain.Shape{Path: domain.Rect(p.X-1.2, p.Y+5, 2.4, 4), Fill: colWood},
			domain.Shape{Path: domain.Path{}.M(p.X-6, p.Y+6).L(p.X, p.Y-3).L(p.X+6, p.Y+6).Z(), Fill: colPattern[Lumber]},
			domain.Shape{Path: domain.Path{}.M(p.X-4.6, p.Y).L(p.X, p.Y-8).L(p.X+4.6, p.Y).Z(), Fill: colPattern[Lumber]},
		)
	}
	return list
}

func tufts() []domain.Shape {
	var list []domain.Shape
	for i, p := range around(17, 15, 10) {
		if i%5 == 2 {
			list = append(list, sheep(p)...)
			continue
		}
		tuft := domain.Path{}.M(p.X-4, p.Y+3).Q(p.X-3, p.Y-1, p.X-5, p.Y-3).M(p.X, p.Y+3).L(p.X, p.Y-4).M(p.X+4, p.Y+3).Q(p.X+3, p.Y-1, p.X+5, p.Y-3)
		list = append(list, domain.Shape{Path: tuft, Stroke: colPattern[Wool], Width: 1.5})
	}
	return list
}

func sheep(p domain.Point) []domain.Shape {
	return []domain.Shape{
		{Path: domain.Ellipse(p.X, p.Y, 6, 4.2), Fill: colPaper, Stroke: colSoft, Width: 0.8},
		{Path: domain.Ellipse(p.X+5.5, p.Y-2, 2.4, 2), Fill: colInk},
		{Path: line(domain.Point{X: p.X - 3, Y: p.Y + 4}, domain.Point{X: p.X - 3, Y: p.Y + 7}), Stroke: colInk, Width: 1.2},
		{Path: line(domain.Point{X: p.X + 3, Y: p.Y + 4}, domain.Point{X: p.X + 3, Y: p.Y + 7}), Stroke: colInk, Width: 1.2},
	}
}

func ears() []domain.Shape {
	var list []domain.Shape
	for _, p := range around(11, 15, 9) {
		list = append(list, domain.Shape{Path: line(domain.Point{X: p.X, Y: p.Y + 6}, domain.Point{X: p.X, Y: p.Y - 4}), Stroke: colPattern[Grain], Width: 1.2})
		for i := range 3 {
			y := p.Y - 5 + float64(i)*3
			list = append(list, domain.Shape{
				Path:   domain.Path{}.M(p.X-3, y-2).L(p.X, y+0.6).L(p.X+3, y-2),
				Stroke: colPattern[Grain], Width: 1.3,
			})
		}
	}
	return list
}

func peaks() []domain.Shape {
	var list []domain.Shape
	for _, p := range around(22, 15.5, 11) {
		list = append(list,
			domain.Shape{Path: domain.Path{}.M(p.X-9, p.Y+6).L(p.X, p.Y-8).L(p.X+9, p.Y+6).Z(), Fill: colPattern[Ore]},
			domain.Shape{Path: domain.Path{}.M(p.X, p.Y-8).L(p.X+9, p.Y+6).L(p.X+2, p.Y+6).Z(), Fill: colInk.Alpha(50)},
			domain.Shape{Path: domain.Path{}.M(p.X-3.4, p.Y-2.7).L(p.X, p.Y-8).L(p.X+3.4, p.Y-2.7).L(p.X+1, p.Y-4).L(p.X-1, p.Y-2).Z(), Fill: colPaper},
		)
	}
	return list
}

func dunes() []domain.Shape {
	var list []domain.Shape
	for _, p := range around(25, 13, 12) {
		list = append(list, domain.Shape{
			Path: domain.Path{}.M(p.X-10, p.Y+2).Q(p.X-3, p.Y-6, p.X+2, p.Y).Q(p.X+6, p.Y+3, p.X+10, p.Y+1), Stroke: colPattern[Desert], Width: 1.8,
		})
	}
	return list
}

func brickIcon() []domain.Shape {
	return []domain.Shape{
		{Path: domain.Rect(-10, -1, 20, 8), Fill: colTerrain[Brick], Stroke: colInk, Width: 1.2},
		{Path: domain.Path{}.M(-10, -1).L(-6, -7).L(13, -7).L(10, -1).Z(), Fill: domain.RGB(0xDC9A72), Stroke: colInk, Width: 1.2},
		{Path: domain.Path{}.M(10, -1).L(13, -7).L(13, 1).L(10, 7).Z(), Fill: colPattern[Brick], Stroke: colInk, Width: 1.2},
	}
}

func lumberIcon() []domain.Shape {
	return []domain.Shape{
		{Path: domain.Path{}.M(-7, -6).L(9, -6).Q(12, 0, 9, 6).L(-7, 6).Z(), Fill: colWood, Stroke: colInk, Width: 1.2},
		{Path: domain.Ellipse(-7, 0, 4, 6), Fill: domain.RGB(0xDDBE8B), Stroke: colInk, Width: 1.2},
		{Path: domain.Ellipse(-7, 0, 1.8, 3), Stroke: colWood, Width: 1},
		{Path: line(domain.Point{X: -1, Y: -2}, domain.Point{X: 7, Y: -2}), Stroke: colInk.Alpha(120), Width: 1},
		{Path: line(domain.Point{X: 0, Y: 2}, domain.Point{X: 8, Y: 2}), Stroke: colInk.Alpha(120), Width: 1},
	}
}

func woolIcon() []domain.Shape {
	body := domain.RGB(0xF7F4EA)
	return []domain.Shape{
		{Path: line(domain.Point{X: -4, Y: 5}, domain.Point{X: -4, Y: 10}), Stroke: colInk, Width: 2},
		{Path: line(domain.Point{X: 4, Y: 5}, domain.Point{X: 4, Y: 10}), Stroke: colInk, Width: 2},
		{Path: domain.Ellipse(-1, 0, 10, 7.5), Fill: body, Stroke: colInk, Width: 1.2},
		{Path: domain.Path{}.M(-7, -1).Q(-5, -4, -3, -1).Q(-1, -4, 1, -1).Q(3, -4, 5, -1), Stroke: colSoft, Width: 1},
		{Path: domain.Ellipse(9, -4, 3.8, 3.2), Fill: colInk},
	}
}

func grainIcon() []domain.Shape {
	list := []domain.Shape{{Path: line(domain.Point{Y: 12}, domain.Point{Y: -4}), Stroke: colPattern[Grain], Width: 2}}
	list = append(list, domain.Shape{Path: domain.Ellipse(0, -9, 2.8, 4), Fill: colTerrain[Grain], Stroke: colInk, Width: 1})
	for i := range 3 {
		y := -5 + float64(i)*5
		for _, side := range []float64{-1, 1} {
			list = append(list, domain.Shape{
				Path: domain.Path{}.M(0, y+4).Q(side*1, y-2, side*7, y-4).Q(side*7, y+3, 0, y+4).Z(), Fill: colTerrain[Grain], Stroke: colInk, Width: 1,
			})
		}
	}
	return list
}

func oreIcon() []domain.Shape {
	return []domain.Shape{
		{Path: domain.Path{}.M(-11, 7).L(-8, -3).L(-2, -9).L(6, -7).L(11, 1).L(10, 7).Z(), Fill: colTerrain[Ore], Stroke: colInk, Width: 1.2},
		{Path: domain.Path{}.M(-8, -3).L(-1, -1).L(6, -7), Stroke: colInk, Width: 1},
		{Path: domain.Path{}.M(-1, -1).L(-3, 7).M(-1, -1).L(11, 1), Stroke: colInk, Width: 1},
		{Path: domain.Path{}.M(-2, -9).L(6, -7).L(-1, -1).L(-8, -3).Z(), Fill: colPaper.Alpha(110)},
	}
}

// robberFigure is a cloaked figure with a hood.
func robberFigure() []domain.Shape {
	cloak := domain.Path{}.M(-11, 18).Q(-9, -2, -5, -7).L(5, -7).Q(9, -2, 11, 18).Z()
	return []domain.Shape{
		{Path: cloak, Fill: colWhite, Stroke: colWhite, Width: 4.5},
		{Path: domain.Ellipse(0, -12, 7.5, 9), Fill: colWhite, Stroke: colWhite, Width: 4.5},
		{Path: cloak, Fill: colRobber},
		{Path: domain.Ellipse(0, -12, 7.5, 9), Fill: colRobber},
		{Path: domain.Ellipse(0, -10.5, 4.4, 5.4), Fill: domain.RGB(0x4B4653)},
		{Path: domain.Ellipse(-1.9, -11, 1.1, 1.3), Fill: colPaper},
		{Path: domain.Ellipse(1.9, -11, 1.1, 1.3), Fill: colPaper},
		{Path: domain.Path{}.M(0, -3).Q(-3, 8, -2, 18), Stroke: domain.RGB(0x5A5563), Width: 1.4},
	}
}
