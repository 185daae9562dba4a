package state

import "posthorn/domain/carcassonne/table"

// Posted is a figure and where it stands.
func (s *State) Posted(f *Figure) Posted {
	t := &s.Tiles[f.Tile]
	return Posted{
		Seat: f.Owner, Abbot: f.Abbot, X: int(t.X), Y: int(t.Y),
		On: t.Shape().Place(t.Turned(), int(f.Part)),
	}
}

// Lay makes a placing, empty until then, that of a tile at an open place or one beside none.
func (p *Placing) Lay(s *State, id table.TileID, quarter uint8, x, y int16) {
	p.S, p.id, p.Sh, p.quarter, p.Cell = s, id, &table.Shapes[id], quarter, s.CellAt(x, y)
	p.R = &p.Sh.Turned[quarter]
	p.J.work(s, id, quarter, &p.Cell)
}

// Placing is a tile that is about to lie, with what follows for the features about it.
type Placing struct {
	S       *State
	id      table.TileID
	Sh      *table.Shape
	R       *table.Turned
	quarter uint8
	Cell    Cell
	J       Joined
}
