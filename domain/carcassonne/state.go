package carcassonne

// State is a game's situation, kept up to date tile by tile. All of it lies in arrays of
// fixed size, so that copying a state is copying memory.
type State struct {
	// What lies where: a table of places, each in the first free slot from its hash on. A
	// place beside a tile comes into it, and stays when a tile is laid there.
	places [placeSlots]uint32
	at     [placeSlots]uint16 // tileMark and a tile's number, cellMark and an open one's; 0 in a free slot

	tiles  [maxTiles]laid
	nTiles uint8

	// A node is a part of a tile on the board. feature says which feature it belongs to, next
	// is the circular list of a feature's nodes.
	feature  [maxNodes]uint16
	next     [maxNodes]uint16
	owner    [maxNodes]uint8 // the tile a node lies on
	nNodes   uint16
	features [maxNodes]feature

	cells  [maxOpen]cell   // places that touch a tile, where there was room
	nCells uint16          // how much of it was ever used
	spare  uint16          // one that is used no more, and one; it knows the next such by its first node
	open   [maxOpen]vacant // the same places by rows
	nOpen  uint16

	figures  [maxFigures]figure
	nFigures uint8

	choices
	bag        Counts // tiles still to be drawn
	nLand      uint8  // of them, those that are not of the river
	nRiver     uint8
	piles      [maxOwners]uint8
	aside      [maxTiles]TileID
	nAside     uint8
	current    TileID
	toMove     Owner
	turn       uint16
	scores     [maxOwners]int32
	hand       [maxOwners]uint8
	abbotsHome [maxOwners]uint8
	over       bool
	ready      bool // set up
}

const (
	placeSlots = 512
	tileMark   = 1
	cellMark   = tileMark + maxTiles
	maxOpen    = 200 // 170 for a board in one piece; a given one may be in several
	maxFigures = maxOwners*(fullHand+1) + 4
)

// laid is a tile on the board.
type laid struct {
	x, y   int16
	id     TileID
	turn   uint8  // quarter turns
	around uint8  // how many of the eight places about it hold a tile
	node   uint16 // of its first part
}

// feature is a road, city, river or field, over all its tiles.
type feature struct {
	tiles    [2]uint64 // bits of the tiles it lies on
	nodes    uint16
	kind     Kind
	pennants uint8
	ends     uint8 // edges that lead to no tile yet; 0 of a field
	men      [maxOwners]uint8
	all      uint8 // the men of everybody
}

// cell is an empty place beside a tile: what its neighbours ask of its edges, and which of
// their parts it touches, by link (see turned.links).
type cell struct {
	x, y  int16
	asks  asks
	there uint16 // bits of the links that touch something
	node  [12]uint16
}

// vacant is an open place in the list: its row, its column, and its cell's number, in sixteen
// bits each from the highest, so that their order is that of numbers.
type vacant uint64

func vacantAt(x, y int16, n uint16) vacant {
	return vacant(uint16(y)^1<<15)<<32 | vacant(uint16(x)^1<<15)<<16 | vacant(n)
}

func (o vacant) cell() uint16 { return uint16(o) }

// figure is a follower or abbot on the board.
type figure struct {
	tile, part uint8 // part is shrinePart in a cloister or garden
	owner      Owner
	abbot      bool
}

func placeKey(x, y int16) uint32 { return uint32(uint16(x))<<16 | uint32(uint16(y)) }

// slot is where a place stands in the table, or would stand.
func (s *State) slot(x, y int16) uint16 {
	key := placeKey(x, y)
	i := uint16(key * 2654435769 >> 23)
	for s.at[i] != 0 && s.places[i] != key {
		i = (i + 1) % placeSlots
	}
	return i
}

// tileAt gives the number of the tile at a place, or -1.
func (s *State) tileAt(x, y int16) int {
	if n := int(s.at[s.slot(x, y)]) - tileMark; n < maxTiles {
		return n
	}
	return -1
}

// openAt gives the cell of an open place, or nil.
func (s *State) openAt(x, y int16) *cell {
	if n := int(s.at[s.slot(x, y)]) - cellMark; n >= 0 {
		return &s.cells[n]
	}
	return nil
}

func (t *laid) shape() *shape   { return &shapes[t.id] }
func (t *laid) turned() *turned { return &shapes[t.id].turned[t.turn] }

// cellAt is the open place at x, y; one that touches nothing asks nothing.
func (s *State) cellAt(x, y int16) cell {
	if c := s.openAt(x, y); c != nil {
		return *c
	}
	return cell{x: x, y: y}
}

// rank is where an open place stands among the others, or would stand.
func (s *State) rank(o vacant) int {
	lo, n := 0, int(s.nOpen)
	for n > 0 {
		half := n / 2
		if s.open[lo+half] < o {
			lo += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return lo
}

// opened makes a place, whose slot is given, an open one.
func (s *State) opened(x, y int16, slot uint16) *cell {
	n := s.nCells
	if s.spare > 0 {
		n = s.spare - 1
		s.spare = s.cells[n].node[0]
	} else {
		s.nCells++
	}
	s.cells[n] = cell{x: x, y: y}
	o := vacantAt(x, y, n)
	i := s.rank(o)
	copy(s.open[i+1:s.nOpen+1], s.open[i:s.nOpen])
	s.open[i] = o
	s.nOpen++
	s.places[slot], s.at[slot] = placeKey(x, y), cellMark+n
	return &s.cells[n]
}

// occupied takes a place from the open ones.
func (s *State) occupied(x, y int16, n uint16) {
	i := s.rank(vacantAt(x, y, n))
	copy(s.open[i:s.nOpen-1], s.open[i+1:s.nOpen])
	s.nOpen--
	s.cells[n] = cell{node: [12]uint16{s.spare}}
	s.spare = n + 1
}

// put lays a tile: the board, the open places, the neighbours, the features.
func (s *State) put(id TileID, quarter uint8, x, y int16) {
	c := s.cellAt(x, y)
	var j joined
	j.work(s, id, quarter, &c)
	n := uint16(s.nTiles)
	t := &s.tiles[n]
	*t = laid{x: x, y: y, id: id, turn: quarter, node: s.nNodes}
	s.nTiles++
	i := s.slot(x, y)
	if was := s.at[i]; was >= cellMark {
		s.occupied(x, y, was-cellMark)
	}
	s.places[i], s.at[i] = placeKey(x, y), tileMark+n
	s.tell(t)
	sh := t.shape()
	for p := range sh.n {
		s.owner[int(t.node)+p] = uint8(n)
	}
	s.nNodes += uint16(sh.n)
	s.absorb(&j, sh.n, t.node)
}

// tell tells the eight places about a new tile of it.
func (s *State) tell(t *laid) {
	r := t.turned()
	for i := range stepX {
		x, y := t.x+stepX[i], t.y+stepY[i]
		slot := s.slot(x, y)
		what := s.at[slot]
		switch {
		case what >= cellMark && i < 4:
			s.cells[what-cellMark].touch(r, i, t.node)
		case what >= cellMark:
		case what >= tileMark:
			s.tiles[what-tileMark].around++
			t.around++
		case i < 4:
			s.opened(x, y, slot).touch(r, i, t.node)
		}
	}
}

// touch notes at an open place the tile whose edge e it lies at, with the number of the
// tile's first node.
func (c *cell) touch(r *turned, e int, node uint16) {
	o := opposite(e)
	c.asks += asksOf(o, r.edge(e))
	meets := func(link int, part int8) {
		if part >= 0 {
			c.there |= 1 << link
			c.node[link] = node + uint16(part)
		}
	}
	meets(o, r.edgePart[e])
	meets(4+2*o+1, r.halfPart[2*e])
	meets(4+2*o, r.halfPart[2*e+1])
}

// absorb makes the groups of a join into features, the largest old one taking up the others.
func (s *State) absorb(j *joined, parts int, first uint16) {
	for g := range parts {
		grp := &j.group[g]
		if grp.dead {
			continue
		}
		id, size := first+uint16(g), uint16(0)
		for _, f := range grp.feats[:grp.nFeats] {
			if n := s.features[f].nodes; n > size {
				id, size = f, n
			}
		}
		head := uint16(0)
		started := size > 0
		if started {
			head = id
		}
		for _, f := range grp.feats[:grp.nFeats] {
			if f == id {
				continue
			}
			for n := f; ; {
				s.feature[n] = id
				if n = s.next[n]; n == f {
					break
				}
			}
			s.next[head], s.next[f] = s.next[f], s.next[head]
			size += s.features[f].nodes
		}
		for p := range parts {
			if int(j.of[p]) != g {
				continue
			}
			n := first + uint16(p)
			s.feature[n] = id
			if started {
				s.next[n], s.next[head] = s.next[head], n
			} else {
				s.next[n], head, started = n, n, true
			}
			size++
		}
		s.features[id] = grp.feature
		s.features[id].nodes = size
	}
}
