package picture_test

import (
	"math"

	"posthorn/domain"
)

// board returns a scene with something of everything: symbols turned and in groups, strokes solid and dashed, text with
// a halo, spots, and a shape drawn in neither form.
func board() domain.Scene {
	tile := domain.Symbol{ID: "tile-a", X: -50, Y: -50, W: 100, H: 100, Shapes: []domain.Shape{
		{Path: domain.Rect(-50, -50, 100, 100), Fill: domain.RGB(0xA9BE72)},
		{Path: domain.Path{}.M(-50, 0).C(-10, 0, 0, 10, 0, 50), Stroke: domain.RGB(0x8B7A5E), Width: 12},
		{Path: domain.Path{}.M(-50, 0).C(-10, 0, 0, 10, 0, 50), Stroke: domain.RGB(0xF2E8D0), Width: 9},
		{Path: domain.Ellipse(20, -20, 12, 8), Fill: domain.RGB(0x6FA8C7).Alpha(0x80), Stroke: domain.RGB(0x5B8597),
			Width: 2},
	}}
	piece := domain.Symbol{ID: "piece", X: -15, Y: -15, W: 30, H: 30, Shapes: []domain.Shape{
		{Path: domain.Ellipse(0, 0, 12, 12), Fill: domain.RGB(0xD55E00), Stroke: domain.RGB(0x2B2A28), Width: 1},
		{Text: "B", Size: 14, Bold: true, Fill: domain.RGB(0xFFFFFF)},
	}}
	s := domain.Scene{X: -60, Y: -60, W: 420, H: 320, Ground: domain.RGB(0xFAF6EC),
		Symbols: []domain.Symbol{tile, piece}}
	for i := range 6 {
		s.Shapes = append(s.Shapes, domain.Shape{
			Use: "tile-a", At: domain.Point{X: float64(i%3) * 100, Y: float64(i/3) * 100}, Turn: float64(i) * 90})
	}
	s.Shapes = append(s.Shapes,
		domain.Shape{Use: "piece", At: domain.Point{X: 20, Y: 30}},
		domain.Shape{Group: []domain.Shape{{Use: "piece", At: domain.Point{X: 10}}}, At: domain.Point{X: 100, Y: 50},
			Turn: 30, Scale: 1.5},
		domain.Shape{Path: domain.Rect(250, 150, 100, 100), Stroke: domain.RGB(0x0B6E6E), Width: 2, Dash: 6,
			Spot: "2,1", Class: "open"},
		domain.Shape{Text: "12", At: domain.Point{X: 300, Y: 200}, Size: 40, Fill: domain.RGB(0x0B6E6E),
			Stroke: domain.RGB(0xFFFFFF), Width: 3},
		domain.Shape{Path: domain.Ellipse(0, 0, 9, 9), Spot: "road N", Hidden: true, Fill: domain.RGB(0xFF0000)},
	)
	return s
}

// large returns a scene the size of a finished game: 72 tiles of many kinds, 9 by 8.
func large() domain.Scene {
	s := domain.Scene{X: -20, Y: -20, W: 940, H: 840, Ground: domain.RGB(0xFAF6EC)}
	ids := []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11"}
	for k, id := range ids {
		sym := domain.Symbol{ID: id, X: -50, Y: -50, W: 100, H: 100, Shapes: []domain.Shape{
			{Path: domain.Rect(-50, -50, 100, 100), Fill: domain.RGB(0xA9BE72), Stroke: domain.RGB(0x8DA45A), Width: 1},
			{Path: domain.Path{}.M(-50, -50).C(-20, -10, 20, -10, 50, -50).Z(), Fill: domain.RGB(0xD8B07A),
				Stroke: domain.RGB(0x7B4F2E), Width: 5},
			{Path: domain.Path{}.M(-50, 0).Q(0, float64(k*4), 50, 0), Stroke: domain.RGB(0x8B7A5E), Width: 12},
			{Path: domain.Path{}.M(-50, 0).Q(0, float64(k*4), 50, 0), Stroke: domain.RGB(0xF2E8D0), Width: 9},
		}}
		for j := range 40 {
			x, y := 45*math.Sin(float64(j*7+k)), 45*math.Cos(float64(j*5+3*k))
			sym.Shapes = append(sym.Shapes,
				domain.Shape{Path: domain.Path{}.M(x, y).L(x+3, y-4), Stroke: domain.RGB(0x97AD61), Width: 1})
		}
		s.Symbols = append(s.Symbols, sym)
	}
	for i := range 72 {
		s.Shapes = append(s.Shapes, domain.Shape{
			Use: ids[i*5%12], At: domain.Point{X: float64(i%9)*100 + 50, Y: float64(i/9)*100 + 50},
			Turn: float64(i%4) * 90})
	}
	return s
}
