package carcassonne

import (
	"encoding/json"
	"fmt"
	"maps"

	"posthorn/domain"
	"posthorn/domain/kit"
)

const givenFar = 500 // how far from the middle a given tile may lie

// givenSchema is the form of a position; what its numbers must be to each other is judged once
// it has been read.
var givenSchema = func() *domain.Schema {
	tile := domain.TextOf(func(w string) (domain.Say, bool) {
		_, ok := TileNamed(w)
		return domain.S("given.tile"), ok || w == ""
	})
	owner := domain.TextOf(func(w string) (domain.Say, bool) {
		var o Owner
		return domain.S("given.owner"), o.UnmarshalText([]byte(w)) == nil
	})
	place := domain.TextOf(func(w string) (domain.Say, bool) {
		var p Place
		return domain.S("given.place"), p.UnmarshalText([]byte(w)) == nil
	})
	variants := map[string]*domain.Schema{}
	for _, o := range tableRoom.Variants {
		variants[o.Key] = domain.WordOf(o.Values...)
	}
	points, pile := domain.ListOf(domain.NumberOf(0, 1_000_000), maxOwners), domain.ListOf(domain.NumberOf(0, maxTiles), maxOwners)
	followers, abbots := domain.ListOf(domain.NumberOf(0, fullHand), maxOwners), domain.ListOf(domain.NumberOf(0, 1), maxOwners)
	return domain.ObjectOf(map[string]*domain.Schema{
		"options": domain.ObjectOf(variants), "phase": domain.WordOf(string(PhaseRiver), string(PhaseLand), string(PhaseOver)),
		"turn": domain.NumberOf(1, 60_000), "to_move": owner, "tile": tile,
		"tiles": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"tile": tile, "x": domain.NumberOf(-givenFar, givenFar), "y": domain.NumberOf(-givenFar, givenFar), "turn": domain.NumberOf(0, 270),
			"figures": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{"seat": owner, "abbot": domain.SwitchOf(), "on": place}), maxTiles),
		}), maxTiles),
		"scores": points, "followers": followers, "abbots": abbots, "piles": pile,
		"remaining": domain.CountsOf(maxTiles, func(w string) (domain.Say, bool) {
			_, ok := TileNamed(w)
			return domain.S("given.tile"), ok && w != ""
		}),
		"set_aside": domain.ListOf(tile, maxTiles),
	})
}()

// given is the position to start from. What is missing is as at the start of a game; the
// tiles given leave the bag and stand instead of the start tile. What could not come to be
// by the rules is refused, but for tiles that do not touch each other: part of a board may
// be given.
func (c *choices) given(raw json.RawMessage, first Owner) (*State, error) {
	g, err := readGiven(raw)
	if err != nil {
		return nil, err
	}
	s := c.start(first)
	for _, step := range []func(*givenView) error{
		s.givenOptions, s.givenTiles, s.givenFigures, s.givenHands, s.givenTurn, s.givenBag, s.givenPhase, s.givenPiles,
	} {
		if err := step(g); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// givenOptions refuses options that are not those of the game. Ones that count for nothing in
// it (colours, without solo) may say anything.
func (s *State) givenOptions(g *givenView) error {
	if len(g.Options) == 0 {
		return nil
	}
	mine := s.asChoices()
	o := s.asChoices()
	maps.Copy(o, g.Options)
	for k, v := range choicesOf(o, int(s.owners)).asChoices() {
		if v != mine[k] {
			return kit.BadGiven("options."+k, g.Options[k], "option", "value", mine[k])
		}
	}
	return nil
}

func (s *State) givenTiles(g *givenView) error {
	if len(g.Tiles) == 0 {
		s.firstTile()
		s.boxStartTile()
		return nil
	}
	for i := range g.Tiles {
		t := &g.Tiles[i]
		if err := s.givenTile(i, t); err != nil {
			return err
		}
		s.put(t.Tile, uint8(t.Turn/90), int16(t.X), int16(t.Y))
		s.bag[t.Tile]--
	}
	s.boxStartTile()
	return nil
}

func (s *State) givenTile(i int, t *ViewTile) error {
	path := fmt.Sprintf("tiles[%d]", i)
	if t.Tile == NoTile {
		return kit.BadGiven(path+".tile", "", "tile")
	}
	named := t.Tile
	t.Tile = s.kind(named)
	switch whole := s.fullBag(); {
	case whole[t.Tile] == 0:
		return kit.BadGiven(path+".tile", named, "not-in-game")
	case s.bag[t.Tile] == 0:
		return kit.BadGiven(path+".tile", named, "copies", "n", int(whole[t.Tile]))
	case t.Turn%90 != 0:
		return kit.BadGiven(path+".turn", t.Turn, "turn")
	case !s.hasRoom(t):
		return kit.BadGiven(path, fmt.Sprintf("%d,%d", t.X, t.Y), "pieces")
	}
	if on := s.tileAt(int16(t.X), int16(t.Y)); on >= 0 {
		return kit.BadGiven(path, fmt.Sprintf("%d,%d", t.X, t.Y), "place-taken", "other", fmt.Sprintf("tiles[%d]", on))
	}
	if c := s.cellAt(int16(t.X), int16(t.Y)); fitting[t.Tile][c.asks]>>(t.Turn/90)&1 == 0 {
		return kit.BadGiven(path, fmt.Sprintf("%s %d,%d %d", named, t.X, t.Y, t.Turn), "edges")
	}
	return nil
}

// hasRoom tells whether the list of open places can hold all that may come of the board
// with one more tile: each tile to come opens two more than it takes. A board in a great many
// pieces has too many.
func (s *State) hasRoom(t *ViewTile) bool {
	opens := 4
	if s.openAt(int16(t.X), int16(t.Y)) != nil {
		opens = 2
	}
	return int(s.nOpen)+opens+2*(maxTiles-1-int(s.nTiles)) <= maxOpen
}
