package show

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// The outlines of a figure: head and body, and an abbot's mitre.
var (
	headLine = domain.Ellipse(0, -9.5, 6.4, 6.4)
	bodyLine = domain.Path{}.M(-11.5, 14).C(-11.5, 4, -7, 1, -5.2, -4).L(5.2, -4).C(7, 1, 11.5, 4, 11.5, 14).
			C(11.5, 15, 10.5, 15, 10, 15).L(-10, 15).C(-10.5, 15, -11.5, 15, -11.5, 14).Z()
	mitreLine = domain.Path{}.M(-6.4, -12).C(-8.5, -20, -4, -25, 0, -29).C(4, -25, 8.5, -20, 6.4, -12).Z()
)

func figureLines(abbot bool) []domain.Path {
	if abbot {
		return []domain.Path{headLine, bodyLine, mitreLine}
	}
	return []domain.Path{headLine, bodyLine}
}

// figureSymbol draws an owner's piece: standing, lying as a farmer, or the abbot in his mitre. Each bears the owner's
// letter, since not everybody can tell the colours apart.
func figureSymbol(f state.Stands) domain.Symbol {
	s := domain.Symbol{ID: figureID(f), X: -16, Y: -34, W: 32, H: 54}
	fill := domain.SeatColor(f.Seat.Seat())
	var figure []domain.Shape
	for _, pen := range [...]domain.Shape{{Stroke: paperColor, Width: 6}, {Stroke: inkColor, Width: 2.6},
		{Fill: fill}} {
		for _, pen.Path = range figureLines(f.Abbot) {
			figure = append(figure, pen)
		}
	}
	if f.Abbot {
		figure = append(figure,
			domain.Path{}.M(0, -27).L(0, -14).M(-3.2, -20.5).L(3.2, -20.5).Stroked(paperColor, 1.8),
			domain.Path{}.M(-7, -13).L(7, -13).Stroked(inkColor, 1.6))
	}
	letter := domain.Letters(f.Seat.Seat().Letter(), letterAt(f), 14, letterColor(fill))
	if lies(f) {
		s.X, s.Y, s.W, s.H = -20, -16, 40, 32
		s.Shapes = []domain.Shape{{Group: figure, Turn: -90}, letter}
		return s
	}
	s.Shapes = append(figure, letter)
	return s
}

// letterAt returns where a figure bears its letter.
func letterAt(f state.Stands) Point {
	if lies(f) {
		return Point{X: 6.2}
	}
	return Point{Y: 6.2}
}

// outlineSymbol draws a figure that may be placed, in an owner's colour on paper.
func outlineSymbol(f state.Stands, owner domain.Seat) domain.Symbol {
	s := domain.Symbol{ID: outlineID(f), X: -18, Y: -32, W: 36, H: 50}
	var figure []domain.Shape
	for _, pen := range [...]domain.Shape{{Stroke: domain.SeatColor(owner), Width: 3.6}, {Fill: paperColor}} {
		for _, pen.Path = range figureLines(f.Abbot) {
			figure = append(figure, pen)
		}
	}
	s.Shapes = figure
	if lies(f) {
		s.Y, s.H = -18, 36
		s.Shapes = []domain.Shape{{Group: figure, Turn: -90}}
	}
	return s
}

func outlineID(f state.Stands) string { return "may-" + figureKind(f) }

func lies(f state.Stands) bool { return f.On.Kind == table.Field && !f.Abbot }

func figureID(f state.Stands) string { return figureKind(f) + "-" + f.Seat.Seat().Letter() }

func figureKind(f state.Stands) string {
	switch {
	case f.Abbot:
		return "abbot"
	case lies(f):
		return "farmer"
	}
	return "figure"
}
