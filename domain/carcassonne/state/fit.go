package state

import "posthorn/domain/carcassonne/table"

// Turns gives the bits of the quarter turns in which a tile matches every tile about an open
// place, rivers going on as rivers and not turning back. p is a tile that is being placed and
// does not lie on the board yet, or nil.
func (s *State) Turns(id table.TileID, c *Cell, p *Placing) uint8 {
	fit := table.Fitting[id][c.Asks]
	if fit != 0 && table.Shapes[id].Set != table.Base {
		fit = s.riverTurns(id, fit, c, p)
	}
	return fit
}

// riverTurns leaves of the turns of a river tile those that also carry the river on.
func (s *State) riverTurns(id table.TileID, fit uint8, c *Cell, p *Placing) uint8 {
	in, ok := RiverEdge(c)
	if !ok {
		return 0
	}
	for k := range 4 {
		if fit>>k&1 == 1 && s.TurnsBack(&table.Shapes[id].Turned[k], c, in, p) {
			fit &^= 1 << k
		}
	}
	return fit
}
