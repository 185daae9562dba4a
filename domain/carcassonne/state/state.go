// Package state is the state of a game of Carcassonne: its moves and events, how events change it, what people see of
// it and how it is written. It judges nothing.
package state

import "posthorn/domain/carcassonne/table"

// State is a game's state, updated tile by tile. All of it lies in arrays of fixed size, so that copying a state is
// copying memory.
type State struct {
	// What lies where: a hash table of places, each in the first free slot from its hash. A place beside a tile is
	// added to it, and stays when a tile is laid there.
	places [placeSlots]uint32
	at     [placeSlots]uint16 // tileMark plus a tile's number, or cellMark plus an open place's; 0 in a free slot

	Tiles  [table.MaxTiles]Laid
	NTiles uint8

	// A node is a part of a tile on the board. Feature gives the feature it belongs to, next the circular list of a
	// feature's nodes.
	Feature  [table.MaxNodes]uint16
	Next     [table.MaxNodes]uint16
	Owner    [table.MaxNodes]uint8 // the tile a node lies on
	nNodes   uint16
	Features [table.MaxNodes]Feature

	Cells  [MaxOpen]Cell   // places that touch a tile, in any free cell
	nCells uint16          // how many were ever used
	spare  uint16          // one more than a cell no longer in use; that cell's first node leads to the next
	Open   [MaxOpen]Vacant // the same places by rows
	NOpen  uint16

	Figures  [maxFigures]Figure
	NFigures uint8

	table.Choices
	Stack      // still to be drawn, without Current
	Aside      [table.MaxTiles]table.TileID
	NAside     uint8
	Current    table.TileID
	ToMove     Owner
	Turn       uint16
	Scores     [table.MaxOwners]int32
	Hand       [table.MaxOwners]uint8
	AbbotsHome [table.MaxOwners]uint8
	Over       bool
	Ready      bool // set up
}

const (
	placeSlots = 512
	tileMark   = 1
	cellMark   = tileMark + table.MaxTiles
	MaxOpen    = 200 // 170 for a board in one piece; a given board may be in several
	maxFigures = table.MaxOwners*(table.FullHand+1) + 4
)

// Laid is a tile on the board.
type Laid struct {
	X, Y   int16
	ID     table.TileID
	turn   uint8  // quarter turns
	Around uint8  // how many of the eight places around it hold a tile
	Node   uint16 // of its first part
}

// Feature is a road, city, river or field, over all its tiles.
type Feature struct {
	tiles    [2]uint64 // bits of the tiles it lies on
	nodes    uint16
	Kind     table.Kind
	Pennants uint8
	Ends     uint8 // edges with no tile beyond yet; 0 for a field
	Men      [table.MaxOwners]uint8
	All      uint8 // everybody's men
}

// Cell is an empty place beside a tile: what its neighbours require of its edges, and which of their parts it
// touches, by link.
type Cell struct {
	X, Y  int16
	Asks  table.Asks
	there uint16 // bits of the links that touch something
	node  [table.Links]uint16
}

// Vacant is an open place in the list: its row, its column and its cell's number, sixteen bits each from the highest,
// so that comparing numbers compares places.
type Vacant uint64

func vacantAt(x, y int16, n uint16) Vacant {
	return Vacant(uint16(y)^1<<15)<<32 | Vacant(uint16(x)^1<<15)<<16 | Vacant(n)
}

// Cell returns the open place's index among the cells.
func (o Vacant) Cell() uint16 { return uint16(o) }

// Figure is a follower or abbot on the board.
type Figure struct {
	Tile, Part uint8 // part is ShrinePart in a cloister or garden
	Owner      Owner
	Abbot      bool
}

func placeKey(x, y int16) uint32 { return uint32(uint16(x))<<16 | uint32(uint16(y)) }

// slot returns a place's slot in the table, or the slot it would take.
func (s *State) slot(x, y int16) uint16 {
	key := placeKey(x, y)
	i := uint16(key * 2654435769 >> 23)
	for s.at[i] != 0 && s.places[i] != key {
		i = (i + 1) % placeSlots
	}
	return i
}

// TileAt returns the number of the tile at a place, or -1.
func (s *State) TileAt(x, y int16) int {
	if n := int(s.at[s.slot(x, y)]) - tileMark; n < table.MaxTiles {
		return n
	}
	return -1
}

// OpenAt returns the cell of an open place, or nil.
func (s *State) OpenAt(x, y int16) *Cell {
	if n := int(s.at[s.slot(x, y)]) - cellMark; n >= 0 {
		return &s.Cells[n]
	}
	return nil
}

// Shape returns the tile as the table has it.
func (t *Laid) Shape() *table.Shape { return &table.Shapes[t.ID] }

// Turned returns the tile as it lies.
func (t *Laid) Turned() *table.Turned { return &table.Shapes[t.ID].Turned[t.turn] }

// CellAt returns the open place at x, y; one that touches nothing requires nothing.
func (s *State) CellAt(x, y int16) Cell {
	if c := s.OpenAt(x, y); c != nil {
		return *c
	}
	return Cell{X: x, Y: y}
}

// rank returns an open place's index among the others, or the index it would take.
func (s *State) rank(o Vacant) int {
	i := 0
	for n := int(s.NOpen); n > 0; n /= 2 {
		if s.Open[i+n/2] < o {
			i += (n + 1) / 2
		}
	}
	return i
}

// opened makes a place, with its slot given, an open one.
func (s *State) opened(x, y int16, slot uint16) *Cell {
	n := s.nCells
	if s.spare > 0 {
		n = s.spare - 1
		s.spare = s.Cells[n].node[0]
	} else {
		s.nCells++
	}
	s.Cells[n] = Cell{X: x, Y: y}
	o := vacantAt(x, y, n)
	i := s.rank(o)
	copy(s.Open[i+1:s.NOpen+1], s.Open[i:s.NOpen])
	s.Open[i] = o
	s.NOpen++
	s.places[slot], s.at[slot] = placeKey(x, y), cellMark+n
	return &s.Cells[n]
}

// occupied removes a place from the open ones.
func (s *State) occupied(x, y int16, n uint16) {
	i := s.rank(vacantAt(x, y, n))
	copy(s.Open[i:s.NOpen-1], s.Open[i+1:s.NOpen])
	s.NOpen--
	s.Cells[n] = Cell{node: [table.Links]uint16{s.spare}}
	s.spare = n + 1
}

// Put lays a tile: it updates the board, the open places, the neighbours and the features.
func (s *State) Put(id table.TileID, quarter uint8, x, y int16) {
	n, i := uint16(s.NTiles), s.slot(x, y)
	t := &s.Tiles[n]
	*t = Laid{X: x, Y: y, ID: id, turn: quarter, Node: s.nNodes}
	sh := t.Shape()
	var j Joined
	if was := s.at[i]; was >= cellMark {
		j.work(s, sh, t.Turned(), &s.Cells[was-cellMark])
		s.occupied(x, y, was-cellMark)
	} else {
		j.work(s, sh, t.Turned(), &Cell{})
	}
	s.NTiles++
	s.places[i], s.at[i] = placeKey(x, y), tileMark+n
	s.tell(t)
	for p := range sh.N {
		s.Owner[int(t.Node)+p] = uint8(n)
	}
	s.nNodes += uint16(sh.N)
	s.absorb(&j, sh.N, t.Node)
}

// tell updates the eight places around a new tile.
func (s *State) tell(t *Laid) {
	r := t.Turned()
	for i := range table.StepX {
		x, y := t.X+table.StepX[i], t.Y+table.StepY[i]
		slot := s.slot(x, y)
		what := s.at[slot]
		switch {
		case what >= cellMark && i < 4:
			s.Cells[what-cellMark].touch(r, i, t.Node)
		case what >= cellMark:
		case what >= tileMark:
			s.Tiles[what-tileMark].Around++
			t.Around++
		case i < 4:
			s.opened(x, y, slot).touch(r, i, t.Node)
		}
	}
}

// touch notes at an open place that edge e touches a tile, with the number of that tile's first node.
func (c *Cell) touch(r *table.Turned, e int, node uint16) {
	o := table.Opposite(e)
	c.Asks += table.AsksOf(o, r.Edge(e))
	meets := func(link int, part int8) {
		if part >= 0 {
			c.there |= 1 << link
			c.node[link] = node + uint16(part)
		}
	}
	meets(o, r.PartOf[e])
	meets(table.HalfLinks+2*o+1, r.PartOf[table.HalfLinks+2*e])
	meets(table.HalfLinks+2*o, r.PartOf[table.HalfLinks+2*e+1])
}

// absorb turns the groups of a join into features; the largest old one absorbs the others.
func (s *State) absorb(j *Joined, parts int, first uint16) {
	for n := first; n < first+uint16(parts); n++ {
		s.Next[n] = n
	}
	for g := range parts {
		grp := &j.Group[g]
		if grp.dead {
			continue
		}
		id, size := first+uint16(g), uint16(0)
		for _, f := range grp.Taken() {
			if n := s.Features[f].nodes; n > size {
				id, size = f, n
			}
		}
		for _, f := range grp.Taken() {
			if f == id {
				continue
			}
			for n := f; ; {
				s.Feature[n] = id
				if n = s.Next[n]; n == f {
					break
				}
			}
			s.link(id, f)
			size += s.Features[f].nodes
		}
		for p := range parts {
			if int(j.Of[p]) == g {
				n := first + uint16(p)
				s.Feature[n] = id
				s.link(id, n)
				size++
			}
		}
		s.Features[id] = grp.Feature
		s.Features[id].nodes = size
	}
}

// link makes one circular list out of two; a feature's number is that of a node in it.
func (s *State) link(a, b uint16) {
	if a != b {
		s.Next[a], s.Next[b] = s.Next[b], s.Next[a]
	}
}

// Room is the state, for kit.New.
type Room struct{}

// New returns an empty state.
func (Room) New() *State { return &State{Current: table.NoTile} }

// Clone returns a copy of a state.
func (Room) Clone(s *State) *State { return s.Clone() }

// CopyOver copies a state over another.
func (Room) CopyOver(to, from *State) { *to = *from }
