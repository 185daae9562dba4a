package show

import (
	_ "embed"
	"encoding/json"
	"slices"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

//go:embed layout.json
var layoutFile []byte

// layout is what of a tile's drawing does not follow from its edges. The file has the tiles of
// which there is something to say.
type layout struct {
	Middle  Point   // where its church, garden, village or pool lies
	Round   float64 // how far about Middle there is no field; 0 if nothing lies there
	Depth   float64 // how deep a road or river runs that ends on the tile, to a gate or church; 0 is to the middle
	Bow     float64 // how far a river bends south, to make room for what stands there
	Pennant *Point  // of a city: a wide place that leaves room for a figure
	Beside  string  // the half-edge near which Middle lies where the tile is drawn in characters; "" is none
}

// layouts are read once from the embedded file, by TileID.
var layouts = func() (all [table.TileKinds]layout) {
	var byLetter map[string]layout
	if err := json.Unmarshal(layoutFile, &byLetter); err != nil {
		panic("carcassonne: the embedded layout of tiles: " + err.Error())
	}
	for letter, l := range byLetter {
		all[state.MustTile(letter)] = l
	}
	return all
}()

// isJunction tells whether roads end in the tile's middle, in a village.
func isJunction(t *table.Tile) bool {
	ends := slices.DeleteFunc(slices.Clone(t.Parts), func(p table.Part) bool { return p.Kind != table.Road || len(p.At) != 1 })
	return len(ends) >= 2
}

func tileHas(t *table.Tile, k table.Kind) bool {
	return slices.ContainsFunc(t.Parts, func(p table.Part) bool { return p.Kind == k })
}
