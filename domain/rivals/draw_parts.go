package rivals

import "posthorn/domain"

// box is a rectangle with round corners.
func box(x, y, w, h, r float64, fill domain.Color) domain.Shape {
	if r == 0 {
		return domain.Shape{Path: domain.Rect(x, y, w, h), Fill: fill}
	}
	p := domain.Path{}.M(x+r, y).L(x+w-r, y).Q(x+w, y, x+w, y+r).L(x+w, y+h-r).Q(x+w, y+h, x+w-r, y+h).
		L(x+r, y+h).Q(x, y+h, x, y+h-r).L(x, y+r).Q(x, y, x+r, y).Z()
	return domain.Shape{Path: p, Fill: fill}
}

func disc(x, y, r float64, fill, stroke domain.Color) domain.Shape {
	return domain.Shape{Path: domain.Ellipse(x, y, r, r), Fill: fill, Stroke: stroke, Width: 1.2}
}

func line(x1, y1, x2, y2 float64, c domain.Color, width float64) domain.Shape {
	return domain.Shape{Path: domain.Path{}.M(x1, y1).L(x2, y2), Stroke: c, Width: width}
}

func text(x, y float64, s string, size float64, c domain.Color, bold bool) domain.Shape {
	return domain.Shape{Text: s, At: domain.Point{X: x, Y: y}, Size: size, Fill: c, Bold: bold, Serif: true}
}

func filled(p domain.Path, c domain.Color) domain.Shape {
	return domain.Shape{Path: p, Fill: c, Stroke: ink, Width: 1.2}
}

func poly(points ...float64) domain.Path {
	p := domain.Path{}.M(points[0], points[1])
	for i := 2; i+1 < len(points); i += 2 {
		p = p.L(points[i], points[i+1])
	}
	return p.Z()
}

func symbol(id string, size float64, shapes ...domain.Shape) domain.Symbol {
	return domain.Symbol{ID: id, Shapes: shapes, X: -size, Y: -size, W: 2 * size, H: 2 * size}
}

// symbols are the drawing's vocabulary: points, resources, lands, and what cards are.
func symbols() []domain.Symbol {
	list := append(pointSymbols(), thingSymbols()...)
	list = append(list, goodsSymbols()...)
	return append(list, landSymbols()...)
}

func pointSymbols() []domain.Symbol {
	gold, steel, wood := domain.RGB(0xE0B83A), domain.RGB(0x8F969C), domain.RGB(0x8C6239)
	return []domain.Symbol{
		symbol("star", 11, filled(poly(0, -10, 3, -3, 10, -3, 4.5, 1.5, 6.5, 9, 0, 4.5, -6.5, 9, -4.5, 1.5, -10, -3, -3, -3), gold)),
		symbol("scales", 12, line(0, -9, 0, 9, ink, 2), line(-9, -6, 9, -6, ink, 2), line(-5, 9, 5, 9, ink, 2),
			filled(domain.Path{}.M(-11, 0).Q(-8, 6, -4, 0).Z(), gold), filled(domain.Path{}.M(4, 0).Q(8, 6, 11, 0).Z(), gold),
			line(-9, -6, -11, 0, ink, 1), line(-9, -6, -4, 0, ink, 1), line(9, -6, 4, 0, ink, 1), line(9, -6, 11, 0, ink, 1)),
		symbol("axe", 12, line(-5, 10, 4, -9, wood, 3), filled(domain.Path{}.M(0, -9).Q(10, -11, 10, 0).Q(5, -3, -2, -3).Z(), steel)),
		symbol("harp", 12, domain.Shape{Path: domain.Path{}.M(-7, 9).L(-7, -8).Q(0, -12, 8, -7).Q(4, 4, -7, 9).Z(), Stroke: wood, Width: 2.5},
			line(-3, 6, -3, -9, wood, 1), line(1, 3, 1, -9, wood, 1), line(4, -1, 4, -8, wood, 1)),
		symbol("book", 12, filled(domain.Path{}.M(0, -6).Q(-6, -10, -11, -6).L(-11, 7).Q(-6, 3, 0, 7).Z(), domain.RGB(0xF7EFD8)),
			filled(domain.Path{}.M(0, -6).Q(6, -10, 11, -6).L(11, 7).Q(6, 3, 0, 7).Z(), domain.RGB(0xF7EFD8)), line(0, -6, 0, 7, ink, 1.5)),
	}
}

func thingSymbols() []domain.Symbol {
	wall, roof, stone, wood := domain.RGB(0xE8C99A), domain.RGB(0xA8442F), domain.RGB(0xC9C2B4), domain.RGB(0x8C6239)
	skin, cloth, steel := domain.RGB(0xE7C9A0), domain.RGB(0x4E6E8A), domain.RGB(0x8F969C)
	return []domain.Symbol{
		symbol("settlement", 40, filled(poly(-26, 26, -26, -2, 0, -26, 26, -2, 26, 26), wall), filled(poly(-32, 2, 0, -32, 32, 2, 26, 6, 0, -20, -26, 6), roof),
			filled(domain.Rect(-7, 8, 14, 18), wood)),
		symbol("city", 40, filled(poly(-34, 26, -34, -4, -18, -18, -2, -4, -2, 26), wall), filled(poly(-38, 0, -18, -24, 2, 0), roof),
			filled(domain.Rect(2, -30, 24, 56), stone), filled(poly(-1, -30, 14, -42, 29, -30), roof), filled(domain.Rect(9, 8, 10, 18), wood),
			filled(domain.Rect(10, -20, 8, 10), ink), filled(domain.Rect(-24, 8, 10, 18), wood)),
		symbol("house", 26, filled(poly(-18, 20, -18, 0, 0, -16, 18, 0, 18, 20), wall), filled(poly(-23, 3, 0, -20, 23, 3, 18, 6, 0, -11, -18, 6), roof), filled(domain.Rect(-5, 7, 10, 13), wood)),
		symbol("tower", 26, filled(domain.Rect(-13, -14, 26, 34), stone), filled(poly(-16, -14, -16, -22, -9, -22, -9, -18, -3, -18, -3, -22, 3, -22, 3, -18, 9, -18, 9, -22, 16, -22, 16, -14), stone), filled(domain.Rect(-4, 6, 8, 14), wood)),
		symbol("ship", 26, filled(domain.Path{}.M(-22, 8).L(22, 8).Q(16, 20, 8, 20).L(-10, 20).Q(-18, 18, -22, 8).Z(), wood), line(0, 8, 0, -20, wood, 2.5),
			filled(domain.Path{}.M(2, -18).Q(22, -8, 16, 4).L(-14, 4).Q(-18, -8, 2, -18).Z(), paper)),
		symbol("hero", 26, filled(domain.Path{}.M(-16, 20).Q(-16, 0, 0, 0).Q(16, 0, 16, 20).Z(), cloth), disc(0, -8, 9, skin, ink), filled(domain.Path{}.M(-10, -9).Q(0, -24, 10, -9).Z(), steel)),
		symbol("unit", 26, filled(domain.Rect(-20, -4, 34, 10), steel), disc(-8, 12, 8, wood, ink), disc(10, 12, 6, wood, ink), disc(16, 1, 4, ink, ink)),
		symbol("scroll", 26, filled(domain.Path{}.M(-16, -16).L(14, -16).Q(20, -10, 14, -6).L(14, 16).L(-12, 16).Q(-20, 12, -14, 6).Z(), domain.RGB(0xF3E3B5)),
			line(-8, -8, 8, -8, ink, 1.5), line(-8, -1, 8, -1, ink, 1.5), line(-8, 6, 4, 6, ink, 1.5)),
		symbol("swords", 26, line(-14, 16, 14, -16, steel, 4), line(14, 16, -14, -16, steel, 4), line(-16, 8, -6, 18, wood, 3), line(16, 8, 6, 18, wood, 3)),
		symbol("bolt", 26, filled(poly(4, -20, -12, 3, -2, 3, -6, 20, 12, -5, 2, -5), domain.RGB(0x5C6B7A))),
	}
}

func goodsSymbols() []domain.Symbol {
	c := resColors
	return []domain.Symbol{
		symbol("res-brick", 14, filled(domain.Rect(-12, -2, 11, 8), c[Brick]), filled(domain.Rect(1, -2, 11, 8), c[Brick]), filled(domain.Rect(-6, -11, 12, 8), c[Brick])),
		symbol("res-grain", 14, line(0, 12, 0, -6, domain.RGB(0xA8842B), 2), filled(domain.Ellipse(0, -8, 3, 5), c[Grain]), filled(domain.Ellipse(-6, -2, 3, 5), c[Grain]), filled(domain.Ellipse(6, -2, 3, 5), c[Grain]), filled(domain.Ellipse(-6, 7, 3, 5), c[Grain]), filled(domain.Ellipse(6, 7, 3, 5), c[Grain])),
		symbol("res-lumber", 14, filled(domain.Rect(-12, -6, 24, 7), domain.RGB(0x8C6239)), filled(domain.Rect(-12, 2, 24, 7), domain.RGB(0x9C7146)), disc(-11, -2.5, 3.5, domain.RGB(0xE0C59A), ink), disc(-11, 5.5, 3.5, domain.RGB(0xE0C59A), ink)),
		symbol("res-wool", 14, disc(0, 0, 8, paper, ink), disc(-7, 2, 5, paper, ink), disc(7, 2, 5, paper, ink), disc(9, -5, 4, ink, ink)),
		symbol("res-ore", 14, filled(poly(-12, 9, -8, -4, -1, -10, 7, -6, 12, 9), c[Ore]), line(-4, 0, 1, 5, ink, 1)),
		symbol("res-gold", 14, filled(domain.Ellipse(0, 5, 10, 4), c[GoldRes]), filled(domain.Ellipse(0, 0, 10, 4), c[GoldRes]), filled(domain.Ellipse(0, -5, 10, 4), c[GoldRes])),
	}
}

// landSymbols are the patterns of the regions, so that no eye depends on colour.
func landSymbols() []domain.Symbol {
	tree := func(x, y float64) domain.Shape {
		return domain.Shape{Path: poly(x, y-13, x+8, y+6, x-8, y+6), Fill: domain.RGB(0x3F6B3C)}
	}
	tuft := func(x, y float64) domain.Shape {
		return domain.Shape{Path: domain.Path{}.M(x-5, y+4).L(x-2, y-4).L(x, y+4).L(x+3, y-5).L(x+5, y+4), Stroke: domain.RGB(0x6F8F4E), Width: 1.6}
	}
	var ears, bricks []domain.Shape
	for _, y := range []float64{-18, 0, 18, 34} {
		for x := -38.0; x < 40; x += 13 {
			ears = append(ears, line(x, y+6, x+3, y-6, domain.RGB(0xB8932F), 2))
		}
		bricks = append(bricks, line(-42, y, 42, y, domain.RGB(0x9C5A34), 1.4), line(-26, y, -26, y+18, domain.RGB(0x9C5A34), 1.4), line(24, y, 24, y+18, domain.RGB(0x9C5A34), 1.4))
	}
	return []domain.Symbol{
		symbol("land-hills", 48, bricks...),
		symbol("land-fields", 48, ears...),
		symbol("land-forest", 48, tree(-32, -8), tree(32, -8), tree(-34, 22), tree(34, 22), tree(-20, 34), tree(20, 34)),
		symbol("land-pasture", 48, tuft(-33, -8), tuft(33, -6), tuft(-34, 20), tuft(33, 22), tuft(-14, 36), tuft(14, 36)),
		symbol("land-mountains", 48, domain.Shape{Path: poly(-44, 40, -30, -8, -16, 40), Fill: domain.RGB(0x7C838A)}, domain.Shape{Path: poly(16, 40, 31, -10, 44, 40), Fill: domain.RGB(0x7C838A)},
			domain.Shape{Path: poly(-33, 3, -30, -8, -26, 3), Fill: paper}, domain.Shape{Path: poly(27, 2, 31, -10, 35, 2), Fill: paper}),
		symbol("land-gold_field", 48, domain.Shape{Path: domain.Path{}.M(-44, 30).C(-20, 10, 10, 50, 44, 24), Stroke: domain.RGB(0x7FB2CC), Width: 7},
			disc(-32, -4, 4, domain.RGB(0xF4DE7A), ink), disc(33, 2, 4, domain.RGB(0xF4DE7A), ink), disc(-26, 12, 3, domain.RGB(0xF4DE7A), ink)),
	}
}
