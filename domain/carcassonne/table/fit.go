package table

// Asks is what the tiles about an open place ask of its edges: for each edge from N a digit
// to the base 5, the Kind that it must be, or 0 where anything goes. So few are its values that
// which turns of which tile fit is looked up.
type Asks uint16

const asksMost = 5 * 5 * 5 * 5

var asksDigit = [4]Asks{1, 5, 25, 125}

// AsksOf is what is asked of a place whose neighbour across an edge has such a part.
func AsksOf(e int, k Kind) Asks { return Asks(k) * asksDigit[e] }

// Edge is what is asked of an edge, or NoKind.
func (a Asks) Edge(e int) Kind { return Kind(a / asksDigit[e] % 5) }

// Fitting has, for a kind of tile and what is asked, the bits of the quarter turns in which
// all edges are as asked (S1, placing a tile; point 7).
var Fitting = fitAll(&Shapes)

func fitAll(shapes *[TileKinds]Shape) *[TileKinds][asksMost]uint8 {
	fit := &[TileKinds][asksMost]uint8{}
	for id := range shapes {
		for k := range 4 {
			r := &shapes[id].Turned[k]
			for edges := range 16 { // those of which something is asked
				var a Asks
				for e := range 4 {
					if edges>>e&1 == 1 {
						a += AsksOf(e, r.Edge(e))
					}
				}
				fit[id][a] |= 1 << k
			}
		}
	}
	return fit
}
