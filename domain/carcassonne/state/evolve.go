package state

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// Clone returns a copy of the memory; nothing is shared.
func (s *State) Clone() *State {
	c := *s
	return &c
}

// Evolve applies an event. It lays the tile and does what the event says followed; whether that was right was settled
// when the event was made. A turn that is impossible in this state, which only an altered log can contain, changes
// nothing.
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

// takes reports whether there is a place, a tile, a figure and an owner for a turn.
func (s *State) takes(b *Played) bool {
	if !s.Ready || s.Over || b.NextBy >= Owner(s.Owners) || len(b.Piles) > int(s.Owners) ||
		len(b.SetOff) > table.MaxTiles-int(s.NAside) {
		return false
	}
	for i := range b.Scores {
		for _, a := range b.Scores[i].Points {
			if a.Seat >= Owner(s.Owners) {
				return false
			}
		}
	}
	quarter := uint8(b.Turn / 90)
	return s.lies(b.Tile, quarter, int16(b.X), int16(b.Y)) && (b.Placed == nil || s.posts(b.Tile, quarter, b.Placed))
}

// lies reports whether a tile can lie at a place: it is empty, the tile matches its neighbours, and there is room for
// it and for the places it opens.
func (s *State) lies(id table.TileID, quarter uint8, x, y int16) bool {
	asks, open := table.Asks(0), int(s.NOpen)+4
	if n := s.at[s.slot(x, y)]; n >= cellMark {
		asks, open = s.Cells[n-cellMark].Asks, open-2 // it is no longer open, and has a tile beside it
	} else if n >= tileMark {
		return false
	}
	return open <= MaxOpen && s.NTiles < table.MaxTiles && int(s.nNodes)+table.Shapes[id].N <= table.MaxNodes &&
		table.Fitting[id][asks]>>quarter&1 == 1
}

// posts reports whether an owner has this figure in hand, and the tile this place.
func (s *State) posts(id table.TileID, quarter uint8, f *Stands) bool {
	return f.Seat < Owner(s.Owners) && s.NFigures < maxFigures && *s.home(f.Seat, f.Abbot) > 0 &&
		part(id, quarter, f) >= 0
}

// part returns the part of a tile on which a figure stands.
func part(id table.TileID, quarter uint8, f *Stands) int8 {
	sh := &table.Shapes[id]
	return sh.Part(&sh.Turned[quarter], f.On)
}

// home points to the number of followers, or abbots, that an owner has in hand.
func (s *State) home(o Owner, abbot bool) *uint8 {
	if abbot {
		return &s.AbbotsHome[o]
	}
	return &s.Hand[o]
}

// Apply applies what followed from a turn.
func (s *State) Apply(b *Played) {
	n := s.NTiles
	s.Put(b.Tile, uint8(b.Turn/90), int16(b.X), int16(b.Y))
	if b.Placed != nil {
		s.Post(int(n), b.Placed)
	}
	for i := range b.Scores {
		for _, a := range b.Scores[i].Points {
			s.Scores[a.Seat] += int32(a.Points)
		}
		for k := range b.Scores[i].Figures {
			s.takeBack(&b.Scores[i].Figures[k])
		}
	}
	for _, id := range b.SetOff {
		s.take(id)
		s.Aside[s.NAside] = id
		s.NAside++
	}
	s.Current = b.Next
	if b.Next != table.NoTile {
		s.take(b.Next)
	}
	for i, n := range b.Piles {
		s.Piles[i] = uint8(n)
	}
	s.ToMove = b.NextBy
	s.Turn++
	s.Over = b.Over()
}

// Post puts a figure on a tile of the board.
func (s *State) Post(tile int, f *Stands) {
	t := &s.Tiles[tile]
	s.Figures[s.NFigures] = Figure{Tile: uint8(tile), Part: uint8(t.Shape().Part(t.Turned(), f.On)), Owner: f.Seat,
		Abbot: f.Abbot}
	s.count(&s.Figures[s.NFigures], 1)
	s.NFigures++
}

// takeBack gives a figure back to its owner.
func (s *State) takeBack(p *Posted) {
	tile := s.TileAt(int16(p.X), int16(p.Y))
	for i, f := range s.Figures[:s.NFigures] {
		if int(f.Tile) == tile && f.Owner == p.Seat && f.Abbot == p.Abbot {
			s.count(&f, ^uint8(0))
			copy(s.Figures[i:s.NFigures-1], s.Figures[i+1:s.NFigures])
			s.NFigures--
			return
		}
	}
}

// count moves a figure from the hand to the men of the feature it stands in, or back where by is negative.
func (s *State) count(f *Figure, by uint8) {
	*s.home(f.Owner, f.Abbot) -= by
	if f.Part != table.ShrinePart {
		x := &s.Features[s.FeatureOf(f)]
		x.Men[f.Owner] += by
		x.All += by
	}
}

// FeatureOf returns the feature that a figure stands in. The figure must not stand in a cloister or garden.
func (s *State) FeatureOf(f *Figure) uint16 { return s.Feature[s.Tiles[f.Tile].Node+uint16(f.Part)] }

// Posted returns a figure and where it stands.
func (s *State) Posted(f *Figure) Posted {
	t := &s.Tiles[f.Tile]
	return Posted{
		Seat: f.Owner, Abbot: f.Abbot, X: int(t.X), Y: int(t.Y),
		On: t.Shape().Place(t.Turned(), int(f.Part)),
	}
}
