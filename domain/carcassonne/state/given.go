package state

import (
	"encoding/json"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

const givenFar = 500 // how far from the middle a given tile may lie

// givenSchema is the form of a position. How its numbers must relate is judged after it has been read.
var givenSchema = func() *domain.Schema {
	tile := domain.TextOf(func(w string) (domain.Say, bool) {
		_, ok := table.TileNamed(w)
		return domain.S("given.tile"), ok || w == ""
	})
	owner := domain.TextOf(func(w string) (domain.Say, bool) {
		var o Owner
		return domain.S("given.owner"), o.UnmarshalText([]byte(w)) == nil
	})
	place := domain.TextOf(func(w string) (domain.Say, bool) {
		var p table.Place
		return domain.S("given.place"), p.UnmarshalText([]byte(w)) == nil
	})
	variants := map[string]*domain.Schema{}
	for _, o := range table.Room.Variants {
		variants[o.Key] = domain.WordOf(o.Values...)
	}
	points, pile := domain.ListOf(domain.NumberOf(0, 1_000_000), table.MaxOwners),
		domain.ListOf(domain.NumberOf(0, table.MaxTiles), table.MaxOwners)
	followers, abbots := domain.ListOf(domain.NumberOf(0, table.FullHand), table.MaxOwners),
		domain.ListOf(domain.NumberOf(0, 1), table.MaxOwners)
	return domain.ObjectOf(map[string]*domain.Schema{
		"options": domain.ObjectOf(variants),
		"phase":   domain.WordOf(string(PhaseRiver), string(PhaseLand), string(PhaseOver)),
		"turn":    domain.NumberOf(1, 60_000), "to_move": owner, "tile": tile,
		"tiles": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"tile": tile, "x": domain.NumberOf(-givenFar, givenFar), "y": domain.NumberOf(-givenFar, givenFar),
			"turn": domain.NumberOf(0, 270),
			"figures": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
				"seat": owner, "abbot": domain.SwitchOf(), "on": place}), table.MaxTiles),
		}), table.MaxTiles),
		"scores": points, "followers": followers, "abbots": abbots, "piles": pile,
		"remaining": domain.CountsOf(table.MaxTiles, func(w string) (domain.Say, bool) {
			_, ok := table.TileNamed(w)
			return domain.S("given.tile"), ok && w != ""
		}),
		"set_aside": domain.ListOf(tile, table.MaxTiles),
	})
}()

// GivenView is a View from which anything may be missing. A missing key says nothing; only for remaining does empty
// differ from missing.
type GivenView struct {
	View
	Remaining *Counts `json:"remaining"`
}

// ReadGiven reads a position set up by hand, after checking its form; first is to move if the position does not say.
func ReadGiven(raw json.RawMessage, first Owner) (*GivenView, error) {
	g := &GivenView{View: View{ToMove: first, Tile: table.NoTile}}
	return g, kit.Given(raw, givenSchema, g)
}
