package rules

import (
	"fmt"
	"slices"
	"strings"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

func givenFigures(s *state.State, g *state.GivenView) error {
	for i := range g.Tiles {
		for k := range g.Tiles[i].Figures {
			f := &g.Tiles[i].Figures[k]
			path := fmt.Sprintf("tiles[%d].figures[%d]", i, k)
			if k > 0 { // one figure a turn, on the tile just placed
				return kit.BadGiven(path, f, "one-figure")
			}
			if err := givenFigure(s, path, i, f); err != nil {
				return err
			}
			s.Post(i, f)
		}
	}
	return nil
}

// givenFigure refuses a figure that cannot stand where it is given.
func givenFigure(s *state.State, path string, tile int, f *state.Stands) error {
	if f.Seat >= state.Owner(s.Owners) {
		return kit.BadGiven(path+".seat", f.Seat, "seat", "allowed", ownersInWords(s))
	}
	if err := givenFollower(s, path, f); err != nil {
		return err
	}
	t := &s.Tiles[tile]
	sh := t.Shape()
	p := sh.Part(t.Turned(), f.On)
	shrine := f.On.Kind == table.Cloister || f.On.Kind == table.Garden
	switch {
	case shrine && sh.Shrine != f.On.Kind, !shrine && p < 0:
		return kit.BadGiven(path+".on", f.On, "part", "allowed", placesInWords(s, t))
	case shrine && t.Around == 8, !shrine && s.Features[s.Feature[t.Node+uint16(p)]].Complete():
		return kit.BadGiven(path+".on", f.On, "complete")
	}
	return nil
}

// givenFollower refuses a figure that its owner does not have, or that never stands on such a place.
func givenFollower(s *state.State, path string, f *state.Stands) error {
	shrine := f.On.Kind == table.Cloister || f.On.Kind == table.Garden
	switch {
	case f.Abbot && !s.Abbot:
		return kit.BadGiven(path+".abbot", true, "no-abbot")
	case f.Abbot && !shrine:
		return kit.BadGiven(path+".on", f.On, "abbot-on")
	case f.Abbot && s.AbbotsHome[f.Seat] == 0:
		return kit.BadGiven(path+".abbot", true, "one-abbot")
	case !f.Abbot && f.On.Kind == table.Garden:
		return kit.BadGiven(path+".on", f.On, "garden")
	case !f.Abbot && s.Hand[f.Seat] == 0:
		return kit.BadGiven(path+".seat", f.Seat, "followers", "n", int(s.Choices.Hand))
	case f.On.Kind == table.River:
		return kit.BadGiven(path+".on", f.On, "river")
	case f.On.Kind == table.Field && !s.Farmers:
		return kit.BadGiven(path+".on", f.On, "no-farmers")
	}
	return nil
}

// ownersInWords are the letters of the game's seats or colours.
func ownersInWords(s *state.State) string {
	var list []string
	for o := range state.Owner(s.Owners) {
		list = append(list, o.Seat().Letter())
	}
	return strings.Join(list, ", ")
}

// placesInWords are the parts of a tile as it lies that somebody may stand on.
func placesInWords(s *state.State, t *state.Laid) string {
	var list []string
	sh := t.Shape()
	for p := range sh.N {
		if k := sh.Kind[p]; k != table.River && (k != table.Field || s.Farmers) {
			list = append(list, sh.Place(t.Turned(), p).String())
		}
	}
	if sh.Shrine != table.NoKind {
		list = append(list, sh.Shrine.String())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func givenHands(s *state.State, g *state.GivenView) error {
	for _, x := range []struct {
		key  string
		list []int
	}{{"scores", g.Scores}, {"followers", g.Followers}, {"abbots", g.Abbots}} {
		if x.list != nil && len(x.list) != int(s.Owners) {
			return kit.BadGiven(x.key, x.list, "length", "n", int(s.Owners))
		}
	}
	for o, n := range g.Scores {
		s.Scores[o] = int32(n)
	}
	for o, n := range g.Followers {
		if n > int(s.Hand[o]) {
			return kit.BadGiven(fmt.Sprintf("followers[%d]", o), n, "in-hand", "n", int(s.Hand[o]))
		}
		s.Hand[o] = uint8(n)
	}
	for o, n := range g.Abbots {
		if n > int(s.AbbotsHome[o]) {
			return kit.BadGiven(fmt.Sprintf("abbots[%d]", o), n, "in-hand", "n", int(s.AbbotsHome[o]))
		}
		s.AbbotsHome[o] = uint8(n)
	}
	return nil
}

func givenTurn(s *state.State, g *state.GivenView) error {
	if g.ToMove != nil {
		if *g.ToMove >= state.Owner(s.Owners) {
			return kit.BadGiven("to_move", *g.ToMove, "seat", "allowed", ownersInWords(s))
		}
		s.ToMove = *g.ToMove
	}
	if g.Turn != nil {
		s.Turn = uint16(*g.Turn)
	}
	return nil
}

// givenBag takes out of the bag what was set aside and what was drawn, and leaves in it only
// what is said to remain.
func givenBag(s *state.State, g *state.GivenView) error {
	for i, id := range g.SetAside {
		if err := takeOut(s, fmt.Sprintf("set_aside[%d]", i), id); err != nil {
			return err
		}
		s.Aside[s.NAside] = state.Kind(&s.Choices, id)
		s.NAside++
	}
	if g.Tile != nil && *g.Tile != table.NoTile {
		if err := takeOut(s, "tile", *g.Tile); err != nil {
			return err
		}
		s.Current = state.Kind(&s.Choices, *g.Tile)
		if !s.FitsAnywhere(s.Current, nil) {
			return kit.BadGiven("tile", *g.Tile, "fits-nowhere")
		}
	}
	if g.Remaining != nil {
		if err := givenRemaining(s, g.Remaining); err != nil {
			return err
		}
	} else {
		s.Bag[state.Spring] = 0 // the spring is never drawn: it is where a river starts
	}
	s.NLand, s.NRiver = s.Bag.Sums()
	return nil
}

func takeOut(s *state.State, path string, id table.TileID) error {
	switch {
	case id == table.NoTile:
		return kit.BadGiven(path, "", "tile")
	case s.Bag[state.Kind(&s.Choices, id)] == 0:
		return noneLeft(s, path, id, id)
	}
	s.Bag[state.Kind(&s.Choices, id)]--
	return nil
}

// noneLeft says how many of a tile can be where more were given.
func noneLeft(s *state.State, path string, id table.TileID, value any) error {
	if whole := state.FullBag(&s.Choices); whole[state.Kind(&s.Choices, id)] == 0 {
		return kit.BadGiven(path, value, "not-in-game")
	}
	return kit.BadGiven(path, value, "left", "n", int(s.Bag[state.Kind(&s.Choices, id)]))
}

func givenRemaining(s *state.State, given *state.Counts) error {
	var left state.Counts
	for id, n := range given {
		if n == 0 {
			continue
		}
		left[state.Kind(&s.Choices, table.TileID(id))] += n
		path := "remaining." + table.TileID(id).String()
		if table.TileID(id) == state.Spring {
			return kit.BadGiven(path, int(n), "spring")
		}
		if k := state.Kind(&s.Choices, table.TileID(id)); left[k] > s.Bag[k] {
			return noneLeft(s, path, table.TileID(id), int(n))
		}
	}
	s.Bag = left
	return nil
}

func givenPhase(s *state.State, g *state.GivenView) error {
	if g.Phase == nil {
		return nil
	}
	now := state.PhaseLand
	if s.Current == table.NoTile && s.NRiver > 0 || s.Current != table.NoTile && table.Shapes[s.Current].Set != table.Base {
		now = state.PhaseRiver
	}
	switch {
	case *g.Phase == now:
		return nil
	case *g.Phase != state.PhaseOver:
		return kit.BadGiven("phase", *g.Phase, "phase", "phase", string(now))
	case s.Current != table.NoTile, !s.Solo && g.Remaining != nil && s.NLand+s.NRiver > 0: // a solo game may stop before its last tile
		return kit.BadGiven("phase", *g.Phase, "not-over")
	}
	s.Over = true
	return nil
}

func givenPiles(s *state.State, g *state.GivenView) error {
	switch {
	case !s.Solo && len(g.Piles) > 0:
		return kit.BadGiven("piles", g.Piles, "only-solo")
	case !s.Solo:
		return nil
	case g.Piles == nil:
		deal(s)
		return nil
	case len(g.Piles) != int(s.Owners):
		return kit.BadGiven("piles", g.Piles, "length", "n", int(s.Owners))
	}
	sum := 0
	for o, n := range g.Piles {
		sum += n
		s.Piles[o] = uint8(n)
	}
	if sum != int(s.NLand) {
		return kit.BadGiven("piles", g.Piles, "piles", "n", int(s.NLand))
	}
	return nil
}
