package state

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// Clone copies a state: memory, nothing shared.
func (s *State) Clone() *State {
	c := *s
	return &c
}

// Evolve applies an event. It lays the tile and does what the event says followed; whether
// that was right was settled when the event was made. A turn that cannot be taken where the
// game stands, which is in no log but an altered one, changes nothing.
func (Room) Evolve(s *State, e *domain.Event) {
	switch b := e.Body.(type) {
	case *SetUp:
		s.load(&b.View)
	case *Played:
		if s.takes(b) {
			s.Apply(b)
		}
	}
}

// takes tells whether there is a place, a tile, a figure and an owner for what a turn says.
func (s *State) takes(b *Played) bool {
	if !s.Ready || s.Over || !s.lies(b.Tile, uint8(b.Turn/90), int16(b.X), int16(b.Y)) || b.NextBy >= Owner(s.Owners) || len(b.Piles) > int(s.Owners) {
		return false
	}
	if len(b.SetOff) > table.MaxTiles-int(s.NAside) || b.Placed != nil && !s.posts(b.Placed) {
		return false
	}
	for i := range b.Scores {
		for _, a := range b.Scores[i].Points {
			if a.Seat >= Owner(s.Owners) {
				return false
			}
		}
	}
	return true
}

// lies tells whether a tile can lie at a place: nothing does yet, it matches what lies beside,
// and there is room for it and for the places it opens.
func (s *State) lies(id table.TileID, quarter uint8, x, y int16) bool {
	c := s.CellAt(x, y)
	if s.NTiles == table.MaxTiles || int(s.nNodes)+table.Shapes[id].N > table.MaxNodes || s.TileAt(x, y) >= 0 || table.Fitting[id][c.Asks]>>quarter&1 == 0 {
		return false
	}
	open := int(s.NOpen)
	if s.OpenAt(x, y) != nil {
		open--
	}
	for i := range 4 {
		if s.at[s.slot(x+table.StepX[i], y+table.StepY[i])] == 0 {
			open++
		}
	}
	return open <= MaxOpen
}

// posts tells whether an owner has such a figure in hand.
func (s *State) posts(f *Stands) bool {
	if f.Seat >= Owner(s.Owners) || s.NFigures == maxFigures {
		return false
	}
	if f.Abbot {
		return s.AbbotsHome[f.Seat] > 0
	}
	return s.Hand[f.Seat] > 0
}

// Apply does what followed from a turn.
func (s *State) Apply(b *Played) {
	n := s.NTiles
	s.Put(b.Tile, uint8(b.Turn/90), int16(b.X), int16(b.Y))
	if b.Placed != nil {
		s.Post(int(n), b.Placed)
	}
	for i := range b.Scores {
		s.settle(&b.Scores[i])
	}
	for _, id := range b.SetOff {
		s.leave(id)
		s.Aside[s.NAside] = id
		s.NAside++
	}
	s.Current = b.Next
	if b.Next != table.NoTile {
		s.leave(b.Next)
	}
	for i, n := range b.Piles {
		s.Piles[i] = uint8(n)
	}
	s.ToMove = b.NextBy
	s.Turn++
	s.Over = b.Over()
}

// leave takes a tile out of the bag.
func (s *State) leave(id table.TileID) {
	if s.Bag[id] == 0 {
		return
	}
	s.Bag[id]--
	if table.Shapes[id].Set != table.Base {
		s.NRiver--
	} else {
		s.NLand--
	}
}

// Post puts a figure on a tile of the board.
func (s *State) Post(tile int, f *Stands) {
	t := &s.Tiles[tile]
	part := int8(table.ShrinePart)
	if f.On.Kind != table.Cloister && f.On.Kind != table.Garden {
		part = t.Shape().Part(t.Turned(), f.On)
	}
	s.Figures[s.NFigures] = Figure{Tile: uint8(tile), Part: uint8(part), Owner: f.Seat, Abbot: f.Abbot}
	s.NFigures++
	if f.Abbot {
		s.AbbotsHome[f.Seat]--
	} else {
		s.Hand[f.Seat]--
	}
	if part != table.ShrinePart {
		x := &s.Features[s.Feature[t.Node+uint16(part)]]
		x.Men[f.Seat]++
		x.All++
	}
}

// settle gives the points of a score and takes its figures back.
func (s *State) settle(x *Score) {
	for _, a := range x.Points {
		s.Scores[a.Seat] += int32(a.Points)
	}
	for i := range x.Figures {
		s.takeBack(&x.Figures[i])
	}
}

func (s *State) takeBack(p *Posted) {
	tile := s.TileAt(int16(p.X), int16(p.Y))
	for i := range s.Figures[:s.NFigures] {
		f := s.Figures[i]
		if int(f.Tile) != tile || f.Owner != p.Seat || f.Abbot != p.Abbot {
			continue
		}
		copy(s.Figures[i:s.NFigures-1], s.Figures[i+1:s.NFigures])
		s.NFigures--
		if f.Abbot {
			s.AbbotsHome[f.Owner]++
		} else {
			s.Hand[f.Owner]++
		}
		if f.Part != table.ShrinePart {
			x := &s.Features[s.Feature[s.Tiles[tile].Node+uint16(f.Part)]]
			x.Men[f.Owner]--
			x.All--
		}
		return
	}
}
