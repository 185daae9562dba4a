package carcassonne

// asks is what the tiles about an open place ask of its edges: for each edge from N a digit
// to the base 5, the Kind that it must be, or 0 where anything goes. So few are its values that
// which turns of which tile fit is looked up.
type asks uint16

const asksMost = 5 * 5 * 5 * 5

var asksDigit = [4]asks{1, 5, 25, 125}

func asksOf(e int, k Kind) asks { return asks(k) * asksDigit[e] }

// edge is what is asked of an edge, or NoKind.
func (a asks) edge(e int) Kind { return Kind(a / asksDigit[e] % 5) }

// fitting has, for a kind of tile and what is asked, the bits of the quarter turns in which
// all edges are as asked (S1, placing a tile; point 7).
var fitting = fitAll(&shapes)

func fitAll(shapes *[tileKinds]shape) *[tileKinds][asksMost]uint8 {
	fit := &[tileKinds][asksMost]uint8{}
	for id := range shapes {
		for k := range 4 {
			r := &shapes[id].turned[k]
			for edges := range 16 { // those of which something is asked
				var a asks
				for e := range 4 {
					if edges>>e&1 == 1 {
						a += asksOf(e, r.edge(e))
					}
				}
				fit[id][a] |= 1 << k
			}
		}
	}
	return fit
}

// turns gives the bits of the quarter turns in which a tile matches every tile about an open
// place, rivers going on as rivers and not turning back. p is a tile that is being placed and
// does not lie on the board yet, or nil.
func (s *State) turns(id TileID, c *cell, p *placing) uint8 {
	fit := fitting[id][c.asks]
	if fit != 0 && shapes[id].set != Base {
		fit = s.riverTurns(id, fit, c, p)
	}
	return fit
}

// riverTurns leaves of the turns of a river tile those that also carry the river on.
func (s *State) riverTurns(id TileID, fit uint8, c *cell, p *placing) uint8 {
	in, ok := riverEdge(c)
	if !ok {
		return 0
	}
	for k := range 4 {
		if fit>>k&1 == 1 && s.turnsBack(&shapes[id].turned[k], c, in, p) {
			fit &^= 1 << k
		}
	}
	return fit
}
