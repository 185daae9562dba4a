package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// figureSymbols are an owner's pieces: standing, lying as a farmer, and the abbot in his
// mitre. Each bears the owner's letter, since not every eye tells the colours apart.
func figureSymbol(o state.Owner, abbot, lying bool) domain.Symbol {
	head := domain.Ellipse(0, -9.5, 6.4, 6.4)
	body := domain.Path{}.M(-11.5, 14).C(-11.5, 4, -7, 1, -5.2, -4).L(5.2, -4).C(7, 1, 11.5, 4, 11.5, 14).C(11.5, 15, 10.5, 15, 10, 15).L(-10, 15).C(-10.5, 15, -11.5, 15, -11.5, 14).Z()
	s := domain.Symbol{ID: figureID(o, abbot, lying), X: -16, Y: -34, W: 32, H: 54}
	fill := domain.SeatColor(o.Seat())
	parts := []domain.Path{head, body}
	if abbot {
		parts = append(parts, domain.Path{}.M(-6.4, -12).C(-8.5, -20, -4, -25, 0, -29).C(4, -25, 8.5, -20, 6.4, -12).Z())
	}
	var figure []domain.Shape
	for _, pen := range [...]domain.Shape{{Stroke: paperColor, Width: 6}, {Stroke: inkColor, Width: 2.6}, {Fill: fill}} {
		for _, pen.Path = range parts {
			figure = append(figure, pen)
		}
	}
	if abbot {
		figure = append(figure,
			domain.Shape{Path: domain.Path{}.M(0, -27).L(0, -14).M(-3.2, -20.5).L(3.2, -20.5), Stroke: paperColor, Width: 1.8},
			domain.Shape{Path: domain.Path{}.M(-7, -13).L(7, -13), Stroke: inkColor, Width: 1.6})
	}
	letter := domain.Shape{Text: o.Seat().Letter(), At: Point{Y: 6.2}, Size: 14, Bold: true, Fill: letterColor(fill)}
	if lying {
		s.X, s.Y, s.W, s.H = -20, -16, 40, 32
		letter.At = Point{X: 6.2}
		s.Shapes = []domain.Shape{{Group: figure, Turn: -90}, letter}
		return s
	}
	s.Shapes = append(figure, letter)
	return s
}

func figureID(o state.Owner, abbot, lying bool) string {
	kind := "figure-"
	switch {
	case abbot:
		kind = "abbot-"
	case lying:
		kind = "farmer-"
	}
	return kind + o.Seat().Letter()
}

// letterColor is white or ink, whichever reads better on a colour.
func letterColor(on domain.Color) domain.Color {
	r, g, b := float64(on>>24), float64(on>>16&0xFF), float64(on>>8&0xFF)
	if 0.3*r+0.59*g+0.11*b > 150 {
		return inkColor
	}
	return domain.RGB(0xFFFFFF)
}

// pennantSymbol is a city's shield.
func pennantSymbol() domain.Symbol {
	shield := domain.Path{}.M(-6.5, -8).L(6.5, -8).L(6.5, 0).C(6.5, 5, 3, 7.5, 0, 9).C(-3, 7.5, -6.5, 5, -6.5, 0).Z()
	return domain.Symbol{ID: "pennant", X: -9, Y: -11, W: 18, H: 22, Shapes: []domain.Shape{
		{Path: shield, Fill: pennantColor, Stroke: paperColor, Width: 2.4},
		{Path: domain.Path{}.M(-6, -4.5).L(6, 3.5), Stroke: domain.RGB(0xE8C84F), Width: 2.2},
		{Path: shield, Stroke: inkColor, Width: 1},
	}}
}

// badge says what was earned: a disc in the owner's colour with the points.
func badge(at Point, o state.Owner, points int) domain.Shape {
	text := "+" + strconv.Itoa(points)
	fill := domain.SeatColor(o.Seat())
	w := 9 + 3.6*float64(len(text))
	pill := domain.Path{}.M(-w+9, -9).L(w-9, -9).C(w+3, -9, w+3, 9, w-9, 9).L(-w+9, 9).C(-w-3, 9, -w-3, -9, -w+9, -9).Z()
	return domain.Shape{At: at, Class: "earned", Group: []domain.Shape{
		{Path: pill, Fill: fill, Stroke: paperColor, Width: 5},
		{Path: pill, Fill: fill, Stroke: inkColor, Width: 1.2},
		{Text: text, Size: 13.5, Bold: true, Fill: letterColor(fill)},
	}}
}

// StandsAt is where a figure stands on a tile turned by quarters, from the tile's middle.
// It stands a little beside a church or a bed, so that both are seen.
func StandsAt(id table.TileID, quarters int, on table.Place) (p Point) {
	sh := &table.Shapes[id]
	if part := sh.Part(&sh.Turned[quarters&3], on); part >= 0 {
		p = PlanOf(id).spots[part]
	}
	p = QuarterTurned(p, quarters)
	if on.Kind.Shrine() {
		return Point{X: min(p.X+8, 33), Y: min(p.Y+5, 33)}
	}
	return p
}
