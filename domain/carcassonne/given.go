package carcassonne

import (
	"encoding/json"
	"maps"
	"strings"

	"posthorn/domain"
)

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
	options := map[string]*domain.Schema{}
	for _, o := range (Rules{}).Options() {
		options[o.Key] = domain.WordOf(o.Values...)
	}
	amounts := domain.ListOf(domain.NumberOf(-1<<40, 1<<40), 100)
	return domain.ObjectOf(map[string]*domain.Schema{
		"options": domain.ObjectOf(options), "phase": domain.WordOf(string(PhaseRiver), string(PhaseLand), string(PhaseOver)),
		"turn": domain.NumberOf(1, 60_000), "to_move": owner, "tile": tile,
		"tiles": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"tile": tile, "x": domain.NumberOf(-1<<20, 1<<20), "y": domain.NumberOf(-1<<20, 1<<20), "turn": domain.NumberOf(-1<<20, 1<<20),
			"figures": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{"seat": owner, "abbot": domain.SwitchOf(), "on": place}), maxTiles),
		}), maxTiles),
		"scores": amounts, "followers": amounts, "abbots": amounts, "piles": amounts,
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
	if err := checkChoices(o); err != nil {
		return err
	}
	for k, v := range choicesOf(o, int(s.owners)).asChoices() {
		if v != mine[k] {
			return domain.Refuse("given-options", "option", k)
		}
	}
	return nil
}

const givenFar = 500 // how far from the middle a given tile may lie

func (s *State) givenTiles(g *givenView) error {
	if len(g.Tiles) == 0 {
		s.firstTile()
		s.boxStartTile()
		return nil
	}
	for i := range g.Tiles {
		t := &g.Tiles[i]
		if err := s.givenTile(t); err != nil {
			return err
		}
		s.put(t.Tile, uint8(t.Turn/90), int16(t.X), int16(t.Y))
		s.bag[t.Tile]--
	}
	s.boxStartTile()
	return nil
}

func (s *State) givenTile(t *ViewTile) error {
	wrong := func(code string) error { return domain.Refuse(code, "tile", t.Tile.String(), "x", t.X, "y", t.Y) }
	if t.Tile == NoTile {
		return wrong("given-no-tile")
	}
	t.Tile = s.kind(t.Tile)
	switch {
	case s.bag[t.Tile] == 0:
		return wrong("given-too-many")
	case t.Turn < 0 || t.Turn > 270 || t.Turn%90 != 0:
		return wrong("given-turn")
	case t.X < -givenFar || t.X > givenFar || t.Y < -givenFar || t.Y > givenFar || !s.hasRoom(t):
		return wrong("given-far")
	case s.tileAt(int16(t.X), int16(t.Y)) >= 0:
		return wrong("given-twice")
	}
	if c := s.cellAt(int16(t.X), int16(t.Y)); fitting[t.Tile][c.asks]>>(t.Turn/90)&1 == 0 {
		return wrong("given-edges")
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

func (s *State) givenFigures(g *givenView) error {
	for i := range g.Tiles {
		t := &g.Tiles[i]
		for k := range t.Figures {
			f := &t.Figures[k]
			if code := s.figureWrong(i, k, f); code != "" {
				return domain.Refuse(code, "tile", t.Tile.String(), "x", t.X, "y", t.Y, "place", placeSay(f.On))
			}
			s.post(i, f)
		}
	}
	return nil
}

// figureWrong says why a figure cannot stand where it is given; "" if it can.
func (s *State) figureWrong(tile, nth int, f *Stands) string {
	t := &s.tiles[tile]
	sh := t.shape()
	shrine := f.On.Kind == Cloister || f.On.Kind == Garden
	switch {
	case nth > 0:
		return "given-two-figures" // one figure a turn, on the tile just placed
	case f.Seat >= Owner(s.owners):
		return "given-seat"
	case f.Abbot && (!s.abbot || !shrine || s.abbotsHome[f.Seat] == 0):
		return "given-abbot"
	case !f.Abbot && (f.On.Kind == Garden || s.hand[f.Seat] == 0):
		return "given-follower"
	case f.On.Kind == River || f.On.Kind == Field && !s.farmers:
		return "given-follower"
	case shrine && sh.shrine != f.On.Kind:
		return "given-no-part"
	case shrine && t.around == 8:
		return "given-scored"
	case shrine:
		return ""
	}
	p := sh.part(t.turned(), f.On)
	if p < 0 {
		return "given-no-part"
	}
	if s.features[s.feature[t.node+uint16(p)]].complete() {
		return "given-scored"
	}
	return ""
}

func (s *State) givenHands(g *givenView) error {
	for _, list := range [][]int{g.Scores, g.Followers, g.Abbots} {
		if list != nil && len(list) != int(s.owners) {
			return domain.Refuse("given-length", "n", int(s.owners))
		}
	}
	for o, n := range g.Scores {
		if n < 0 || n > 1_000_000 {
			return domain.Refuse("given-scores")
		}
		s.scores[o] = int32(n)
	}
	for o, n := range g.Followers {
		if n < 0 || n > int(s.hand[o]) {
			return domain.Refuse("given-hand")
		}
		s.hand[o] = uint8(n)
	}
	for o, n := range g.Abbots {
		if n < 0 || n > int(s.abbotsHome[o]) {
			return domain.Refuse("given-hand")
		}
		s.abbotsHome[o] = uint8(n)
	}
	return nil
}

func (s *State) givenTurn(g *givenView) error {
	if g.ToMove != nil {
		if *g.ToMove >= Owner(s.owners) {
			return domain.Refuse("given-seat")
		}
		s.toMove = *g.ToMove
	}
	if g.Turn != nil {
		if *g.Turn < 1 || *g.Turn > 60_000 {
			return domain.Refuse("given-number")
		}
		s.turn = uint16(*g.Turn)
	}
	return nil
}

// givenBag takes out of the bag what was set aside and what was drawn, and leaves in it only
// what is said to remain.
func (s *State) givenBag(g *givenView) error {
	takeOut := func(id TileID) error {
		if id == NoTile || s.bag[s.kind(id)] == 0 {
			return domain.Refuse("given-not-left", "tile", id.String())
		}
		s.bag[s.kind(id)]--
		return nil
	}
	for _, id := range g.SetAside {
		if err := takeOut(id); err != nil {
			return err
		}
		s.aside[s.nAside] = s.kind(id)
		s.nAside++
	}
	if g.Tile != nil && *g.Tile != NoTile {
		if err := takeOut(*g.Tile); err != nil {
			return err
		}
		s.current = s.kind(*g.Tile)
		if !s.fitsAnywhere(s.current, nil) {
			return domain.Refuse("given-fits-nowhere", "tile", g.Tile.String())
		}
	}
	if g.Remaining != nil {
		var left Counts
		for id, n := range g.Remaining {
			left[s.kind(TileID(id))] += n
		}
		for id, n := range left {
			if n > s.bag[id] {
				return domain.Refuse("given-not-left", "tile", TileID(id).String())
			}
		}
		s.bag = left
	} else {
		s.bag[spring] = 0 // the spring is never drawn: it is where a river starts
	}
	if s.bag[spring] > 0 {
		return domain.Refuse("given-not-left", "tile", spring.String())
	}
	s.nLand, s.nRiver = s.bag.sums()
	return nil
}

func (s *State) givenPhase(g *givenView) error {
	if g.Phase == nil {
		return nil
	}
	river := s.nRiver > 0
	if s.current != NoTile {
		river = shapes[s.current].set != Base
	}
	switch p := Phase(strings.ToLower(string(*g.Phase))); {
	case p == PhaseOver && s.current == NoTile:
		s.over = true
		return nil
	case p == PhaseRiver && river, p == PhaseLand && !river:
		return nil
	}
	return domain.Refuse("given-phase", "phase", string(*g.Phase))
}

func (s *State) givenPiles(g *givenView) error {
	if !s.solo {
		if len(g.Piles) > 0 {
			return domain.Refuse("given-piles")
		}
		return nil
	}
	if g.Piles == nil {
		s.deal()
		return nil
	}
	sum := 0
	for _, n := range g.Piles {
		if n < 0 {
			return domain.Refuse("given-piles")
		}
		sum += n
	}
	if len(g.Piles) != int(s.owners) || sum != int(s.nLand) {
		return domain.Refuse("given-piles")
	}
	for o, n := range g.Piles {
		s.piles[o] = uint8(n)
	}
	return nil
}
