package carcassonne

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain/kit"
)

func (s *State) givenFigures(g *givenView) error {
	for i := range g.Tiles {
		for k := range g.Tiles[i].Figures {
			f := &g.Tiles[i].Figures[k]
			path := fmt.Sprintf("tiles[%d].figures[%d]", i, k)
			if k > 0 { // one figure a turn, on the tile just placed
				return kit.BadGiven(path, f, "one-figure")
			}
			if err := s.givenFigure(path, i, f); err != nil {
				return err
			}
			s.post(i, f)
		}
	}
	return nil
}

// givenFigure refuses a figure that cannot stand where it is given.
func (s *State) givenFigure(path string, tile int, f *Stands) error {
	if f.Seat >= Owner(s.owners) {
		return kit.BadGiven(path+".seat", f.Seat, "seat", "allowed", s.ownersInWords())
	}
	if err := s.givenFollower(path, f); err != nil {
		return err
	}
	t := &s.tiles[tile]
	sh := t.shape()
	p := sh.part(t.turned(), f.On)
	shrine := f.On.Kind == Cloister || f.On.Kind == Garden
	switch {
	case shrine && sh.shrine != f.On.Kind, !shrine && p < 0:
		return kit.BadGiven(path+".on", f.On, "part", "allowed", s.placesInWords(t))
	case shrine && t.around == 8, !shrine && s.features[s.feature[t.node+uint16(p)]].complete():
		return kit.BadGiven(path+".on", f.On, "complete")
	}
	return nil
}

// givenFollower refuses a figure that its owner does not have, or that never stands on such a place.
func (s *State) givenFollower(path string, f *Stands) error {
	shrine := f.On.Kind == Cloister || f.On.Kind == Garden
	switch {
	case f.Abbot && !s.abbot:
		return kit.BadGiven(path+".abbot", true, "no-abbot")
	case f.Abbot && !shrine:
		return kit.BadGiven(path+".on", f.On, "abbot-on")
	case f.Abbot && s.abbotsHome[f.Seat] == 0:
		return kit.BadGiven(path+".abbot", true, "one-abbot")
	case !f.Abbot && f.On.Kind == Garden:
		return kit.BadGiven(path+".on", f.On, "garden")
	case !f.Abbot && s.hand[f.Seat] == 0:
		return kit.BadGiven(path+".seat", f.Seat, "followers", "n", int(s.choices.hand))
	case f.On.Kind == River:
		return kit.BadGiven(path+".on", f.On, "river")
	case f.On.Kind == Field && !s.farmers:
		return kit.BadGiven(path+".on", f.On, "no-farmers")
	}
	return nil
}

// ownersInWords are the letters of the game's seats or colours.
func (s *State) ownersInWords() string {
	var list []string
	for o := range Owner(s.owners) {
		list = append(list, o.Seat().Letter())
	}
	return strings.Join(list, ", ")
}

// placesInWords are the parts of a tile as it lies that somebody may stand on.
func (s *State) placesInWords(t *laid) string {
	var list []string
	sh := t.shape()
	for p := range sh.n {
		if k := sh.kind[p]; k != River && (k != Field || s.farmers) {
			list = append(list, sh.place(t.turned(), p).String())
		}
	}
	if sh.shrine != NoKind {
		list = append(list, sh.shrine.String())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func (s *State) givenHands(g *givenView) error {
	for _, x := range []struct {
		key  string
		list []int
	}{{"scores", g.Scores}, {"followers", g.Followers}, {"abbots", g.Abbots}} {
		if x.list != nil && len(x.list) != int(s.owners) {
			return kit.BadGiven(x.key, x.list, "length", "n", int(s.owners))
		}
	}
	for o, n := range g.Scores {
		s.scores[o] = int32(n)
	}
	for o, n := range g.Followers {
		if n > int(s.hand[o]) {
			return kit.BadGiven(fmt.Sprintf("followers[%d]", o), n, "in-hand", "n", int(s.hand[o]))
		}
		s.hand[o] = uint8(n)
	}
	for o, n := range g.Abbots {
		if n > int(s.abbotsHome[o]) {
			return kit.BadGiven(fmt.Sprintf("abbots[%d]", o), n, "in-hand", "n", int(s.abbotsHome[o]))
		}
		s.abbotsHome[o] = uint8(n)
	}
	return nil
}

func (s *State) givenTurn(g *givenView) error {
	if g.ToMove != nil {
		if *g.ToMove >= Owner(s.owners) {
			return kit.BadGiven("to_move", *g.ToMove, "seat", "allowed", s.ownersInWords())
		}
		s.toMove = *g.ToMove
	}
	if g.Turn != nil {
		s.turn = uint16(*g.Turn)
	}
	return nil
}

// givenBag takes out of the bag what was set aside and what was drawn, and leaves in it only
// what is said to remain.
func (s *State) givenBag(g *givenView) error {
	for i, id := range g.SetAside {
		if err := s.takeOut(fmt.Sprintf("set_aside[%d]", i), id); err != nil {
			return err
		}
		s.aside[s.nAside] = s.kind(id)
		s.nAside++
	}
	if g.Tile != nil && *g.Tile != NoTile {
		if err := s.takeOut("tile", *g.Tile); err != nil {
			return err
		}
		s.current = s.kind(*g.Tile)
		if !s.fitsAnywhere(s.current, nil) {
			return kit.BadGiven("tile", *g.Tile, "fits-nowhere")
		}
	}
	if g.Remaining != nil {
		if err := s.givenRemaining(g.Remaining); err != nil {
			return err
		}
	} else {
		s.bag[spring] = 0 // the spring is never drawn: it is where a river starts
	}
	s.nLand, s.nRiver = s.bag.sums()
	return nil
}

func (s *State) takeOut(path string, id TileID) error {
	switch {
	case id == NoTile:
		return kit.BadGiven(path, "", "tile")
	case s.bag[s.kind(id)] == 0:
		return s.noneLeft(path, id, id)
	}
	s.bag[s.kind(id)]--
	return nil
}

// noneLeft says how many of a tile can be where more were given.
func (s *State) noneLeft(path string, id TileID, value any) error {
	if whole := s.fullBag(); whole[s.kind(id)] == 0 {
		return kit.BadGiven(path, value, "not-in-game")
	}
	return kit.BadGiven(path, value, "left", "n", int(s.bag[s.kind(id)]))
}

func (s *State) givenRemaining(given *Counts) error {
	var left Counts
	for id, n := range given {
		if n == 0 {
			continue
		}
		left[s.kind(TileID(id))] += n
		path := "remaining." + TileID(id).String()
		if TileID(id) == spring {
			return kit.BadGiven(path, int(n), "spring")
		}
		if k := s.kind(TileID(id)); left[k] > s.bag[k] {
			return s.noneLeft(path, TileID(id), int(n))
		}
	}
	s.bag = left
	return nil
}

func (s *State) givenPhase(g *givenView) error {
	if g.Phase == nil {
		return nil
	}
	now := PhaseLand
	if s.current == NoTile && s.nRiver > 0 || s.current != NoTile && shapes[s.current].set != Base {
		now = PhaseRiver
	}
	switch {
	case *g.Phase == now:
		return nil
	case *g.Phase != PhaseOver:
		return kit.BadGiven("phase", *g.Phase, "phase", "phase", string(now))
	case s.current != NoTile, !s.solo && g.Remaining != nil && s.nLand+s.nRiver > 0: // a solo game may stop before its last tile
		return kit.BadGiven("phase", *g.Phase, "not-over")
	}
	s.over = true
	return nil
}

func (s *State) givenPiles(g *givenView) error {
	switch {
	case !s.solo && len(g.Piles) > 0:
		return kit.BadGiven("piles", g.Piles, "only-solo")
	case !s.solo:
		return nil
	case g.Piles == nil:
		s.deal()
		return nil
	case len(g.Piles) != int(s.owners):
		return kit.BadGiven("piles", g.Piles, "length", "n", int(s.owners))
	}
	sum := 0
	for o, n := range g.Piles {
		sum += n
		s.piles[o] = uint8(n)
	}
	if sum != int(s.nLand) {
		return kit.BadGiven("piles", g.Piles, "piles", "n", int(s.nLand))
	}
	return nil
}
