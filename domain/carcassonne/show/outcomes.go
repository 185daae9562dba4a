package show

import (
	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Outcomes returns the tiles that may be drawn next.
func (Room) Outcomes(v *state.View) []domain.Form {
	tile := domain.Field{Name: "tile", Label: domain.S("chance.tile"), Kind: domain.FieldChoice}
	for i, n := range v.Remaining {
		if n > 0 {
			id := table.TileID(i) // #nosec G115: there are few kinds
			tile.Words = append(tile.Words, id.String())
			tile.Labels = append(tile.Labels,
				domain.S("outcome.tile", "tile", id.String(), "tiles", kindSay(id, int(n))))
		}
	}
	if len(tile.Words) == 0 {
		return nil
	}
	return []domain.Form{{Key: "tile", Label: domain.S("chance.tile"), Pattern: "tile {tile}",
		Fields: []domain.Field{tile}}}
}
