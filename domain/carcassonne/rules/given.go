package rules

import (
	"encoding/json"
	"fmt"
	"maps"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// given is the position to start from. What is missing is as at the start of a game; the
// tiles given leave the bag and stand instead of the start tile. What could not come to be
// by the rules is refused, but for tiles that do not touch each other: part of a board may
// be given.
func given(s *state.State, c *table.Choices, raw json.RawMessage, first state.Owner) error {
	g, err := state.ReadGiven(raw, first)
	if err != nil {
		return err
	}
	start(s, c)
	if err = givenOptions(s, g); err == nil { // not in a loop over functions: the state would leave the stack
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

// givenOptions refuses options that are not those of the game. Ones that count for nothing in
// it (colours, without solo) may say anything.
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

// hasRoom tells whether the list of open places can hold all that may come of the board
// with one more tile: each tile to come opens two more than it takes. A board in a great many
// pieces has too many.
func hasRoom(s *state.State, t *state.ViewTile) bool {
	opens := 4
	if s.OpenAt(int16(t.X), int16(t.Y)) != nil {
		opens = 2
	}
	return int(s.NOpen)+opens+2*(table.MaxTiles-1-int(s.NTiles)) <= state.MaxOpen
}
