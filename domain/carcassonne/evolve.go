package carcassonne

import "posthorn/domain"

// New is an empty state.
func (stateRoom) New() *State { return &State{current: NoTile} }

// Clone copies a state.
func (stateRoom) Clone(s *State) *State { return s.Clone() }

// Clone copies a state: memory, nothing shared.
func (s *State) Clone() *State {
	c := *s
	return &c
}

// Evolve applies an event. It lays the tile and does what the event says followed; whether
// that was right was settled when the event was made. A turn that cannot be taken where the
// game stands, which is in no log but an altered one, changes nothing.
func (stateRoom) Evolve(s *State, e *domain.Event) {
	switch b := e.Body.(type) {
	case *SetUp:
		s.load(&b.View)
	case *Played:
		if s.takes(b) {
			s.apply(b)
		}
	}
}

// takes tells whether there is a place, a tile, a figure and an owner for what a turn says.
func (s *State) takes(b *Played) bool {
	if !s.ready || s.over || !s.lies(b.Tile, uint8(b.Turn/90), int16(b.X), int16(b.Y)) || b.NextBy >= Owner(s.owners) || len(b.Piles) > int(s.owners) {
		return false
	}
	if len(b.SetOff) > maxTiles-int(s.nAside) || b.Placed != nil && !s.posts(b.Placed) {
		return false
	}
	for i := range b.Scores {
		for _, a := range b.Scores[i].Points {
			if a.Seat >= Owner(s.owners) {
				return false
			}
		}
	}
	return true
}

// lies tells whether a tile can lie at a place: nothing does yet, it matches what lies beside,
// and there is room for it and for the places it opens.
func (s *State) lies(id TileID, quarter uint8, x, y int16) bool {
	c := s.cellAt(x, y)
	if s.nTiles == maxTiles || int(s.nNodes)+shapes[id].n > maxNodes || s.tileAt(x, y) >= 0 || fitting[id][c.asks]>>quarter&1 == 0 {
		return false
	}
	open := int(s.nOpen)
	if s.openAt(x, y) != nil {
		open--
	}
	for i := range 4 {
		if s.at[s.slot(x+stepX[i], y+stepY[i])] == 0 {
			open++
		}
	}
	return open <= maxOpen
}

// posts tells whether an owner has such a figure in hand.
func (s *State) posts(f *Stands) bool {
	if f.Seat >= Owner(s.owners) || s.nFigures == maxFigures {
		return false
	}
	if f.Abbot {
		return s.abbotsHome[f.Seat] > 0
	}
	return s.hand[f.Seat] > 0
}

func (s *State) apply(b *Played) {
	n := s.nTiles
	s.put(b.Tile, uint8(b.Turn/90), int16(b.X), int16(b.Y))
	if b.Placed != nil {
		s.post(int(n), b.Placed)
	}
	for i := range b.Scores {
		s.settle(&b.Scores[i])
	}
	for _, id := range b.SetOff {
		s.leave(id)
		s.aside[s.nAside] = id
		s.nAside++
	}
	s.current = b.Next
	if b.Next != NoTile {
		s.leave(b.Next)
	}
	for i, n := range b.Piles {
		s.piles[i] = uint8(n)
	}
	s.toMove = b.NextBy
	s.turn++
	s.over = b.Over()
}

// leave takes a tile out of the bag.
func (s *State) leave(id TileID) {
	if s.bag[id] == 0 {
		return
	}
	s.bag[id]--
	if shapes[id].set != Base {
		s.nRiver--
	} else {
		s.nLand--
	}
}

// post puts a figure on a tile of the board.
func (s *State) post(tile int, f *Stands) {
	t := &s.tiles[tile]
	part := int8(shrinePart)
	if f.On.Kind != Cloister && f.On.Kind != Garden {
		part = t.shape().part(t.turned(), f.On)
	}
	s.figures[s.nFigures] = figure{tile: uint8(tile), part: uint8(part), owner: f.Seat, abbot: f.Abbot}
	s.nFigures++
	if f.Abbot {
		s.abbotsHome[f.Seat]--
	} else {
		s.hand[f.Seat]--
	}
	if part != shrinePart {
		x := &s.features[s.feature[t.node+uint16(part)]]
		x.men[f.Seat]++
		x.all++
	}
}

// settle gives the points of a score and takes its figures back.
func (s *State) settle(x *Score) {
	for _, a := range x.Points {
		s.scores[a.Seat] += int32(a.Points)
	}
	for i := range x.Figures {
		s.takeBack(&x.Figures[i])
	}
}

func (s *State) takeBack(p *Posted) {
	tile := s.tileAt(int16(p.X), int16(p.Y))
	for i := range s.figures[:s.nFigures] {
		f := s.figures[i]
		if int(f.tile) != tile || f.owner != p.Seat || f.abbot != p.Abbot {
			continue
		}
		copy(s.figures[i:s.nFigures-1], s.figures[i+1:s.nFigures])
		s.nFigures--
		if f.abbot {
			s.abbotsHome[f.owner]++
		} else {
			s.hand[f.owner]++
		}
		if f.part != shrinePart {
			x := &s.features[s.feature[s.tiles[tile].node+uint16(f.part)]]
			x.men[f.owner]--
			x.all--
		}
		return
	}
}
