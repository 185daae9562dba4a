package show

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Tally counts the figures everybody has in hand, and the tiles still to be drawn.
func (Room) Tally(v *state.View) (t domain.Tally) {
	for o, n := range v.Followers {
		f := state.Stands{Seat: state.Owner(o), On: table.Place{Kind: table.Road}}
		list := []domain.Count{{Name: "followers", Scene: figureScene(f), N: n, First: true,
			Words: domain.S("board.followers", "n", n)}}
		if v.Options.On("abbot") && o < len(v.Abbots) {
			f.Abbot = true
			list = append(list, domain.Count{Name: "abbots", Scene: figureScene(f), N: v.Abbots[o], First: true,
				Words: domain.S("tally.abbots", "n", v.Abbots[o])})
		}
		t.Each = append(t.Each, list)
	}
	if v.Tile != table.NoTile {
		left, _ := supply(v)
		t.All = []domain.Count{{Name: "tiles", Scene: tilesScene, N: left, First: true,
			Words: domain.S("tally.tiles", "n", left)}}
	}
	return t
}

// Deeds returns none: a turn is a tile and perhaps a figure.
func (Room) Deeds(*state.View) []domain.Deed { return nil }

// Pictured returns nothing: players do not trade.
func (Room) Pictured(string) domain.Scene { return domain.Scene{} }

// figureScene draws a single figure.
func figureScene(f state.Stands) domain.Scene {
	s := figureSymbol(f)
	return domain.Scene{X: s.X, Y: s.Y, W: s.W, H: s.H, Shapes: s.Shapes}
}

// tilesScene is a stack of tiles, face down.
var tilesScene = domain.Scene{X: -14, Y: -14, W: 28, H: 28, Shapes: []domain.Shape{
	domain.Rect(-6, -11, 17, 17).Drawn(roofShade, inkColor, 1.4),
	domain.Rect(-9, -8, 17, 17).Drawn(roofColor, inkColor, 1.4),
	domain.Rect(-12, -5, 17, 17).Drawn(cityColor, inkColor, 1.4),
}}
