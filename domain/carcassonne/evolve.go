package carcassonne

import "posthorn/domain"

// New is an empty state.
func (Rules) New() domain.State { return &State{current: NoTile} }

// Clone copies a state.
func (Rules) Clone(st domain.State) domain.State { return st.(*State).Clone() }

// Clone copies a state: memory, nothing shared.
func (s *State) Clone() *State {
	c := *s
	return &c
}

// Evolve applies an event. It lays the tile and does what the event says followed; whether
// that was right was settled when the event was made.
func (Rules) Evolve(st domain.State, e *domain.Event) {
	s := st.(*State)
	switch b := e.Body.(type) {
	case *SetUp:
		s.load(&b.View)
	case *Played:
		s.apply(b)
	case *Dealt:
		// Everything that is not decided yet is drawn when it is needed: nothing to replace.
	}
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
