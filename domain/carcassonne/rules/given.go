package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// given sets up the position to start from. What is missing is as at the start of a game; the tiles given leave the
// bag and replace the start tile. It refuses what the rules could never produce, except for tiles that do not touch
// each other: the position may show only part of a board.
func given(s *state.State, c *table.Choices, raw json.RawMessage, first state.Owner) error {
	g, err := state.ReadGiven(raw, first)
	if err != nil {
		return err
	}
	start(s, c)
	if err = givenOptions(s, g); err == nil { // not a loop over functions: the state would escape to the heap
		err = givenTiles(s, g)
	}
	if err == nil {
		err = givenFigures(s, g)
	}
	if err == nil {
		err = givenHands(s, g)
	}
	if err == nil {
		err = givenBag(s, g)
	}
	if err == nil {
		err = givenPhase(s, g)
	}
	if err == nil {
		err = givenPiles(s, g)
	}
	return err
}

// givenOptions refuses options that differ from the game's. Options that have no effect (colours, without solo) may
// say anything.
func givenOptions(s *state.State, g *state.GivenView) error {
	if len(g.Options) == 0 {
		return nil
	}
	mine, o := s.AsChoices(), s.AsChoices()
	maps.Copy(o, g.Options)
	given := table.ChoicesOf(o, int(s.Owners)).AsChoices()
	for _, v := range table.Room.Variants {
		if given[v.Key] != mine[v.Key] {
			return kit.BadGiven("options."+v.Key, g.Options[v.Key], "option", "value", mine[v.Key])
		}
	}
	return nil
}

func givenTiles(s *state.State, g *state.GivenView) error {
	if len(g.Tiles) == 0 {
		firstTile(s)
	}
	for i := range g.Tiles {
		t := &g.Tiles[i]
		if err := givenTile(s, i, t); err != nil {
			return err
		}
		s.Put(t.Tile, uint8(t.Turn/90), int16(t.X), int16(t.Y))
		s.Bag[t.Tile]--
	}
	if s.River && !s.StartInBag && s.Bag[state.StartTile] > 0 {
		s.Bag[state.StartTile]-- // it stays in the box
	}
	return nil
}

func givenTile(s *state.State, i int, t *state.ViewTile) error {
	path := fmt.Sprintf("tiles[%d]", i)
	if t.Tile == table.NoTile {
		return kit.BadGiven(path+".tile", "", "tile")
	}
	named := t.Tile
	t.Tile = state.Kind(&s.Choices, named)
	switch whole := state.FullBag(&s.Choices); {
	case whole[t.Tile] == 0:
		return kit.BadGiven(path+".tile", named, "not-in-game")
	case s.Bag[t.Tile] == 0:
		return kit.BadGiven(path+".tile", named, "copies", "n", int(whole[t.Tile]))
	case t.Turn%90 != 0:
		return kit.BadGiven(path+".turn", t.Turn, "turn")
	case !hasRoom(s, t):
		return kit.BadGiven(path, fmt.Sprintf("%d,%d", t.X, t.Y), "pieces")
	}
	if on := s.TileAt(int16(t.X), int16(t.Y)); on >= 0 {
		return kit.BadGiven(path, fmt.Sprintf("%d,%d", t.X, t.Y), "place-taken", "other", fmt.Sprintf("tiles[%d]", on))
	}
	if c := s.CellAt(int16(t.X), int16(t.Y)); table.Fitting[t.Tile][c.Asks]>>(t.Turn/90)&1 == 0 {
		return kit.BadGiven(path, fmt.Sprintf("%s %d,%d %d", named, t.X, t.Y, t.Turn), "edges")
	}
	return nil
}

// hasRoom reports whether the list of open places can hold whatever the board may become once it has this tile: each
// later tile opens at most two more places than it takes. A board in very many pieces needs too many.
func hasRoom(s *state.State, t *state.ViewTile) bool {
	opens := 4
	if s.OpenAt(int16(t.X), int16(t.Y)) != nil {
		opens = 2
	}
	return int(s.NOpen)+opens+2*(table.MaxTiles-1-int(s.NTiles)) <= state.MaxOpen
}

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

// givenFigure refuses a figure that its owner does not have, that never stands on such a place, or that cannot stand
// on this one.
func givenFigure(s *state.State, path string, tile int, f *state.Stands) error {
	if f.Seat >= state.Owner(s.Owners) {
		return kit.BadGiven(path+".seat", f.Seat, "seat", "allowed", ownersInWords(s))
	}
	switch {
	case f.Abbot && !s.Abbot:
		return kit.BadGiven(path+".abbot", true, "no-abbot")
	case f.Abbot && !f.On.Kind.Shrine():
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
	t := &s.Tiles[tile]
	p := t.Shape().Part(t.Turned(), f.On)
	switch {
	case p < 0:
		return kit.BadGiven(path+".on", f.On, "part", "allowed", placesInWords(s, t))
	case p == table.ShrinePart && t.Around == 8, p != table.ShrinePart &&
		s.Features[s.Feature[t.Node+uint16(p)]].Complete():
		return kit.BadGiven(path+".on", f.On, "complete")
	}
	return nil
}

// ownersInWords returns the letters of the game's seats or colours.
func ownersInWords(s *state.State) string {
	var list []string
	for o := range state.Owner(s.Owners) {
		list = append(list, o.Seat().Letter())
	}
	return strings.Join(list, ", ")
}

// placesInWords returns the parts where a figure may stand, on the tile as it lies.
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
	for i, home := range [...]*[table.MaxOwners]uint8{&s.Hand, &s.AbbotsHome} {
		for o, n := range [...][]int{g.Followers, g.Abbots}[i] {
			if most := int(home[o]); n > most {
				return kit.BadGiven(fmt.Sprintf("%s[%d]", [...]string{"followers", "abbots"}[i], o), n, "in-hand", "n",
					most)
			}
			home[o] = uint8(n)
		}
	}
	if g.ToMove >= state.Owner(s.Owners) {
		return kit.BadGiven("to_move", g.ToMove, "seat", "allowed", ownersInWords(s))
	}
	s.ToMove = g.ToMove
	if g.Turn > 0 {
		s.Turn = uint16(g.Turn)
	}
	return nil
}

// givenBag takes out of the bag what was set aside and drawn, and leaves only what the position says remains.
func givenBag(s *state.State, g *state.GivenView) (err error) {
	for i, id := range g.SetAside {
		if s.Aside[s.NAside], err = takeOut(s, fmt.Sprintf("set_aside[%d]", i), id); err != nil {
			return err
		}
		s.NAside++
	}
	if g.Tile != table.NoTile {
		if s.Current, err = takeOut(s, "tile", g.Tile); err != nil {
			return err
		}
		if !s.FitsAnywhere(s.Current, nil) {
			return kit.BadGiven("tile", g.Tile, "fits-nowhere")
		}
	}
	if g.Remaining != nil {
		err = givenRemaining(s, g.Remaining)
	} else {
		s.Bag[state.Spring] = 0 // the spring is never drawn: it starts the river
	}
	s.NLand, s.NRiver = s.Bag.Sums()
	return err
}

// takeOut takes a tile out of the bag and returns it as this game knows it.
func takeOut(s *state.State, path string, named table.TileID) (table.TileID, error) {
	if named == table.NoTile {
		return named, kit.BadGiven(path, "", "tile")
	}
	id := state.Kind(&s.Choices, named)
	if s.Bag[id] == 0 {
		return id, noneLeft(s, path, id, named)
	}
	s.Bag[id]--
	return id, nil
}

// noneLeft says how many copies of a tile are possible when the position has more.
func noneLeft(s *state.State, path string, id table.TileID, value any) error {
	if whole := state.FullBag(&s.Choices); whole[id] == 0 {
		return kit.BadGiven(path, value, "not-in-game")
	}
	return kit.BadGiven(path, value, "left", "n", int(s.Bag[id]))
}

func givenRemaining(s *state.State, given *state.Counts) error {
	var left state.Counts
	for i, n := range given {
		if n == 0 {
			continue
		}
		named := table.TileID(i)
		id, path := state.Kind(&s.Choices, named), "remaining."+named.String()
		left[id] += n
		switch {
		case named == state.Spring:
			return kit.BadGiven(path, int(n), "spring")
		case left[id] > s.Bag[id]:
			return noneLeft(s, path, id, int(n))
		}
	}
	s.Bag = left
	return nil
}

func givenPhase(s *state.State, g *state.GivenView) error {
	now := state.PhaseLand
	if s.Current == table.NoTile && s.NRiver > 0 || s.Current != table.NoTile &&
		table.Shapes[s.Current].Set != table.Base {
		now = state.PhaseRiver
	}
	switch {
	case g.Phase == "" || g.Phase == now:
		return nil
	case g.Phase != state.PhaseOver:
		return kit.BadGiven("phase", g.Phase, "phase", "phase", string(now))
	case s.Current != table.NoTile, !s.Solo && g.Remaining != nil && s.NLand+s.NRiver > 0:
		// a solo game may stop before its last tile
		return kit.BadGiven("phase", g.Phase, "not-over")
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
