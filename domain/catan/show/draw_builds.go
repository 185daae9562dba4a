package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// build is something that is paid for.
type build struct {
	kind state.Kind
	cost table.Hand
}

// builds are in order of price.
var builds = [...]build{{state.KindRoad, table.RoadCost}, {state.KindSettle, table.SettlementCost},
	{state.KindCity, table.CityCost}, {state.KindBuy, table.CardCost}}

// look returns a picture of what is built, about 26 units high, in a colour.
func (b build) look(fill domain.Color) []domain.Shape {
	outlined := func(p domain.Path) []domain.Shape {
		return []domain.Shape{p.Drawn(fill, colInk, 1.4)}
	}
	switch b.kind {
	case state.KindRoad:
		bar := domain.Path{}.M(-9, 8).L(9, -8)
		return []domain.Shape{bar.Stroked(colInk, 9), bar.Stroked(fill, 6.4)}
	case state.KindSettle:
		return outlined(house)
	case state.KindCity:
		return outlined(tower)
	}
	return []domain.Shape{
		round(-8, -12, 16, 24, 3).Drawn(colPaper, colInk, 1.4),
		{Text: "?", Size: 15, Bold: true, Fill: colInk},
	}
}

// developed returns the picture of a development card, about 30 units high.
func developed(k table.Card, at domain.Point) []domain.Shape {
	ink := func(p domain.Path, fill domain.Color) domain.Shape {
		return moved(p, at).Drawn(fill, colInk, 1.3)
	}
	line := func(p domain.Path, stroke domain.Color, width float64) domain.Shape {
		return moved(p, at).Stroked(stroke, width)
	}
	path := func() domain.Path { return domain.Path{} }
	switch k {
	case table.Knight: // a helmet with its plume
		return []domain.Shape{
			line(path().M(0, -9).Q(4, -17, 12, -13), colRed, 4),
			ink(path().M(-10, 13).L(-10, -2).Q(-10, -11, 0, -11).Q(10, -11, 10, -2).L(10, 13).L(4, 13).L(4, 4).L(-4, 4).
				L(-4, 13).Z(), domain.RGB(0xB4BBC2)),
			line(path().M(-7, -1).L(7, -1), colInk, 2.6),
		}
	case table.Point: // a laurel with a star
		return []domain.Shape{
			ink(path().M(0, -13).L(3.8, -4.5).L(13, -4).L(6, 2).L(8.2, 11).L(0, 6).L(-8.2, 11).L(-6, 2).L(-13, -4).
				L(-3.8, -4.5).Z(), domain.RGB(0xE3B93C)),
		}
	case table.Roads:
		return []domain.Shape{
			line(path().M(-11, 9).L(1, -3), colInk, 7.6), line(path().M(-11, 9).L(1, -3), colWood, 5),
			line(path().M(3, -4).L(12, -12), colInk, 7.6), line(path().M(3, -4).L(12, -12), colWood, 5),
		}
	case table.Plenty: // two cards
		return []domain.Shape{
			ink(round(-13, -11, 15, 21, 3), colTerrain[table.Grain]),
			ink(round(-2, -8, 15, 21, 3), colTerrain[table.Lumber]),
			line(path().M(5.5, -1).L(5.5, 6).M(2, 2.5).L(9, 2.5), colWhite, 2.4),
		}
	}
	return []domain.Shape{ // all cards into one hand
		ink(round(-12, -12, 24, 10, 3), colTerrain[table.Ore]),
		ink(path().M(-11, 12).L(-11, 3).Q(-11, 0, -8, 0).L(8, 0).Q(11, 0, 11, 3).L(11, 12).Z(), domain.RGB(0xD8B38A)),
		line(path().M(0, -8).L(0, 7).M(-4, 3).L(0, 8).L(4, 3), colInk, 2.2),
	}
}
